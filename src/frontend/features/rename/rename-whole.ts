/**
 * Extends the server's edit of a rename to all references: those behind exports where it stopped, those it left out,
 * and those that it knows only when it is asked at their place.
 */
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { ServerFacts } from '../../../shared/link/server-link.ts';
import { startOf } from '../../places/places.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { siftHidden } from '../../workspace/hidden-places.ts';
import type { FoundReferences } from '../references/reference-search.ts';
import { withoutIdleAliases } from './rename-aliases.ts';
import { type CoveredRename, coverReferences } from './rename-coverage.ts';
import { throughExports } from './rename-exports.ts';
import { coverFound } from './rename-found.ts';

interface ServerRename {
  readonly edit: WorkspaceEdit;
  readonly facts: ServerFacts;
  readonly references: FoundReferences | undefined;
  readonly follows: boolean;
  readonly newName: string;
}

/** The server's edit with what it stopped at and what it left out. */
export async function wholeEdit(
  context: ToolContext,
  { link, name, source }: Target,
  { edit: first, facts, references, follows, newName }: ServerRename,
): Promise<CoveredRename> {
  const names = { name, newName };
  const server = { link, facts };
  const { renamesByAlias, namesShareWords } = facts;
  const followed =
    renamesByAlias && follows ? await throughExports(context, link, facts, first, names) : first;
  // Uses that only accounting found may hold the thing under a name of their own, as `const { stop } = scope` does:
  // the server is asked about them.
  const isAsked = namesShareWords && renamesByAlias;
  const apart = new Set(isAsked ? references?.accounting?.found.map(startOf) : []);
  // What nobody here wrote is changed only where the server itself would.
  const { shown } = await siftHidden(context, references?.result ?? [], source.path);
  const found = shown.filter((place) => apart.has(startOf(place)));
  const listed = shown.filter((place) => !apart.has(startOf(place)));
  const declarations = references?.declarations ?? [];
  const covered =
    isAsked && follows
      ? await coverFound(context, server, followed, { found, declarations }, names)
      : { edit: followed, left: [] };
  const edit = renamesByAlias
    ? await withoutIdleAliases(covered.edit, newName, context.files, facts.encoding)
    : covered.edit;
  if (!references || (renamesByAlias && !follows)) return { edit, left: [] };
  const whole = await coverReferences(context, edit, { listed, facts }, names);
  return { ...whole, left: [...whole.left, ...covered.left] };
}
