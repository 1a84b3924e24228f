/**
 * From a place to the declaration that the agent means there: the one whose name stands there, the one around it, or,
 * where a name is only used or imported, the one that the server's definition leads to.
 */
import { DefinitionRequest } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../shared/base/paths.ts';
import { ask, type ServerLink } from '../../shared/link/server-link.ts';
import { offering } from '../ask/offering.ts';
import { askHere } from '../ask/questions.ts';
import { leadingLine } from '../lexical/doc-comments.ts';
import { type LocationResult, placesOf } from '../places/places.ts';
import { declarationAround, isImport, symbolNamedAt } from '../symbols/outline-entries.ts';
import { knownSymbols } from '../symbols/symbol-lookup.ts';
import type { SymbolNode } from '../symbols/symbol-tree.ts';
import type { ToolContext } from '../tools/context.ts';
import type { SourceFile } from '../workspace/source-files.ts';
import type { Target } from './locate.ts';

export interface Declaration {
  readonly link: ServerLink;
  readonly source: SourceFile;
  readonly node: SymbolNode;
}

/** What the name at the place is declared as; undefined when the server knows no declaration of it. */
export async function declarationOf(context: ToolContext, target: Target): Promise<Declaration | undefined> {
  const { link, source, point } = target;
  const node = symbolNamedAt(await knownSymbols(context, link, source), point);
  if (node && !isImport(node, { source, family: link.language })) return { link, source, node };
  return definitionOf(context, target);
}

/** The innermost declaration around the place, and where there is none, what its name is declared as. */
export async function declarationNear(
  context: ToolContext,
  target: Target,
): Promise<Declaration | undefined> {
  const { link, source, point } = target;
  const tree = await knownSymbols(context, link, source);
  const node = declarationAround(tree, point, { source, family: link.language });
  return node ? { link, source, node } : definitionOf(context, target);
}

/** Whole lines, with the decorators and comments that belong to it. */
export function linesOf({ link, source, node }: Declaration): { start: number; end: number } {
  const { start, end } = node;
  // A range may end where the next line begins.
  const last = end.column === 1 && end.line > start.line ? end.line - 1 : end.line;
  return { start: leadingLine(source.lines, start.line, link.language), end: last };
}

async function definitionOf(context: ToolContext, target: Target): Promise<Declaration | undefined> {
  const { link, source, position } = target;
  const facts = await offering(context, link, DefinitionRequest.method);
  const { result } = await askHere<LocationResult>(
    context,
    link,
    {
      method: DefinitionRequest.method,
      documents: [source.path],
      send: (_facts, options) =>
        ask(
          link,
          DefinitionRequest.type,
          { textDocument: { uri: pathToUri(source.path) }, position: position(facts) },
          options,
        ),
    },
    (found) => !found || ('length' in found && found.length === 0),
  );
  const [place] = await placesOf(result, context.files, facts.encoding);
  if (place?.file === undefined) return undefined;
  const there = await context.files.read(place.file);
  const tree = await knownSymbols(context, link, there);
  const node =
    symbolNamedAt(tree, place.start) ??
    declarationAround(tree, place.start, { source: there, family: link.language });
  return node && { link, source: there, node };
}
