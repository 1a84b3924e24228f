/**
 * The places that a server wants to rename, compared with the text on disk: whether each reads like the old name, and
 * which of them keep the old name for other files, such as `halt as stop`.
 */
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { uriToPath } from '../../../shared/base/paths.ts';
import { type Encoding, TextOffsets } from '../../../shared/base/positions.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { EditPlan } from '../edits/plan/edit-plan.ts';

/** A place that keeps the old name for others, such as `halt as stop`. */
export interface Alias {
  readonly file: AbsPath;
  readonly line: number;
  readonly text: string;
}

/**
 * Every place must read like the old name, else the server has another text than the disk. Insertions read like nothing,
 * and what is written instead may keep the old name for others.
 */
export function readPlaces(
  { roots }: ToolContext,
  { edit, plan, name, newName }: { edit: WorkspaceEdit; plan: EditPlan; name: string; newName: string },
  encoding: Encoding,
): { stray: string | undefined; aliases: readonly Alias[] } {
  const bases = new Map(
    plan.files.flatMap((file) => (file.kind === 'change' ? [[file.path, file.before.text]] : [])),
  );
  let stray: string | undefined;
  const aliases: Alias[] = [];
  for (const [uri, edits] of textEditsOf(edit)) {
    const file = uriToPath(uri);
    const base = file && bases.get(file);
    if (!file || base === undefined) continue;
    const offsets = new TextOffsets(base);
    for (const each of edits) {
      const start = offsets.offsetOf(each.range.start, encoding);
      const text = base.slice(start, offsets.offsetOf(each.range.end, encoding));
      const { line, column } = offsets.pointAt(start);
      if (text !== '' && !text.includes(name))
        stray ??= `${roots.display(file)}:${line}:${column} reads ${JSON.stringify(text.slice(0, 40))}, not ${name}`;
      const written = 'newText' in each ? each.newText : '';
      if (text === name && written !== newName && written.includes(name) && written.includes(newName))
        aliases.push({ file, line, text: written });
    }
  }
  return { stray, aliases };
}

/** The edit with more of them, in whichever form it has. */
export function withTextEdits(
  edit: WorkspaceEdit,
  more: ReadonlyMap<string, readonly TextEdit[]>,
): WorkspaceEdit {
  if (edit.documentChanges) {
    const added = [...more].map(([uri, edits]) => ({
      textDocument: { uri, version: null },
      edits: [...edits],
    }));
    return { ...edit, documentChanges: [...edit.documentChanges, ...added] };
  }
  const changes = { ...edit.changes };
  for (const [uri, edits] of more) changes[uri] = [...(changes[uri] ?? []), ...edits];
  return { ...edit, changes };
}

export function textEditsOf(
  edit: WorkspaceEdit | null,
): (readonly [uri: string, edits: TextDocumentEdit['edits']])[] {
  const { changes = {}, documentChanges } = edit ?? {};
  if (!documentChanges) return Object.entries(changes);
  return documentChanges.flatMap((change) =>
    'kind' in change ? [] : [[change.textDocument.uri, change.edits] as const],
  );
}
