/**
 * The definition of a symbol that is known by its path only. What is no test comes before what is; several that fit
 * equally well are listed, not guessed among.
 */
import { DefinitionRequest } from 'vscode-languageserver-protocol';
import { counted } from '../../../shared/base/counted.ts';
import { fail } from '../../../shared/base/failure.ts';
import { isInside, pathToUri } from '../../../shared/base/paths.ts';
import { toServerPosition } from '../../../shared/base/positions.ts';
import { isTestFile } from '../../../shared/languages/test-files.ts';
import { ask } from '../../../shared/link/server-link.ts';
import { comparePoints, type Place, type PlaceData, placeData, placesOf } from '../../places/places.ts';
import type { Answer, Outcome } from '../../render/answer.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import { excerptAt } from '../../render/source-excerpt.ts';
import { nearSymbols } from '../../symbols/near-symbols.ts';
import { type FoundSymbol, parseNamePath, searchWorkspace } from '../../symbols/symbol-lookup.ts';
import { renderCandidates } from '../../targets/candidates.ts';
import { distinguished, oneOfEach } from '../../targets/one-target.ts';
import type { ToolContext } from '../../tools/context.ts';
import { shownFile, shownPlace } from '../hierarchies/text.ts';

export interface SymbolQuestion {
  readonly symbol: string;
  readonly workspace_root?: string | undefined;
  readonly language?: string | undefined;
}

const MOST_SIMILAR = 5;

export async function goToSymbol(
  context: ToolContext,
  question: SymbolQuestion,
): Promise<Outcome<PlaceData[]>> {
  const wanted = parseNamePath(question.symbol);
  const path = wanted.segments.join('.');
  if (path === '')
    invalid(`symbol ${JSON.stringify(question.symbol)} has no name in it`, 'Pass a name such as Client.stop');
  const { roots } = context;
  const root = question.workspace_root === undefined ? undefined : roots.resolve(question.workspace_root);
  const search = await searchWorkspace(context, wanted, question.language);
  const { asked, incomplete } = search;
  const found = search.found.filter(({ file }) => root === undefined || isInside(file, root));
  const state = `${asked.join(', ') || 'no server was asked'}; root ${roots.primary}`;
  if (found.length === 0) {
    const where = root === undefined ? '' : ` below ${roots.display(root)}`;
    const hint = await similarTo(context, question, wanted.segments);
    return { text: `No symbol ${path}${where}; ${state}`, data: [], incomplete, hint };
  }
  const [only, ...rivals] = await oneOfEach(context, bestOf(context, found, wanted.ordinal));
  if (!only) invalid(`there are ${found.length} of ${path}`, `Pass #1 to #${found.length}`);
  if (rivals.length === 0) return definitionAnswer(context, only, { path, state, incomplete });
  const candidates = [only, ...rivals].map((symbol) => ({
    ...symbol,
    kind: symbol.word,
    symbol: `${path}#${found.indexOf(symbol) + 1}`,
  }));
  return {
    ...renderCandidates(
      `${path} in the workspace`,
      await distinguished(context, candidates),
      roots,
      incomplete,
    ),
    hint: `pass symbol with its number, such as ${candidates[0]?.symbol}`,
  };
}

/** The one with the number, else those that are no tests, else all. */
function bestOf(
  { roots }: ToolContext,
  found: readonly FoundSymbol[],
  ordinal: number | undefined,
): readonly FoundSymbol[] {
  if (ordinal !== undefined) return found.slice(ordinal - 1, ordinal);
  const others = found.filter(({ file }) => !isTestFile(roots.display(file)));
  return others.length > 0 ? others : found;
}

async function definitionAnswer(
  context: ToolContext,
  symbol: FoundSymbol,
  about: { readonly path: string; readonly state: string; readonly incomplete: Incomplete | undefined },
): Promise<Answer<PlaceData[]>> {
  const { roots } = context;
  const places = await definitionsOf(context, symbol);
  const texts = await context.files.readAll(places.flatMap(({ file }) => file ?? []));
  const shown = places.map((place) => `${shownFile(place, roots)}:${shownPlace(place)}`);
  const lines = places.map((place, index) => {
    const line = excerptAt(place.file && texts.get(place.file), place);
    return `${shown[index]}  ${symbol.word} ${symbol.name}  ${line}`;
  });
  const count = counted(places.length, 'definition', { none: 'no' });
  return {
    text: [`${count} of ${about.path}; ${about.state}`, ...lines].join('\n'),
    data: places.map(placeData),
    incomplete: about.incomplete,
    hint:
      places[0]?.file !== undefined && roots.holds(places[0].file) ? `inspect_symbol ${shown[0]}` : undefined,
  };
}

/** Where the server says that the symbol is defined, else where it found it. */
async function definitionsOf(context: ToolContext, symbol: FoundSymbol): Promise<readonly Place[]> {
  const { link, file, at: start, name } = symbol;
  const source = await context.files.read(file);
  const end = { line: start.line, column: start.column + (name.split('.').at(-1) ?? name).length };
  const own: Place = { uri: pathToUri(file), file, start, end };
  const facts = await context.facts.of(link, context.during());
  if (!facts.methods.includes(DefinitionRequest.method)) return [own];
  const definitionsAt = async ({ uri, file: inFile, start: from }: Place) => {
    const { lines } = inFile === undefined ? source : await context.files.read(inFile);
    const params = { textDocument: { uri }, position: toServerPosition(from, lines, facts.encoding) };
    const result = await ask(link, DefinitionRequest.type, params, context.during(inFile ?? file));
    return placesOf(result, context.files, facts.encoding);
  };
  const isOwn = (place: Place) => place.file === file && comparePoints(place.start, start) === 0;
  const places = await definitionsAt(own);
  const [first] = places;
  if (!first || places.some(isOwn)) return [own];
  // At a definition clangd leads to the declaration, and from there back: then this one was the definition.
  const back = first.file === undefined ? [] : await definitionsAt(first);
  return back.some(isOwn) ? [own] : places;
}

/** What to try next: symbols of the same name elsewhere, for paths whose last part alone is right. */
async function similarTo(
  context: ToolContext,
  { language }: SymbolQuestion,
  segments: readonly string[],
): Promise<string> {
  const last = { segments: segments.slice(-1), ordinal: undefined };
  const { found } = segments.length < 2 ? { found: [] } : await searchWorkspace(context, last, language);
  const names = found
    .slice(0, MOST_SIMILAR)
    .map(
      ({ name, file, at: { line, column } }) => `${name} (${context.roots.display(file)}:${line}:${column})`,
    );
  if (names.length > 0) return `the last part alone is ${names.join(', ')}`;
  const near = await nearSymbols(context, segments.at(-1) ?? '', language);
  return near.length > 0
    ? `did you mean ${near.join(' or ')}?`
    : 'find_symbol searches by a part of the name';
}

function invalid(message: string, next: string): never {
  fail({ kind: 'invalid-input', message, next });
}
