/**
 * Who uses a symbol, by name: each use is credited to the function or other symbol around it, tests apart. A test that
 * uses several symbols counts for each of them; a use outside of everything counts for its file. What only takes the type
 * of the symbol calls nobody and is counted by itself.
 */

import type { AbsPath } from '../../../shared/base/brand.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import type { Pool } from '../../../shared/base/pool.ts';
import type { Point, TextLines } from '../../../shared/base/positions.ts';
import { isTestFile } from '../../../shared/languages/test-files.ts';
import type { ServerFacts, ServerLink } from '../../../shared/link/server-link.ts';
import { isInImport } from '../../lexical/import-lines.ts';
import { comparePoints, type Place, type ServerPlace, toPlaces } from '../../places/places.ts';
import { outlineIn } from '../../symbols/outlines.ts';
import type { SymbolNode } from '../../symbols/symbol-tree.ts';
import type { ToolContext } from '../../tools/context.ts';
import { callerName, chainAt, isCallable, namingNode } from './caller-names.ts';
import { isTypeQuery } from './type-queries.ts';

export interface Caller {
  readonly name: string;
  readonly file: AbsPath;
  /** Of its first use. */
  readonly at: Point;
  readonly isTest: boolean;
  /** Undefined for what is outside of every symbol, or in a file whose symbols are not known. */
  readonly node: SymbolNode | undefined;
}

export interface Callers {
  readonly callers: readonly Caller[];
  /** Places that only take the type of the symbol, `typeof it` in a type. */
  readonly typeQueries: number;
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
  { used, link, facts, atOnce }: { used: Used; link: ServerLink; facts: ServerFacts; atOnce: Pool },
): Promise<Callers> {
  const byFile = groupBy(found, ({ file }) => file);
  const parts = await Promise.all(
    [...byFile].map(async ([file, own], index) => {
      if (file === undefined) return NOBODY;
      const isTest = isTestFile(context.roots.display(file));
      const isKnown = index < MOST_FILES;
      const places = await toPlaces(isKnown ? own : own.slice(0, 1), context.files, facts.encoding);
      const around = isKnown ? await atOnce.run(() => surroundingsOf(context, link, file)) : undefined;
      return inFile(places, { file, name: context.roots.display(file), isTest, around, used });
    }),
  );
  return {
    callers: parts.flatMap(({ callers }) => callers),
    typeQueries: parts.reduce((sum, { typeQueries }) => sum + typeQueries, 0),
  };
}

const NOBODY: Callers = { callers: [], typeQueries: 0 };

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
): Callers {
  const { file, name, isTest, around, used } = context;
  const callers = new Map<string, Caller>();
  const imports: Caller[] = [];
  let typeQueries = 0;
  for (const { start } of places) {
    const chain = chainAt(around?.tree ?? [], start);
    const isPassedOn = around !== undefined && isInImport(around.lines, start.line);
    if (file === used.file && isOwn(chain, start, used.node)) continue;
    if (around && isTypeQuery(around.lines, start)) {
      typeQueries += 1;
      continue;
    }
    const naming = namingNode(chain, isTest);
    // Some servers list imported names among a file's symbols.
    const isImported = !isCallable(naming) && isPassedOn;
    if (isImported && file === used.file) continue;
    const node = isImported ? undefined : naming;
    const caller = { name: node ? callerName(node) : name, file, at: start, isTest, node };
    if (isImported) imports.push(caller);
    else if (!callers.has(caller.name)) callers.set(caller.name, caller);
  }
  // An import is only worth a word where nothing else is: the file passes the symbol on.
  const passedOn = callers.size + typeQueries > 0 ? [] : imports.slice(0, 1);
  return { callers: [...callers.values(), ...passedOn], typeQueries };
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
