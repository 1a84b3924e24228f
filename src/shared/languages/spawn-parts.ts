/** Parts of descriptors: how work is started that runs beside its caller. */
import type { SpawnPattern } from './text-facts.ts';

/** Calls whose arguments are what is started. */
export const around = (...patterns: readonly RegExp[]): readonly SpawnPattern[] =>
  patterns.map((pattern) => ({ around: pattern }));

export const scriptSpawns = (): readonly SpawnPattern[] => [
  ...around(
    /\b(?:setTimeout|setInterval|setImmediate|queueMicrotask|requestAnimationFrame|requestIdleCallback)$/,
    /\bprocess\.nextTick$/,
    /\bPromise\.(?:all|allSettled|any|race)$/,
    /\bnew (?:Worker|SharedWorker)$/,
  ),
  { name: 'void (not awaited)', before: /\bvoid\s+[\w.#?]*$/ },
];
