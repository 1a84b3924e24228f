/**
 * Puts text that is tried out into the server and takes it out again. The text goes in only over the text that it was
 * made from. Taking it out cannot fail half-way, because it only sends notifications and waits for nothing.
 */
import type { AbsPath } from '../../base/brand.ts';
import { fail, failureOf } from '../../base/failure.ts';
import { readTextFile, textHash } from '../../base/text-file.ts';
import type { OverlayFile } from '../../link/server-link.ts';
import type { DiagnosedServer } from '../diagnostics/diagnosed-server.ts';
import type { DiagnosticsStore } from '../diagnostics/diagnostics-store.ts';
import { canPull } from '../diagnostics/pulled-diagnostics.ts';
import type { LentDocuments } from '../documents/documents.ts';

export interface Overlay {
  /** The version with which the server has this file now, be it of the overlay or not. */
  versionOf(file: AbsPath): number | undefined;
  revert(): void;
}

/** Fails with `base-changed` for the first file whose text on disk is not the one that its overlay was made from. */
export async function verifyBases(overlay: readonly OverlayFile[]): Promise<void> {
  for (const { file, base } of overlay) await baseText(file, base);
}

/**
 * Sends all texts in one batch. Files that are only watched are sent as they are on disk, if they are not open or if the
 * server looks at a file only when it is sent.
 */
export async function layOverlay(
  instance: DiagnosedServer,
  overlay: readonly OverlayFile[],
  watched: readonly AbsPath[],
): Promise<Overlay> {
  await instance.documents.syncAll([]);
  const laid = new LaidOverlay(await instance.documents.lend(), instance);
  try {
    await laid.lay(overlay, watched, !canPull(instance));
    return laid;
  } catch (error) {
    laid.revert();
    throw error;
  }
}

interface Change {
  readonly file: AbsPath;
  /** Returns the version. */
  send(): number;
  undo(): void;
}

class LaidOverlay implements Overlay {
  readonly #lent: LentDocuments;
  readonly #diagnostics: DiagnosticsStore;
  readonly #forgets: boolean;
  #heardBefore: Disposable | undefined;
  #trying: Disposable | undefined;
  readonly #sent: Change[] = [];
  readonly #versions = new Map<AbsPath, number>();

  constructor(lent: LentDocuments, { diagnostics, quirks }: Pick<DiagnosedServer, 'diagnostics' | 'quirks'>) {
    this.#lent = lent;
    this.#diagnostics = diagnostics;
    this.#forgets = quirks.keepsIncluded !== undefined;
  }

  /** All reading comes first, so that either everything is sent or nothing. */
  async lay(overlay: readonly OverlayFile[], watched: readonly AbsPath[], repeat: boolean): Promise<void> {
    const tried = new Set(overlay.map(({ file }) => file));
    const others = watched.filter((file) => !tried.has(file) && (repeat || !this.#lent.of(file)));
    const changes = [
      ...(await Promise.all(overlay.map((each) => this.#over(each)))),
      ...(await Promise.all(others.map((file) => this.#asItIs(file)))),
    ];
    // What is published from here on must not be found by anybody later.
    this.#heardBefore = this.#diagnostics.setAside();
    this.#trying = this.#diagnostics.unchanged.tryOut();
    for (const change of changes) {
      this.#versions.set(change.file, change.send());
      this.#sent.push(change);
    }
  }

  versionOf(file: AbsPath): number | undefined {
    return this.#versions.get(file) ?? this.#lent.of(file)?.version;
  }

  revert(): void {
    this.#heardBefore?.[Symbol.dispose]();
    try {
      for (const { undo } of this.#sent.splice(0)) undo();
    } finally {
      this.#trying?.[Symbol.dispose]();
      this.#lent.giveBack();
    }
  }

  async #over({ file, text, base }: OverlayFile): Promise<Change> {
    const former = await baseText(file, base);
    const open = this.#lent.of(file);
    if (!open || former === undefined) return this.#opened(file, text);
    // Written while we looked: what the server has is no longer what the disk has.
    if (open.hash !== base) fail({ kind: 'base-changed', path: file });
    return {
      file,
      send: () => this.#lent.change(file, text),
      undo: () => (this.#forgets ? this.#lent.forget(file) : this.#lent.changeBack(file, former)),
    };
  }

  async #asItIs(file: AbsPath): Promise<Change> {
    const { text } = await readTextFile(file);
    const open = this.#lent.of(file);
    if (!open) return this.#opened(file, text);
    if (open.hash !== textHash(text)) return { file, send: () => open.version, undo: () => {} };
    return {
      file,
      send: () => this.#lent.repeat(file, text),
      undo: () => {
        if (this.#forgets) this.#lent.forget(file);
      },
    };
  }

  #opened(file: AbsPath, text: string): Change {
    return { file, send: () => this.#lent.open(file, text), undo: () => this.#lent.close(file) };
  }
}

/** The text on disk, undefined where there must be no file and is none. */
async function baseText(file: AbsPath, base: string | null): Promise<string | undefined> {
  try {
    const { text } = await readTextFile(file);
    if (base !== null && textHash(text) === base) return text;
  } catch (error) {
    if (failureOf(error)?.kind !== 'no-such-file') throw error;
    if (base === null) return undefined;
  }
  return fail({ kind: 'base-changed', path: file });
}
