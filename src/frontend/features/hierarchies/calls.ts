/**
 * Who calls a function and whom it calls. Servers with a call hierarchy are asked for it, and the references beside it:
 * some hierarchies leave out calls, others count uses that are none. Of servers without one the references alone tell,
 * and the answer says so.
 */
import {
  type CallHierarchyIncomingCall,
  CallHierarchyIncomingCallsRequest,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  ReferencesRequest,
} from 'vscode-languageserver-protocol';
import { counted } from '../../../shared/base/counted.ts';
import { fail } from '../../../shared/base/failure.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { ask } from '../../../shared/link/server-link.ts';
import { askAcross } from '../../ask/questions.ts';
import { type Place, placeKey, placeMaker } from '../../places/places.ts';
import { type Incomplete, untilRetry } from '../../render/incomplete.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { AccountWish } from '../references/accounting/accounting.ts';
import type { FoundReferences } from '../references/reference-search.ts';
import { type Call, type CallGraph, type Direction, orderedCalls } from './call-graph.ts';
import { type CallersAround, callersAround, usesByKind } from './calls-by-references.ts';
import { type HierarchyItem, itemKey, itemOf } from './hierarchy-items.ts';

export interface CallWishes {
  /** How far occurrences of the name are accounted for; not at all if not said. */
  readonly account?: AccountWish | undefined;
  /** A search for the references that is under way already, so that they are not asked for twice. */
  readonly found?: Promise<FoundReferences> | undefined;
}

export async function callsAt(
  context: ToolContext,
  target: Target,
  direction: Direction,
  wishes: CallWishes = {},
): Promise<CallGraph> {
  const { link } = target;
  const { method } = CallHierarchyPrepareRequest;
  const facts = await context.facts.offering(link, method, context.during());
  const server = facts.serverName;
  const hasHierarchy = facts.methods.includes(method);
  const hasReferences = facts.methods.includes(ReferencesRequest.method);
  if (!hasHierarchy && (direction === 'outgoing' || !hasReferences))
    fail({ kind: 'unsupported', server, method });
  const [graph, uses] = await Promise.all([
    hasHierarchy ? callsByHierarchy(context, target, direction) : undefined,
    direction !== 'outgoing' && hasReferences ? usesByKind(context, target, wishes) : undefined,
  ]);
  if (!uses) return graph ?? fail({ kind: 'unsupported', server, method });
  const { calls, values, imports, ...asked } = uses;
  const known = withoutSites(graph?.incoming ?? [], [...values, ...imports]);
  const sites = new Set(known.flatMap((call) => call.sites.map(placeKey)));
  const more = await callersAround(
    context,
    target,
    calls.filter((place) => !sites.has(placeKey(place))),
  );
  const found = {
    ...asked,
    // What nobody calls and the server has no hierarchy for is no function.
    items: graph && (graph.items.length > 0 || more.calls.length === 0) ? graph.items : more.items,
    incoming: orderedCalls([...known, ...more.calls], context),
    outgoing: graph?.outgoing,
    otherUses: { values, imports },
    incomplete: asked.incomplete ?? toldByText(context, server, more),
  };
  const rest = direction === 'both' ? ', callees are not known' : '';
  const means = `${server} has no call hierarchy: these are the references that look like calls${rest}`;
  return graph ? found : { ...found, means };
}

function toldByText(
  { roots }: ToolContext,
  server: string,
  { byText }: CallersAround,
): Incomplete | undefined {
  const [first] = byText;
  if (first === undefined) return undefined;
  const sentence = (retry: string) =>
    `callers in ${counted(byText.length, 'file')} are told by the text alone, such as ${roots.display(first)}: ${server} had no time for their outlines; ${retry}`;
  return untilRetry(2_000, sentence);
}

/** Some hierarchies count every use as a call. */
function withoutSites(calls: readonly Call[], others: readonly Place[]): readonly Call[] {
  const noCalls = new Set(others.map(placeKey));
  return calls
    .map(({ item, sites }) => ({ item, sites: sites.filter((site) => !noCalls.has(placeKey(site))) }))
    .filter(({ sites }) => sites.length > 0);
}

interface Found {
  readonly items: readonly CallHierarchyItem[];
  readonly incoming: readonly CallHierarchyIncomingCall[];
  readonly outgoing: readonly { readonly of: CallHierarchyItem; readonly call: CallHierarchyOutgoingCall }[];
}

async function callsByHierarchy(
  context: ToolContext,
  { link, source, position, others = [] }: Target,
  direction: Direction,
): Promise<CallGraph> {
  const [wantsIncoming, wantsOutgoing] = [direction !== 'outgoing', direction !== 'incoming'];
  const asked = await askAcross<Found>(context, link, {
    method: CallHierarchyPrepareRequest.method,
    documents: [source.path],
    send: async (facts, options) => {
      const textDocument = { uri: pathToUri(source.path) };
      const prepared = [position, ...others.map((other) => other.position)].map((positionFor) => {
        const params = { textDocument, position: positionFor(facts) };
        return ask(link, CallHierarchyPrepareRequest.type, params, options);
      });
      const items = (await Promise.all(prepared)).flatMap((found) => found ?? []);
      // What the first question took, the call does not wait again.
      const rest = { ...options, patienceMs: context.patienceMs() };
      const incoming = wantsIncoming
        ? items.map(
            async (item) => (await ask(link, CallHierarchyIncomingCallsRequest.type, { item }, rest)) ?? [],
          )
        : [];
      const outgoing = wantsOutgoing
        ? items.map(async (item) => {
            const calls = (await ask(link, CallHierarchyOutgoingCallsRequest.type, { item }, rest)) ?? [];
            return calls.map((call) => ({ of: item, call }));
          })
        : [];
      return {
        items,
        incoming: (await Promise.all(incoming)).flat(),
        outgoing: (await Promise.all(outgoing)).flat(),
      };
    },
  });
  const { result, facts, readiness, incomplete } = asked;
  const uris = [
    ...result.items.map(({ uri }) => uri),
    ...result.incoming.map(({ from }) => from.uri),
    ...result.outgoing.map(({ call }) => call.to.uri),
  ];
  const place = await placeMaker(uris, context.files, facts.encoding);
  const incoming = result.incoming.map(({ from, fromRanges }) => ({
    item: itemOf(from, place),
    sites: fromRanges.map((range) => place(from.uri, range)),
  }));
  const outgoing = result.outgoing.map(({ of, call }) => ({
    item: itemOf(call.to, place),
    sites: call.fromRanges.map((range) => place(of.uri, range)),
  }));
  return {
    items: uniqueItems(result.items.map((item) => itemOf(item, place))),
    incoming: wantsIncoming ? orderedCalls(incoming, context) : undefined,
    outgoing: wantsOutgoing ? orderedCalls(outgoing, context) : undefined,
    facts,
    readiness,
    incomplete,
  };
}

function uniqueItems(items: readonly HierarchyItem[]): readonly HierarchyItem[] {
  return [...new Map(items.map((item) => [itemKey(item), item])).values()];
}
