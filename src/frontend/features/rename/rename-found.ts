/**
 * Uses that neither the server's references nor its edit contain, although its definition there leads to the symbol,
 * such as those of a script that requires what a module exports. The server is asked to rename at each of them: its
 * edit shows whether the use is the symbol itself.
 */
import type { TextEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { failureOf } from '../../../shared/base/failure.ts';
import type { ServerFacts, ServerLink } from '../../../shared/link/server-link.ts';
import { type ServerPlace, startOf, toPlaces } from '../../places/places.ts';
import type { ToolContext } from '../../tools/context.ts';
import { MergedEdit, type RenameNames } from './merged-rename.ts';
import { type CoveredRename, changedBy, isListOfPlaces } from './rename-coverage.ts';
import { renameAt } from './rename-exports.ts';
import { textEditsOf } from './rename-places.ts';

/** One answer speaks for all uses of the same local name; those that there is no time for are left. */
const ASKING_MS = 2_000;

export interface FoundUses {
  readonly found: readonly ServerPlace[];
  readonly declarations: readonly ServerPlace[];
}

/** With the uses that are the thing itself; those that are neither changed nor hold it under a name of their own are left. */
export async function coverFound(
  context: ToolContext,
  { link, facts }: { link: ServerLink; facts: ServerFacts },
  first: WorkspaceEdit,
  { found, declarations }: FoundUses,
  names: RenameNames,
): Promise<CoveredRename> {
  if (!isListOfPlaces(first)) return { edit: first, left: [] };
  let edit = first;
  let isChanged = changedBy(edit);
  let open = found.filter((place) => !isChanged(place));
  const left: ServerPlace[] = [];
  const end = context.clock.now() + ASKING_MS;
  for (let [next] = open; next && context.clock.now() < end; [next] = open) {
    const there = await editAt(context, { link, facts }, next, names);
    const isSpokenOf = changedBy(there);
    const own = open.filter((place) => place === next || isSpokenOf(place));
    if (declarations.some(isSpokenOf)) {
      edit = merged(names, edit, withDeclared(there, own, names));
      isChanged = changedBy(edit);
    } else if (!placesIn(there).some(isChanged)) left.push(...own);
    // Else it takes the thing under a name of its own: `const { stop } = scope` has become `{ halt: stop }`.
    open = open.filter((place) => !own.includes(place) && !isChanged(place));
  }
  return { edit, left: await toPlaces([...left, ...open], context.files, facts.encoding) };
}

function merged({ name, newName }: RenameNames, edit: WorkspaceEdit, more: WorkspaceEdit): WorkspaceEdit {
  const both = new MergedEdit(name, newName);
  both.add(edit);
  both.add(more);
  return both.edit();
}

/**
 * Servers take the old name of what a script requires, `{ Scope: Area }`, also where they rename what is required. Both
 * have the new name then.
 */
function withDeclared(
  edit: WorkspaceEdit | null,
  own: readonly ServerPlace[],
  { name, newName }: RenameNames,
): WorkspaceEdit {
  const taken = `${name}: ${newName}`;
  const known = new Set(own.map(startOf));
  const changes = textEditsOf(edit).map(([uri, edits]): [string, TextEdit[]] => {
    const texts = edits.flatMap((each) => ('newText' in each ? [each] : []));
    const isTaken = ({ newText, range }: TextEdit) => newText === taken && known.has(startOf({ uri, range }));
    return [uri, texts.map((each) => (isTaken(each) ? { ...each, newText: newName } : each))];
  });
  return { changes: Object.fromEntries(changes) };
}

function placesIn(edit: WorkspaceEdit | null): readonly Pick<ServerPlace, 'uri' | 'range'>[] {
  return textEditsOf(edit).flatMap(([uri, edits]) => edits.map(({ range }) => ({ uri, range })));
}

/** Null when the server refuses to rename there. */
async function editAt(
  context: ToolContext,
  { link, facts }: { link: ServerLink; facts: ServerFacts },
  { uri, range }: ServerPlace,
  { newName }: RenameNames,
): Promise<WorkspaceEdit | null> {
  try {
    return await renameAt(context, link, facts, { uri, position: range.start, newName });
  } catch (error) {
    if (!failureOf(error) || failureOf(error)?.kind === 'cancelled') throw error;
    return null;
  }
}
