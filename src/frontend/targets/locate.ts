/**
 * From what an agent wrote to the one place it means: a symbol, a pattern, or line and column. When several places
 * fit, the agent gets a list of them with locators to paste into its next call; this file never picks one.
 */
import type { Position } from 'vscode-languageserver-protocol';
import { fail } from '../../shared/base/failure.ts';
import { type Point, toServerPosition } from '../../shared/base/positions.ts';
import type { ServerFacts, ServerLink } from '../../shared/link/server-link.ts';
import { occurrences, wordAt, wordNear, wordsOf } from '../lexical/words.ts';
import { findPattern } from '../places/position-pattern.ts';
import type { Answer, Outcome } from '../render/answer.ts';
import { afterIncomplete, type Incomplete } from '../render/incomplete.ts';
import { nearSymbols } from '../symbols/near-symbols.ts';
import {
  knownSymbols,
  matching,
  type NamePath,
  parseNamePath,
  searchWorkspace,
} from '../symbols/symbol-lookup.ts';
import { everySymbol, type SymbolNode } from '../symbols/symbol-tree.ts';
import type { ToolContext } from '../tools/context.ts';
import type { SourceFile } from '../workspace/source-files.ts';
import { type Candidate, candidateOf, renderCandidates } from './candidates.ts';
import { distinguished, type Fitting, oneOfEach } from './one-target.ts';

export interface Locator {
  readonly file_path?: string | undefined;
  readonly symbol?: string | undefined;
  readonly position_pattern?: string | undefined;
  readonly line_scope_start?: number | undefined;
  readonly line_scope_end?: number | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly language_id?: string | undefined;
}

export interface Target {
  readonly link: ServerLink;
  readonly source: SourceFile;
  readonly point: Point;
  /** The name at that place, or what stands there instead of one. */
  readonly name: string;
  /** `path:line:column`, ready to be pasted back. */
  readonly shown: string;
  /** Others of its name that the question is about as well: see `overloads.ts`. */
  readonly others?: readonly Target[];
  position(facts: ServerFacts): Position;
}

/** Finds the place and runs `answer` there, or answers with the places it could be. */
export async function atTarget<Data>(
  context: ToolContext,
  locator: Locator,
  answer: (target: Target) => Promise<Answer<Data>>,
): Promise<Outcome<Data>> {
  const found = await locate(context, locator);
  return 'candidates' in found
    ? renderCandidates(found.question, found.candidates, context.roots, found.incomplete)
    : answer(found);
}

export interface Ambiguous {
  readonly question: string;
  readonly candidates: readonly Candidate[];
  /** The same as places in servers, where symbols were found. */
  readonly fitting?: readonly Fitting[];
  /** Why there may be more. */
  readonly incomplete?: Incomplete | undefined;
}

/** The one place, or those that it could be; fails when there is none. */
export async function locate(context: ToolContext, locator: Locator): Promise<Target | Ambiguous> {
  if (locator.file_path === undefined) {
    if (locator.symbol === undefined)
      invalid('file_path is missing', 'Pass file_path with line, or symbol alone to search the workspace');
    return bySymbolAnywhere(context, locator.symbol, locator.language_id);
  }
  const source = await context.source(locator.file_path);
  if (locator.position_pattern !== undefined) {
    const scope = { start: locator.line_scope_start, end: locator.line_scope_end };
    const point = findPattern(locator.position_pattern, source, scope);
    return targetAt(context, source, point, locator);
  }
  if (locator.line !== undefined) checkPlace(locator.line, locator.column, source, context);
  if (locator.symbol !== undefined) return bySymbolInFile(context, source, locator, locator.symbol);
  if (locator.line === undefined)
    invalid('the place in the file is missing', 'Pass symbol, position_pattern, or line (and column)');
  if (locator.column === undefined) return byLine(context, source, locator, locator.line);
  const word = wordNear(source.lines.at(locator.line), locator.column);
  const inside = wordAt(source.lines.at(locator.line), locator.column);
  const column = inside || !word ? locator.column : word.column;
  return targetAt(context, source, { line: locator.line, column }, locator);
}

