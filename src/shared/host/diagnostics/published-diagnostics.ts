/**
 * Waits until what a server has published about a file takes the newest text of this file and of all others into
 * account. The server's own version is proof. A server without one is believed after it had its chance: it has
 * answered a question that was asked after the change, reports no work, has been quiet for as long as it ever was
 * between two publications, and uses no processor time.
 */
import type { AbsPath } from '../../base/brand.ts';
import type { Clock } from '../../base/lifetime.ts';
import type { Conclusion, StoredDiagnostics } from './diagnostics-store.ts';
import { LONGEST_QUIET_MS } from './publishing-habits.ts';
import type { PublishingServer } from './publishing-server.ts';

/** What diagnostics are wanted for: this text of this file, as seen after everything sent before. */
export interface Ticket {
  /** Number of the server process. */
  readonly instance: number;
  readonly file: AbsPath;
  readonly version: number;
  readonly epoch: number;
}

export type PublicationVerdict =
  | Conclusion
  /** The file was closed meanwhile, or has another text than the ticket is for. */
  | { kind: 'void' }
  | { kind: 'wait'; ms: number };

const POLL_MS = 25;
const IDLE_SAMPLES = 2;

/** The case of one ticket, looked at anew at each event. */
export class Inquiry {
  readonly #ticket: Ticket;
  readonly #server: PublishingServer;
  readonly #clock: Clock;
  readonly #lookAgain: () => void;
  #workedAt = Number.NEGATIVE_INFINITY;
  #watching: Disposable | undefined;
  #asked = false;

  /** `lookAgain` is called when something has happened that nobody else is told of. */
  constructor(ticket: Ticket, server: PublishingServer, clock: Clock, lookAgain: () => void) {
    this.#ticket = ticket;
    this.#server = server;
    this.#clock = clock;
    this.#lookAgain = lookAgain;
  }

  judge(): PublicationVerdict {
    const { diagnostics: store, isWorking } = this.#server;
    const { file, version, epoch } = this.#ticket;
    const text = store.textOf(file);
    if (!text || text.version < version) return { kind: 'void' };
    if (isWorking) {
      this.#workedAt = this.#clock.now();
      return { kind: 'wait', ms: POLL_MS };
    }
    const concluded = store.concluded(file, epoch);
    if (concluded) return concluded;
    const stored = store.get(file);
    // The text was the last thing that was sent, so that a server that has seen this version has seen all the rest.
    const isOwn = text.epoch >= epoch;
    if (stored && isOwn && this.#proves(stored, text.version)) return this.#afterProof(stored);
    if (stored && stored.epoch >= epoch && mayBeAbout(stored, text.version))
      return this.#afterPublication(stored);
    return this.#withoutPublication(stored, text.firstEpoch);
  }

  dispose(): void {
    this.#watching?.[Symbol.dispose]();
  }

  #proves(stored: StoredDiagnostics, version: number): boolean {
    const { honesty } = this.#server.diagnostics;
    return stored.claim === 'current' && stored.version === version && honesty.proves(version);
  }

  #afterProof(stored: StoredDiagnostics): PublicationVerdict {
    const { diagnostics, activity } = this.#server;
    const { file } = this.#ticket;
    const since = Math.max(stored.at, this.#workedAt);
    const left = this.#left(since, diagnostics.habits.followWindow(file));
    this.#watching ??= activity.watch();
    if (left > 0) return { kind: 'wait', ms: left };
    // It may be computing the rest: many servers publish syntax first and types later.
    if (this.#isBusySince(since) && this.#left(since, LONGEST_QUIET_MS) > 0)
      return { kind: 'wait', ms: POLL_MS };
    diagnostics.habits.confirmQuiet(file);
    return this.#conclude({ kind: 'exact', diagnostics: stored.diagnostics });
  }

  #afterPublication(stored: StoredDiagnostics): PublicationVerdict {
    const { habits, lastChange } = this.#server.diagnostics;
    const { file } = this.#ticket;
    const left = Math.max(
      this.#left(Math.max(stored.at, this.#workedAt), habits.followWindow(file)),
      // It may be about the text before: then the right one has yet to come.
      habits.mayBeOld(stored.at) ? this.#left(lastChange.at, habits.silentWindow(lastChange.kind)) : 0,
    );
    // What it computes for so long without a word may have nothing to do with this.
    const quietForLong =
      this.#left(Math.max(stored.at, lastChange.at, this.#workedAt), LONGEST_QUIET_MS) <= 0;
    const ms = this.#untilChanceIsOver(left, quietForLong);
    if (ms > 0) return { kind: 'wait', ms };
    habits.confirmQuiet(file);
    return this.#conclude({ kind: 'inferred', proof: 'quiet', diagnostics: stored.diagnostics });
  }

