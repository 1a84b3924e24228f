/**
 * Ends the language server that a dead predecessor has left behind. A pid alone is never enough to send a signal:
 * the process must be the one that was noted, or carry the dead generation in its environment.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { messageOf } from '../shared/base/failure.ts';
import { type Clock, delay } from '../shared/base/lifetime.ts';
import type { Log } from '../shared/base/log.ts';
import {
  identifyProcess,
  livenessOf,
  type ProcessIdentity,
  parseProcStat,
} from '../shared/process/process-identity.ts';
import { readServerNotes, removeServerNote, type ServerNote } from '../shared/rendezvous/daemon-notes.ts';

/** Set in every broker, so that its server and all that descends from it can be recognised. */
export const GENERATION_VARIABLE = 'AGENT_LSP_BROKER_GENERATION';

/** Between the polite signal and the other one. */
export const REAP_GRACE_MS = 3_000;

export interface ReapOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** Instead of REAP_GRACE_MS. */
  readonly graceMs?: number;
}

/** Ends the servers that dead brokers of this key have left behind. Never rejects. */
export async function reapAll(directory: string, options: ReapOptions): Promise<void> {
  try {
    for (const note of readServerNotes(directory)) {
      const broker = livenessOf(note.broker);
      if (broker !== 'gone' && broker !== 'different') continue;
      await reap(note, options);
      removeServerNote(directory, note.generation);
    }
  } catch (error) {
    options.log.error('reaping failed', { error: messageOf(error) });
  }
}

/** Resolves when nothing recognisable is left, or when it could not be ended either. */
async function reap(note: ServerNote, options: ReapOptions): Promise<void> {
  const { clock, log, graceMs = REAP_GRACE_MS } = options;
  if (remains(note).length === 0) return;
  log.warn('ending the server that a dead daemon left behind', {
    pid: note.process.pid,
    generation: note.generation,
  });
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (const victim of remains(note)) send(victim, signal, log);
    const deadline = clock.now() + graceMs;
    while (clock.now() < deadline) {
      if (remains(note).length === 0) return;
      await delay(25, { clock });
    }
  }
  log.error('could not end the server of a dead daemon', { pid: note.process.pid });
}

function remains(note: ServerNote): ProcessIdentity[] {
  const found = new Map<number, ProcessIdentity>();
  if (livenessOf(note.process) === 'alive') found.set(note.process.pid, note.process);
  for (const identity of marked(note.generation)) found.set(identity.pid, identity);
  found.delete(process.pid);
  return [...found.values()];
}

/** Only Linux shows the environment of a process; elsewhere the noted process and its group must do. */
function marked(generation: string): ProcessIdentity[] {
  if (process.platform !== 'linux') return [];
  const wanted = `${GENERATION_VARIABLE}=${generation}`;
  const identities: ProcessIdentity[] = [];
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (!readFileSync(`/proc/${name}/environ`, 'latin1').split('\0').includes(wanted)) continue;
      const identity = identifyProcess(Number(name));
      if (identity) identities.push(identity);
    } catch {
      // The process of another user, or one that has just ended.
    }
  }
  return identities;
}

function send(victim: ProcessIdentity, signal: NodeJS.Signals, log: Log): void {
  if (livenessOf(victim) !== 'alive') return;
  try {
    if (process.platform === 'win32') {
      execFile('taskkill', ['/PID', String(victim.pid), '/T', '/F'], { windowsHide: true });
      return;
    }
    process.kill(leadsGroup(victim.pid) ? -victim.pid : victim.pid, signal);
  } catch (error) {
    log.debug('the process ended by itself', { pid: victim.pid, error: messageOf(error) });
  }
}

function leadsGroup(pid: number): boolean {
  // Servers are started as leaders of a group of their own; where that can be checked, it is.
  if (process.platform !== 'linux') return true;
  try {
    return parseProcStat(readFileSync(`/proc/${pid}/stat`, 'utf8')).group === pid;
  } catch {
    return false;
  }
}
