/** Symbols by name as one server knows them, as far as they are this session's business. */
import {
  type SymbolInformation,
  type WorkspaceSymbol,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver-protocol';
import { isInside, uriToPath } from '../shared/base/paths.ts';
import { ask, type ServerFacts, type ServerLink } from '../shared/server-link.ts';
import { type Asked, askAcross } from './asking.ts';
import type { ToolContext } from './tool-context.ts';

export type NamedSymbol = SymbolInformation | WorkspaceSymbol;

export async function askSymbols(
  context: ToolContext,
  link: ServerLink,
  query: string,
): Promise<Asked<readonly NamedSymbol[]>> {
  const asked = await askAcross(context, link, {
    method: WorkspaceSymbolRequest.method,
    about: { name: query },
    send: (_facts, options) => ask(link, WorkspaceSymbolRequest.type, { query }, options),
  });
  const symbols: readonly NamedSymbol[] = asked.result ?? [];
  const { folders = [], mostSymbols = Number.POSITIVE_INFINITY, serverName } = asked.facts;
  const cut =
    symbols.length < mostSymbols
      ? undefined
      : `INCOMPLETE: ${serverName} lists at most ${mostSymbols} symbols, and there may be more; ask for a longer part of the name`;
  const result =
    folders.length === 0 ? symbols : symbols.filter((each) => !isForeign(context, folders, each));
  return { ...asked, result, incomplete: asked.incomplete ?? cut };
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
