/**
 * Keeps diagnostics of files on disk until a file that they depend on changes. Text that is tried out and taken away
 * again is not such a change, so that the next trial need not ask again for the state that it is compared with.
 */
import type { AbsPath } from '../../base/brand.ts';
import type { Clock } from '../../base/lifetime.ts';
import type { DiagnosticReport } from '../../link/server-link.ts';

/** Longer than between two trials of an agent that is at work; a server may also learn by ways that nobody sees. */
const BELIEVED_MS = 30_000;
const MOST_FILES = 256;

export class UnchangedReports {
  readonly #clock: Clock;
  readonly #reports = new Map<AbsPath, { readonly report: DiagnosticReport; readonly at: number }>();
  #isTryingOut = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Files on disk, or what the server makes of them, are no longer what they were. */
  worldChanges(): void {
    this.#reports.clear();
  }

  textChanges(): void {
    if (!this.#isTryingOut) this.#reports.clear();
  }

  /** Until this is disposed of, texts are changed only to be changed back. */
  tryOut(): Disposable {
    this.#isTryingOut = true;
    return {
      [Symbol.dispose]: () => {
        this.#isTryingOut = false;
      },
    };
  }

  of(file: AbsPath): DiagnosticReport | undefined {
    const known = this.#reports.get(file);
    return known && this.#clock.now() - known.at < BELIEVED_MS ? known.report : undefined;
  }

  /** Only an answer to a question is kept: what a server publishes may be followed by more. */
  keep(report: DiagnosticReport): void {
    if (report.freshness.kind !== 'exact' || report.freshness.proof !== 'pull') return;
    if (this.#reports.size >= MOST_FILES) this.#reports.clear();
    this.#reports.set(report.file, { report, at: this.#clock.now() });
  }
}
