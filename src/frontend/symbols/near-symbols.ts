/** Names of the workspace that an agent may have meant by one that is not there. */
import { WorkspaceSymbolRequest } from 'vscode-languageserver-protocol';
import { nearNames } from '../../shared/base/near-names.ts';
import { askEach } from '../ask/questions.ts';
import type { ToolContext } from '../tools/context.ts';
import { segmentsOf } from './symbol-tree.ts';
import { askSymbols } from './workspace-symbols.ts';

/** Shorter parts fit too much of a workspace to be of help. */
const SHORTEST_PART = 3;

/** Servers match parts of names, so that a slip in one half leaves the other to ask for. None where they cannot say. */
export async function nearSymbols(
  context: ToolContext,
  name: string,
  languageId: string | undefined,
): Promise<readonly string[]> {
  const middle = Math.ceil(name.length / 2);
  const parts = [name.slice(0, middle), name.slice(middle)].filter((part) => part.length >= SHORTEST_PART);
  const { links } = await context.servers.workspace(languageId);
  const { answers } = await askEach(context, links, WorkspaceSymbolRequest.method, async (link) => {
    const asked = await Promise.all(parts.map((part) => askSymbols(context, link, part)));
    return asked.flatMap(({ result }) =>
      result.map((symbol) => segmentsOf(symbol.name).at(-1) ?? symbol.name),
    );
  });
  return nearNames(
    name,
    answers.flat().filter((known) => known !== name),
  );
}
