/**
 * `export { stop as stop }` means the same as `export { stop }`, and `{ stop: stop }` often the same as `{ stop }`.
 * Servers write the longer form when a symbol is renamed back. This file restores the shorter one, so that the file
 * is as it was.
 */
import type { TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { escapePattern } from '../../../shared/base/escape-pattern.ts';
import { uriToPath } from '../../../shared/base/paths.ts';
import { type Encoding, TextOffsets, toServerPosition } from '../../../shared/base/positions.ts';
import type { SourceFile, SourceFiles } from '../../workspace/source-files.ts';
import type { UndoRecord } from '../edits/apply/applied-edits.ts';
import type { EditPlan } from '../edits/plan/edit-plan.ts';

/**
 * The plan with the very text that a file had before an earlier edit of this session, where the two differ only in such
 * pairs. `{ stop: stop }` and `{ stop }` can mean different things, which their text does not show; the text from before
 * the earlier edit is known to mean the right one.
 */
export function asItWas(plan: EditPlan, name: string, undoable: readonly UndoRecord[]): EditPlan {
  const pair = new RegExp(
    `(?<![\\w$])${escapePattern(name)}(?:\\s+as|:)\\s+${escapePattern(name)}(?![\\w$])`,
    'g',
  );
  const once = (text: string) => text.replace(pair, () => name);
  const earlier = undoable.flatMap((record) => record.plan.files);
  const files = plan.files.map((file) => {
    if (file.kind !== 'change') return file;
    const was = earlier.find(
      (other) =>
        other.kind === 'change' && other.path === file.path && other.before.hash === file.before.hash,
    );
    if (was?.kind !== 'change' || was.after === file.after || once(was.after) !== once(file.after))
      return file;
    return { ...file, after: was.after };
  });
  return { ...plan, files };
}

type Edits = TextDocumentEdit['edits'];
type Edit = Edits[number];

/** The same edit, with such pairs written once. */
export async function withoutIdleAliases(
  edit: WorkspaceEdit,
  newName: string,
  files: SourceFiles,
  encoding: Encoding,
): Promise<WorkspaceEdit> {
  const shortened = async <E extends Edit>(uri: string, edits: readonly E[]): Promise<E[]> => {
    const file = uriToPath(uri);
    const source = file && (await files.read(file));
    if (!source?.text.includes(newName)) return [...edits];
    const offsets = new TextOffsets(source.text);
    return edits.map((each) => shorten(each, newName, { source, offsets, encoding }));
  };
  if (edit.documentChanges) {
    const documentChanges = await Promise.all(
      edit.documentChanges.map(async (change) =>
        'kind' in change
          ? change
          : { ...change, edits: await shortened(change.textDocument.uri, change.edits) },
      ),
    );
    return { ...edit, documentChanges };
  }
  const changes = Object.entries(edit.changes ?? {}).map(
    async ([uri, edits]) => [uri, await shortened(uri, edits)] as const,
  );
  return { ...edit, changes: Object.fromEntries(await Promise.all(changes)) };
}

/** Only in the braces of an import or export: elsewhere `as` asserts a type. */
const IN_LIST = /(?:^|[\s;}])(?:import|export)\b[^;{}()='"`]*\{[^{};()]*$/;
/** No list of names is longer. */
const LONGEST_LIST = 20_000;
/** Around an `as`; what searches further back takes long in files with thousands of places. */
const MOST_BLANKS = 200;

function shorten<E extends Edit>(
  edit: E,
  newName: string,
  { source, offsets, encoding }: { source: SourceFile; offsets: TextOffsets; encoding: Encoding },
): E {
  if (!('newText' in edit) || edit.newText !== newName) return edit;
  const [start, end] = [edit.range.start, edit.range.end].map((at) => offsets.offsetOf(at, encoding));
  if (start === undefined || end === undefined) return edit;
  const before = source.text.slice(Math.max(0, start - LONGEST_LIST), start);
  const [behind] = new RegExp(`^\\s+as\\s+${escapePattern(newName)}(?![\\w$])`).exec(
    source.text.slice(end),
  ) ?? [''];
  const nearby = before.slice(-newName.length - MOST_BLANKS);
  const [ahead] = new RegExp(`(?<![\\w$])${escapePattern(newName)}\\s+as\\s+$`).exec(nearby) ?? [''];
  if ((behind === '' && ahead === '') || !IN_LIST.test(before)) return edit;
  const at = (offset: number) => toServerPosition(offsets.pointAt(offset), source.lines, encoding);
  return { ...edit, range: { start: at(start - ahead.length), end: at(end + behind.length) } };
}
