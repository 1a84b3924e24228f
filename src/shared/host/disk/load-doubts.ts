/**
 * Some servers read the disk by themselves when they load packages, at a moment that the host cannot know. A file
 * that is gone just then stays missing for them: when the host reports it later, they see the text that they had
 * before and load nothing. Likewise one that was empty: what it declares is unknown. The host makes such a server load again before it believes its answers.
 * Decision: docs/decisions/diagnostics.md#load-doubts
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { type Diagnostic, FileChangeType, type FileEvent } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { escapePattern } from '../../base/escape-pattern.ts';
import { pathToUri } from '../../base/paths.ts';
import { textOrNothing } from '../../base/read-text.ts';
import type { Quirks } from '../protocol/quirks.ts';
import type { DiskChange } from './disk-change.ts';

export interface LoadDoubtDeps {
  readonly root: AbsPath;
  send(changes: FileEvent[]): void;
}

export class LoadDoubts {
  readonly #rule: Quirks['loadsAlone'];
  readonly #deps: LoadDoubtDeps;
  /** What it still said of a file after it had loaded anew. */
  readonly #believed = new Map<AbsPath, ReadonlySet<string>>();
  #toldSinceLoad = false;

  /** Without a rule there is never a doubt. */
  constructor(rule: Quirks['loadsAlone'], deps: LoadDoubtDeps) {
    this.#rule = rule;
    this.#deps = deps;
  }

  /** To be called when the server was told of these. */
  told(changes: readonly DiskChange[]): void {
    if (changes.length === 0) return;
    this.#toldSinceLoad = true;
    if (changes.some(({ type }) => type !== 'change')) this.#believed.clear();
  }

  /** A file was gone, or was there, for a moment of which the server was not told: it may have loaded just then. */
  flickered(): void {
    if (this.#rule) this.#loadAnew(this.#rule.anewFor);
  }

  /** True when this may come from a bad moment, and the server, which loads anew now, has to be asked again. */
  arise(file: AbsPath, diagnostics: readonly Diagnostic[]): boolean {
    if (!this.#rule) return false;
    const { sign, unknown, anewFor } = this.#rule;
    const signs = diagnostics
      .map(({ source, message }) => `${source}: ${message}`)
      .filter((each) => sign.test(each) || isDeclaredBeside(file, unknown?.exec(each)?.[1]));
    const believed = this.#believed.get(file);
    this.#believed.set(file, new Set(signs));
    if (!this.#toldSinceLoad || signs.every((each) => believed?.has(each))) return false;
    this.#loadAnew(anewFor);
    return true;
  }

  #loadAnew(anewFor: string): void {
    this.#toldSinceLoad = false;
    this.#deps.send([
      { uri: pathToUri(path.join(this.#deps.root, anewFor) as AbsPath), type: FileChangeType.Changed },
    ]);
  }
}

/** Whether another file of the directory looks like declaring the name. Only a file whose text is there can be missed. */
function isDeclaredBeside(file: AbsPath, name: string | undefined): boolean {
  if (name === undefined) return false;
  const directory = path.dirname(file);
  const declares = new RegExp(
    `^\\s*(?:(?:func|type|var|const)\\s+)?(?:\\w+\\s*,\\s*)*${escapePattern(name)}\\b`,
    'm',
  );
  return namesIn(directory)
    .map((each) => path.join(directory, each))
    .some(
      (each) =>
        each !== file && path.extname(each) === path.extname(file) && declares.test(textOrNothing(each)),
    );
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // Gone with all that it declared.
    return [];
  }
}
