/** Names that no other file can use: what is declared inside a function. A search beyond the file has no point for them. */
import { DefinitionRequest } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../shared/base/paths.ts';
import { ask } from '../../shared/link/server-link.ts';
import { offering } from '../ask/offering.ts';
import { comparePoints, placesOf } from '../places/places.ts';
import { symbolsOf } from '../symbols/document-symbols.ts';
import { FUNCTION_KINDS } from '../symbols/symbol-kinds.ts';
import { everySymbol } from '../symbols/symbol-tree.ts';
import type { ToolContext } from '../tools/context.ts';
import type { Target } from './locate.ts';

/** When in doubt it is not local. */
export async function isLocalName(
  context: ToolContext,
  { link, source, position }: Target,
): Promise<boolean> {
  const facts = await offering(context, link, DefinitionRequest.method);
  const params = { textDocument: { uri: pathToUri(source.path) }, position: position(facts) };
  const found = await ask(link, DefinitionRequest.type, params, context.during(source.path));
  const [declared, ...others] = await placesOf(found, context.files, facts.encoding);
  if (!declared || others.length > 0 || declared.file !== source.path) return false;
  const at = declared.start;
  return [...everySymbol(await symbolsOf(context, link, source))].some(
    (node) =>
      FUNCTION_KINDS.has(node.kind) &&
      comparePoints(node.start, at) <= 0 &&
      comparePoints(at, node.end) < 0 &&
      comparePoints(node.at, at) !== 0,
  );
}
