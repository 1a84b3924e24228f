/**
 * Searches one server for symbols by name. A shared server also knows the folders of other sessions; what it finds
 * there is dropped.
 */
import { WorkspaceSymbolRequest } from 'vscode-languageserver-protocol';
import { isInside, uriToPath } from '../../shared/base/paths.ts';
import { ask, type ServerFacts, type ServerLink } from '../../shared/link/server-link.ts';
import { prepareSearch, whyIncomplete } from '../ask/prepared-search.ts';
import { type Asked, answered } from '../ask/questions.ts';
import type { ToolContext } from '../tools/context.ts';
import { looseSymbols } from './loose-symbols.ts';
import type { NamedSymbol } from './named-symbol.ts';
import { unlistedSymbols } from './unlisted-symbols.ts';

export async function askSymbols(
  context: ToolContext,
  link: ServerLink,
  query: string,
): Promise<Asked<readonly NamedSymbol[]>> {
  const { method } = WorkspaceSymbolRequest;
  const { leavesSymbolsOut } = await context.facts.of(link, context.during());
  const about = { name: query, wantsDeclarations: leavesSymbolsOut };
  const prepared = await prepareSearch(context, link, { method, about });
  const { facts, reach } = prepared;
  const sent = ask(link, WorkspaceSymbolRequest.type, { query }, prepared.options());
  const listed: readonly NamedSymbol[] = (await answered(facts, method, sent, link)) ?? [];
  const loose = facts.searchesTrackedOnly ? (reach.loose ?? []) : [];
  const { folders = [], mostSymbols = Number.POSITIVE_INFINITY, serverName } = facts;
  const isCut = listed.length >= mostSymbols;
  const { declarations } = reach;
  const unlisted =
    declarations && (await unlistedSymbols(context, link, facts, { query, listed, declarations, isCut }));
  const known = new Set(listed.map(keyOf));
  const more = await looseSymbols(context, link, facts, loose, query);
  const symbols = [
    ...listed,
    ...more.symbols.filter((each) => !known.has(keyOf(each))),
    ...(unlisted?.symbols ?? []),
  ];
  const incomplete = await whyIncomplete(context, prepared, {});
  const cut = isCut
    ? {
        reason: `${serverName} lists at most ${mostSymbols} symbols, and there may be more; ask for a longer part of the name`,
      }
    : undefined;
  const result =
    folders.length === 0 ? symbols : symbols.filter((each) => !isForeign(context, folders, each));
  return {
    result,
    facts,
    readiness: prepared.readiness,
    incomplete: incomplete ?? cut ?? more.incomplete ?? unlisted?.incomplete,
  };
}

/** The same in the search by name and in the outline of its file. */
function keyOf({ location }: NamedSymbol): string {
  const { line, character } = 'range' in location ? location.range.start : { line: -1, character: -1 };
  return `${location.uri} ${line} ${character}`;
}

/** In a folder that another session has given to a shared server: it may be another checkout of the same project. */
function isForeign(
  { roots }: ToolContext,
  folders: NonNullable<ServerFacts['folders']>,
  { location }: NamedSymbol,
): boolean {
  const file = uriToPath(location.uri);
  return file !== undefined && folders.some((folder) => isInside(file, folder)) && !roots.holds(file);
}
