/**
 * Who uses a symbol, by name: each use is credited to the function or other symbol around it, tests apart. A test that
 * uses several symbols counts for each of them; a use outside of everything counts for its file.
 */
import { SymbolKind } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../shared/base/brand.ts';
import type { Point, TextLines } from '../../shared/base/positions.ts';
import { isTestFile } from '../../shared/languages/test-files.ts';
import type { ServerFacts, ServerLink } from '../../shared/server-link.ts';
import type { AtOnce } from '../at-once.ts';
import { groupBy } from '../group-by.ts';
import { isInImport } from '../import-lines.ts';
import { outlineIn } from '../outlines.ts';
import { comparePoints, type Place, type ServerPlace, toPlaces } from '../places.ts';
import type { SymbolNode } from '../symbol-tree.ts';
import type { ToolContext } from '../tool-context.ts';

export interface Caller {
  readonly name: string;
  readonly file: AbsPath;
  /** Of its first use. */
  readonly at: Point;
  readonly isTest: boolean;
  /** Undefined for what is outside of every symbol, or in a file whose symbols are not known. */
  readonly node: SymbolNode | undefined;
}

/** What is used, so that its own text does not count as a use. */
export interface Used {
  readonly file: AbsPath;
  readonly node: SymbolNode;
}

/** Of a symbol that is used in more files, only so many are looked into. */
const MOST_FILES = 150;

export async function callersOf(
  context: ToolContext,
  found: readonly ServerPlace[],
  { used, link, facts, atOnce }: { used: Used; link: ServerLink; facts: ServerFacts; atOnce: AtOnce },
): Promise<readonly Caller[]> {
  const byFile = groupBy(found, ({ file }) => file);
  const callers = await Promise.all(
    [...byFile].map(async ([file, own], index) => {
      if (file === undefined) return [];
      const isTest = isTestFile(context.roots.display(file));
      const isKnown = index < MOST_FILES;
      const places = await toPlaces(isKnown ? own : own.slice(0, 1), context.files, facts.encoding);
      const around = isKnown ? await atOnce.run(() => surroundingsOf(context, link, file)) : undefined;
      return inFile(places, { file, name: context.roots.display(file), isTest, around, used });
    }),
  );
  return callers.flat();
}

interface Around {
  readonly tree: readonly SymbolNode[];
  readonly lines: TextLines;
}

/** Without symbols a use is still a use: it is then credited to its file. */
async function surroundingsOf(
  context: ToolContext,
  link: ServerLink,
  file: AbsPath,
): Promise<Around | undefined> {
  const lines = (await context.files.readAll([file])).get(file);
  if (!lines) return undefined;
  try {
    return { lines, tree: await outlineIn(context, link, file) };
  } catch (error) {
    if (context.signal.aborted) throw error;
    context.log.debug('symbols around a use are unknown', { file, error: String(error) });
    return { lines, tree: [] };
  }
}

function inFile(
  places: readonly Place[],
  context: {
    readonly file: AbsPath;
    readonly name: string;
    readonly isTest: boolean;
    readonly around: Around | undefined;
    readonly used: Used;
  },
): Caller[] {
  const { file, name, isTest, around, used } = context;
  const callers = new Map<string, Caller>();
  const imports: Caller[] = [];
  for (const { start } of places) {
    const chain = chainAt(around?.tree ?? [], start);
    const isPassedOn = around !== undefined && isInImport(around.lines, start.line);
    if (file === used.file && isOwn(chain, start, used.node)) continue;
    const naming = namingNode(chain, isTest);
    // Some servers list imported names among a file's symbols.
    const isImported = !CALLABLE.has(naming?.kind ?? 0) && isPassedOn;
    if (isImported && file === used.file) continue;
    const node = isImported ? undefined : naming;
    const caller = { name: node ? nameOf(node) : name, file, at: start, isTest, node };
    if (isImported) imports.push(caller);
    else if (!callers.has(caller.name)) callers.set(caller.name, caller);
  }
  // An import is only worth a word where nothing else is: the file passes the symbol on.
  return callers.size > 0 ? [...callers.values()] : imports.slice(0, 1);
}

/** The symbol's own declaration, its body, and members that are written apart from it. */
function isOwn(chain: readonly SymbolNode[], at: Point, used: SymbolNode): boolean {
  if (chain.some((node) => comparePoints(node.at, used.at) === 0)) return true;
  const own = used.path.join('.');
  return chain.some(
    (node) =>
      (node.path.join('.') === own && comparePoints(node.at, at) === 0) ||
      node.path.join('.').startsWith(`${own}.`) ||
      (/^impl\b/.test(node.name) && node.path.join('.') === own),
  );
}

function chainAt(nodes: readonly SymbolNode[], point: Point): readonly SymbolNode[] {
  const node = nodes.find(
    ({ start, end }) => comparePoints(start, point) <= 0 && comparePoints(point, end) <= 0,
  );
  if (node) return [node, ...chainAt(node.children, point)];
  // The range of a variable may end before the value that it gets on the same line.
  const declared = nodes.find(({ at }) => at.line === point.line && at.column <= point.column);
  return declared ? [declared] : [];
}

const CALLABLE: ReadonlySet<number> = new Set([
  SymbolKind.Function,
  SymbolKind.Method,
  SymbolKind.Constructor,
]);
const CALLBACK = / callback$/;

/** The innermost function; a callback only in tests, where it is what a test is called by. */
function namingNode(chain: readonly SymbolNode[], isTest: boolean): SymbolNode | undefined {
  const callable = chain.findLast(({ kind, name }) => CALLABLE.has(kind) && (isTest || !CALLBACK.test(name)));
  return callable ?? chain.findLast(({ name }) => !CALLBACK.test(name)) ?? chain.at(-1);
}

function nameOf(node: SymbolNode): string {
  if (CALLBACK.test(node.name)) return node.name.replace(CALLBACK, '');
  return node.path
    .filter((name) => !CALLBACK.test(name))
    .slice(-2)
    .join('.');
}
