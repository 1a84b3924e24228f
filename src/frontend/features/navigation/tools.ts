/** From a name to where it comes from: definition, type, implementations, declaration. */
import {
  DeclarationRequest,
  DefinitionRequest,
  ImplementationRequest,
  type TextDocumentPositionParams,
  TypeDefinitionRequest,
} from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { counted } from '../../../shared/base/counted.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import type { Point } from '../../../shared/base/positions.ts';
import { languageById } from '../../../shared/languages/lookup.ts';
import {
  ask,
  type CallOptions,
  type ServerFacts,
  type ServerLink,
} from '../../../shared/link/server-link.ts';
import { askAcross, askHere, type Question } from '../../ask/questions.ts';
import { unreachableAt } from '../../ask/unreachable.ts';
import { unbuiltReason } from '../../ask/unreached.ts';
import { type LocationResult, type Place, type PlaceData, placeData, placesOf } from '../../places/places.ts';
import type { Outcome } from '../../render/answer.ts';
import { leftOut, pageOf } from '../../render/budget.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import { atTarget, type Locator, type Target } from '../../targets/locate.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, limit, target } from '../../tools/fields.ts';
import { place } from '../../tools/shapes.ts';
import { isInstalled, isInstalledAs } from '../../workspace/hidden-places.ts';
import { unseenHeirs } from '../hierarchies/unseen-heirs.ts';
import { accountBeside } from '../references/accounting/beside.ts';
import { flatLines, placeSize } from '../references/locations.ts';
import { furtherImplementations } from './implementations.ts';

export const definitionTools = [
  defineTool({
    name: 'go_to_definition',
    title: 'Go to definition',
    description:
      'Where a name is defined, also in dependencies. Name the place by symbol, position_pattern, or line and column.',
    effect: 'read',
    isCore: true,
    needs: DefinitionRequest.method,
    input: () => z.strictObject(target),
    output: () => z.array(place),
    run: (input, context) =>
      goTo(context, input, {
        noun: 'definition',
        method: DefinitionRequest.method,
        isProvisional: (link) => languageById(link.language)?.family.declaresApart === true,
        send: (link, params, options) => ask(link, DefinitionRequest.type, params, options),
        hint: (first) => [`inspect_symbol ${first}`, `get_symbol_source ${first}`],
        whenOutside: DOCUMENTED,
        whenNone: (_, name) => [`find_symbol ${name} searches by name`],
      }),
  }),

  defineTool({
    name: 'go_to_type_definition',
    title: 'Go to type definition',
    description: 'Where the type of a variable or expression is defined.',
    effect: 'read',
    needs: TypeDefinitionRequest.method,
    input: () => z.strictObject(target),
    output: () => z.array(place),
    run: (input, context) =>
      goTo(context, input, {
        noun: 'type definition',
        method: TypeDefinitionRequest.method,
        send: (link, params, options) => ask(link, TypeDefinitionRequest.type, params, options),
        hint: (first) => [`get_symbol_source ${first}`],
        whenNone: (asked) => [`inspect_symbol ${asked}`],
      }),
  }),

  defineTool({
    name: 'go_to_implementation',
    title: 'Go to implementations',
    description: 'Implementations of an interface, abstract class or method in the workspace.',
    effect: 'read',
    needs: ImplementationRequest.method,
    input: () => z.strictObject({ ...target, limit, cursor }),
    output: () => z.array(place),
    run: (input, context) =>
      goTo(context, input, {
        noun: 'implementation',
        method: ImplementationRequest.method,
        send: (link, params, options) => ask(link, ImplementationRequest.type, params, options),
        spansFiles: true,
        hint: (first) => [`find_references ${first}`],
        whenNone: (asked) => [`find_references ${asked} shows where it is used`],
      }),
  }),

  defineTool({
    name: 'go_to_declaration',
    title: 'Go to declaration',
    description: 'Where a name is declared, if not where it is defined: C and C++ headers, stubs.',
    effect: 'read',
    needs: DeclarationRequest.method,
    fallback: DefinitionRequest.method,
    input: () => z.strictObject(target),
    output: () => z.array(place),
    run: (input, context) =>
      goTo(context, input, {
        noun: 'declaration',
        method: DeclarationRequest.method,
        send: (link, params, options) => ask(link, DeclarationRequest.type, params, options),
        hint: (first) => [`inspect_symbol ${first}`],
        whenOutside: DOCUMENTED,
        whenNone: (asked) => [`go_to_definition ${asked}`],
        otherwise: {
          noun: 'definition',
          method: DefinitionRequest.method,
          send: (link, params, options) => ask(link, DefinitionRequest.type, params, options),
          whenOutside: DOCUMENTED,
          whenNone: (_, name) => [`find_symbol ${name} searches by name`],
        },
      }),
  }),
];

