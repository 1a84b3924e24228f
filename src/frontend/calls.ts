/**
 * Who calls a function and whom it calls. Servers with a call hierarchy are asked for it; of others the callers are
 * found among the references, and the answer says so.
 */
import {
  type CallHierarchyIncomingCall,
  CallHierarchyIncomingCallsRequest,
  type CallHierarchyItem,
  type CallHierarchyOutgoingCall,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
  type Location,
  ReferencesRequest,
} from 'vscode-languageserver-protocol';
import { fail } from '../shared/base/failure.ts';
import { pathToUri, uriToPath } from '../shared/base/paths.ts';
import { ask, type ServerFacts } from '../shared/server-link.ts';
import { askAcross } from './asking.ts';
import { type Call, type CallGraph, type Direction, listed } from './call-graph.ts';
import { callsAmong, callsByReferences } from './calls-by-references.ts';
import { type HierarchyItem, itemKey, itemOf } from './hierarchy-items.ts';
import { isLocalName } from './local-names.ts';
import type { Target } from './locate.ts';
import { placeKey, placeMaker, placesOf } from './places.ts';
import { sendReferences } from './reference-search.ts';
import type { ToolContext } from './tool-context.ts';

export async function callsAt(
  context: ToolContext,
  target: Target,
  direction: Direction,
): Promise<CallGraph> {
  const { link } = target;
  const { method } = CallHierarchyPrepareRequest;
  const facts = await context.facts.offering(link, method, context.during());
  if (facts.methods.includes(method)) {
    const graph = await callsByHierarchy(context, target, direction);
    // What is called is no function to the server: a property, or a class in a constant.
    if (graph.items.length > 0 || !facts.callsArePartial || direction === 'outgoing') return graph;
    const found = await callsByReferences(context, target);
    return { ...found, incoming: listed(found.incoming ?? [], context), outgoing: graph.outgoing };
  }
  const server = facts.serverName;
  if (direction === 'outgoing' || !facts.methods.includes(ReferencesRequest.method))
    fail({ kind: 'unsupported', server, method });
  const graph = await callsByReferences(context, target);
  const rest = direction === 'both' ? ', callees are not known' : '';
  return {
    ...graph,
    incoming: listed(graph.incoming ?? [], context),
    outgoing: undefined,
    means: `${server} has no call hierarchy: these are the references that look like calls${rest}`,
  };
}

interface Found {
  /** All uses, where the hierarchy alone leaves out calls. */
  readonly uses: readonly Location[];
  readonly items: readonly CallHierarchyItem[];
  readonly incoming: readonly CallHierarchyIncomingCall[];
  readonly outgoing: readonly { readonly of: CallHierarchyItem; readonly call: CallHierarchyOutgoingCall }[];
}

async function callsByHierarchy(
  context: ToolContext,
  target: Target,
  direction: Direction,
): Promise<CallGraph> {
  const { link, source, position, name } = target;
  const [wantsIncoming, wantsOutgoing] = [direction !== 'outgoing', direction !== 'incoming'];
  const asked = await askAcross<Found>(context, link, {
    method: CallHierarchyPrepareRequest.method,
    documents: [source.path],
    ...(wantsIncoming
      ? { about: { name, file: source.path }, isLocal: () => isLocalName(context, target) }
      : {}),
    filesOf: ({ incoming, uses }) =>
      [...incoming.map(({ from }) => from.uri), ...uses.map(({ uri }) => uri)].flatMap(
        (uri) => uriToPath(uri) ?? [],
      ),
    send: async (facts, options) => {
      const textDocument = { uri: pathToUri(source.path) };
      const params = { textDocument, position: position(facts) };
      const uses =
        wantsIncoming && facts.callsArePartial
          ? sendReferences(link, facts, { ...target, includeDeclaration: true }, options)
          : [];
      const items = (await ask(link, CallHierarchyPrepareRequest.type, params, options)) ?? [];
      const incoming = wantsIncoming
        ? items.map(
            async (item) =>
              (await ask(link, CallHierarchyIncomingCallsRequest.type, { item }, options)) ?? [],
          )
        : [];
      const outgoing = wantsOutgoing
        ? items.map(async (item) => {
            const calls = (await ask(link, CallHierarchyOutgoingCallsRequest.type, { item }, options)) ?? [];
            return calls.map((call) => ({ of: item, call }));
          })
        : [];
      return {
        items,
        uses: (await uses) ?? [],
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
  const more = await callsBeyond(context, target, facts, result, incoming);
  const outgoing = result.outgoing.map(({ of, call }) => ({
    item: itemOf(call.to, place),
    sites: call.fromRanges.map((range) => place(of.uri, range)),
  }));
  return {
    items: uniqueItems(result.items.map((item) => itemOf(item, place))),
    incoming: wantsIncoming ? listed([...incoming, ...more], context) : undefined,
    outgoing: wantsOutgoing ? listed(outgoing, context) : undefined,
    facts,
    readiness,
    incomplete,
  };
}

/** Calls that the hierarchy has not, though they are among the uses. */
async function callsBeyond(
  context: ToolContext,
  target: Target,
  { encoding }: ServerFacts,
  { uses, items }: Found,
  incoming: readonly Call[],
): Promise<readonly Call[]> {
  if (uses.length === 0 || items.length === 0) return [];
  const known = new Set(incoming.flatMap(({ sites }) => sites.map(placeKey)));
  const places = await placesOf([...uses], context.files, encoding);
  const missing = places.filter((place) => !known.has(placeKey(place)));
  return (await callsAmong(context, target, missing)).calls;
}

function uniqueItems(items: readonly HierarchyItem[]): readonly HierarchyItem[] {
  return [...new Map(items.map((item) => [itemKey(item), item])).values()];
}
