/** Calls among the references of a name: by what follows it, in the function around it. */
import path from 'node:path';
import { SymbolKind } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { failureOf } from '../../../shared/base/failure.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { type UseKind, useKindOf } from '../../lexical/use-kinds.ts';
import { comparePoints, type Place, placeKey, serverPlaces, toPlaces } from '../../places/places.ts';
import { type Container, containersAround, type FileOutline } from '../../symbols/containers.ts';
import { isOutlined, outlineOf } from '../../symbols/outlines.ts';
import { kindName } from '../../symbols/symbol-kinds.ts';
import { everySymbol, type SymbolNode } from '../../symbols/symbol-tree.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { filesOf } from '../../workspace/per-file.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import type { AccountWish } from '../references/accounting/accounting.ts';
import { type FoundReferences, searchReferences } from '../references/reference-search.ts';
import type { Call } from './call-graph.ts';
import type { HierarchyItem } from './hierarchy-items.ts';

/** The uses of a name, by what is done with it there. */
export interface UsesByKind extends Omit<FoundReferences, 'result' | 'declarations'> {
  /** What looks like a call; declarations with parameters do as well. */
  readonly calls: readonly Place[];
  readonly values: readonly Place[];
  readonly imports: readonly Place[];
}

/** `found` is a search that is under way already. */
export async function usesByKind(
  context: ToolContext,
  target: Target,
  { account, found }: { account?: AccountWish | undefined; found?: Promise<FoundReferences> | undefined },
): Promise<UsesByKind> {
  const { result, declarations, ...asked } = await (found ?? searchReferences(context, target, { account }));
  const all = serverPlaces([...result, ...declarations]);
  const places = await toPlaces(all, context.files, asked.facts.encoding);
  const texts = await context.files.readAll(filesOf(places));
  const declared = new Set((await toPlaces(declarations, context.files, asked.facts.encoding)).map(placeKey));
  const kinds = groupBy(places, (place) => {
    const lines = place.file && texts.get(place.file);
    if (!lines) return undefined;
    return declared.has(placeKey(place)) ? 'call' : useKindOf(place, lines);
  });
  const of = (kind: UseKind) => kinds.get(kind) ?? [];
  return { ...asked, calls: of('call'), values: [...of('value'), ...of('write')], imports: of('import') };
}

export interface CallersAround {
  /** What is declared at one of the places instead of being called. */
  readonly items: readonly HierarchyItem[];
  readonly calls: readonly Call[];
  /** Files of which only the text was looked at, because the server had no time for them. */
  readonly byText: readonly AbsPath[];
}

/** More files at once would only wait for each other in the server. */
const AT_ONCE = 4;

/** The functions around these places, as far as the call's patience goes; what is left is told by its text. */
export async function callersAround(
  context: ToolContext,
  { link }: Pick<Target, 'link'>,
  places: readonly Place[],
): Promise<CallersAround> {
  const end = context.clock.now() + context.patienceMs();
  const outlineInTime = async (source: SourceFile) => {
    if (context.clock.now() > end && !isOutlined(source)) return undefined;
    return outlineOf(context, link, source).catch((error: unknown) => {
      const failure = failureOf(error);
      if (failure?.kind === 'still-working') return undefined;
      throw error;
    });
  };
  const files = await eachBounded(filesOf(places), AT_ONCE, async (file) => {
    const source = await context.files.read(file);
    return { file, lines: source.lines, tree: await outlineInTime(source) };
  });
  const outlines = new Map(files.map((each) => [each.file, each]));
  const calls: Call[] = [];
  const items: HierarchyItem[] = [];
  for (const place of places) {
    const outline = place.file && outlines.get(place.file);
    if (!outline) continue;
    const { tree = [], lines } = outline;
    const declared = [...everySymbol(tree)].find((node) => comparePoints(node.at, place.start) === 0);
    if (declared) items.push(itemFor(declared, place));
    else if (outline.tree || !looksDeclared(lines.at(place.start.line), place))
      calls.push({ item: callerAt({ tree, lines }, place), sites: [place] });
  }
  return { items, calls, byText: files.flatMap(({ file, tree }) => (tree ? [] : [file])) };
}

/** A body behind the parameters, and nothing but modifiers and keywords before the name. */
function looksDeclared(line: string, { start }: Place): boolean {
  const [before, behind] = [line.slice(0, start.column - 1), line.slice(start.column - 1)];
  const isBalanced = behind.split('(').length === behind.split(')').length;
  const hasBody = /^[\w$]+\s*(?:<.*>)?\(.*\)\s*(?::[^=]*)?\{\s*$/.test(behind);
  return isBalanced && hasBody && /^\s*(?:[\w*#]+\s+)*[*#]?$/.test(before);
}

/** The innermost function with a name around a place, else what is around it, else the file. */
export function callerAt(outline: FileOutline, place: Place): HierarchyItem {
  const around = containersAround(outline, place.start);
  const caller = around.findLast(({ is }) => is === 'function') ?? around.at(-1);
  if (caller?.node) return itemFor(caller.node, place);
  if (caller) return unlistedItem(caller, place);
  const start = { line: 1, column: 1 };
  const name = path.posix.basename(place.uri);
  return { name, kind: 'file', place: { ...place, start, end: start }, from: start };
}

function unlistedItem({ names, at }: Container, { uri, file }: Place): HierarchyItem {
  const name = names.at(-1) ?? '';
  const end = { line: at.line, column: at.column + name.length };
  const kind = kindName(SymbolKind.Function);
  return { name, kind, place: { uri, file, start: at, end }, from: { line: at.line, column: 1 } };
}

function itemFor(node: SymbolNode, { uri, file }: Place): HierarchyItem {
  const name = node.path.at(-1) ?? node.name;
  const end = { line: node.at.line, column: node.at.column + name.length };
  return { name, kind: node.word, place: { uri, file, start: node.at, end }, from: node.start };
}
