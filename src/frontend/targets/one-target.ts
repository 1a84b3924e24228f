/**
 * Which of several places of one name are one symbol: the signatures of an overloaded function, merged declarations,
 * a name with its re-exports. Two declarations are one symbol when the server's definition of one leads to the other
 * and its highlights of one include the other. Others, such as C++ overloads, or a type and a value of one name, are
 * symbols apart: a search from one finds only its own uses (`overloads.ts` asks for all of them).
 */
import {
  DefinitionRequest,
  DocumentHighlightRequest,
  SymbolKind,
  type TextDocumentPositionParams,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../shared/base/brand.ts';
import { failureOf } from '../../shared/base/failure.ts';
import { groupBy } from '../../shared/base/group-by.ts';
import { pathToUri } from '../../shared/base/paths.ts';
import { type Point, toServerPosition } from '../../shared/base/positions.ts';
import { ask, type CallOptions, type ServerFacts, type ServerLink } from '../../shared/link/server-link.ts';
import { isInImport } from '../lexical/import-lines.ts';
import { type Place, placeKey, placesOf } from '../places/places.ts';
import { excerptAt } from '../render/source-excerpt.ts';
import { FUNCTION_KINDS, TYPE_KINDS } from '../symbols/symbol-kinds.ts';
import { segmentsOf } from '../symbols/symbol-tree.ts';
import type { ToolContext } from '../tools/context.ts';
import type { Candidate } from './candidates.ts';

export interface Fitting {
  readonly link: ServerLink;
  readonly file: AbsPath;
  readonly at: Point;
  /** With what it is in. */
  readonly name: string;
  readonly kind: SymbolKind;
  /** The kind for people. */
  readonly word: string;
}

/** With more of them there is too much to ask, and the name alone says too little anyway. */
const MOST_ASKED = 24;

/** One of each symbol, in the order in which they were given. */
export async function oneOfEach<T extends Fitting>(
  context: ToolContext,
  all: readonly T[],
): Promise<readonly T[]> {
  const found = withoutOwnConstructors(all);
  if (found.length < 2) return found;
  const texts = await context.files.readAll(found.map(({ file }) => file));
  const passesOn = ({ file, at }: T) => {
    const lines = texts.get(file);
    return lines !== undefined && isInImport(lines, at.line);
  };
  const aliases = found.filter(passesOn);
  const declared = found.filter((one) => !passesOn(one));
  const namesakes = groupBy(declared, pathOf);
  const doubtful = [...namesakes.values()].filter((own) => own.length > 1);
  if (aliases.length + doubtful.flat().length > MOST_ASKED) return found;
  const [origins, groups] = await Promise.all([
    keysFor(aliases, (one) => definitionsAt(context, one)),
    Promise.all(doubtful.map((own) => connected(context, own))),
  ]);
  const chosen = new Set<T | undefined>([
    ...[...namesakes.values()].filter((own) => own.length === 1).flat(),
    ...groups.flat().map(preferred),
    ...unexplained(aliases, origins, new Set(declared.map(keyOf))),
  ]);
  return found.filter((one) => chosen.has(one));
}

/** Where constructors are called like their class, that name is the class. */
function withoutOwnConstructors<T extends Fitting>(found: readonly T[]): readonly T[] {
  const pathOfName = (name: string) => name.split('.').flatMap(segmentsOf);
  const types = new Set(
    found.flatMap(({ name, kind }) => (TYPE_KINDS.has(kind) ? [pathOfName(name).join('.')] : [])),
  );
  const isOwn = ({ name, kind }: T) =>
    kind === SymbolKind.Constructor && types.has(pathOfName(name).slice(0, -1).join('.'));
  return types.size === 0 ? found : found.filter((one) => !isOwn(one));
}

/** Of names that are only passed on: those whose origin is not among the declared ones, one for each origin. */
function unexplained<T extends Fitting>(
  aliases: readonly T[],
  origins: ReadonlyMap<T, readonly string[]>,
  declared: ReadonlySet<string>,
): readonly T[] {
  const foreign = aliases.filter((one) => !origins.get(one)?.some((key) => declared.has(key)));
  const byOrigin = groupBy(foreign, (one) => origins.get(one)?.join('\n') || keyOf(one));
  return [...byOrigin.values()].flatMap((own) => own.slice(0, 1));
}

async function keysFor<T>(
  items: readonly T[],
  keys: (item: T) => Promise<readonly string[]>,
): Promise<ReadonlyMap<T, readonly string[]>> {
  return new Map(await Promise.all(items.map(async (item) => [item, await keys(item)] as const)));
}

function pathOf({ file, name }: Fitting): string {
  return `${file}\n${name}`;
}

function keyOf({ file, at }: Fitting): string {
  return `${file}\n${at.line}:${at.column}`;
}

/** Declarations of one path in one file, in groups of those that are one symbol. */
async function connected<T extends Fitting>(
  context: ToolContext,
  own: readonly T[],
): Promise<readonly (readonly T[])[]> {
  // A member of an object leads to the type that it fits, and a type may be a value as well: neither alone is a proof.
  const leads = await keysFor(own, async (one) => {
    const [definitions, same] = await Promise.all([definitionsAt(context, one), occurrencesAt(context, one)]);
    return definitions.filter((key) => same.includes(key));
  });
  const groups: { readonly members: readonly T[]; readonly keys: ReadonlySet<string> }[] = [];
  const known = new Set(own.map(keyOf));
  for (const one of own) {
    const keys = new Set([keyOf(one), ...(leads.get(one) ?? []).filter((key) => known.has(key))]);
    const near = groups.filter((group) => [...keys].some((key) => group.keys.has(key)));
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push({
      members: [...near.flatMap(({ members }) => members), one],
      keys: new Set([...near.flatMap((group) => [...group.keys]), ...keys]),
    });
  }
  return groups.map(({ members }) => members);
}

function definitionsAt(context: ToolContext, one: Fitting): Promise<readonly string[]> {
  return keysAt(context, one, DefinitionRequest.method, async (params, { encoding }, options) => {
    const result = await ask(one.link, DefinitionRequest.type, params, options);
    return placesOf(result, context.files, encoding);
  });
}

/** In its own file. */
function occurrencesAt(context: ToolContext, one: Fitting): Promise<readonly string[]> {
  return keysAt(context, one, DocumentHighlightRequest.method, async (params, { encoding }, options) => {
    const result = await ask(one.link, DocumentHighlightRequest.type, params, options);
    const { uri } = params.textDocument;
    return placesOf(
      (result ?? []).map(({ range }) => ({ uri, range })),
      context.files,
      encoding,
    );
  });
}

/** Keys of the places that the server names; none when it cannot say. */
async function keysAt(
  context: ToolContext,
  { link, file, at }: Fitting,
  method: string,
  places: (
    params: TextDocumentPositionParams,
    facts: ServerFacts,
    options: CallOptions,
  ) => Promise<readonly Place[]>,
): Promise<readonly string[]> {
  const facts = await context.facts.offering(link, method, context.during());
  if (!facts.methods.includes(method)) return [];
  try {
    const { lines } = await context.files.read(file);
    const position = toServerPosition(at, lines, facts.encoding);
    const params = { textDocument: { uri: pathToUri(file) }, position };
    return (await places(params, facts, context.during(file))).map(placeKey);
  } catch (error) {
    if (context.signal.aborted || !failureOf(error)) throw error;
    return [];
  }
}

/** A class before what is merged with it, and the body behind its signatures. */
function preferred<T extends Fitting>(group: readonly T[]): T | undefined {
  const functions = group.filter(({ kind }) => FUNCTION_KINDS.has(kind));
  return group.find(({ kind }) => kind === SymbolKind.Class) ?? functions.at(-1) ?? group[0];
}

/** With their lines where kind, name and file are those of another. */
export async function distinguished(
  context: ToolContext,
  candidates: readonly Candidate[],
): Promise<readonly Candidate[]> {
  const alike = groupBy(candidates, ({ file, kind, name }) => [file, kind, name].join('\n'));
  const unclear = new Set([...alike.values()].flatMap((own) => (own.length > 1 ? own : [])));
  const texts = await context.files.readAll([...unclear].map(({ file }) => file));
  return candidates.map((one) =>
    unclear.has(one)
      ? { ...one, source: excerptAt(texts.get(one.file), { start: one.at, end: one.at }, MOST_SOURCE) }
      : one,
  );
}

const MOST_SOURCE = 60;
