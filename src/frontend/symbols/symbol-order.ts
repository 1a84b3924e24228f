/**
 * The order in which symbols of one name are listed and counted: what others use comes before what is local, and
 * sources come before tests. By the look of the text, because servers do not say what is public.
 */
import type { SymbolKind } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../shared/base/brand.ts';
import type { Point } from '../../shared/base/positions.ts';
import { isTestFile } from '../../shared/languages/test-files.ts';
import { comparePoints } from '../places/places.ts';
import type { ToolContext } from '../tools/context.ts';
import { VARIABLE_KINDS } from './symbol-kinds.ts';

interface Placed {
  readonly file: AbsPath;
  readonly at: Point;
  readonly kind: SymbolKind;
}

/** Among equals by file and place, so that a number means the same at the next call. */
export async function exportsFirst<T extends Placed>(
  { files, roots }: Pick<ToolContext, 'files' | 'roots'>,
  symbols: readonly T[],
): Promise<readonly T[]> {
  if (symbols.length < 2) return symbols;
  const texts = await files.readAll(symbols.map(({ file }) => file));
  const ranked = symbols.map((symbol) => {
    const line = texts.get(symbol.file)?.at(symbol.at.line) ?? '';
    return { symbol, rank: rankOf(symbol, roots.display(symbol.file), line) };
  });
  ranked.sort((a, b) => a.rank - b.rank || comparePlaced(a.symbol, b.symbol));
  return ranked.map(({ symbol }) => symbol);
}

/** Words with which languages make a declaration one for others. */
const FOR_OTHERS = /^\s*(?:export|pub(?:\([^)]*\))?|public|open)\b/;

function rankOf({ kind }: Placed, file: string, line: string): number {
  return (isTestFile(file) ? 4 : 0) + rankInFile(kind, line);
}

function rankInFile(kind: SymbolKind, line: string): number {
  if (FOR_OTHERS.test(line)) return 0;
  if (!/^\s/.test(line)) return 1;
  // A variable that is further in is local; anything else may be a member that others use.
  return VARIABLE_KINDS.has(kind) ? 3 : 2;
}

function comparePlaced(a: Placed, b: Placed): number {
  if (a.file === b.file) return comparePoints(a.at, b.at);
  return a.file < b.file ? -1 : 1;
}
