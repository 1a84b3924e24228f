/**
 * Which of the places that a server lists declare the name themselves: overloads, parts that are merged, what a stub
 * repeats, and the first assignment where assignments declare.
 */
import { DocumentSymbolRequest, SymbolKind } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { toPoint } from '../../../shared/base/positions.ts';
import { stubOrSource } from '../../../shared/languages/file-kinds.ts';
import type { ServerFacts, ServerLink } from '../../../shared/link/server-link.ts';
import { isInImport } from '../../lexical/import-lines.ts';
import { comparePoints, comparePositions, type ServerPlace } from '../../places/places.ts';
import { outlineOf } from '../../symbols/outlines.ts';
import { everySymbol, type SymbolNode } from '../../symbols/symbol-tree.ts';
import type { ToolContext } from '../../tools/context.ts';
import { writesAmong } from './writes.ts';

/** Among these places, other declarations of the same: overloads, parts that are merged, and what a stub repeats. */
export async function siblingsOf(
  context: ToolContext,
  link: ServerLink,
  { encoding, methods }: ServerFacts,
  declarations: readonly ServerPlace[],
  places: readonly ServerPlace[],
): Promise<readonly ServerPlace[]> {
  const [first] = declarations;
  if (!first?.file || !methods.includes(DocumentSymbolRequest.method)) return [];
  const wanted = [first.file, stubOrSource(first.file)];
  // There may be tens of thousands of places.
  const inHomes = places.filter(({ file }) => file !== undefined && wanted.includes(file));
  const others = inHomes.filter((place) => !declarations.some((other) => isSamePlace(place, other)));
  const near = groupBy(others, ({ file }) => file);
  const homes = wanted.filter((home) => near.has(home));
  if (homes.length === 0) return [];
  const own = (await declaredIn(first.file))(first);
  if (!own) return [];
  const found: ServerPlace[] = [];
  for (const home of homes) {
    const declared = home === undefined ? undefined : await declaredIn(home);
    const isSibling = (place: ServerPlace) => {
      const node = declared?.(place);
      if (node?.path.join('.') !== own.path.join('.')) return false;
      // Some outlines list what an object takes over as a property of its name: that is a use of the variable.
      return home !== first.file || isProperty(node) === isProperty(own);
    };
    found.push(...(near.get(home) ?? []).filter(isSibling));
  }
  return found;

  async function declaredIn(file: AbsPath): Promise<(place: ServerPlace) => SymbolNode | undefined> {
    const source = await context.files.read(file);
    const nodes = [...everySymbol(await outlineOf(context, link, source))];
    return ({ range: { start } }) => {
      // Some outlines have what a file only passes on.
      if (isInImport(source.lines, start.line + 1)) return undefined;
      const at = toPoint(start, () => source.lines, encoding);
      return nodes.find((node) => comparePoints(node.at, at) === 0);
    };
  }
}

function isProperty({ kind }: SymbolNode): boolean {
  return kind === SymbolKind.Property;
}

/** Of a variable that is declared by being assigned to, the first assignment declares it; the others are uses. */
export async function declaringOnly(
  context: ToolContext,
  link: ServerLink,
  facts: ServerFacts,
  declarations: readonly ServerPlace[],
): Promise<readonly ServerPlace[]> {
  if (!facts.assignmentsDeclare || declarations.length < 2) return declarations;
  const { isWrite } = await writesAmong(context, link, facts, declarations);
  const others = declarations.filter((place) => isWrite(place) !== true);
  return others.length > 0 ? others : declarations.slice(0, 1);
}

export function isSamePlace(a: ServerPlace, b: ServerPlace): boolean {
  return a.uri === b.uri && comparePositions(a.range.start, b.range.start) === 0;
}
