/** The answer about the callers and callees of a function: a page of them, and which calls cross into concurrent work. */

import { counted } from '../../../shared/base/counted.ts';
import { knowsConcurrency } from '../../lexical/concurrency.ts';
import { keyOf, type Place, placeKey } from '../../places/places.ts';
import type { Answer } from '../../render/answer.ts';
import { leftOut, oneLine, type Page, type PageRequest, pageOf } from '../../render/budget.ts';
import { type Outlines, outlinesOf } from '../../symbols/outlines.ts';
import type { Target } from '../../targets/locate.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import type { AccountWish } from '../references/accounting/accounting.ts';
import { possibleLines } from '../references/accounting/possible-lines.ts';
import { accountedPart, accountingData, accountingExtent } from '../references/accounting/sentences.ts';
import type { Call, CallGraph, Direction } from './call-graph.ts';
import { callsAt } from './calls.ts';
import { type ConcurrentCall, concurrentAmong, handedOver } from './concurrent-callers.ts';
import {
  contained,
  filesOfItems,
  type HierarchyItem,
  type ItemData,
  itemData,
  labelOf,
} from './hierarchy-items.ts';
import { type CallData, callData, callLines, itemSize, shownFile, shownPlace } from './text.ts';

export interface CallAnswerOptions extends PageRequest {
  readonly direction: Direction;
  readonly cross_concurrent?: boolean | undefined;
  readonly account?: AccountWish | undefined;
}

export interface CallsData {
  readonly items: ItemData[];
  readonly incoming?: CallData[];
  readonly outgoing?: CallData[];
  readonly concurrent_callers?: {
    caller: string;
    pattern: string;
    file: string;
    line: number;
    column: number;
  }[];
}

type Side = 'incoming' | 'outgoing';
type Entry = Call & { readonly side: Side };

export async function callAnswer(
  context: ToolContext,
  target: Target,
  options: CallAnswerOptions,
): Promise<Answer<CallsData>> {
  const graph = await callsAt(context, target, options.direction, { account: options.account ?? 'some' });
  const all: readonly Entry[] = [
    ...entriesOf(graph.incoming, 'incoming'),
    ...entriesOf(graph.outgoing, 'outgoing'),
  ];
  const page = pageOf(all, options, ({ item, sites }) => itemSize(item) + 40 * sites.length);
  const named = await outlinesOf(context, target.link, graph.facts, [
    ...filesOfItems(graph.items),
    ...filesOfItems(page.items.map(({ item }) => item)),
  ]);
  const { outlines } = named;
  const items = graph.items.map((item) => contained(item, outlines));
  const calls = page.items.map((call) => ({ ...call, item: contained(call.item, outlines) }));
  const concurrent = options.cross_concurrent
    ? await concurrentCallers(context, target, graph, { calls, outlines, isFirst: page.from === 0 })
    : undefined;
  const notes = [
    ...(graph.means === undefined ? [] : [graph.means]),
    ...named.notes,
    ...(concurrent && !knowsConcurrency(target.link.language)
      ? [`what starts concurrent work is not known for ${target.link.language}`]
      : []),
  ];
  return {
    text: [
      textOf(context, target, graph, { items, calls, page, concurrent }),
      ...(page.from === 0 ? await beyondCalls(context, graph, concurrent ?? []) : []),
    ].join('\n'),
    data: dataOf(graph, items, calls, concurrent),
    details: {
      ...(graph.means === undefined ? {} : { fallback: true }),
      ...(graph.accounting ? accountingData(graph.accounting) : {}),
    },
    incomplete: graph.incomplete,
    page,
    notes,
    hint: hintFor(graph, all.length) ?? stepAfter(context, target, graph),
  };
}

function entriesOf(calls: readonly Call[] | undefined, side: Side): readonly Entry[] {
  return (calls ?? []).map((call) => ({ ...call, side }));
}

