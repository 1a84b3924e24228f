/**
 * Everything that is usually asked about a symbol, asked at once: what it is, its source, who calls and who uses it.
 * Only the signature must be there; of the other parts the answer says which one is missing and why.
 */
import { ImplementationRequest, SymbolKind } from 'vscode-languageserver-protocol';
import { failureOf } from '../../../shared/base/failure.ts';
import { withTimeout } from '../../../shared/base/lifetime.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { ask } from '../../../shared/link/server-link.ts';
import { askAcross } from '../../ask/questions.ts';
import { comparePoints, type Place, placesOf, toPlaces } from '../../places/places.ts';
import { problemOf } from '../../render/failure.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import { type Container, containerName, containersAround } from '../../symbols/containers.ts';
import { declarationAround } from '../../symbols/outline-entries.ts';
import { outlineOf } from '../../symbols/outlines.ts';
import { kindName } from '../../symbols/symbol-kinds.ts';
import { type Declaration, declarationOf } from '../../targets/declarations.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { hoverAt } from '../documentation/hover.ts';
import { orderedCalls } from '../hierarchies/call-graph.ts';
import { callsAt } from '../hierarchies/calls.ts';
import { type HierarchyItem, inContainers } from '../hierarchies/hierarchy-items.ts';
import type { Accounting } from '../references/accounting/accounting.ts';
import { searchReferences } from '../references/reference-search.ts';

export interface Exploration {
  readonly hover: string;
  readonly declaration: Declaration | undefined;
  /** Others of its name that the question is about as well. */
  readonly others: readonly Namesake[];
  readonly callers: readonly HierarchyItem[] | undefined;
  /** Without declarations. */
  readonly uses: readonly Place[] | undefined;
  /** What became of the other occurrences of its name. */
  readonly accounting: Accounting | undefined;
  /** Of interfaces and classes, where the server knows them. */
  readonly implementations: number | undefined;
  readonly readiness: string;
  readonly incomplete: Incomplete | undefined;
  /** Parts that could not be looked at, each with the reason. */
  readonly missing: readonly MissingPart[];
}

export type PartName = 'others' | 'source' | 'callers' | 'references' | 'implementations';

export interface MissingPart {
  readonly part: PartName;
  readonly why: string;
  /** The server does not know such questions at all. */
  readonly isUnsupported: boolean;
}

/** An overload, or a type beside a value. */
export interface Namesake {
  readonly target: Target;
  readonly hover: string;
}

/** What the answer cannot do without must still be possible when a part takes too long. */
const PART_SHARE = 0.7;
/** Containers of uses are named in so many files. */
const MOST_FILES = 12;

export async function exploreAt(context: ToolContext, target: Target): Promise<Exploration> {
  const missing: MissingPart[] = [];
  const part = <T>(name: PartName, work: Promise<T>): Promise<T | undefined> =>
    attempt(context, work, (gap) => missing.push({ part: name, ...gap }));
  const declared = declarationOf(context, target);
  const { others: further = [] } = target;
  // Callers that only the accounting finds are callers as well.
  const searched = searchReferences(context, target, { account: 'some' });
  const [hover, others, declaration, graph, found, implementations] = await Promise.all([
    hoverAt(context, target),
    part('others', Promise.all(further.map((other) => namesakeAt(context, other)))),
    part('source', declared),
    part('callers', callsAt(context, target, 'incoming', { found: searched })),
    part('references', searched),
    part('implementations', implementationsOfAll(context, target, declared)),
  ]);
  const uses = found && (await toPlaces(found.result, context.files, found.facts.encoding));
  const called = graph?.incoming?.map(({ item }) => item);
  const callers =
    graph === undefined || graph.items.length > 0
      ? graph && called && (await inContainers(context, target.link, called))
      : uses && (await containersOf(context, target, uses));
  return {
    hover: hover.text,
    declaration,
    others: others ?? [],
    callers,
    uses,
    accounting: found?.accounting,
    implementations,
    readiness: (found ?? graph ?? hover).readiness,
    incomplete: found?.incomplete ?? graph?.incomplete ?? hover.incomplete ?? missingReason(missing),
    // Not in the order in which they failed.
    missing: missing.sort((a, b) => a.part.localeCompare(b.part)),
  };
}

