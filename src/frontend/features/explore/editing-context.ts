/**
 * What an agent needs to know before it edits a file: its symbols, who depends on each, what each depends on outside
 * the file. The callers are looked up symbol by symbol within a share of the call's time; what was not reached is named.
 */
import { SymbolKind } from 'vscode-languageserver-protocol';
import { failureOf } from '../../../shared/base/failure.ts';
import { isInside } from '../../../shared/base/paths.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import type { ServerLink } from '../../../shared/link/server-link.ts';
import { toPlaces } from '../../places/places.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import type { OutlineEntry } from '../../symbols/outline-entries.ts';
import { FUNCTION_KINDS } from '../../symbols/symbol-kinds.ts';
import { type Target, targetAt } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import type { CallGraph } from '../hierarchies/call-graph.ts';
import { callsAt } from '../hierarchies/calls.ts';
import { type HierarchyItem, inContainers } from '../hierarchies/hierarchy-items.ts';
import { searchReferences } from '../references/reference-search.ts';
import { containersOf } from './explore.ts';

export interface EditingSymbol {
  readonly entry: OutlineEntry;
  /** Undefined for what was not looked up. */
  readonly neighbours: Neighbours | undefined;
}

export interface Neighbours {
  readonly callers: readonly HierarchyItem[];
  /** In other files of the workspace; undefined where the server cannot tell. */
  readonly callees: readonly HierarchyItem[] | undefined;
  readonly readiness: string;
  readonly incomplete: Incomplete | undefined;
}

export interface LookedUp {
  readonly symbols: readonly EditingSymbol[];
  /** Names of symbols whose callers are not known, with the first reason. */
  readonly notLookedUp: readonly string[];
  readonly why: string | undefined;
}

const AT_ONCE = 4;
const MOST_LOOKED_UP = 40;
/** The rest of the call's time is for what comes after. */
const SHARE = 0.6;

/** What others name from outside; members that are data are found with their type. */
const LOOKED_UP: ReadonlySet<SymbolKind> = new Set([
  ...FUNCTION_KINDS,
  SymbolKind.Class,
  SymbolKind.Interface,
  SymbolKind.Struct,
  SymbolKind.Enum,
  SymbolKind.Variable,
  SymbolKind.Constant,
  SymbolKind.TypeParameter,
]);

export async function neighboursOf(
  context: ToolContext,
  link: ServerLink,
  source: SourceFile,
  entries: readonly OutlineEntry[],
): Promise<LookedUp> {
  const wanted = entries.filter(isLookedUp).slice(0, MOST_LOOKED_UP);
  const found = new Map<OutlineEntry, Neighbours>();
  const endAt = context.clock.now() + context.remainingMs() * SHARE;
  let why: string | undefined;
  await eachBounded(wanted, AT_ONCE, async (entry) => {
    if (context.clock.now() > endAt) return;
    try {
      found.set(entry, await lookUp(context, link, source, entry));
    } catch (error) {
      const failure = failureOf(error);
      if (!failure || failure.kind === 'cancelled') throw error;
      why ??= failure.kind;
    }
  });
  const notLookedUp = entries.filter((entry) => isLookedUp(entry) && !found.has(entry));
  return {
    symbols: entries.map((entry) => ({ entry, neighbours: found.get(entry) })),
    notLookedUp: notLookedUp.map(({ node }) => node.path.join('.')),
    why: why ?? (wanted.length > found.size ? 'the time was over' : undefined),
  };
}

function isLookedUp({ node, depth }: OutlineEntry): boolean {
  const isData = node.kind === SymbolKind.Variable || node.kind === SymbolKind.Constant;
  return LOOKED_UP.has(node.kind) && !(isData && depth > 0) && !node.name.endsWith(' callback');
}

async function lookUp(
  context: ToolContext,
  link: ServerLink,
  source: SourceFile,
  { node }: OutlineEntry,
): Promise<Neighbours> {
  const target = await targetAt(context, source, node.at, {}, link);
  const graph = FUNCTION_KINDS.has(node.kind) ? await callGraph(context, target) : undefined;
  const callees = graph?.outgoing?.flatMap(({ item }) => (isElsewhere(context, source, item) ? [item] : []));
  const calls = graph?.incoming?.map(({ item }) => item) ?? [];
  if (graph && calls.length > 0) {
    const { readiness, incomplete } = graph;
    return { callers: await inContainers(context, link, calls), callees, readiness, incomplete };
  }
  // A function that is handed over is not called by name, and types are not called at all.
  const { result, facts, readiness, incomplete } = await searchReferences(context, target);
  const uses = await toPlaces(result, context.files, facts.encoding);
  return { callers: await containersOf(context, target, uses), callees, readiness, incomplete };
}

/** Some servers have half of the call hierarchy, or none. */
async function callGraph(context: ToolContext, target: Target): Promise<CallGraph | undefined> {
  for (const direction of ['both', 'incoming'] as const) {
    try {
      return await callsAt(context, target, direction);
    } catch (error) {
      const kind = failureOf(error)?.kind;
      if (kind !== 'unsupported' && kind !== 'server-error' && kind !== 'left-out') throw error;
    }
  }
  return undefined;
}

/** In the workspace, but not in this file: what is called of libraries would be most of it. */
function isElsewhere(
  { roots }: ToolContext,
  source: SourceFile,
  { place: { file } }: HierarchyItem,
): boolean {
  if (file === undefined || file === source.path) return false;
  return isInside(file, roots.around(file)) && !/[\\/]node_modules[\\/]/.test(file);
}