type Steps = readonly [string, ...string[]];

const DOCUMENTED = (asked: string): Steps => [`get_symbol_documentation ${asked}`, `inspect_symbol ${asked}`];

interface Destination {
  readonly noun: string;
  readonly method: string;
  readonly spansFiles?: boolean;
  /** Whether a server gives something else until it has its index. */
  isProvisional?(link: ServerLink): boolean;
  send(link: ServerLink, params: TextDocumentPositionParams, options: CallOptions): Promise<LocationResult>;
  /** Of the first place, the best step first. */
  hint?(first: string): Steps;
  /** Of the place that was asked about, when the first one is outside of the roots: it can be named, but not asked about. */
  whenOutside?(asked: string): Steps;
  /** The same when there is none. */
  whenNone?(asked: string, name: string): Steps;
  /** The nearest that there is where the server does not have this one. */
  readonly otherwise?: Destination;
}

function goTo(
  context: ToolContext,
  input: Locator & { limit?: number | undefined; cursor?: string | undefined },
  wanted: Destination,
): Promise<Outcome<PlaceData[]>> {
  return atTarget(context, input, async (target) => {
    const { link, source, position, name, shown } = target;
    const { destination, notes } = await destinationAt(context, link, wanted);
    const textDocument = { uri: pathToUri(source.path) };
    const isProvisional = destination.isProvisional?.(link) ?? false;
    const question: Question<LocationResult> = {
      method: destination.method,
      documents: [source.path],
      ...(isProvisional ? {} : { about: { name, file: source.path } }),
      send: (facts, options) => destination.send(link, { textDocument, position: position(facts) }, options),
    };
    const { result, facts, readiness, incomplete } = destination.spansFiles
      ? await askAcross(context, link, question)
      : await askHere(
          context,
          link,
          question,
          (places) => isProvisional || !places || ('length' in places && places.length === 0),
        );

    const found = await placesOf(result, context.files, facts.encoding);
    const again = async () =>
      placesOf(await question.send(facts, context.during(source.path)), context.files, facts.encoding);
    const [{ places, incomplete: cut }, beside, unseen] = await Promise.all([
      destination.spansFiles && facts.callsArePartial
        ? furtherImplementations(context, { target, facts, found, again })
        : { places: found, incomplete: undefined },
      destination.spansFiles ? accountBeside(context, target) : undefined,
      destination.spansFiles ? unseenHeirs(context, target, facts) : undefined,
    ]);
    const behind = incomplete
      ? undefined
      : ((await unbuiltImport(context, target, facts, places)) ??
        (places.length === 0 ? await unreachableAt(context, target) : undefined));
    const page = pageOf(places, input, placeSize);
    const texts = await context.files.readAll(page.items.flatMap(({ file }) => file ?? []));
    const { noun } = destination;
    const [first] = page.items;
    const subject = `${counted(places.length, noun, { none: 'No' })} of ${name} (${shown})`;
    const lines = flatLines(page.items, { roots: context.roots, texts });
    const gap =
      incomplete ?? cut ?? behind ?? unseen ?? beside?.incomplete ?? unknownReceiver(target, facts, places);
    return {
      text: [
        `${subject}${beside?.part ?? ''}; ${readiness}; root ${context.roots.primary}`,
        ...lines,
        ...leftOut(page, `${noun}s`),
        ...(beside?.lines ?? []),
      ].join('\n'),
      data: page.items.map(placeData),
      ...(beside ? { details: beside.data } : {}),
      incomplete: gap,
      page,
      notes,
      hint: stepAfter(context, destination, target, {
        place: first,
        at: lines[0]?.split('  ')[0] ?? '',
        isWhole: gap === undefined,
      }),
    };
  });
}