  #withoutPublication(stored: StoredDiagnostics | undefined, textEpoch: number): PublicationVerdict {
    const { diagnostics: store, activity } = this.#server;
    const { file } = this.#ticket;
    const silence = this.#leftOfSilence(stored?.epoch ?? 0);
    const ms = this.#untilChanceIsOver(
      activity.known ? silence : Math.max(silence, this.#leftSinceAll(LONGEST_QUIET_MS)),
    );
    if (ms > 0) return { kind: 'wait', ms };
    const refused = store.refused(file);
    if (refused && refused.epoch >= textEpoch && store.honesty.contradicted()) {
      store.acceptRefused(file);
      return this.judge();
    }
    // What was published for this very text holds if the server, given its chance, has nothing to add.
    const proof = activity.known ? 'idle' : 'quiet';
    if (stored && stored.epoch >= textEpoch)
      return this.#conclude({ kind: 'inferred', proof, diagnostics: stored.diagnostics });
    // Problems of an older text may be gone or not: a server that says nothing has not said that they are.
    if (activity.known && (stored?.diagnostics ?? []).length === 0)
      return this.#conclude({ kind: 'inferred', proof, diagnostics: [] });
    return { kind: 'wait', ms: LONGEST_QUIET_MS };
  }

  /** How much longer nothing must happen for a file that nothing was published about since `epoch`. */
  #leftOfSilence(epoch: number): number {
    const store = this.#server.diagnostics;
    const { habits, honesty, lastChange, lastFilesChange } = store;
    const served = lastChange.file !== undefined && !store.owesSince(epoch);
    // A server that names versions answers each text; until it has, it is not done.
    const unserved = honesty.verdict === 'exact' ? LONGEST_QUIET_MS : habits.silentWindow('text');
    const texts = this.#leftSinceAll(served ? habits.dependentsWindow : unserved);
    const files = lastFilesChange && lastFilesChange.epoch > epoch ? lastFilesChange.at : undefined;
    return files === undefined ? texts : Math.max(texts, this.#left(files, habits.silentWindow('files')));
  }

  /** 0 when the server has read all, works at nothing, computes nothing and there is nothing left to wait for. */
  #untilChanceIsOver(left: number, mayCompute = false): number {
    const { barriers, activity, diagnostics } = this.#server;
    const { file, epoch } = this.#ticket;
    // An honest server is asked only when it stays silent.
    if (left > 0 && diagnostics.honesty.verdict === 'exact') return left;
    this.#watching ??= activity.watch();
    if (!this.#asked) barriers.raise(file, epoch, this.#lookAgain);
    this.#asked = true;
    const answeredAt = barriers.answeredAt(file, epoch);
    if (answeredAt === undefined) return LONGEST_QUIET_MS;
    if (left > 0) return left;
    return !mayCompute && this.#isBusySince(Math.max(answeredAt, this.#workedAt)) ? POLL_MS : 0;
  }

  #isBusySince(time: number): boolean {
    const { activity } = this.#server;
    return activity.known && activity.idleSamplesSince(time) < IDLE_SAMPLES;
  }

  #conclude(finding: Conclusion): Conclusion {
    const { file, epoch } = this.#ticket;
    this.#server.diagnostics.conclude(file, epoch, finding);
    this.#server.diagnostics.habits.settled();
    return finding;
  }

  #leftSinceAll(window: number): number {
    const { lastChange, lastPublication = Number.NEGATIVE_INFINITY } = this.#server.diagnostics;
    return this.#left(Math.max(lastChange.at, lastPublication, this.#workedAt), window);
  }

  #left(since: number, window: number): number {
    return since + window - this.#clock.now();
  }
}

function mayBeAbout(stored: StoredDiagnostics, version: number): boolean {
  return stored.claim === 'nothing' || stored.version === version;
}
