/** Name paths such as `Client.stop`, `Client.stop#2` or `(*Client).Stop`, looked up in one file or in the whole workspace. */
import { type SymbolKind, WorkspaceSymbolRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../shared/base/brand.ts';
import { fail } from '../../shared/base/failure.ts';
import { uriToPath } from '../../shared/base/paths.ts';
import { type Point, toPoint } from '../../shared/base/positions.ts';
import { describeState } from '../../shared/link/describe-state.ts';
import { isSettled, type ServerFacts, type ServerLink } from '../../shared/link/server-link.ts';
import { askEach } from '../ask/questions.ts';
import { settled } from '../ask/readiness.ts';
import { notSearched } from '../ask/try-each.ts';
import { occurrences } from '../lexical/words.ts';
import { comparePoints } from '../places/places.ts';
import { firstIncomplete, type Incomplete } from '../render/incomplete.ts';
import type { ToolContext } from '../tools/context.ts';
import type { SourceFile } from '../workspace/source-files.ts';
import { symbolsOf } from './document-symbols.ts';
import type { NamedSymbol } from './named-symbol.ts';
import { kindWord } from './symbol-kinds.ts';
import { exportsFirst } from './symbol-order.ts';
import { everySymbol, type SymbolNode, segmentsOf } from './symbol-tree.ts';
import { askSymbols } from './workspace-symbols.ts';

export interface NamePath {
  readonly segments: readonly string[];
  /** 1-based among those of the same path; undefined when not given. */
  readonly ordinal: number | undefined;
}

export interface FoundSymbol {
  readonly link: ServerLink;
  readonly file: AbsPath;
  readonly at: Point;
  readonly name: string;
  readonly kind: SymbolKind;
  /** The kind for people. */
  readonly word: string;
}

export function parseNamePath(symbol: string): NamePath {
  const match = /^(.*?)(?:#([1-9]\d*)|\[(\d+)\])?$/s.exec(symbol.trim());
  // A receiver is the type that it receives: its star and its type parameters are not in the path.
  const named = (match?.[1] ?? '').replace(/^\(\*?([\w.]+)(?:\[[^\]]*\])?\)(?=\.)/, '$1');
  const segments = named.split(/::|[./]/).map((segment) => segment.replace(/\(.*$/s, '').trim());
  return {
    segments: segments.filter((segment) => segment !== ''),
    // `stop[0]` is `stop#1`: other tools that agents know count so.
    ordinal: match?.[2] ? Number(match[2]) : match?.[3] ? Number(match[3]) + 1 : undefined,
  };
}

/**
 * The symbols of a file for a tool that would otherwise say that there is no such symbol. While a server starts, it may know nothing of a
 * file that it knew a moment ago; then the answer is waited for, and without one that is said.
 */
export async function knownSymbols(
  context: ToolContext,
  link: ServerLink,
  source: SourceFile,
): Promise<readonly SymbolNode[]> {
  // Before the question: a server that is ready when the answer is here need not have been when it answered.
  const before = link.state;
  const now = await symbolsOf(context, link, source);
  if (now.length > 0 || isSettled(before)) return now;
  const state = await settled(context, link);
  const then = await symbolsOf(context, link, source);
  if (then.length === 0 && !isSettled(state))
    fail({
      kind: 'invalid-input',
      message: `symbols of ${context.roots.display(source.path)} are not known yet: the ${link.language} server is ${describeState(state)}`,
      next: 'Call again in 5 s',
    });
  return then;
}

export function matching(tree: readonly SymbolNode[], wanted: NamePath): SymbolNode[] {
  const found = [...everySymbol(tree)].filter((node) => endsWith(node.path, wanted.segments));
  // Where a type is declared, its name does not mean the blocks that implement something for it.
  const declared = found.filter(({ name }) => !/^impl\b/.test(name));
  return (declared.length > 0 ? declared : found).sort((a, b) => comparePoints(a.at, b.at));
}

export interface WorkspaceSearch {
  readonly found: readonly FoundSymbol[];
  /** Names of the servers that were asked, with their state. */
  readonly asked: readonly string[];
  readonly incomplete: Incomplete | undefined;
}

/** All symbols of that path that the workspace's servers know. */
export async function searchWorkspace(
  context: ToolContext,
  wanted: NamePath,
  languageId: string | undefined,
): Promise<WorkspaceSearch> {
  const { links, notAsked } = await context.servers.workspace(languageId, wanted.segments.at(-1));
  const { answers: searches, failures } = await askEach(
    context,
    links,
    WorkspaceSymbolRequest.method,
    (link) => searchServer(context, link, wanted),
  );
  const unasked = [...notAsked, ...failures];
  const found = withoutDuplicates(searches.flatMap((search) => search.found));
  return {
    found: await exportsFirst(context, found),
    asked: [
      ...searches.flatMap((search) => search.asked),
      ...unasked.map(({ language, why }) => `not ${language}: ${why}`),
    ],
    incomplete: notSearched(unasked) ?? firstIncomplete(searches),
  };
}

/** Servers of neighbouring folders may know the same file. */
function withoutDuplicates(found: readonly FoundSymbol[]): FoundSymbol[] {
  const keyOf = ({ file, at }: FoundSymbol) => `${file}:${at.line}:${at.column}`;
  return [...new Map(found.map((symbol) => [keyOf(symbol), symbol] as const)).values()];
}

async function searchServer(
  context: ToolContext,
  link: ServerLink,
  wanted: NamePath,
): Promise<WorkspaceSearch> {
  const query = wanted.segments.at(-1) ?? '';
  const asked = await askSymbols(context, link, query);
  const named = asked.result.filter((symbol) => segmentsOf(symbol.name).at(-1) === query);
  const files = new Map<AbsPath, NamedSymbol[]>();
  for (const symbol of named) {
    const file = uriToPath(symbol.location.uri);
    if (file) files.set(file, [...(files.get(file) ?? []), symbol]);
  }
  const found = await Promise.all(
    [...files].map(([file, symbols]) => inFile(context, link, asked.facts, { file, symbols, wanted })),
  );
  return { found: found.flat(), asked: [asked.readiness], incomplete: asked.incomplete };
}

/** A plain name is where the server says; a path, or a place without a range, is checked against the file's tree. */
async function inFile(
  context: ToolContext,
  link: ServerLink,
  facts: ServerFacts,
  hit: { file: AbsPath; symbols: readonly NamedSymbol[]; wanted: NamePath },
): Promise<FoundSymbol[]> {
  const { file, symbols, wanted } = hit;
  const source = await context.files.read(file);
  const rangeMissing = symbols.some((symbol) => !('range' in symbol.location));
  if (wanted.segments.length > 1 || rangeMissing) {
    const tree = await symbolsOf(context, link, source);
    return matching(tree, wanted).map((node) => ({
      link,
      file,
      at: node.at,
      name: node.path.join('.'),
      kind: node.kind,
      word: node.word,
    }));
  }
  const found = symbols.flatMap((symbol): FoundSymbol[] => {
    if (!('range' in symbol.location)) return [];
    const start = toPoint(symbol.location.range.start, () => source.lines, facts.encoding);
    const end = toPoint(symbol.location.range.end, () => source.lines, facts.encoding);
    const word = segmentsOf(symbol.name).at(-1) ?? symbol.name;
    const at = occurrences(word, source.lines, start.line, end.line).find(
      (point) => comparePoints(point, start) >= 0,
    );
    const container = symbol.containerName ? `${symbol.containerName}.` : '';
    const kind = kindWord(symbol, source.lines.at((at ?? start).line));
    return [
      { link, file, at: at ?? start, name: `${container}${symbol.name}`, kind: symbol.kind, word: kind },
    ];
  });
  const unique = new Map(found.map((symbol) => [`${symbol.at.line}:${symbol.at.column}`, symbol]));
  return [...unique.values()];
}

function endsWith(path: readonly string[], wanted: readonly string[]): boolean {
  const tail = path.slice(-wanted.length);
  return (
    wanted.length > 0 &&
    tail.length === wanted.length &&
    tail.every((segment, index) => segment === wanted[index])
  );
}
