/** Functions and types as the protocol's hierarchies name them, with public positions and the name of what they are in. */
import path from 'node:path';
import { type Range, SymbolKind } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { isInside } from '../../../shared/base/paths.ts';
import type { Point } from '../../../shared/base/positions.ts';
import { isTestFile } from '../../../shared/languages/test-files.ts';
import type { ServerLink } from '../../../shared/link/server-link.ts';
import { comparePoints, keyOf, type Place, placeKey } from '../../places/places.ts';
import { containerOfDeclared } from '../../symbols/containers.ts';
import { type Outlines, outlineOf } from '../../symbols/outlines.ts';
import { kindName } from '../../symbols/symbol-kinds.ts';
import { segmentsOf } from '../../symbols/symbol-tree.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { Roots } from '../../workspace/roots.ts';

export interface HierarchyItem {
  readonly name: string;
  /** In words. */
  readonly kind: string;
  /** Where the name itself stands. */
  readonly place: Place;
  /** Where the whole of it begins. */
  readonly from: Point;
  readonly container?: string | undefined;
}

/** What the items of both hierarchies of the protocol have in common. */
export interface ServerItem {
  readonly name: string;
  readonly kind: SymbolKind;
  readonly uri: string;
  readonly range: Range;
  readonly selectionRange: Range;
}

const FILES: ReadonlySet<SymbolKind> = new Set([SymbolKind.File, SymbolKind.Module]);

export function itemOf(item: ServerItem, place: (uri: string, range: Range) => Place): HierarchyItem {
  const file = path.posix.basename(item.uri);
  // What is called outside of all functions is called by the file, whatever the server makes of that.
  const isFile = FILES.has(item.kind) && item.name.endsWith(file);
  const segments = segmentsOf(item.name);
  return {
    name: isFile ? file : (segments.at(-1) ?? item.name),
    kind: isFile ? 'file' : kindName(item.kind),
    place: place(item.uri, item.selectionRange),
    from: place(item.uri, item.range).start,
    container: isFile ? undefined : segments.at(-2),
  };
}

/** Two items with the same key are one. */
export function itemKey({ place }: HierarchyItem): string {
  return placeKey(place);
}

/** By file and position; those outside the workspace come late, those in tests last. */
export function byImportance(roots: Roots): (a: HierarchyItem, b: HierarchyItem) => number {
  const isOutside = ({ place }: HierarchyItem) =>
    place.file === undefined || !isInside(place.file, roots.around(place.file));
  const rank = (item: HierarchyItem) => (isInTests(item, roots) ? 2 : isOutside(item) ? 1 : 0);
  return (a, b) => {
    const [first, second] = [keyOf(a.place), keyOf(b.place)];
    return (
      rank(a) - rank(b) ||
      (first < second ? -1 : first > second ? 1 : 0) ||
      comparePoints(a.place.start, b.place.start)
    );
  };
}

export function isInTests({ place }: HierarchyItem, roots: Roots): boolean {
  return place.file !== undefined && isTestFile(roots.display(place.file));
}

/** With the name of what it is in, where the outline of its file is known and does not go without saying. */
export function contained(item: HierarchyItem, outlines: Outlines): HierarchyItem {
  const { file, start } = item.place;
  const outline = file && outlines.get(file);
  if (!outline || item.kind === 'file') return item;
  const container = containerOfDeclared(outline, start, item.name);
  return container === undefined || container === item.name ? item : { ...item, container };
}

/** The first ones, more than which nobody shows, each with what it is in: `total` of an Order is `Order.total`. */
export async function inContainers(
  context: ToolContext,
  link: ServerLink,
  items: readonly HierarchyItem[],
): Promise<readonly HierarchyItem[]> {
  const files = filesOfItems(items.slice(0, MOST_CONTAINED));
  const outlines = await Promise.all(
    files.map(async (file) => {
      const source = await context.files.read(file);
      return [file, { tree: await outlineOf(context, link, source), lines: source.lines }] as const;
    }),
  );
  return items.map((item) => contained(item, new Map(outlines)));
}

const MOST_CONTAINED = 12;

export function labelOf({ name, container }: HierarchyItem): string {
  return container === undefined ? name : `${container}.${name}`;
}

export function filesOfItems(items: Iterable<HierarchyItem>): readonly AbsPath[] {
  return [...new Set([...items].flatMap(({ place }) => place.file ?? []))];
}

/** The shape of an item in JSON answers. */
export interface ItemData {
  readonly name: string;
  readonly kind: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly container?: string;
}

export function itemData({ name, kind, place, container }: HierarchyItem): ItemData {
  return {
    name,
    kind,
    file: keyOf(place),
    line: place.start.line,
    column: place.start.column,
    ...(container === undefined ? {} : { container }),
  };
}