async function namesakeAt(context: ToolContext, target: Target): Promise<Namesake> {
  const { text } = await hoverAt(context, target);
  return { target, hover: text };
}

function missingReason(missing: readonly MissingPart[]): Incomplete | undefined {
  if (missing.length === 0) return undefined;
  return { reason: 'not all parts were looked at, see MISSING below; call again, or ask for them alone' };
}

async function attempt<T>(
  context: ToolContext,
  work: Promise<T>,
  tell: (gap: Omit<MissingPart, 'part'>) => void,
): Promise<T | undefined> {
  const late = () => {
    tell({ why: 'not answered in time', isUnsupported: false });
    return undefined;
  };
  try {
    return await withTimeout<T | undefined>(work, context.remainingMs() * PART_SHARE, late, context.clock);
  } catch (error) {
    const failure = failureOf(error);
    if (!failure || failure.kind === 'cancelled') throw error;
    tell({ why: problemOf(failure), isUnsupported: failure.kind === 'unsupported' });
    return undefined;
  }
}

const IMPLEMENTED: ReadonlySet<SymbolKind> = new Set([SymbolKind.Interface, SymbolKind.Class]);

/** Of a type beside a value only the type has some. */
async function implementationsOfAll(
  context: ToolContext,
  target: Target,
  declared: Promise<Declaration | undefined>,
): Promise<number | undefined> {
  const others = (target.others ?? []).map((other) =>
    implementationsOf(context, other, declarationOf(context, other)),
  );
  const counts = await Promise.all([implementationsOf(context, target, declared), ...others]);
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0);
}

async function implementationsOf(
  context: ToolContext,
  { link, source, position, name }: Target,
  declared: Promise<Declaration | undefined>,
): Promise<number | undefined> {
  // When there is no declaration, the source is reported as missing.
  const declaration = await declared.catch(() => undefined);
  const { method } = ImplementationRequest;
  const facts = await context.facts.offering(link, method, context.during());
  if (!declaration || !IMPLEMENTED.has(declaration.node.kind) || !facts.methods.includes(method))
    return undefined;
  const { result } = await askAcross(context, link, {
    method,
    documents: [source.path],
    about: { name, file: source.path },
    send: (facts, options) =>
      ask(
        link,
        ImplementationRequest.type,
        { textDocument: { uri: pathToUri(source.path) }, position: position(facts) },
        options,
      ),
  });
  const places = await placesOf(result, context.files, facts.encoding);
  return places.filter((place) => !isDeclaration(place, declaration)).length;
}

/** What a type or a variable is used in stands for its callers; an import alone is no use. */
export async function containersOf(
  context: ToolContext,
  { link }: Target,
  uses: readonly Place[],
): Promise<readonly HierarchyItem[]> {
  const files = [...new Set(uses.flatMap(({ file }) => file ?? []))].slice(0, MOST_FILES);
  const calls = await Promise.all(
    files.map(async (file) => {
      const source = await context.files.read(file);
      const tree = await outlineOf(context, link, source);
      return uses
        .filter((place) => place.file === file)
        .flatMap((place) => {
          // What only brings the name into the file is in nothing.
          if (!declarationAround(tree, place.start, { source, family: link.language })) return [];
          const outline = { tree, lines: source.lines };
          const container = containersAround(outline, place.start).at(-1);
          const name = containerName(outline, place.start);
          return container && name ? [{ item: containerItem(container, name, place), sites: [place] }] : [];
        });
    }),
  );
  return orderedCalls(calls.flat(), context).map(({ item }) => item);
}

function containerItem({ at, node }: Container, name: string, { uri, file }: Place): HierarchyItem {
  const kind = kindName(node?.kind ?? SymbolKind.Function);
  return { name, kind, place: { uri, file, start: at, end: at }, from: node?.start ?? at };
}

function isDeclaration({ file, start }: Place, declaration: Declaration | undefined): boolean {
  return (
    declaration !== undefined &&
    file === declaration.source.path &&
    comparePoints(start, declaration.node.at) === 0
  );
}