async function concurrentCallers(
  context: ToolContext,
  target: Target,
  graph: CallGraph,
  shown: { readonly calls: readonly Entry[]; readonly outlines: Outlines; readonly isFirst: boolean },
): Promise<readonly ConcurrentCall[]> {
  const { language } = target.link;
  if (!knowsConcurrency(language) || !graph.incoming) return [];
  const incoming = shown.calls.filter(({ side }) => side === 'incoming');
  return [
    ...(await concurrentAmong(context, language, incoming)),
    ...(shown.isFirst ? await handedOver(context, target, graph) : []),
  ].map((call) => ({ ...call, caller: contained(call.caller, shown.outlines) }));
}

interface Shown {
  readonly items: readonly HierarchyItem[];
  readonly calls: readonly Entry[];
  readonly page: Page<Entry>;
  readonly concurrent: readonly ConcurrentCall[] | undefined;
}

function textOf(context: ToolContext, target: Target, graph: CallGraph, shown: Shown): string {
  const { roots } = context;
  const { items, calls, page, concurrent } = shown;
  const [first, ...others] = items;
  const extent = accountingExtent(graph.incomplete, graph.accounting);
  const end = `; ${graph.readiness}, ${extent}; root ${roots.primary}`;
  if (!first && page.total === 0) return `No function at ${target.name} (${target.shown})${end}`;
  const where = first ? `${shownFile(first.place, roots)}:${shownPlace(first.place)}` : target.shown;
  const more = others.length === 0 ? '' : ` and ${others.length} more of the name`;
  const started = new Map((concurrent ?? []).map(({ site, pattern }) => [site, pattern]));
  const side = (wanted: Side) => calls.filter((call) => call.side === wanted);
  const [incoming, outgoing] = [side('incoming'), side('outgoing')];
  const counts = [
    ...(graph.incoming ? [counted(graph.incoming.length, 'caller', { none: 'no' })] : []),
    ...(graph.outgoing ? [counted(graph.outgoing.length, 'callee', { none: 'no' })] : []),
  ];
  const subject = `${counts.join(', ')} of ${first ? labelOf(first) : target.name} (${where})${more}`;
  const both = graph.incoming !== undefined && graph.outgoing !== undefined;
  const calling = first && shownFile(first.place, roots);
  return [
    `${capital(subject)}${spread(graph)}${beside(context, graph)}${end}`,
    ...(both && incoming.length > 0 ? ['callers:'] : []),
    ...callLines(incoming, roots, { verb: 'calls at', started, home: ({ place }) => place }),
    ...(outgoing.length > 0 ? [`callees, called in ${calling}:`] : []),
    ...callLines(outgoing, roots, { verb: 'called at', started, home: () => first?.place }),
    ...leftOut(page, both ? 'callers and callees' : graph.incoming ? 'callers' : 'callees'),
    ...(concurrent && knowsConcurrency(target.link.language)
      ? concurrentLines(context, concurrent, incoming)
      : []),
  ].join('\n');
}

function concurrentLines(
  { roots }: ToolContext,
  concurrent: readonly ConcurrentCall[],
  shown: readonly Call[],
): readonly string[] {
  const marked = new Set(shown.flatMap(({ sites }) => sites));
  const others = concurrent.filter(({ site }) => !marked.has(site));
  const count = concurrent.length === 0 ? 'none' : concurrent.length;
  return [
    `started concurrently: ${count}`,
    ...others.map(
      ({ caller, site, pattern }) =>
        `  ${shownFile(site, roots)}:${shownPlace(site)} handed to ${pattern} in ${labelOf(caller)}`,
    ),
  ];
}

function dataOf(
  graph: CallGraph,
  items: readonly HierarchyItem[],
  calls: readonly Entry[],
  concurrent: readonly ConcurrentCall[] | undefined,
): CallsData {
  const home: Place | undefined = items[0]?.place;
  const side = (wanted: Side) => calls.filter((call) => call.side === wanted);
  return {
    items: items.map(itemData),
    ...(graph.incoming ? { incoming: side('incoming').map((call) => callData(call, call.item.place)) } : {}),
    ...(graph.outgoing ? { outgoing: side('outgoing').map((call) => callData(call, home)) } : {}),
    ...(concurrent
      ? {
          concurrent_callers: concurrent.map(({ caller, site, pattern }) => ({
            caller: labelOf(caller),
            pattern,
            file: keyOf(site),
            ...site.start,
          })),
        }
      : {}),
  };
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
}

