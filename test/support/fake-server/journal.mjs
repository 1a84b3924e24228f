/**
 * The journal is how tests see what the server saw: one JSON line per event, written synchronously,
 * so that the last line before a SIGKILL is there too.
 */
import { openSync, readFileSync, writeSync } from 'node:fs';

const LONGEST_STRING = 20_000;

/** Without a file nothing is recorded and the instance is always 1. */
export function openJournal(file) {
  const instance = file === undefined ? 1 : startsIn(file) + 1;
  const descriptor = file === undefined ? undefined : openSync(file, 'a');

  return {
    /** Counts the servers that were started with this journal, this one included. */
    instance,
    append(event, fields = {}) {
      if (descriptor === undefined) return;
      const line = { event, at: Date.now(), pid: process.pid, instance, ...fields };
      writeSync(descriptor, `${JSON.stringify(line, shorten)}\n`);
    },
  };
}

function startsIn(file) {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('{"event":"start"')).length;
  } catch (error) {
    if (error.code === 'ENOENT') return 0;
    throw error;
  }
}

function shorten(_key, value) {
  if (typeof value !== 'string' || value.length <= LONGEST_STRING) return value;
  return `${value.slice(0, 100)}… (${value.length} characters)`;
}