function stepAfter(
  context: ToolContext,
  { hint, whenOutside, whenNone }: Destination,
  { shown, name }: Target,
  first: { readonly place: Place | undefined; readonly at: string; readonly isWhole: boolean },
): string | undefined {
  const steps = !first.place
    ? first.isWhole
      ? whenNone?.(shown, name)
      : undefined
    : first.place.file !== undefined && context.roots.holds(first.place.file)
      ? hint?.(first.at)
      : whenOutside?.(shown);
  return steps && firstOffered(context, ...steps);
}

/** A member of what has no known type is declared somewhere, but not for the server. */
function unknownReceiver(
  { source, point, name }: Target,
  { serverName }: ServerFacts,
  places: readonly Place[],
): Incomplete | undefined {
  const before = source.lines.at(point.line).slice(0, point.column - 1);
  if (places.length > 0 || !/[\w)\]]\??\.\s*$/.test(before)) return undefined;
  return {
    reason: `${serverName} does not know what ${name} is taken from; find_symbol lists what has the name`,
  };
}

/**
 * Why the place of a name cannot be told, if its file imports packages that are not built and it may come from them. An
 * import that leads nowhere is all that the server can show of what is behind it; or it finds a copy of the package, which something else has installed.
 */
async function unbuiltImport(
  context: ToolContext,
  { link, source, name }: Target,
  { serverName }: ServerFacts,
  places: readonly Place[],
): Promise<Incomplete | undefined> {
  const before = ({ line, column }: Point) =>
    [...source.text.split('\n').slice(0, line - 1), source.lines.at(line).slice(0, column - 1)].join('\n');
  const isImport = ({ file, start }: Place) => file === source.path && isInImport(before(start));
  const isAtImport = places.every(isImport);
  if (!isAtImport && !places.some(({ file }) => file !== undefined && isInstalled(file))) return undefined;
  const about = { name, file: source.path };
  const { unbuilt } = await context.servers.reach(link, about, context.remainingMs() / 3);
  const isOfCopy = (packageName: string) =>
    places.some(({ file }) => file !== undefined && isInstalledAs(file, packageName));
  const own = unbuilt
    .filter(({ file }) => file === source.path)
    .filter(({ isNamed, packages }) =>
      isAtImport ? isNamed || places.length === 0 : packages.some(isOfCopy),
    );
  if (own.length > 0) return unbuiltReason(context, serverName, own);
  const unresolved = { file: source.path, packages: [], lacks: 'build', isNamed: true } as const;
  return isAtImport && places.length > 0 ? unbuiltReason(context, serverName, [unresolved]) : undefined;
}

/** Whether a text ends inside an import clause. */
function isInImport(text: string): boolean {
  const last = Math.max(0, text.lastIndexOf('\nimport'), text.lastIndexOf('\nexport'));
  return /^\s*(?:import\b|export\s*(?:type\s*)?[{*])[^;'"]*$/.test(text.slice(last));
}

async function destinationAt(
  context: ToolContext,
  link: ServerLink,
  wanted: Destination,
): Promise<{ destination: Destination; notes: readonly string[] }> {
  const { otherwise, method, noun } = wanted;
  if (!otherwise) return { destination: wanted, notes: [] };
  const { methods, serverName } = await context.facts.offering(link, method, context.during());
  if (methods.includes(method) || !methods.includes(otherwise.method))
    return { destination: wanted, notes: [] };
  return {
    destination: otherwise,
    notes: [`${serverName} has no ${noun}s; this is the ${otherwise.noun}`],
  };
}
