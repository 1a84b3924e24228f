/**
 * Symbols that a server leaves out of its search by name: TypeScript lists a type and a function of one name as one,
 * and forgets projects that it has loaded. Where the text of a file seems to declare more than the server listed, the
 * server is asked for the symbols of that file. Files and time are bounded; the answer says what was left out.
 * Decision: docs/decisions/symbols.md#symbols-by-name
 */
import { DocumentSymbolRequest, type SymbolInformation } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../shared/base/brand.ts';
import { counted } from '../../shared/base/counted.ts';
import { failureOf } from '../../shared/base/failure.ts';
import { groupBy } from '../../shared/base/group-by.ts';
import { pathToUri, uriToPath } from '../../shared/base/paths.ts';
import { eachBounded } from '../../shared/base/pool.ts';
import { toServerPosition } from '../../shared/base/positions.ts';
import type { Declarations, DeclaredName, DeclaringFile } from '../../shared/link/reach-question.ts';
import type { ServerFacts, ServerLink } from '../../shared/link/server-link.ts';
import { withoutMarks, wordAt } from '../lexical/words.ts';
import { type Incomplete, untilRetry } from '../render/incomplete.ts';
import type { ToolContext } from '../tools/context.ts';
import type { SourceFile } from '../workspace/source-files.ts';
import type { NamedSymbol } from './named-symbol.ts';
import { outlineOf } from './outlines.ts';
import { everySymbol, type SymbolNode } from './symbol-tree.ts';

export interface Unlisted {
  readonly symbols: readonly SymbolInformation[];
  /** What looks like declaring more and was not looked at. */
  readonly incomplete: Incomplete | undefined;
}

/** What can be looked at without making the answer wait: a file of a project that is not loaded can take a second. */
const MOST_MS = 2_000;
/** Outlines are kept, so that the next call comes further; more than this nobody reads. */
const MOST_FILES = 100;
const AT_ONCE = 4;

export async function unlistedSymbols(
  context: ToolContext,
  link: ServerLink,
  facts: ServerFacts,
  search: {
    readonly query: string;
    readonly listed: readonly NamedSymbol[];
    readonly declarations: Declarations;
    /** Of a list that the server has cut only the very name can be known to be whole. */
    readonly isCut: boolean;
  },
): Promise<Unlisted> {
  const { query, listed, declarations, isCut } = search;
  const isMeant = ({ name }: DeclaredName) => !isCut || name === withoutMarks(query);
  const byFile = groupBy(listed, ({ location }) => uriToPath(location.uri));
  const lacking = declarations.files
    .map(({ file, names }) => ({ file, names: notListed(names.filter(isMeant), byFile.get(file) ?? []) }))
    .filter(({ names }) => names.length > 0)
    .sort((a, b) => rank(a, query) - rank(b, query));
  const end = context.clock.now() + Math.min(MOST_MS, context.remainingMs() / 4, context.patienceMs());
  const left: AbsPath[] = lacking.slice(MOST_FILES).map(({ file }) => file);
  const found = await eachBounded(lacking.slice(0, MOST_FILES), AT_ONCE, async (declaring) => {
    if (context.clock.now() > end || !facts.methods.includes(DocumentSymbolRequest.method)) {
      left.push(declaring.file);
      return [];
    }
    try {
      return await symbolsIn(context, link, facts, declaring);
    } catch (error) {
      if (!failureOf(error) || failureOf(error)?.kind === 'cancelled') throw error;
      left.push(declaring.file);
      return [];
    }
  });
  return { symbols: found.flat(), incomplete: unseen(context, facts, { query, left, declarations }) };
}

/** Each listed symbol stands for the first line of its name that it can mean: ranges begin at a decorator, or at the name. */
function notListed(names: readonly DeclaredName[], listed: readonly NamedSymbol[]): readonly DeclaredName[] {
  const taken = new Map<string, Set<number>>();
  const linesOf = (name: string) => names.flatMap((each) => (each.name === name ? each.lines : []));
  for (const { name: marked, location } of listed) {
    const name = withoutMarks(marked);
    // Without a range it may be any of them.
    const { start, end } = 'range' in location ? location.range : EVERYWHERE;
    const line = linesOf(name).find((each) => start.line <= each && each <= end.line);
    if (line !== undefined) taken.set(name, (taken.get(name) ?? new Set()).add(line));
  }
  return names.filter(({ name, lines }) => !lines.some((line) => taken.get(name)?.has(line)));
}

const EVERYWHERE = { start: { line: 0 }, end: { line: Number.POSITIVE_INFINITY } };

/** Files with the very name first. */
function rank({ names }: DeclaringFile, query: string): number {
  return names.some(({ name }) => name === withoutMarks(query)) ? 0 : 1;
}

/** Those that the server's own outline has on these lines; of overloads the last. */
async function symbolsIn(
  context: ToolContext,
  link: ServerLink,
  { encoding }: ServerFacts,
  { file, names }: DeclaringFile,
): Promise<readonly SymbolInformation[]> {
  const source = await context.files.read(file);
  const nodes = [...everySymbol(await outlineOf(context, link, source))];
  return names.flatMap(({ name, lines }) => {
    const node = nodes.findLast((each) => lines.includes(each.at.line - 1) && isNamed(each, name, source));
    if (!node) return [];
    const start = toServerPosition(node.at, source.lines, encoding);
    const end = { ...start, character: start.character + node.name.length };
    const containerName = node.path.slice(0, -1).join('.');
    const location = { uri: pathToUri(file), range: { start, end } };
    return [{ name: node.name, kind: node.kind, location, containerName }];
  });
}

/** Outlines write names with marks and words of their own, such as `(get) size`. */
function isNamed({ at }: SymbolNode, name: string, { lines }: SourceFile): boolean {
  const line = lines.at(at.line);
  const word = wordAt(line, line[at.column - 1] === '#' ? at.column + 1 : at.column);
  return word?.text === name;
}

function unseen(
  { roots }: ToolContext,
  { serverName }: ServerFacts,
  { query, left, declarations }: { query: string; left: readonly AbsPath[]; declarations: Declarations },
): Incomplete | undefined {
  const [first] = [...left].sort();
  if (first !== undefined) {
    const files = counted(left.length, 'file seems to declare', { many: 'files seem to declare' });
    return {
      reason: `${files} a name with ${query} in it that ${serverName} does not list, and were not looked at, such as ${roots.display(first)}; call again with a longer part of the name, or search their text as well`,
    };
  }
  return declarations.whole
    ? undefined
    : untilRetry(
        5_000,
        (retry) =>
          `the workspace is too large to look for declarations of ${query} in all of its files in time; ${retry}`,
      );
}
