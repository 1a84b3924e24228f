/**
 * Asks a server for the references of the name at a place, and evens out how servers differ: the declaration is
 * listed only on request, the place that was asked from is always listed, and each occurrence in the text is
 * accounted for.
 */
import { DefinitionRequest, DocumentSymbolRequest, ReferencesRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { failureOf } from '../../../shared/base/failure.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { toServerPosition } from '../../../shared/base/positions.ts';
import { ask, type ServerFacts } from '../../../shared/link/server-link.ts';
import { firstWhyIncomplete, type PreparedSearch, prepareSearch } from '../../ask/prepared-search.ts';
import { type Asked, answered } from '../../ask/questions.ts';
import { unreachableAt } from '../../ask/unreachable.ts';
import { isInImport } from '../../lexical/import-lines.ts';
import { withoutMarks, wordAt } from '../../lexical/words.ts';
import {
  comparePoints,
  comparePositions,
  type LocationResult,
  type ServerPlace,
  serverPlaces,
  startOf,
} from '../../places/places.ts';
import { outlineOf } from '../../symbols/outlines.ts';
import { everySymbol } from '../../symbols/symbol-tree.ts';
import { isLocalName, namedIn } from '../../targets/local-names.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { isInstalledAs } from '../../workspace/hidden-places.ts';
import { filesOf } from '../../workspace/per-file.ts';
import { accountFor } from './accounting/account.ts';
import type { Accounting, AccountWish } from './accounting/accounting.ts';
import { stillSearching, unseenReason } from './accounting/sentences.ts';
import { declaringOnly, isSamePlace, siblingsOf } from './declaring-places.ts';
import { sendReferences } from './send-references.ts';
import { tiedByPackages } from './tied-by-packages.ts';
import { unfoundImport, unfoundImports } from './unfound-imports.ts';

export interface ReferenceOptions {
  readonly includeDeclaration?: boolean | undefined;
  /** Directories that are searched otherwise. */
  readonly except?: readonly AbsPath[];
  /** How far occurrences in the text are accounted for; not at all if not said. */
  readonly account?: AccountWish | undefined;
  readonly includeHidden?: boolean | undefined;
}

export interface FoundReferences extends Asked<readonly ServerPlace[]> {
  readonly declarations: readonly ServerPlace[];
  readonly accounting: Accounting | undefined;
}

/** Sorted, without duplicates, and whether that is all there is. */
export async function searchReferences(
  context: ToolContext,
  target: Target,
  { includeDeclaration = false, except = [], account, includeHidden }: ReferenceOptions = {},
): Promise<FoundReferences> {
  const { link, source, name } = target;
  const about = { name, file: source.path, except, wantsMentions: account !== undefined };
  const prepared = await prepareSearch(context, link, { method: ReferencesRequest.method, about });
  const { facts, reach } = prepared;
  const answer = await listedOfAll(context, target, { prepared, except, includeDeclaration }).catch(
    (error: unknown) => {
      // What the text has of the name is better than nothing, and the next call finds the server's answer.
      if (failureOf(error)?.kind !== 'still-working' || !account || !reach.mentions) throw error;
      return undefined;
    },
  );
  const { listed, declarations: known, further } = answer ?? { listed: [], declarations: [], further: [] };
  const isHere = listed.every(({ file }) => file === source.path);
  let local: Promise<boolean> | undefined;
  const isLocal = () => {
    local ??= isHere ? isLocalName(context, target) : Promise.resolve(false);
    return local;
  };
  const named = () => namedIn(context, target);
  const accounting =
    account && reach.mentions
      ? await accountFor(
          context,
          target,
          {
            places: listed,
            declarations: known,
            facts,
            mentions: reach.mentions,
            later: reach.later,
            world: prepared.state.kind === 'ready' ? reach.world : undefined,
          },
          { wish: account, includeHidden, isBusy: answer === undefined, isLocal, named },
        )
      : undefined;
  const found = accounting?.found ?? [];
  const all = found.length > 0 ? serverPlaces([...listed, ...found]) : listed;
  const declarations = serverPlaces([...known, ...(await siblingsOf(context, link, facts, known, found))]);
  const declaring = includeDeclaration ? [] : await declaringOnly(context, link, facts, declarations);
  const isDeclaration = (place: ServerPlace) => declaring.some((other) => isSamePlace(place, other));
  const isWanted = (place: ServerPlace) => includeDeclaration || !isDeclaration(place);
  const accounted = accounting && !accounting.unseen ? reach.mentions?.files.map(({ file }) => file) : [];
  const unclear = accounting && filesOf(accounting.possible.map(({ place }) => place));
  const isOfCopy = (packageName: string) =>
    known.some(({ file }) => file !== undefined && isInstalledAs(file, packageName));
  const covered = { filesInAnswer: () => filesOf(all), accounted, unclear, isOfCopy, isLocal };
  const incomplete = answer
    ? ((await firstWhyIncomplete(context, [prepared, ...further], covered)) ??
      (accounting && unseenReason(accounting, name, facts.serverName)))
    : stillSearching(accounting, name, facts.serverName);
  const { readiness } = prepared;
  const unknown =
    answer && known.length === 0
      ? ((await unreachableAt(context, target)) ?? (await unfoundImport(context, target)))
      : answer && unclear && (await unfoundImports(context, target, unclear));
  return {
    result: all.filter(isWanted),
    facts,
    readiness,
    incomplete: incomplete ?? unknown,
    declarations,
    accounting,
  };
}

interface Listed {
  /** Declarations included, and the place that was asked from. */
  readonly listed: readonly ServerPlace[];
  readonly declarations: readonly ServerPlace[];
  /** What else was searched, for what packages declare. */
  readonly further: readonly PreparedSearch[];
}

interface Search {
  readonly prepared: PreparedSearch;
  readonly except: readonly AbsPath[];
  readonly includeDeclaration: boolean;
}

/** Overloads are asked about one by one: a server lists the uses of each apart. */
async function listedOfAll(context: ToolContext, target: Target, search: Search): Promise<Listed> {
  const asked = [target, ...(target.others ?? [])];
  const answers = asked.map((each) => listedBy(context, each, search));
  const all = await Promise.all(answers);
  // Sorted already, and long lists take long to sort.
  if (all.length === 1 && all[0]) return all[0];
  return {
    listed: serverPlaces(all.flatMap(({ listed }) => listed)),
    declarations: serverPlaces(all.flatMap(({ declarations }) => declarations)),
    further: all.flatMap(({ further }) => further),
  };
}

/** Servers differ in what they leave out with the declaration, so all is asked for, and what is declared apart. */
async function listedBy(
  context: ToolContext,
  target: Target,
  { prepared: { facts, options }, except, includeDeclaration }: Search,
): Promise<Listed> {
  const { link, source } = target;
  const { method } = ReferencesRequest;
  const send = (wanted: boolean) =>
    answered(
      facts,
      method,
      sendReferences(link, facts, { ...target, includeDeclaration: wanted }, options(source.path)),
      link,
    );
  if (!facts.methods.includes(DefinitionRequest.method))
    return { listed: serverPlaces(await send(includeDeclaration)), declarations: [], further: [] };
  // The definition first: a cold server answers it at once, but after the references only when it has caught its breath.
  const [defined, locations, uses] = await Promise.all([
    definitionOf(context, facts, target),
    send(true),
    facts.definitionToggles ? send(false) : undefined,
  ]);
  const own = serverPlaces(locations);
  const tied = facts.tiesInOwnProjects ? await tiedByPackages(context, target, { places: own, except }) : [];
  const all = tied.length === 0 ? own : serverPlaces([...own, ...tied.flatMap(({ places }) => places)]);
  const others = uses && new Set(serverPlaces(uses).map(startOf));
  const left = others ? all.filter((place) => !others.has(startOf(place))) : [];
  const here = askedFrom(target, facts);
  const found = serverPlaces([...serverPlaces(defined), ...left]).filter(
    (place) => !isOwnImport(place, source),
  );
  const defining = found.length > 0 || !(await isDeclaredHere(context, target)) ? found : [here];
  const declarations = serverPlaces([
    ...defining,
    ...(await siblingsOf(context, link, facts, defining, all)),
  ]);
  const isKnown = [...all, ...declarations].some((place) => covers(place, here));
  // Some servers leave out the very place; what they can define there is a use.
  const isUse = serverPlaces(defined).length > 0;
  return {
    listed: isKnown || !isUse ? all : serverPlaces([...all, here]),
    declarations,
    further: tied.map(({ prepared }) => prepared),
  };
}

/** An import that leads nowhere is all that a server knows of the name: it declares nothing. */
function isOwnImport({ file, range }: ServerPlace, { path, lines }: Target['source']): boolean {
  return file === path && isInImport(lines, range.start.line + 1);
}

/** Not every server leads from a declaration to itself. */
async function isDeclaredHere(context: ToolContext, { link, source, point }: Target): Promise<boolean> {
  const facts = await context.facts.offering(link, DocumentSymbolRequest.method, context.during());
  if (!facts.methods.includes(DocumentSymbolRequest.method) || isInImport(source.lines, point.line))
    return false;
  const nodes = everySymbol(await outlineOf(context, link, source));
  return [...nodes].some((node) => comparePoints(node.at, point) === 0);
}

/** The whole name, also when the place is in the middle of it. */
function askedFrom({ source, point, name }: Target, { encoding }: ServerFacts): ServerPlace {
  const first = wordAt(source.lines.at(point.line), point.column)?.column ?? point.column;
  const at = (column: number) => toServerPosition({ line: point.line, column }, source.lines, encoding);
  const range = { start: at(first), end: at(first + withoutMarks(name).length) };
  return { uri: pathToUri(source.path), file: source.path, range };
}

function covers({ file, range }: ServerPlace, { file: own, range: { start } }: ServerPlace): boolean {
  return file === own && comparePositions(range.start, start) <= 0 && comparePositions(start, range.end) <= 0;
}

/** A server that cannot say it leaves what is declared among the places. */
async function definitionOf(
  context: ToolContext,
  facts: ServerFacts,
  { link, source, position }: Target,
): Promise<LocationResult> {
  const params = { textDocument: { uri: pathToUri(source.path) }, position: position(facts) };
  const asked = ask(link, DefinitionRequest.type, params, context.during(source.path));
  return answered(facts, DefinitionRequest.method, asked, link).catch((error: unknown) => {
    const kind = failureOf(error)?.kind;
    if (kind === 'server-error' || kind === 'left-out') return null;
    throw error;
  });
}
