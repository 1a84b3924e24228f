/** Asks for the symbols of a file. Apart from what makes a tree of the answer, which can be loaded while that is on its way. */
import {
  type DocumentSymbol,
  DocumentSymbolRequest,
  type SymbolInformation,
} from 'vscode-languageserver-protocol';
import { pathToUri } from '../../shared/base/paths.ts';
import { ask, type ServerFacts, type ServerLink } from '../../shared/link/server-link.ts';
import { offering } from '../ask/offering.ts';
import type { ToolContext } from '../tools/context.ts';
import type { SourceFile } from '../workspace/source-files.ts';

export interface AskedSymbols {
  readonly facts: ServerFacts;
  readonly answer: Promise<DocumentSymbol[] | SymbolInformation[] | null>;
}

/** Settles when the question is out; fails when the server does not have the method. */
export async function askForSymbols(
  context: ToolContext,
  link: ServerLink,
  source: SourceFile,
): Promise<AskedSymbols> {
  const facts = await offering(context, link, DocumentSymbolRequest.method);
  const textDocument = { uri: pathToUri(source.path) };
  const answer = ask(link, DocumentSymbolRequest.type, { textDocument }, context.during(source.path));
  // Who has asked may not come to wait for it.
  answer.catch(() => {});
  return { facts, answer };
}
