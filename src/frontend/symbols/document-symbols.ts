/** The symbols of one file, as its server has them. */
import { DocumentSymbolRequest } from 'vscode-languageserver-protocol';
import type { ServerLink } from '../../shared/link/server-link.ts';
import { answered } from '../ask/questions.ts';
import type { ToolContext } from '../tools/context.ts';
import type { SourceFile } from '../workspace/source-files.ts';
import { type AskedSymbols, askForSymbols } from './ask-symbols.ts';
import { type SymbolNode, symbolTree } from './symbol-tree.ts';

/** The tree of a file's symbols, as the server sees the text on disk. */
export async function symbolsOf(
  context: ToolContext,
  link: ServerLink,
  source: SourceFile,
): Promise<readonly SymbolNode[]> {
  return symbolsIn(await askForSymbols(context, link, source), link, source);
}

/** The tree from an answer that is on its way. */
export async function symbolsIn(
  { facts, answer }: AskedSymbols,
  link: ServerLink,
  { lines }: SourceFile,
): Promise<readonly SymbolNode[]> {
  const result = await answered(facts, DocumentSymbolRequest.method, answer, link);
  return symbolTree(result, lines, facts.encoding);
}
