/**
 * What the servers of one user may take of the machine. Each broker alone cannot know: five idle ones are each within
 * their own idle time and together fill the memory, and sessions that are left open keep theirs for ever. Who has to
 * leave, and whose server has to sleep, is decided here from plain data.
 * Decision: docs/decisions/broker.md#servers-with-sessions-sleep
 * Decision: docs/decisions/broker.md#half-of-the-machine
 */
import type { Log } from '../shared/base/log.ts';
import { DEFAULT_IDLE_SERVERS, IDLE_SERVERS_VARIABLE } from '../shared/link/idle-servers.ts';

export interface BudgetLimits {
  readonly maxIdlePerLanguage: number;
  /** For all idle brokers together, with their servers. */
  readonly maxIdleBytes: number;
  /** For all brokers together, with their servers. */
  readonly maxBytes: number;
  /** A server with sessions may be put to sleep when nobody has asked it anything for this long. */
  readonly sleepAfterMs: number;
}

export interface BudgetEntry {
  readonly generation: string;
  readonly language: string;
  readonly root: string;
  /** Nobody is attached and nothing is running: it can leave as a whole. */
  readonly idle: boolean;
  /** Wall-clock milliseconds, because several processes compare theirs. */
  readonly lastActivityAt: number;
  readonly treeRssBytes: number;
  /** The part of it that is free while the server sleeps. */
  readonly serverRssBytes: number;
  /** Absent when there is no server, or none that can be put to sleep. */
  readonly use?: UseFigures;
}

export interface UseFigures {
  /** Calls that are not answered yet. */
  readonly running: number;
  /** Since it was last asked anything. */
  readonly quietMs: number;
  /** False while it starts or builds its index. */
  readonly isSettled: boolean;
  /** Since it was woken; null when it never slept. */
  readonly awakeMs: number | null;
}

export interface Eviction<T extends BudgetEntry> {
  readonly broker: T;
  /** `sleep` stops the server only; the broker and its sessions stay, and the next call starts it again. */
  readonly how: 'leave' | 'sleep';
  readonly reason: string;
}

export interface BudgetVerdict<T extends BudgetEntry> {
  readonly evictions: readonly Eviction<T>[];
  /** When a server may be put to sleep that may not yet; undefined when waiting does not help, or need not. */
  readonly lookAgainInMs: number | undefined;
}

const IDLE_SHARE_OF_MACHINE = 0.25;
/** From here on a laptop that also runs an editor, a browser and the agents begins to swap. */
const SHARE_OF_MACHINE = 0.5;
/** Longer than an agent thinks between two questions. */
const SLEEP_AFTER_S = 120;
/** A woken server stays awake for so many times longer: ten minutes, a tenth of which goes into loading a large project. */
const AWAKE_FACTOR = 5;
const MEGABYTE = 1024 * 1024;

/**
 * Least recently used first: idle brokers that are too many of their language, then idle ones as long as they take too
 * much together, then idle ones and after them servers with sessions as long as all take too much. The order of the
 * input does not matter, so that brokers that look at the same time decide the same.
 */
export function overBudget<T extends BudgetEntry>(
  brokers: readonly T[],
  limits: BudgetLimits,
): BudgetVerdict<T> {
  const idle = brokers.filter((broker) => broker.idle).sort(leastRecentFirst);
  const tooMany = idle.filter((broker, index) => {
    const moreRecent = idle.slice(index + 1).filter(({ language }) => language === broker.language);
    return moreRecent.length >= limits.maxIdlePerLanguage;
  });
  const evictions = tooMany.map((broker) => leaving(broker, countReason(broker, limits)));
  const rest = idle.filter((broker) => !tooMany.includes(broker));
  let idleBytes = totalRss(rest);
  let bytes = totalRss(brokers) - totalRss(tooMany);
  for (const broker of rest) {
    const idleAreOver = idleBytes > limits.maxIdleBytes;
    if (!idleAreOver && (bytes <= limits.maxBytes || isComingUp(broker))) continue;
    const reason = idleAreOver
      ? memoryReason('idle', idleBytes, limits.maxIdleBytes)
      : memoryReason('all', bytes, limits.maxBytes);
    evictions.push(leaving(broker, reason));
    idleBytes -= broker.treeRssBytes;
    bytes -= broker.treeRssBytes;
  }
  let lookAgainInMs: number | undefined;
  for (const broker of longestQuietFirst(brokers)) {
    if (bytes <= limits.maxBytes) return { evictions, lookAgainInMs: undefined };
    const waitMs = sleepsIn(broker, limits);
    if (waitMs === 0) {
      evictions.push({ broker, how: 'sleep', reason: sleepReason(bytes, limits.maxBytes) });
      bytes -= broker.serverRssBytes;
    } else if (waitMs !== undefined) lookAgainInMs = Math.min(waitMs, lookAgainInMs ?? waitMs);
  }
  return { evictions, lookAgainInMs: bytes > limits.maxBytes ? lookAgainInMs : undefined };
}