/** Fails when the place is not in the file. A column may be one past the end of its line. */
export function checkPlace(
  line: number,
  column: number | undefined,
  source: SourceFile,
  context: ToolContext,
): void {
  const shown = context.roots.display(source.path);
  const { count } = source.lines;
  if (line > count) invalid(`line ${line} is past the end of ${shown}`, `Pass a line from 1 to ${count}`);
  const longest = source.lines.at(line).length + 1;
  if (column !== undefined && column > longest)
    invalid(
      `column ${column} is past the end of line ${line} of ${shown}`,
      `Pass a column from 1 to ${longest}`,
    );
}

async function bySymbolInFile(
  context: ToolContext,
  source: SourceFile,
  locator: Locator,
  symbol: string,
): Promise<Target | Ambiguous> {
  const wanted = parseNamePath(symbol);
  const name = wanted.segments.at(-1);
  if (name === undefined)
    invalid(`symbol ${JSON.stringify(symbol)} has no name in it`, 'Pass a name such as Client.stop');
  if (locator.line !== undefined)
    return targetAt(
      context,
      source,
      nameOnLine(context, source, name, locator.line, locator.column),
      locator,
    );
  const link = await context.servers.linkFor(source.path, { languageId: locator.language_id });
  const tree = await knownSymbols(context, link, source);
  const nodes = matching(tree, wanted);
  const shown = context.roots.display(source.path);
  if (nodes.length > 0) {
    const fitting = nodes.map((node) => fittingOf(node, link, source));
    const chosen =
      wanted.ordinal === undefined
        ? await oneOfEach(context, fitting)
        : fitting.slice(wanted.ordinal - 1, wanted.ordinal);
    const [only, ...others] = chosen;
    if (!only)
      invalid(`${shown} has ${nodes.length} of ${wanted.segments.join('.')}`, `Pass #1 to #${nodes.length}`);
    if (others.length === 0) return targetAt(context, source, only.at, locator, link);
    const candidates = chosen.map((one) =>
      candidateOf(one, `${wanted.segments.join('.')}#${fitting.indexOf(one) + 1}`),
    );
    const question = `${wanted.segments.join('.')} in ${shown}`;
    return { question, candidates: await distinguished(context, candidates), fitting: chosen };
  }
  // A name that is used in the file but declared elsewhere means its first use.
  const uses = wanted.segments.length === 1 ? occurrences(name, source.lines) : [];
  const use = uses[(wanted.ordinal ?? 1) - 1];
  if (use) return targetAt(context, source, use, locator, link);
  noSuchSymbol(tree, wanted, shown);
}

/** Fails with the names that are most like the one that was looked for. */
export function noSuchSymbol(tree: readonly SymbolNode[], { segments }: NamePath, shown: string): never {
  const similar = [...everySymbol(tree)]
    .map((node) => node.path.join('.'))
    .filter((path) => isSimilar(path, segments.at(-1) ?? ''));
  fail({
    kind: 'invalid-input',
    message: `${shown} has no symbol ${segments.join('.')}`,
    next:
      similar.length > 0
        ? `Did you mean ${similar.slice(0, 5).join(', ')}?`
        : `list_symbols shows what ${shown} has`,
    noPlace: true,
  });
}

