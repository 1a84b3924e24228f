/**
 * The small files beside the descriptor. None of them decides anything about ownership: they tell people why a daemon
 * stopped, and the next broker which server process its predecessor may have left behind.
 */
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isObject } from '../base/unknown-value.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';
import { parseIdentity, removeFile } from './daemon-record.ts';

export interface LastExit {
  readonly reason: string;
  /** Wall-clock milliseconds. */
  readonly at: number;
  readonly pid: number;
  readonly generation: string;
  readonly version: string;
  readonly root: string;
  readonly language: string;
  readonly command: string;
}

/**
 * The language server of one broker: a process group whose members carry the generation in their environment.
 * Each generation has a file of its own, because a broker that drains may still have its server when the next one
 * already has another.
 */
export interface ServerNote {
  readonly generation: string;
  readonly broker: ProcessIdentity;
  readonly process: ProcessIdentity;
}

export function writeLastExit(directory: string, exit: LastExit): void {
  replaceFile(path.join(directory, 'last-exit.json'), `${JSON.stringify(exit)}\n`);
}

export function readLastExit(directory: string): LastExit | undefined {
  const value = readJson(path.join(directory, 'last-exit.json'));
  if (!value || typeof value.reason !== 'string' || typeof value.at !== 'number') return undefined;
  const string = (name: string) => (typeof value[name] === 'string' ? value[name] : '');
  return {
    reason: value.reason,
    at: value.at,
    pid: Number(value.pid),
    generation: string('generation'),
    version: string('version'),
    root: string('root'),
    language: string('language'),
    command: string('command'),
  };
}

export function writeServerNote(directory: string, note: ServerNote): void {
  replaceFile(serverNotePath(directory, note.generation), `${JSON.stringify(note)}\n`);
}

export function readServerNotes(directory: string): ServerNote[] {
  return readdirSync(directory)
    .filter((name) => SERVER_NOTE.test(name))
    .map((name) => parseServerNote(readJson(path.join(directory, name))))
    .filter((note) => note !== undefined);
}

export function removeServerNote(directory: string, generation: string): void {
  removeFile(serverNotePath(directory, generation));
}

/** For people and for scripts that expect one; nothing here reads it. */
export function writePidFile(directory: string, pid: number): void {
  replaceFile(pidPath(directory), `${pid}\n`);
}

export function removePidFile(directory: string, pid: number): void {
  try {
    if (readFileSync(pidPath(directory), 'utf8').trim() === String(pid)) removeFile(pidPath(directory));
  } catch {
    // It is informational: gone or unreadable is as good as removed.
  }
}

const SERVER_NOTE = /^server-[0-9a-f]+\.json$/;

function serverNotePath(directory: string, generation: string): string {
  return path.join(directory, `server-${generation}.json`);
}

function parseServerNote(value: Record<string, unknown> | undefined): ServerNote | undefined {
  const broker = value?.broker;
  const server = value?.process;
  if (typeof value?.generation !== 'string' || !isObject(broker) || !isObject(server)) return undefined;
  const identity = parseIdentity(server);
  // Nobody's server is the first process, and a group of number 0 or less means everybody.
  if (!Number.isSafeInteger(identity.pid) || identity.pid <= 1) return undefined;
  return { generation: value.generation, broker: parseIdentity(broker), process: identity };
}

function pidPath(directory: string): string {
  return path.join(directory, 'daemon.pid');
}

function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text, { mode: 0o600 });
    renameSync(temporary, file);
  } catch (error) {
    removeFile(temporary);
    throw error;
  }
}

function readJson(file: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
