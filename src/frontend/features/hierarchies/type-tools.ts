/** What a type inherits from, and what inherits from it. */
import { ReferencesRequest, TypeHierarchyPrepareRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { counted } from '../../../shared/base/counted.ts';
import type { Place } from '../../places/places.ts';
import { leftOut, pageOf } from '../../render/budget.ts';
import { outlinesOf } from '../../symbols/outlines.ts';
import { atTarget } from '../../targets/locate.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { anyCase, cursor, limit, target } from '../../tools/fields.ts';
import { hierarchyItem } from '../../tools/shapes.ts';
import { accountBeside } from '../references/accounting/beside.ts';
import { accountingExtent } from '../references/accounting/sentences.ts';
import { contained, filesOfItems, type HierarchyItem, itemData, labelOf } from './hierarchy-items.ts';
import { itemLines, itemSize, shownFile, shownPlace } from './text.ts';
import type { TypeGraph } from './type-graph.ts';
import { typesAt } from './type-hierarchy.ts';

export const typeHierarchyTools = [
  defineTool({
    name: 'type_hierarchy',
    title: 'Type hierarchy',
    description: 'Direct supertypes and subtypes of a class, interface or trait.',
    effect: 'read',
    needs: TypeHierarchyPrepareRequest.method,
    fallback: ReferencesRequest.method,
    input: () =>
      z.strictObject({
        ...target,
        direction: anyCase(['supertypes', 'subtypes', 'both']).optional().describe('Default both'),
        limit,
        cursor,
      }),
    output: () =>
      z.strictObject({
        items: z.array(hierarchyItem),
        supertypes: z.array(hierarchyItem).optional(),
        subtypes: z.array(hierarchyItem).optional(),
      }),
    run: (input, context) =>
      atTarget(context, input, async (target) => {
        const direction = input.direction ?? 'both';
        const wishes = { supertypes: direction !== 'subtypes', subtypes: direction !== 'supertypes' };
        const graph = await typesAt(context, target, wishes);
        const beside = wishes.subtypes ? await accountBeside(context, target) : undefined;
        const sides = (['supertypes', 'subtypes'] as const).filter((side) => wishes[side]);
        const all = sides.flatMap((side) => (graph[side] ?? []).map((item) => ({ side, item })));
        const page = pageOf(all, input, ({ item }) => itemSize(item));
        const shown = [...graph.items, ...page.items.map(({ item }) => item)];
        const { outlines, notes } = await outlinesOf(context, target.link, graph.facts, filesOfItems(shown));
        const items = graph.items.map((item) => contained(item, outlines));
        const onSide = (wanted: string) =>
          page.items.flatMap(({ side, item }) => (side === wanted ? [contained(item, outlines)] : []));
        const { roots } = context;
        const [first] = items;
        const incomplete = graph.incomplete ?? beside?.incomplete;
        const extent = accountingExtent(incomplete, beside?.accounting);
        const end = `${graph.readiness}, ${extent}; root ${roots.primary}`;
        const counts = sides.map((side) =>
          counted(graph[side]?.length ?? 0, side.slice(0, -1), { none: 'no' }),
        );
        const subject = first
          ? `${counts.join(', ')} of ${labelOf(first)} (${shownFile(first.place, roots)}:${shownPlace(first.place)})`
          : `no type at ${target.name} (${target.shown})`;
        const lines = (side: string, own: readonly HierarchyItem[]) =>
          own.length === 0 ? [] : [`${side}:`, ...itemLines(own, roots)];
        return {
          text: [
            `${subject.slice(0, 1).toUpperCase()}${subject.slice(1)}${beside?.part ?? ''}; ${end}`,
            ...sides.flatMap((side) => lines(side, onSide(side))),
            ...leftOut(page, 'types'),
            ...(beside?.lines ?? []),
          ].join('\n'),
          data: {
            items: items.map(itemData),
            ...Object.fromEntries(sides.map((side) => [side, onSide(side).map(itemData)])),
          },
          notes: [...(graph.means === undefined ? [] : [graph.means]), ...notes],
          details: { ...(graph.means === undefined ? {} : { fallback: true }), ...beside?.data },
          incomplete,
          page,
          hint: first
            ? stepAfter(context, first.place, graph)
            : 'name a class, interface or trait; go_to_type_definition finds that of a value',
        };
      }),
  }),
];

/** Beyond the next level, or to whatever uses a type that nothing derives from. */
function stepAfter(
  context: ToolContext,
  place: Place,
  { supertypes = [], subtypes = [], incomplete }: TypeGraph,
): string | undefined {
  const shownAt = (at: Place) => `${shownFile(at, context.roots)}:${shownPlace(at)}`;
  const shown = shownAt(place);
  const uses = `find_references ${shown} shows where it is used`;
  if (subtypes.length > 0)
    return firstOffered(context, `go_to_implementation ${shown} may have indirect subtypes, too`, uses);
  const above = supertypes.find(({ place: { file } }) => file !== undefined && context.roots.holds(file));
  if (above) {
    const at = shownAt(above.place);
    return firstOffered(context, `explore_symbol ${at}`, `get_symbol_source ${at}`);
  }
  return incomplete === undefined ? firstOffered(context, uses) : undefined;
}
