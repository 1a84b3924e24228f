/** Merges the edits of renames that a server computed from several places of one symbol into one edit. */
import type { Position, TextEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { textEditsOf } from './rename-places.ts';

export interface RenameNames {
  readonly name: string;
  readonly newName: string;
}

/** Where a rename ended before the name did. */
export interface Stop {
  readonly uri: string;
  readonly position: Position;
  /** Others keep the old name; otherwise its origin does. */
  readonly keepsForOthers: boolean;
}

/** Edits of one text by place; where two renames meet, both names are new. */
export class MergedEdit {
  readonly #keeps: string;
  readonly #takes: string;
  readonly #newName: string;
  readonly #byFile = new Map<string, Map<string, TextEdit>>();

  constructor(name: string, newName: string) {
    this.#keeps = `${newName} as ${name}`;
    this.#takes = `${name} as ${newName}`;
    this.#newName = newName;
  }

  add(edit: WorkspaceEdit | null): void {
    for (const [uri, edits] of textEditsOf(edit)) {
      const own = this.#byFile.get(uri) ?? new Map<string, TextEdit>();
      this.#byFile.set(uri, own);
      for (const each of edits) {
        if (!('newText' in each)) continue;
        const key = editKey(uri, each.range.start);
        const known = own.get(key);
        own.set(key, known ? { ...known, newText: this.#agreed(known.newText, each.newText) } : each);
      }
    }
  }

  stops(): readonly Stop[] {
    return [...this.#byFile].flatMap(([uri, own]) =>
      [...own.values()]
        .filter(({ newText }) => newText === this.#keeps || newText === this.#takes)
        .map(({ newText, range }) => ({
          uri,
          position: range.start,
          keepsForOthers: newText === this.#keeps,
        })),
    );
  }

  edit(): WorkspaceEdit {
    const changes = [...this.#byFile].map(([uri, own]): [string, TextEdit[]] => [uri, [...own.values()]]);
    return { changes: Object.fromEntries(changes) };
  }

  #agreed(a: string, b: string): string {
    const isAlias = (text: string) => text === this.#keeps || text === this.#takes;
    if (a === b || !isAlias(a)) return a;
    return isAlias(b) || b === this.#newName ? this.#newName : a;
  }
}

export function editKey(uri: string, { line, character }: Position): string {
  return `${uri} ${line}:${character}`;
}
