/** Changes a package that others depend on, through the tools and behind their back, and knows how to put it right. */
import type { FrontEnd } from '../mcp-client.ts';
import { pick, type Random } from '../truth/model.ts';
import type { Workspace } from '../workspace.ts';
import { type Change, CORE_FILE, changesOf, type Piece, renamableIn } from './changes.ts';
import { filesWith, isDependent, MANNERS, MODULES, writeBehind } from './packages.ts';

export type Way = 'rename_symbol' | 'apply_edit' | 'sed';

export interface Made {
  readonly way: Way;
  readonly file: string;
  readonly what: string;
  /** By rename_symbol: what it was called before. */
  readonly oldName?: string;
  readonly newName?: string;
  /** The tool did not apply it by itself, because of errors that it would bring. */
  readonly isShownFirst?: boolean;
}

interface EditAnswer {
  readonly applied: boolean;
  readonly edit_id?: string;
}

export class Editor {
  readonly #workspace: Workspace;
  readonly #session: FrontEnd;
  readonly #random: Random;
  readonly #changes: readonly Change[];
  /** The text of the core while it is not there. */
  #removed: string | undefined;
  #names = 0;

  /** `only`: the package that is asked about; other changes would not concern it. */
  constructor(workspace: Workspace, session: FrontEnd, random: Random, only: string | undefined) {
    this.#workspace = workspace;
    this.#session = session;
    this.#random = random;
    this.#changes = changesOf(MODULES).filter(({ file }) => only === undefined || isDependent(only, file));
  }

  async change(): Promise<Made> {
    const drawn = this.#random();
    if (drawn < 0.25) return this.#rename();
    if (drawn < 0.3 || (this.#removed !== undefined && drawn < 0.6)) return this.#removeOrBringBack();
    const isTool = drawn > 0.7;
    // Several at once, as a change of branch is; the last one says who is asked.
    const count = !isTool && this.#random() < 0.15 ? 3 : 1;
    const all = Array.from({ length: count }, () => this.#drawPiece());
    const last = all[all.length - 1];
    if (!last) throw new Error('nothing to change');
    for (const { change } of all) {
      const piece = change.pieceIn(this.#workspace.read(change.file));
      if (piece && isTool) await this.#apply(change, piece);
      else if (piece) this.#sed(change, piece);
    }
    const { change, piece } = last;
    const what = `${piece.isBroken ? 'back: ' : ''}${change.name}${count > 1 ? ` and ${count - 1} more` : ''}`;
    return { way: isTool ? 'apply_edit' : 'sed', file: change.file, what };
  }

  /** What is broken is mended more often than not: otherwise soon everything would be, and one error hides another. */
  #drawPiece(): { readonly change: Change; readonly piece: Piece } {
    const all = this.#pieces();
    const broken = all.filter(({ piece }) => piece.isBroken);
    const isCore = this.#random() < 0.6;
    const some = all.filter(({ change }) => change.file.startsWith('packages/p0/') === isCore);
    const from = broken.length > 0 && this.#random() < 0.65 ? broken : some.length > 0 ? some : all;
    return pick(from, this.#random);
  }

  #pieces(): readonly { readonly change: Change; readonly piece: Piece }[] {
    return this.#changes.flatMap((change) => {
      if (change.file === CORE_FILE && this.#removed !== undefined) return [];
      const piece = change.pieceIn(this.#workspace.read(change.file));
      return piece ? [{ change, piece }] : [];
    });
  }

  #sed({ file }: Change, { from, to }: Piece): void {
    const text = this.#workspace.read(file).replace(from, () => to);
    writeBehind(this.#workspace, file, text, pick(MANNERS, this.#random));
  }

  async #apply({ file }: Change, { from, to }: Piece): Promise<void> {
    const file_path = this.#workspace.file(file);
    const answer = await this.#edit('apply_edit', { file_path, old_text: from, new_text: to });
    if (!answer.applied) await this.#edit('apply_edit', { edit_id: answer.edit_id });
    if (!this.#workspace.read(file).includes(to)) throw new Error(`apply_edit did not change ${file}`);
  }

  #removeOrBringBack(): Made {
    const isBack = this.#bringBack();
    if (!isBack) {
      this.#removed = this.#workspace.read(CORE_FILE);
      this.#workspace.remove(CORE_FILE);
    }
    return { way: 'sed', file: CORE_FILE, what: isBack ? 'back: file removed' : 'file removed' };
  }

  #bringBack(): boolean {
    if (this.#removed === undefined) return false;
    this.#workspace.write(CORE_FILE, this.#removed);
    this.#removed = undefined;
    return true;
  }

  /** What hides names is taken back right before, or all that is broken: the rename must have seen that, too. */
  async #rename(): Promise<Made> {
    const mended = this.#bringBack() ? ['file removed'] : [];
    const isAll = this.#random() < 0.5;
    for (const { change, piece } of this.#pieces()) {
      if (!piece.isBroken || !(change.hides || isAll)) continue;
      this.#sed(change, piece);
      mended.push(change.name);
    }
    const isDeclaring = (name: string) => !name.endsWith('/index.ts');
    const file = pick(
      [...new Set(this.#changes.map((change) => change.file))].filter(isDeclaring),
      this.#random,
    );
    const text = this.#workspace.read(file);
    const match = pick(renamableIn(file), this.#random).exec(text);
    const oldName = match?.[1];
    if (!match || oldName === undefined) throw new Error(`nothing to rename in ${file}:\n${text}`);
    const offset = match.index + match[0].lastIndexOf(oldName);
    const before = text.slice(0, offset).split('\n');
    const newName = `${oldName.replace(/Q\d+$/, '')}Q${this.#names++}`;
    const answer = await this.#edit('rename_symbol', {
      file_path: this.#workspace.file(file),
      line: before.length,
      column: (before[before.length - 1] ?? '').length + 1,
      new_name: newName,
      dry_run: false,
    });
    if (!answer.applied) await this.#edit('apply_edit', { edit_id: answer.edit_id });
    const after = mended.length > 0 ? ` right after back: ${mended.join(', ')}` : '';
    const what = `${oldName} to ${newName}${after}`;
    return { way: 'rename_symbol', file, what, oldName, newName, isShownFirst: !answer.applied };
  }

  /** Files that a rename has left out, which are put right so that the next ones can be judged. */
  leftOut({ oldName, newName }: Made): readonly string[] {
    if (oldName === undefined || newName === undefined) return [];
    const files = filesWith(this.#workspace, oldName);
    const word = new RegExp(`\\b${oldName}\\b`, 'g');
    for (const file of files)
      this.#workspace.write(file, this.#workspace.read(file).replaceAll(word, newName));
    return files;
  }

  async #edit(tool: string, args: Readonly<Record<string, unknown>>): Promise<EditAnswer> {
    const { raw, text, isError } = await this.#session.call(tool, args, { timeoutMs: 120_000 });
    if (isError) throw new Error(`${tool} ${JSON.stringify(args)}: ${text}`);
    return (raw.structuredContent as { readonly data: EditAnswer }).data;
  }
}
