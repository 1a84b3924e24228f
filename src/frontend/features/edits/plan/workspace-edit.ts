/**
 * A WorkspaceEdit of a server, in any of its forms, as a plan. The files are read here, so whatever happens to them
 * afterwards is noticed when the plan is applied.
 */
import type {
  AnnotatedTextEdit,
  ChangeAnnotation,
  CreateFile,
  DeleteFile,
  RenameFile,
  SnippetTextEdit,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { fail } from '../../../../shared/base/failure.ts';
import { uriToPath } from '../../../../shared/base/paths.ts';
import type { Encoding } from '../../../../shared/base/positions.ts';
import { flattenSnippet } from '../../../lexical/snippet.ts';
import { type DiskReader, systemDisk } from '../apply/edit-disk.ts';
import type { Confirmation, EditPlan } from './edit-plan.ts';
import { EditTree } from './edit-tree.ts';
import { applyTextEdits, EditContradiction } from './text-edits.ts';
import { planFromTree } from './tree-plan.ts';
import type { WriteBoundary } from './write-boundary.ts';

export interface ComputeOptions {
  readonly boundary: WriteBoundary;
  /** What the server counts characters in. */
  readonly encoding: Encoding;
  /** When the server was asked, in milliseconds of the time of day: a file changed later is not what it answered about. */
  readonly askedAt?: number;
  /** The hash of the text that the edit was computed from (`textHash`), where it is known. */
  baseHash?(file: AbsPath): string | undefined;
  /** The document's version, where it is known; an edit for another one is refused. */
  versionOf?(file: AbsPath): number | undefined;
  /** Text edits in these files are left out, and the plan says so. */
  leaveOut?(file: AbsPath): boolean;
  readonly disk?: DiskReader;
}

/** Fails when the edit contradicts itself or the disk, or reaches over the boundary. */
export async function planWorkspaceEdit(edit: WorkspaceEdit, options: ComputeOptions): Promise<EditPlan> {
  return new Planner(edit, options).plan();
}

/** A plan from text edits of one file, such as those of a formatter. */
export function planTextEdits(
  uri: string,
  edits: readonly TextEdit[],
  options: ComputeOptions,
): Promise<EditPlan> {
  return planWorkspaceEdit({ changes: { [uri]: [...edits] } }, options);
}

type AnyTextEdit = TextEdit | AnnotatedTextEdit | SnippetTextEdit;
type DocumentChange = TextDocumentEdit | CreateFile | RenameFile | DeleteFile;

class Planner {
  readonly #edit: WorkspaceEdit;
  readonly #options: ComputeOptions;
  readonly #tree: EditTree;
  readonly #leftOut = new Map<AbsPath, number>();
  readonly #annotated = new Map<string, number>();
  /** Text edits since the last operation on files: all of them mean the text as it was then. */
  #waiting = new Map<AbsPath, TextEdit[]>();

  constructor(edit: WorkspaceEdit, options: ComputeOptions) {
    this.#edit = edit;
    this.#options = options;
    const { boundary, disk = systemDisk } = options;
    this.#tree = new EditTree({ disk, allow: (file) => boundary.nameAt(file) });
  }

  async plan(): Promise<EditPlan> {
    const { changes, documentChanges } = this.#edit;
    if (documentChanges) for (const each of documentChanges) await this.#take(each);
    else for (const [uri, edits] of Object.entries(changes ?? {})) this.#collect(uri, undefined, edits);
    await this.#applyWaiting();
    return {
      ...(await planFromTree(this.#tree)),
      confirmations: this.#confirmations(),
      leftOut: [...this.#leftOut].map(([path, places]) => ({ path, places })),
    };
  }

  async #take(change: DocumentChange): Promise<void> {
    if (!('kind' in change)) {
      const { textDocument, edits } = change;
      this.#collect(textDocument.uri, textDocument.version ?? undefined, edits);
      return;
    }
    await this.#applyWaiting();
    if (change.annotationId !== undefined) this.#annotate(change.annotationId);
    switch (change.kind) {
      case 'create':
        return this.#create(change);
      case 'rename':
        return this.#rename(change);
      case 'delete':
        return this.#delete(change);
      default:
        invalid(JSON.stringify(change), 'its kind is not known');
    }
  }

  #collect(uri: string, version: number | undefined, edits: readonly AnyTextEdit[]): void {
    const { boundary, leaveOut, versionOf } = this.#options;
    const file = boundary.textAt(pathOf(uri));
    if (leaveOut?.(file)) {
      this.#leftOut.set(file, (this.#leftOut.get(file) ?? 0) + edits.length);
      return;
    }
    const known = versionOf?.(file);
    if (version !== undefined && known !== undefined && version !== known)
      fail({ kind: 'base-changed', path: file });
    const waiting = this.#waiting.get(file) ?? [];
    for (const edit of edits) {
      if ('annotationId' in edit && edit.annotationId !== undefined) this.#annotate(edit.annotationId);
      waiting.push(plainEdit(edit, file));
    }
    this.#waiting.set(file, waiting);
  }

  async #applyWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Map();
    for (const [file, edits] of waiting) {
      const { text, node } = await this.#tree.textAt(file);
      if (node.from !== undefined && node.text === undefined) await this.#checkBase(node.from);
      const edited = applied(file, text, edits, this.#options.encoding);
      if (edited.text !== text) await this.#tree.changeText(file, edited.text, edited.places);
    }
  }

  async #checkBase(file: AbsPath): Promise<void> {
    const { askedAt = Number.POSITIVE_INFINITY, baseHash } = this.#options;
    const [base, entry] = await Promise.all([this.#tree.base(file), this.#tree.entry(file)]);
    const expected = baseHash?.(file);
    // The time of the question has whole milliseconds, that of the file has not.
    const isYounger = entry !== undefined && Math.floor(entry.changedAt) > askedAt;
    if ((expected !== undefined && expected !== base.hash) || isYounger)
      fail({ kind: 'base-changed', path: file });
  }

  async #create({ uri, options = {} }: CreateFile): Promise<void> {
    const file = this.#name(uri);
    const { kind } = await this.#tree.at(file);
    if (kind === 'directory') invalid(file, 'it is to be created and is a directory');
    if (kind === 'file' && !options.overwrite) {
      if (options.ignoreIfExists) return;
      invalid(file, 'it is to be created and already exists');
    }
    await this.#tree.create(file, '');
  }

  async #rename({ oldUri, newUri, options = {} }: RenameFile): Promise<void> {
    const [from, to] = [this.#name(oldUri), this.#name(newUri)];
    if (from === to) return;
    const [source, target] = [await this.#tree.at(from), await this.#tree.at(to)];
    if (source.kind === 'absent') invalid(from, 'it is to be renamed and does not exist');
    if (target.kind !== 'absent' && !(await this.#tree.isSameEntry(from, to))) {
      if (!options.overwrite && options.ignoreIfExists) return;
      if (!options.overwrite) invalid(from, `it is to be renamed to ${to}, which already exists`);
      if (target.kind !== source.kind)
        invalid(
          from,
          `it is to be renamed to ${to}, which is ${target.kind === 'file' ? 'a file' : 'a directory'}`,
        );
      await this.#tree.delete(to);
    }
    await this.#tree.rename(from, to);
  }

  async #delete({ uri, options = {} }: DeleteFile): Promise<void> {
    const file = this.#name(uri);
    const { kind } = await this.#tree.at(file);
    if (kind === 'absent') {
      if (options.ignoreIfNotExists) return;
      invalid(file, 'it is to be deleted and does not exist');
    }
    if (kind === 'directory' && !options.recursive && !(await this.#tree.isEmptyDirectory(file)))
      invalid(file, 'it is to be deleted and is a directory that is not empty');
    await this.#tree.delete(file);
  }

  #name(uri: string): AbsPath {
    return this.#options.boundary.nameAt(pathOf(uri));
  }

  #annotate(id: string): void {
    this.#annotated.set(id, (this.#annotated.get(id) ?? 0) + 1);
  }

  #confirmations(): readonly Confirmation[] {
    const known: Readonly<Record<string, ChangeAnnotation>> = this.#edit.changeAnnotations ?? {};
    return [...this.#annotated].flatMap(([id, places]) => {
      const annotation = known[id];
      if (!annotation?.needsConfirmation) return [];
      const { label, description } = annotation;
      return [{ label, places, ...(description === undefined ? {} : { description }) }];
    });
  }
}

function applied(file: AbsPath, text: string, edits: readonly TextEdit[], encoding: Encoding) {
  try {
    return applyTextEdits(text, edits, encoding);
  } catch (error) {
    if (error instanceof EditContradiction) invalid(file, error.message);
    throw error;
  }
}

/** rust-analyzer marks snippets in a way of its own. */
function plainEdit(edit: AnyTextEdit & { insertTextFormat?: number }, file: AbsPath): TextEdit {
  const { range } = edit;
  for (const at of [range?.start, range?.end])
    if (!Number.isSafeInteger(at?.line) || !Number.isSafeInteger(at?.character) || at.line < 0)
      invalid(file, `one of its edits has no proper range: ${JSON.stringify(edit).slice(0, 200)}`);
  if ('snippet' in edit) return { range, newText: flattenSnippet(edit.snippet.value) };
  if (typeof edit.newText !== 'string') invalid(file, 'one of its edits has no new text');
  return { range, newText: edit.insertTextFormat === 2 ? flattenSnippet(edit.newText) : edit.newText };
}

function pathOf(uri: string): AbsPath {
  return uriToPath(uri) ?? invalid(uri, 'it is no file on this disk');
}

function invalid(file: string, reason: string): never {
  fail({ kind: 'edit-invalid', path: file, reason });
}
