/** What a type inherits from and what inherits from it: by the server's type hierarchy, or by references where it has none. */
import {
  ReferencesRequest,
  type TypeHierarchyItem,
  TypeHierarchyPrepareRequest,
  TypeHierarchySubtypesRequest,
  TypeHierarchySupertypesRequest,
} from 'vscode-languageserver-protocol';
import { fail } from '../../../shared/base/failure.ts';
import { pathToUri, uriToPath } from '../../../shared/base/paths.ts';
import { ask } from '../../../shared/link/server-link.ts';
import { askAcross } from '../../ask/questions.ts';
import { placeMaker } from '../../places/places.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { byImportance, type HierarchyItem, itemKey, itemOf } from './hierarchy-items.ts';
import type { TypeGraph, TypeWishes } from './type-graph.ts';
import { typesByReferences } from './types-by-references.ts';
import { unseenHeirs } from './unseen-heirs.ts';

export async function typesAt(context: ToolContext, target: Target, wishes: TypeWishes): Promise<TypeGraph> {
  const { method } = TypeHierarchyPrepareRequest;
  const facts = await context.facts.offering(target.link, method, context.during());
  if (facts.methods.includes(method)) return sorted(context, await typesByHierarchy(context, target, wishes));
  const server = facts.serverName;
  if (!facts.methods.includes(ReferencesRequest.method)) fail({ kind: 'unsupported', server, method });
  return {
    ...sorted(context, await typesByReferences(context, target, wishes)),
    means: `${server} has no type hierarchy: these are the types that declarations name; indirect and structural ones are not among them`,
  };
}

interface Found {
  readonly items: readonly TypeHierarchyItem[];
  readonly supertypes: readonly TypeHierarchyItem[];
  readonly subtypes: readonly TypeHierarchyItem[];
}

async function typesByHierarchy(
  context: ToolContext,
  target: Target,
  wishes: TypeWishes,
): Promise<TypeGraph> {
  const { link, source, position, name } = target;
  const { result, facts, readiness, incomplete } = await askAcross<Found>(context, link, {
    method: TypeHierarchyPrepareRequest.method,
    documents: [source.path],
    ...(wishes.subtypes ? { about: { name, file: source.path } } : {}),
    filesOf: ({ subtypes }) => subtypes.flatMap(({ uri }) => uriToPath(uri) ?? []),
    send: async (facts, options) => {
      const params = { textDocument: { uri: pathToUri(source.path) }, position: position(facts) };
      const items = (await ask(link, TypeHierarchyPrepareRequest.type, params, options)) ?? [];
      const related = async (wanted: boolean, type: typeof TypeHierarchySubtypesRequest.type) => {
        const answers = wanted ? items.map((item) => ask(link, type, { item }, options)) : [];
        return (await Promise.all(answers)).flatMap((answer) => answer ?? []);
      };
      const [supertypes, subtypes] = await Promise.all([
        related(wishes.supertypes, TypeHierarchySupertypesRequest.type),
        related(wishes.subtypes, TypeHierarchySubtypesRequest.type),
      ]);
      return { items, supertypes, subtypes };
    },
  });
  const all = [...result.items, ...result.supertypes, ...result.subtypes];
  const place = await placeMaker(
    all.map(({ uri }) => uri),
    context.files,
    facts.encoding,
  );
  const made = (items: readonly TypeHierarchyItem[]) => items.map((item) => itemOf(item, place));
  return {
    items: made(result.items),
    supertypes: wishes.supertypes ? made(result.supertypes) : undefined,
    subtypes: wishes.subtypes ? made(result.subtypes) : undefined,
    facts,
    readiness,
    incomplete: incomplete ?? (wishes.subtypes ? await unseenHeirs(context, target, facts) : undefined),
  };
}

/** Each type once, in the order in which they are shown. */
function sorted<Graph extends Omit<TypeGraph, 'means'>>(context: ToolContext, graph: Graph): Graph {
  const once = (items: readonly HierarchyItem[]) =>
    [...new Map(items.map((item) => [itemKey(item), item])).values()].sort(byImportance(context.roots));
  return {
    ...graph,
    items: once(graph.items),
    supertypes: graph.supertypes && once(graph.supertypes),
    subtypes: graph.subtypes && once(graph.subtypes),
  };
}