/** Only said where it is about one side. */
function spread({ incoming, outgoing }: CallGraph): string {
  const calls = incoming && outgoing ? [] : (incoming ?? outgoing ?? []);
  const files = new Set(calls.map(({ item }) => keyOf(item.place))).size;
  return files === 0 ? '' : ` in ${counted(files, 'file')}`;
}

/** What the name is used for beside calls, and what became of its other occurrences. */
function beside({ roots }: ToolContext, { otherUses, accounting, items }: CallGraph): string {
  const { values = [], imports = [] } = otherUses ?? {};
  const isFunction = items.every(({ kind }) => FUNCTION_KINDS.has(kind));
  const parts = [
    ...(values.length === 0
      ? []
      : [`${values.length} ${isFunction ? 'passed on as a value' : 'other uses'}`]),
    ...(imports.length === 0 ? [] : [`${imports.length} imported`]),
    ...(accounting && accounting.possible.length > 0 ? [`${accounting.possible.length} possible`] : []),
  ];
  const uses = parts.length === 0 ? '' : `, ${parts.join(', ')}`;
  return accounting ? `${uses}; ${accountedPart(accounting, roots)}` : uses;
}

const FUNCTION_KINDS: ReadonlySet<string> = new Set(['function', 'method', 'constructor']);
const MOST_VALUES = 8;

async function beyondCalls(
  context: ToolContext,
  { otherUses, accounting }: CallGraph,
  concurrent: readonly ConcurrentCall[],
): Promise<readonly string[]> {
  const started = new Set(concurrent.map(({ site }) => placeKey(site)));
  const values = (otherUses?.values ?? []).filter((place) => !started.has(placeKey(place)));
  const { roots, files } = context;
  const shown = values.slice(0, MOST_VALUES);
  const texts = await files.readAll(shown.flatMap(({ file }) => file ?? []));
  const sourceAt = ({ file, start }: Place) => oneLine((file && texts.get(file)?.at(start.line)) ?? '');
  const more = values.length - shown.length;
  return [
    ...(values.length === 0 ? [] : ['not called there:']),
    ...shown.map((place) => `  ${shownFile(place, roots)}:${shownPlace(place)}  ${sourceAt(place)}`),
    ...(more > 0 ? [`  +${more} more; find_references kind:"value" lists them`] : []),
    ...(await possibleLines(context, accounting?.possible ?? [])),
  ];
}

function stepAfter(context: ToolContext, { source }: Target, { incoming = [], outgoing = [] }: CallGraph) {
  const { roots } = context;
  if (incoming.length > 0)
    return firstOffered(context, `blast_radius ${roots.display(source.path)} before a change`);
  const callee = outgoing.find(({ item: { place } }) => place.file !== undefined && roots.holds(place.file));
  if (!callee) return undefined;
  const at = `${shownFile(callee.item.place, roots)}:${shownPlace(callee.item.place)}`;
  return firstOffered(context, `get_symbol_source ${at}`, `explore_symbol ${at}`);
}

function hintFor(graph: CallGraph, count: number): string | undefined {
  if (count > 0 || graph.incomplete !== undefined) return undefined;
  if (graph.items.length === 0) return 'name a function or method, or ask find_references';
  if (!graph.incoming) return undefined;
  if (!graph.otherUses) return 'find_references shows uses that are no calls';
  const { values, imports } = graph.otherUses;
  return values.length + imports.length + (graph.accounting?.possible.length ?? 0) > 0
    ? undefined
    : 'nothing calls it by name; it may be where something begins, or called by a framework or from outside';
}
