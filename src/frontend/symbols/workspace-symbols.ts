/**
 * Searches one server for symbols by name. A shared server also knows the folders of other sessions; what it finds
 * there is dropped.
 */
import { WorkspaceSymbolRequest } from 'vscode-languageserver-protocol';
import { failureOf } from '../../shared/base/failure.ts';
import { isInside, uriToPath } from '../../shared/base/paths.ts';
import { ask, type ServerFacts, type ServerLink } from '../../shared/link/server-link.ts';
import { type PreparedSearch, prepareSearch, whyIncomplete } from '../ask/prepared-search.ts';
import { type Asked, answered } from '../ask/questions.ts';
import { untilRetry } from '../render/incomplete.ts';
import type { ToolContext } from '../tools/context.ts';
import { declaredByText } from './declared-by-text.ts';
import { looseSymbols } from './loose-symbols.ts';
import type { NamedSymbol } from './named-symbol.ts';
import { unlistedSymbols } from './unlisted-symbols.ts';

export interface SymbolWishes {
  /** When the server has no time, names that the text seems to declare are better than nothing. */
  readonly orByText?: boolean;
}

export async function askSymbols(
  context: ToolContext,
  link: ServerLink,
  query: string,
  { orByText = false }: SymbolWishes = {},
): Promise<Asked<readonly NamedSymbol[]>> {
  const { method } = WorkspaceSymbolRequest;
  const { leavesSymbolsOut } = await context.facts.of(link, context.during());
  const about = { name: query, wantsDeclarations: leavesSymbolsOut };
  const prepared = await prepareSearch(context, link, { method, about });
  const { facts, reach } = prepared;
  const sent = ask(link, WorkspaceSymbolRequest.type, { query }, prepared.options());
  const answer = await answered(facts, method, sent, link).catch((error: unknown) => {
    if (failureOf(error)?.kind !== 'still-working' || !orByText || !reach.declarations) throw error;
    return 'late' as const;
  });
  if (answer === 'late') return byText(context, prepared, query);
  const listed: readonly NamedSymbol[] = answer ?? [];
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

async function byText(
  context: ToolContext,
  { facts, reach, readiness }: PreparedSearch,
  query: string,
): Promise<Asked<readonly NamedSymbol[]>> {
  const { declarations = { files: [], whole: false } } = reach;
  const sentence = (retry: string) =>
    `${facts.serverName} is still searching for ${query}; only what the text seems to declare is listed; ${retry}`;
  return {
    result: await declaredByText(context, facts, { query, declarations }),
    facts,
    readiness,
    incomplete: untilRetry(RETRY_MS, sentence),
  };
}

const RETRY_MS = 2_000;

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
