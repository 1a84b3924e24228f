/** Several edits as one, so that they are applied together or not at all. */
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';

export type DocumentChanges = NonNullable<WorkspaceEdit['documentChanges']>;

/** In either form; a server that gives both means the same, and the newer form wins. */
export function documentChangesOf({ documentChanges, changes = {} }: WorkspaceEdit): DocumentChanges {
  return (
    documentChanges ??
    Object.entries(changes).map(([uri, edits]) => ({ textDocument: { uri, version: null }, edits }))
  );
}

/** All of them about the same texts: none has seen what another one changes. */
export function mergedEdit(edits: readonly WorkspaceEdit[]): WorkspaceEdit {
  const [only, ...others] = edits;
  if (only && others.length === 0) return only;
  return {
    documentChanges: edits.flatMap(documentChangesOf),
    changeAnnotations: Object.assign({}, ...edits.map(({ changeAnnotations }) => changeAnnotations)),
  };
}
