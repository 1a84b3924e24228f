/** The newest diagnostics of each file, pushed or pulled, with what is needed to judge their age. */
import type { Diagnostic, PublishDiagnosticsParams } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../base/brand.ts';
import { type Clock, Listeners } from '../base/lifetime.ts';
import { uriToPath } from '../base/paths.ts';

export interface StoredDiagnostics {
  readonly diagnostics: readonly Diagnostic[];
  /** The document version the server named, if it names any. */
  readonly version: number | undefined;
  /** Counts publications and changes of this file; a publication after a change has a higher number than the change. */
  readonly generation: number;
  readonly at: number;
  /** Of a pull answer, to ask "anything new since?". */
  readonly resultId: string | undefined;
}

export class DiagnosticsStore {
  readonly #clock: Clock;
  readonly #stored = new Map<AbsPath, StoredDiagnostics>();
  readonly #changedAt = new Map<AbsPath, number>();
  readonly #publications = new Listeners<AbsPath>();
  #generation = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get(file: AbsPath): StoredDiagnostics | undefined {
    return this.#stored.get(file);
  }

  /** Remembers that a new text of this file is about to be sent: what came before is about older text. */
  textChanges(file: AbsPath): void {
    this.#changedAt.set(file, ++this.#generation);
  }

  /** True when something was published for this file after its last change. */
  publishedSinceChange(file: AbsPath): boolean {
    const stored = this.#stored.get(file);
    return stored !== undefined && stored.generation > (this.#changedAt.get(file) ?? 0);
  }

  publish(params: PublishDiagnosticsParams): void {
    const file = uriToPath(params.uri);
    if (file === undefined) return;
    const known = this.#stored.get(file);
    // A publication for an older text never replaces one for a newer text.
    if (params.version !== undefined && known?.version !== undefined && params.version < known.version)
      return;
    this.#store(file, params.diagnostics, params.version, undefined);
    this.#publications.emit(file);
  }

  pulled(
    file: AbsPath,
    diagnostics: readonly Diagnostic[],
    version: number,
    resultId: string | undefined,
  ): void {
    this.#store(file, diagnostics, version, resultId);
  }

  onPublish(listener: (file: AbsPath) => void): Disposable {
    return this.#publications.add(listener);
  }

  ageOf(file: AbsPath): number | undefined {
    const stored = this.#stored.get(file);
    return stored && Math.round(this.#clock.now() - stored.at);
  }

  #store(
    file: AbsPath,
    diagnostics: readonly Diagnostic[],
    version: number | undefined,
    resultId: string | undefined,
  ): void {
    this.#stored.set(file, {
      diagnostics,
      version,
      generation: ++this.#generation,
      at: this.#clock.now(),
      resultId,
    });
  }
}
