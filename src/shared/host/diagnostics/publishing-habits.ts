/**
 * Learns at which times a server publishes, so that no call waits longer than this server needs. A change begins a
 * round; the gaps between the publications of a round say how long a silence must be to be the end of it.
 */
import type { AbsPath } from '../../base/brand.ts';

/** What can change what a server knows: a text that was sent, or files on disk that were reported. */
export type ChangeKind = 'text' | 'files';

export interface StartingValues {
  /** Between the publications about a file that was changed. */
  readonly settleMs: number;
  /** Between the publications about different files after one change. */
  readonly dependentsMs: number;
  /** Whatever is learned, this much is waited for. */
  readonly secondStageMs: number;
  /** What is published sooner than this after a change is about what was before. */
  readonly pauseMs: number;
}

export const LONGEST_QUIET_MS = 2000;
const SHORTEST_QUIET_MS = 50;
/** After this, not even a server on a busy machine has anything left to publish. */
const LATEST_MS = 5 * LONGEST_QUIET_MS;
const SAME_BATCH_MS = 50;
const ROUNDS_NEEDED = 3;

interface Round {
  readonly number: number;
  readonly at: number;
  readonly kind: ChangeKind;
  readonly file: AbsPath | undefined;
  /** Whether the server was at rest when the change was sent, so that nothing older can still be on its way. */
  readonly clean: boolean;
  lastPublication: number | undefined;
  /** The server was found at rest again. */
  settled: boolean;
}

/** The publications about one file in one round. */
interface Burst {
  readonly round: Round;
  /** Whether the round began with a text of this file. */
  readonly own: boolean;
  count: number;
  last: number;
  confirmed: boolean;
  readonly before: Burst | undefined;
}

export class PublishingHabits {
  /** The longest time that the server rested since then, where the process watch can tell. A server that computes is waited for. */
  restSince: (time: number) => number | undefined = () => undefined;
  readonly #start: StartingValues;
  readonly #bursts = new Map<AbsPath, Burst>();
  /** By what came before: the silence until the next publication about the same file, 0 if there was none. */
  readonly #follow = new Map<string, Samples>();
  /** The silences before publications about other files than the changed one. */
  readonly #dependents = new Samples();
  readonly #first: Record<ChangeKind, Samples> = { text: new Samples(), files: new Samples() };
  #round: Round | undefined;
  #leftEarlyAt = Number.NEGATIVE_INFINITY;

  constructor(start: StartingValues) {
    this.#start = start;
  }

  textSent(file: AbsPath, now: number): void {
    const known = this.#bursts.get(file);
    if (known && now - known.last >= this.followWindow(file)) this.confirmQuiet(file);
    const round = this.#begin('text', file, now);
    const before = known && { ...known, before: undefined };
    this.#bursts.set(file, { round, own: true, count: 0, last: now, confirmed: false, before });
  }

  textClosed(file: AbsPath, now: number): void {
    this.#begin('text', undefined, now);
    this.#bursts.delete(file);
  }

  filesReported(kind: ChangeKind, now: number): void {
    this.#begin(kind, undefined, now);
  }

