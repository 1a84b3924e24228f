/**
 * Names that no other file can use: what is declared inside a function. A search beyond the file has no point for them.
 * Members are not among them, wherever they are declared: `self.size` in a constructor, a method of a class or object
 * that a function returns.
 */
import { DefinitionRequest, SymbolKind } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../shared/base/paths.ts';
import type { Point, TextLines } from '../../shared/base/positions.ts';
import { languageFacts } from '../../shared/languages/facts.ts';
import { ask } from '../../shared/link/server-link.ts';
import { offering } from '../ask/offering.ts';
import { withoutMarks } from '../lexical/words.ts';
import { comparePoints, placesOf } from '../places/places.ts';
import { symbolsOf } from '../symbols/document-symbols.ts';
import { FUNCTION_KINDS, TYPE_KINDS, VARIABLE_KINDS } from '../symbols/symbol-kinds.ts';
import { everySymbol } from '../symbols/symbol-tree.ts';
import type { ToolContext } from '../tools/context.ts';
import type { Target } from './locate.ts';

/** When in doubt it is not local. */
export async function isLocalName(context: ToolContext, target: Target): Promise<boolean> {
  const extent = await extentOf(context, target);
  return extent === 'function' || (extent === 'parameter' && !namedArguments(target));
}

/** Whether it is declared inside a function: of its parameters other files may have the names in calls. */
export async function isOfFunction(context: ToolContext, target: Target): Promise<boolean> {
  return (await extentOf(context, target)) !== 'any';
}

/** For a parameter that calls in other files can name: what stands behind it there. Nothing else there can be it. */
export async function namedIn(context: ToolContext, target: Target): Promise<RegExp | undefined> {
  const look = namedArguments(target);
  return look && (await extentOf(context, target)) === 'parameter' ? look : undefined;
}

function namedArguments({ link }: Target): RegExp | undefined {
  return languageFacts(link.language).text.namedArguments;
}

async function extentOf(
  context: ToolContext,
  { link, source, position, name }: Target,
): Promise<'function' | 'parameter' | 'any'> {
  const facts = await offering(context, link, DefinitionRequest.method);
  const params = { textDocument: { uri: pathToUri(source.path) }, position: position(facts) };
  const found = await ask(link, DefinitionRequest.type, params, context.during(source.path));
  const [declared, ...others] = await placesOf(found, context.files, facts.encoding);
  if (!declared || others.length > 0 || declared.file !== source.path) return 'any';
  const at = declared.start;
  if (isMemberThere(source.lines, at) || isSharedByName(source.lines, name)) return 'any';
  const symbols = [...everySymbol(await symbolsOf(context, link, source))];
  const own = symbols.find((node) => comparePoints(node.at, at) === 0);
  if (own && !LOCAL_KINDS.has(own.kind)) return 'any';
  const around = symbols.findLast(
    (node) =>
      node !== own &&
      AROUND.has(node.kind) &&
      comparePoints(node.start, at) <= 0 &&
      comparePoints(at, node.end) < 0,
  );
  if (!around || !FUNCTION_KINDS.has(around.kind)) return 'any';
  return isInBrackets(source.lines, around.at, at) ? 'parameter' : 'function';
}

const LOCAL_KINDS: ReadonlySet<SymbolKind> = new Set([
  ...VARIABLE_KINDS,
  ...TYPE_KINDS,
  SymbolKind.Function,
  SymbolKind.TypeParameter,
]);
const AROUND: ReadonlySet<SymbolKind> = new Set([...FUNCTION_KINDS, ...TYPE_KINDS]);

/** `self.name`, `this->name`, and a parameter that declares a member. */
function isMemberThere(lines: TextLines, { line, column }: Point): boolean {
  const before = lines.at(line).slice(0, column - 1);
  return /(?:[.@#]|->|::)$|\b(?:public|private|protected|readonly|override)\s+$/.test(before);
}

/** A function may declare names of the module. */
function isSharedByName(lines: TextLines, name: string): boolean {
  const word = withoutMarks(name);
  for (let line = 1; line <= lines.count; line++) {
    const [, names] = /^\s*global\s+([^#]*)/.exec(lines.at(line)) ?? [];
    if (names?.split(/[^\p{ID_Continue}$]+/u).includes(word)) return true;
  }
  return false;
}

/** Whether a bracket is open between two places. */
function isInBrackets(lines: TextLines, from: Point, to: Point): boolean {
  let open = 0;
  for (let line = from.line; line <= to.line; line++) {
    const start = line === from.line ? from.column - 1 : 0;
    const end = line === to.line ? to.column - 1 : undefined;
    for (const sign of lines.at(line).slice(start, end)) open += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    if (open <= 0 && line > from.line) return false;
  }
  return open > 0;
}
