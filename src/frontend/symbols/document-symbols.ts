/** The symbols of one file, as its server has them. */
import { DocumentSymbolRequest } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../shared/base/paths.ts';
import { ask, type ServerLink } from '../../shared/link/server-link.ts';
import { offering } from '../ask/offering.ts';
import { answered } from '../ask/questions.ts';
import type { ToolContext } from '../tools/context.ts';
import type { SourceFile } from '../workspace/source-files.ts';
import { type SymbolNode, symbolTree } from './symbol-tree.ts';

/** The tree of a file's symbols, as the server sees the text on disk. */
export async function symbolsOf(
  context: ToolContext,
  link: ServerLink,
  source: SourceFile,
): Promise<readonly SymbolNode[]> {
  const facts = await offering(context, link, DocumentSymbolRequest.method);
  const textDocument = { uri: pathToUri(source.path) };
  const { method } = DocumentSymbolRequest;
  const asked = ask(link, DocumentSymbolRequest.type, { textDocument }, context.during(source.path));
  const result = await answered(facts, method, asked, link);
  return symbolTree(result, source.lines, facts.encoding);
}