  published(file: AbsPath, now: number): void {
    if (this.#isTooSoon(now)) return;
    this.#inRound(file, now);
    const burst = this.#burstOf(file, now);
    if (!burst) return;
    if (burst.count > 0) this.#following(burst).add(this.#silence(burst.last, now));
    burst.count++;
    burst.last = now;
    burst.confirmed = false;
  }

  /** A publication about the text before: the silence after that one's last publication was not the end. */
  publishedLate(file: AbsPath, now: number): void {
    const burst = this.#bursts.get(file);
    const before = burst?.before;
    // If anything else happened in between, or the new text was answered first, it has another cause.
    if (!before || burst.count > 0 || before.round.number !== burst.round.number - 1) return;
    if (before.count > 0) this.#following(before).add(now - before.last);
  }

  /** An inquiry has waited for the whole window and nothing more came. */
  confirmQuiet(file: AbsPath): void {
    const burst = this.#bursts.get(file);
    if (!burst || burst.confirmed || burst.count === 0) return;
    burst.confirmed = true;
    this.#following(burst).add(0);
    burst.round.settled = true;
  }

  /** An inquiry has found out that nothing more is to be expected. */
  settled(): void {
    if (this.#round) this.#round.settled = true;
    this.#leftEarlyAt = Number.NEGATIVE_INFINITY;
  }

  /** An inquiry has learned elsewhere what the server has yet to publish: it will come in the middle of what is next. */
  leftEarly(now: number): void {
    this.#leftEarlyAt = now;
  }

  /** How long nothing more must be published about a file, after something was, to be the end. */
  followWindow(file: AbsPath): number {
    const burst = this.#bursts.get(file);
    const start = burst?.own === false ? this.#start.dependentsMs : this.#start.settleMs;
    return Math.max(this.#start.secondStageMs, burst ? windowFrom(this.#following(burst), start) : start);
  }

  /** How long nothing more must be published at all, after the changed file was, for nothing to be coming. */
  get dependentsWindow(): number {
    return windowFrom(this.#dependents, this.#start.dependentsMs);
  }

  /** How long nothing must be published after a change for nothing to be coming. */
  silentWindow(kind: ChangeKind): number {
    const first = this.#first[kind];
    if (first.count < ROUNDS_NEEDED) return LONGEST_QUIET_MS;
    return Math.max(this.dependentsWindow, bounded(1.5 * first.max + 100));
  }

  /** Whether the server was at rest when it was told of the newest change. */
  get isClean(): boolean {
    return this.#round?.clean ?? true;
  }

  /** Whether what was published then can be about older texts. */
  mayBeOld(at: number): boolean {
    return !this.isClean || this.#isTooSoon(at);
  }

  #isTooSoon(at: number): boolean {
    return this.#round !== undefined && at - this.#round.at < this.#start.pauseMs;
  }

  #begin(kind: ChangeKind, file: AbsPath | undefined, now: number): Round {
    const last = this.#round;
    const atRest = !last || last.settled || this.#isOver(last, now) || (last.clean && isSameBatch(last, now));
    const clean = atRest && now - this.#leftEarlyAt >= LATEST_MS;
    const number = (last?.number ?? 0) + 1;
    this.#round = { number, at: now, kind, file, clean, lastPublication: undefined, settled: false };
    return this.#round;
  }

  #isOver(round: Round, now: number): boolean {
    return round.lastPublication === undefined
      ? now - round.at >= this.silentWindow(round.kind)
      : now - round.lastPublication >= Math.max(this.dependentsWindow, this.#start.settleMs);
  }

  #inRound(file: AbsPath, now: number): void {
    const round = this.#round;
    if (!round) return;
    if (round.clean && round.lastPublication === undefined) this.#first[round.kind].add(now - round.at);
    else if (round.clean && file !== round.file && round.lastPublication !== undefined)
      this.#dependents.add(this.#silence(round.lastPublication, now));
    round.lastPublication = now;
  }

  #silence(since: number, now: number): number {
    return Math.min(now - since, this.restSince(since) ?? Number.POSITIVE_INFINITY);
  }

  #burstOf(file: AbsPath, now: number): Burst | undefined {
    const known = this.#bursts.get(file);
    if (!this.#round || known?.round === this.#round) return known;
    const burst = {
      round: this.#round,
      own: false,
      count: 0,
      last: now,
      confirmed: false,
      before: undefined,
    };
    this.#bursts.set(file, burst);
    return burst;
  }

  #following({ own, count }: Burst): Samples {
    const key = `${own} ${count}`;
    const samples = this.#follow.get(key) ?? new Samples();
    this.#follow.set(key, samples);
    return samples;
  }
}

/** The newest of many measurements: an accident is forgotten after a while. */
class Samples {
  static readonly #KEPT = 64;
  readonly #values: number[] = [];

  add(value: number): void {
    // No window could have covered it, and most likely it was caused by something else.
    if (value > LONGEST_QUIET_MS) return;
    this.#values.push(value);
    if (this.#values.length > Samples.#KEPT) this.#values.shift();
  }

  get count(): number {
    return this.#values.length;
  }

  get max(): number {
    return Math.max(0, ...this.#values);
  }
}

function windowFrom(samples: Samples, start: number): number {
  const { max } = samples;
  const learned = max === 0 ? SHORTEST_QUIET_MS : bounded(1.25 * max + 20);
  return samples.count < ROUNDS_NEEDED ? Math.max(start, learned) : learned;
}

function bounded(ms: number): number {
  return Math.min(LONGEST_QUIET_MS, Math.max(SHORTEST_QUIET_MS, ms));
}

function isSameBatch(round: Round, now: number): boolean {
  return round.lastPublication === undefined && now - round.at < SAME_BATCH_MS;
}
