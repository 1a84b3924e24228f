/**
 * Whether a server is computing: the processor time of its process and all its children, sampled while a call waits.
 * A thread that could run but gets no processor counts as computing. Where the platform does not say, the answer is
 * "unknown".
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Clock } from '../../base/lifetime.ts';

export interface Usage {
  /** In the platform's own unit; only ever compared. */
  readonly spent: number;
  /** A thread is running or wants to. */
  readonly running: boolean;
}

/** The processor time of a process tree, or undefined when it cannot be learned. */
export type Measure = (pid: number) => Usage | undefined;

const SAMPLE_MS = 25;
const BUSY_KEPT = 200;

export class ServerActivity {
  readonly #pid: number | undefined;
  readonly #clock: Clock;
  readonly #measure: Measure;
  #watchers = 0;
  #timer: Disposable | undefined;
  #spent: number | undefined;
  /** When the samples that found no work began, newest last. */
  #idle: number[] = [];
  /** When work was found, as far back as anybody may ask. */
  #busy: number[] = [];
  #watchedSince: number | undefined;
  #known = true;

  constructor(pid: number | undefined, clock: Clock, measure: Measure = measureTree) {
    this.#pid = pid;
    this.#clock = clock;
    this.#measure = measure;
  }

  /** False when nobody can say whether this server computes. */
  get known(): boolean {
    return this.#pid !== undefined && this.#known;
  }

  /** Samples until disposed of. */
  watch(): Disposable {
    if (this.#watchers++ === 0) this.#begin();
    return {
      [Symbol.dispose]: () => {
        if (--this.#watchers > 0) return;
        this.#timer?.[Symbol.dispose]();
        this.#watchedSince = undefined;
      },
    };
  }

  /** How many samples in a row have found no work, of those that began after this time. */
  idleSamplesSince(time: number): number {
    return this.#idle.filter((began) => began >= time).length;
  }

  /** The longest time without work since then; undefined when nobody watched. */
  longestRestSince(time: number): number | undefined {
    const watched = this.#watchedSince;
    if (!this.known || watched === undefined || watched > time + SAMPLE_MS) return undefined;
    const marks = [...this.#busy.filter((at) => at > time), this.#clock.now()];
    return Math.max(...marks.map((at, index) => at - (marks[index - 1] ?? time)));
  }

  #begin(): void {
    this.#watchedSince = this.#clock.now();
    this.#busy = [];
    this.#idle = [];
    this.#spent = undefined;
    this.#sample(this.#clock.now());
  }

  #sample(began: number): void {
    const usage = this.#pid === undefined ? undefined : this.#measure(this.#pid);
    this.#known = usage !== undefined;
    if (!usage) return;
    const worked = usage.running || (this.#spent !== undefined && usage.spent !== this.#spent);
    if (worked) {
      this.#idle = [];
      this.#busy = [...this.#busy.slice(-BUSY_KEPT), this.#clock.now()];
    } else if (this.#spent !== undefined) this.#idle = [...this.#idle.slice(-7), began];
    this.#spent = usage.spent;
    const now = this.#clock.now();
    this.#timer = this.#clock.after(SAMPLE_MS, () => this.#sample(now));
  }
}

/** Read from /proc, which costs little; asking elsewhere means starting a process for each sample. */
export function measureTree(root: number): Usage | undefined {
  // Some kernels do not list children; a wrapper alone says nothing about the engine behind it.
  if (!existsSync(`/proc/${root}/task/${root}/children`)) return undefined;
  let spent = 0;
  let running = false;
  const open = [root];
  for (let pid = open.pop(); pid !== undefined; pid = open.pop()) {
    for (const thread of threadsOf(pid)) {
      const usage = usageOf(`/proc/${pid}/task/${thread}/stat`);
      if (!usage) continue;
      spent += usage.spent;
      running ||= usage.running;
      open.push(...childrenOf(`/proc/${pid}/task/${thread}/children`));
    }
  }
  return { spent, running };
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has ended.
    return [];
  }
}

function usageOf(file: string): Usage | undefined {
  try {
    const stat = readFileSync(file, 'utf8');
    // The command in parentheses may itself contain ") ".
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state] = fields;
    return { spent: Number(fields[11]) + Number(fields[12]), running: state === 'R' || state === 'D' };
  } catch {
    return undefined;
  }
}

function childrenOf(file: string): readonly number[] {
  try {
    return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    return [];
  }
}