/** How long the server must be left alone still; undefined when it is not known, because it is needed now. */
export function sleepsIn({ use, ...broker }: BudgetEntry, limits: BudgetLimits): number | undefined {
  if (!use || use.running > 0 || broker.serverRssBytes === 0) return undefined;
  // What was begun is finished first, unless it cannot fit however much the others give way.
  if (!use.isSettled && broker.treeRssBytes <= limits.maxBytes) return undefined;
  const awakeFor = limits.sleepAfterMs * AWAKE_FACTOR - (use.awakeMs ?? Number.POSITIVE_INFINITY);
  return Math.max(0, limits.sleepAfterMs - use.quietMs, awakeFor);
}

/** A value that is not a whole number is reported and ignored. */
export function budgetFrom(env: NodeJS.ProcessEnv, machineBytes: number, log: Log): BudgetLimits {
  const wholeNumber = (name: string): number | undefined => {
    const text = env[name]?.trim() ?? '';
    if (text === '') return undefined;
    if (/^\d{1,12}$/.test(text)) return Number(text);
    log.warn('ignored a setting that is not a whole number', { name, value: text });
    return undefined;
  };
  const bytes = (name: string, share: number) => {
    const megabytes = wholeNumber(name);
    return megabytes === undefined ? Math.round(machineBytes * share) : megabytes * MEGABYTE;
  };
  return {
    maxIdlePerLanguage: wholeNumber(IDLE_SERVERS_VARIABLE) ?? DEFAULT_IDLE_SERVERS,
    maxIdleBytes: bytes('AGENT_LSP_MAX_IDLE_MEMORY_MB', IDLE_SHARE_OF_MACHINE),
    maxBytes: bytes('AGENT_LSP_MAX_MEMORY_MB', SHARE_OF_MACHINE),
    sleepAfterMs: (wholeNumber('AGENT_LSP_SLEEP_AFTER_SECONDS') ?? SLEEP_AFTER_S) * 1000,
  };
}

function leaving<T extends BudgetEntry>(broker: T, reason: string): Eviction<T> {
  return { broker, how: 'leave', reason };
}

/** The front end that started it is about to come. */
function isComingUp({ use }: BudgetEntry): boolean {
  return use?.isSettled === false;
}

/** Servers with sessions. All of the root that asked last come last: the others are not what is worked on. */
function longestQuietFirst<T extends BudgetEntry>(brokers: readonly T[]): T[] {
  const quietOf = ({ use }: BudgetEntry) => use?.quietMs ?? Number.POSITIVE_INFINITY;
  const roots = new Map<string, number>();
  for (const broker of brokers)
    roots.set(broker.root, Math.min(quietOf(broker), roots.get(broker.root) ?? Number.POSITIVE_INFINITY));
  const rootOf = ({ root }: BudgetEntry) => roots.get(root) ?? 0;
  return brokers
    .filter(({ idle, use }) => !idle && use !== undefined)
    .sort((a, b) => rootOf(b) - rootOf(a) || quietOf(b) - quietOf(a) || byGeneration(a, b));
}

function leastRecentFirst(a: BudgetEntry, b: BudgetEntry): number {
  return a.lastActivityAt - b.lastActivityAt || byGeneration(a, b);
}

function byGeneration(a: BudgetEntry, b: BudgetEntry): number {
  return a.generation < b.generation ? -1 : 1;
}

export function totalRss(brokers: readonly BudgetEntry[]): number {
  return brokers.reduce((sum, { treeRssBytes }) => sum + treeRssBytes, 0);
}

function countReason({ language }: BudgetEntry, { maxIdlePerLanguage }: BudgetLimits): string {
  return `budget: at most ${maxIdlePerLanguage} idle ${language} servers are kept, and this one was used least recently`;
}

function memoryReason(which: 'idle' | 'all', bytes: number, limit: number): string {
  return `budget: ${which} servers use ${inMegabytes(bytes)} of ${inMegabytes(limit)}, and this one was used least recently`;
}

function sleepReason(bytes: number, limit: number): string {
  return `memory budget (all servers used ${inMegabytes(bytes)} of ${inMegabytes(limit)})`;
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / MEGABYTE)} MB`;
}