async function bySymbolAnywhere(
  context: ToolContext,
  symbol: string,
  languageId: string | undefined,
): Promise<Target | Ambiguous> {
  const wanted = parseNamePath(symbol);
  const path = wanted.segments.join('.');
  if (path === '')
    invalid(`symbol ${JSON.stringify(symbol)} has no name in it`, 'Pass a name such as Client.stop');
  const { found, asked, incomplete } = await searchWorkspace(context, wanted, languageId);
  const chosen =
    wanted.ordinal === undefined
      ? await oneOfEach(context, found)
      : found.slice(wanted.ordinal - 1, wanted.ordinal);
  const [only, ...others] = chosen;
  if (!only && found.length > 0)
    invalid(`there are ${found.length} of ${path}`, `Pass #1 to #${found.length}`);
  if (!only) {
    const near = incomplete ? [] : await nearSymbols(context, wanted.segments.at(-1) ?? path, languageId);
    invalid(
      afterIncomplete(
        incomplete,
        `no symbol ${path} in the workspace (asked: ${asked.join(', ') || 'no server'})`,
      ),
      incomplete
        ? 'Call again then, or pass file_path'
        : near.length > 0
          ? `Did you mean ${near.join(' or ')}?`
          : 'find_symbol searches by a part of the name; or pass file_path',
    );
  }
  if (others.length === 0) {
    const source = await context.files.read(only.file);
    return targetAt(context, source, only.at, {}, only.link);
  }
  const candidates = await distinguished(
    context,
    chosen.map((one) => candidateOf(one, `${path}#${found.indexOf(one) + 1}`)),
  );
  return { question: `${path} in the workspace`, candidates, fitting: chosen, incomplete };
}

/** Without a column the line must say what is meant: by declaring one thing, or by having one name only. */
async function byLine(
  context: ToolContext,
  source: SourceFile,
  locator: Locator,
  line: number,
): Promise<Target | Ambiguous> {
  const words = wordsOf(source.lines.at(line));
  const shown = `${context.roots.display(source.path)}:${line}`;
  if (words.length === 0) invalid(`${shown} has no name on it`, 'Pass a line with the name that is meant');
  const link = await context.servers.linkFor(source.path, { languageId: locator.language_id });
  const [only, ...others] = words;
  if (only && others.length === 0)
    return targetAt(context, source, { line, column: only.column }, locator, link);
  const tree = await knownSymbols(context, link, source);
  const [declared, ...more] = [...everySymbol(tree)].filter((node) => node.at.line === line);
  if (declared && more.length === 0) return targetAt(context, source, declared.at, locator, link);
  const candidates = words.map(({ text: name, column }) =>
    candidateOf({ file: source.path, at: { line, column }, name }),
  );
  return { question: `${shown} without a column`, candidates };
}

/** The name on that line, the one nearest to the column if there are several and a column was given. */
function nameOnLine(context: ToolContext, source: SourceFile, name: string, line: number, column = 1): Point {
  const [first] = occurrences(name, source.lines, line, line).sort(byDistance((at) => at.column - column));
  if (first) return first;
  const [nearest] = occurrences(name, source.lines).sort(byDistance((at) => at.line - line));
  invalid(
    `line ${line} of ${context.roots.display(source.path)} has no ${name}`,
    nearest
      ? `The nearest one is at ${nearest.line}:${nearest.column}`
      : `${name} does not occur in this file`,
  );
}

function byDistance(from: (at: Point) => number): (a: Point, b: Point) => number {
  return (a, b) => Math.abs(from(a)) - Math.abs(from(b));
}

export async function targetAt(
  context: ToolContext,
  source: SourceFile,
  point: Point,
  locator: { readonly language_id?: string | undefined },
  link?: ServerLink,
): Promise<Target> {
  const text = source.lines.at(point.line);
  return {
    link: link ?? (await context.servers.linkFor(source.path, { languageId: locator.language_id })),
    source,
    point,
    name:
      wordAt(text, point.column)?.text ??
      (text
        .slice(point.column - 1)
        .trim()
        .slice(0, 20) ||
        'the line end'),
    shown: `${context.roots.display(source.path)}:${point.line}:${point.column}`,
    position: (facts) => toServerPosition(point, source.lines, facts.encoding),
  };
}

function fittingOf(
  { at, path, kind, word }: SymbolNode,
  link: ServerLink,
  { path: file }: SourceFile,
): Fitting {
  return { link, file, at, name: path.join('.'), kind, word };
}

function isSimilar(path: string, name: string): boolean {
  const [longer, shorter] = [path.toLowerCase(), name.toLowerCase()];
  return longer.includes(shorter) || shorter.includes(longer.split('.').at(-1) ?? longer);
}

function invalid(message: string, next: string): never {
  fail({ kind: 'invalid-input', message, next });
}
