/**
 * Hints to V8 that keep a session small and quiet: sixteen of them on one machine are common. Nothing but memory and
 * time depends on them.
 * Decision: docs/decisions/start-and-memory.md#new-objects-get-little-space
 * Decision: docs/decisions/start-and-memory.md#sessions-look-for-garbage-themselves
 * Decision: docs/decisions/start-and-memory.md#front-ends-optimize-late
 * Decision: docs/decisions/start-and-memory.md#one-process-for-many-clients-has-the-usual-space
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { runInNewContext } from 'node:vm';

/** Where it is wanted: it brings Node's streams with it, which the shortest runs have no use for. */
function ofV8(): typeof import('node:v8') {
  return process.getBuiltinModule('node:v8');
}

/** Short calls leave few new objects behind, so that the space for new ones need not grow: 15 MB less. */
export function keepYoungMemorySmall(): void {
  growYoungMemoryBy(1);
}

/** The objects of a large answer all stay, and copying them about in a small space takes longer than reading them. */
export function letYoungMemoryGrow(): void {
  growYoungMemoryBy(2);
}

/**
 * Most sessions answer some dozens of calls. Optimizing after as little work as V8 likes to takes more of the other cores
 * than it gives back before a session ends; what is truly hot is still optimized, later. Newer V8 has a compiler between
 * the interpreter and the optimizer, waits longer by itself, and has no such flag.
 */
export function optimizeLate(): void {
  if (process.versions.v8.startsWith('11.3.')) ofV8().setFlagsFromString('--interrupt-budget=300000');
}

/**
 * One process that serves many clients for a long time is no session among many: what the calls of all of them leave
 * behind at once needs the usual space for new objects, or it is all taken for old, and looked for there again and again.
 */
export function serveMany(): void {
  letYoungMemoryGrow();
  if (process.versions.v8.startsWith('11.3.')) ofV8().setFlagsFromString('--interrupt-budget=135168');
}

/** The newest major version of V8 that was seen to have this flag: one that lacks it says so on standard error. */
const GROWTH_KNOWN_UNTIL = 14;

function growYoungMemoryBy(factor: number): void {
  if (Number.parseInt(process.versions.v8, 10) > GROWTH_KNOWN_UNTIL) return;
  ofV8().setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}

/**
 * What outlives the small space for new objects is garbage among the old ones when its call is over, and V8 lets some
 * 40 MB of that come together before it looks there for the first time. To be called after each call.
 */
export class GarbageWatch {
  readonly #mostBytes: number;
  #calls = 0;
  #kept = Number.POSITIVE_INFINITY;

  constructor(mostBytes = MOST_GARBAGE_BYTES) {
    this.#mostBytes = mostBytes;
  }

  callEnded(): void {
    if (++this.#calls % CALLS_BETWEEN_LOOKS !== 0) return;
    const used = oldSpaceBytes();
    this.#kept = Math.min(used, this.#kept);
    if (used - this.#kept < this.#mostBytes) return;
    ofV8().setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    this.#kept = oldSpaceBytes();
  }
}

const CALLS_BETWEEN_LOOKS = 16;
const MOST_GARBAGE_BYTES = 4 * 1024 * 1024;
/** Of a process with many clients: looking takes longer the more of them there are, and may not hold up their calls often. */
export const MOST_GARBAGE_OF_MANY = 64 * 1024 * 1024;

function oldSpaceBytes(): number {
  const space = ofV8()
    .getHeapSpaceStatistics()
    .find(({ space_name }) => space_name === 'old_space');
  return space?.space_used_size ?? 0;
}

/** What Node 20 has and the library of ES2023 does not know. */
declare global {
  interface ArrayBufferConstructor {
    new (byteLength: number, options: { readonly maxByteLength: number }): ArrayBuffer;
  }
}

/**
 * The bytes of a large file that are wanted for a moment. They are not taken from malloc: once the C library has freed a
 * block of that size, it keeps as much as twice of it in each of its arenas for good, which is some 8 MB here.
 * A buffer that could be resized has pages of its own.
 */
export function readApart(file: string): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    const bytes = Buffer.from(new ArrayBuffer(size, { maxByteLength: size }), 0, size);
    let filled = 0;
    for (let read = -1; filled < size && read !== 0; filled += read)
      read = readSync(descriptor, bytes, filled, size - filled, null);
    return bytes.subarray(0, filled);
  } finally {
    closeSync(descriptor);
  }
}
