/** Compares a rename with the references: the rename changes each of them, or the answer names it as unchanged. */
import {
  DefinitionRequest,
  type Range,
  ReferencesRequest,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { failureOf, messageOf } from '../../../shared/base/failure.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { isInside } from '../../../shared/base/paths.ts';
import type { ServerFacts } from '../../../shared/link/server-link.ts';
import { comparePositions, type Place, type ServerPlace, toPlaces } from '../../places/places.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { filesOf } from '../../workspace/per-file.ts';
import { type FoundReferences, searchReferences } from '../references/reference-search.ts';
import type { RenameNames } from './merged-rename.ts';
import { textEditsOf, withTextEdits } from './rename-places.ts';

export interface CoveredRename {
  readonly edit: WorkspaceEdit;
  /** References that read like the old name and are not changed. */
  readonly left: readonly Place[];
}

/** Undefined when the server has no references to compare with, or does not answer. */
export async function referencesFor(
  context: ToolContext,
  target: Target,
): Promise<FoundReferences | undefined> {
  const facts = await context.facts.offering(target.link, ReferencesRequest.method, context.during());
  if (![ReferencesRequest, DefinitionRequest].every(({ method }) => facts.methods.includes(method)))
    return undefined;
  try {
    return await searchReferences(context, target, { includeDeclaration: true, account: 'some' });
  } catch (error) {
    if (!failureOf(error) || failureOf(error)?.kind === 'cancelled') throw error;
    context.log.debug('a rename is not compared with references', { error: messageOf(error) });
    return undefined;
  }
}

/**
 * With the references that the server leaves out of its edit, as some do with files outside of their project. Where one
 * word can be two names, such as `{ stop }`, they are named instead.
 */
export async function coverReferences(
  context: ToolContext,
  edit: WorkspaceEdit,
  { listed, facts }: { listed: readonly ServerPlace[]; facts: ServerFacts },
  { name, newName }: RenameNames,
): Promise<CoveredRename> {
  if (!isListOfPlaces(edit)) return { edit, left: [] };
  const isChanged = changedBy(edit);
  const missed = listed.filter((place) => !isChanged(place));
  if (missed.length === 0) return { edit, left: [] };
  const [places, texts] = await Promise.all([
    toPlaces(missed, context.files, facts.encoding),
    context.files.readAll(filesOf(missed)),
  ]);
  const isNamed = ({ file, start, end }: Place) =>
    file !== undefined &&
    context.roots.all.some((root) => isInside(file, root)) &&
    texts
      .get(file)
      ?.at(start.line)
      .slice(start.column - 1, end.column - 1) === name;
  if (facts.namesShareWords) return { edit, left: places.filter(isNamed) };
  const added = missed.filter((_, index) => places[index] !== undefined && isNamed(places[index]));
  const byUri = groupBy(added, ({ uri }) => uri);
  const edits = [...byUri].map(
    ([uri, own]) => [uri, own.map(({ range }) => ({ range, newText: newName }))] as const,
  );
  return { edit: withTextEdits(edit, new Map(edits)), left: [] };
}

/** Where the server changes nothing, or moves files, it is not a list of places that could be completed. */
export function isListOfPlaces(edit: WorkspaceEdit): boolean {
  const movesFiles = edit.documentChanges?.some((change) => 'kind' in change) ?? false;
  return !movesFiles && textEditsOf(edit).length > 0;
}

export function changedBy(
  edit: WorkspaceEdit | null,
): (place: Pick<ServerPlace, 'uri' | 'range'>) => boolean {
  const changed = groupBy(textEditsOf(edit), ([uri]) => uri);
  return ({ uri, range: place }) =>
    (changed.get(uri) ?? []).some(([, edits]) => edits.some(({ range }) => isTouched(place, range)));
}

/** Also by what is written right beside it: `{ stop }` becomes `{ halt: stop }`, or `{ stop: halt }`. */
function isTouched(place: Range, { start, end }: Range): boolean {
  if (comparePositions(start, end) === 0)
    return [place.start, place.end].some((side) => comparePositions(side, start) === 0);
  return comparePositions(start, place.start) <= 0 && comparePositions(place.start, end) < 0;
}
