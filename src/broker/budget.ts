/**
 * How many idle servers one user's machine keeps warm. Each broker alone cannot know: five idle ones are each within
 * their own idle time and together fill the memory. Who has to leave is decided here from plain data.
 */
import type { Log } from '../shared/base/log.ts';

export interface BudgetLimits {
  readonly maxIdlePerLanguage: number;
  /** For all idle brokers together, with their servers. */
  readonly maxIdleBytes: number;
}

export interface BudgetEntry {
  readonly generation: string;
  readonly language: string;
  /** Nobody is attached and nothing is running; others are never asked to leave. */
  readonly idle: boolean;
  /** Wall-clock milliseconds, because several processes compare theirs. */
  readonly lastActivityAt: number;
  readonly treeRssBytes: number;
}

export interface Eviction<T extends BudgetEntry> {
  readonly broker: T;
  readonly reason: string;
}

const MAX_IDLE_PER_LANGUAGE = 3;
const SHARE_OF_MACHINE = 0.25;
const MEGABYTE = 1024 * 1024;

/**
 * Who has to leave, least recently used first: whatever is too many of its language, and then, of the rest, as many
 * as it takes to keep within the memory. The order of the input does not matter, so that brokers that
 * look at the same time decide the same.
 */
export function overBudget<T extends BudgetEntry>(
  brokers: readonly T[],
  limits: BudgetLimits,
): readonly Eviction<T>[] {
  const idle = brokers.filter((broker) => broker.idle).sort(leastRecentFirst);
  const tooMany = idle.filter((broker, index) => {
    const moreRecent = idle.slice(index + 1).filter(({ language }) => language === broker.language);
    return moreRecent.length >= limits.maxIdlePerLanguage;
  });
  const byMemory: Eviction<T>[] = [];
  const rest = idle.filter((broker) => !tooMany.includes(broker));
  let bytes = rest.reduce((sum, broker) => sum + broker.treeRssBytes, 0);
  for (const broker of rest) {
    if (bytes <= limits.maxIdleBytes) break;
    byMemory.push({ broker, reason: memoryReason(bytes, limits.maxIdleBytes) });
    bytes -= broker.treeRssBytes;
  }
  return [...tooMany.map((broker) => ({ broker, reason: countReason(broker, limits) })), ...byMemory];
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
  const megabytes = wholeNumber('AGENT_LSP_MAX_IDLE_MEMORY_MB');
  return {
    maxIdlePerLanguage: wholeNumber('AGENT_LSP_MAX_IDLE_PER_LANGUAGE') ?? MAX_IDLE_PER_LANGUAGE,
    maxIdleBytes: megabytes === undefined ? machineBytes * SHARE_OF_MACHINE : megabytes * MEGABYTE,
  };
}

function leastRecentFirst(a: BudgetEntry, b: BudgetEntry): number {
  return a.lastActivityAt - b.lastActivityAt || (a.generation < b.generation ? -1 : 1);
}

function countReason({ language }: BudgetEntry, { maxIdlePerLanguage }: BudgetLimits): string {
  return `budget: at most ${maxIdlePerLanguage} idle ${language} servers are kept, and this one was used least recently`;
}

function memoryReason(bytes: number, limit: number): string {
  const inMegabytes = (value: number) => `${Math.round(value / MEGABYTE)} MB`;
  return `budget: idle servers use ${inMegabytes(bytes)} of ${inMegabytes(limit)}, and this one was used least recently`;
}
