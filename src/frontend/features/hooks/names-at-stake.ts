/**
 * The names by which an edit can break other files: those that are gone from the file, and those of the symbols that
 * it changed. A file without any of them in its text is not broken by the edit, as far as names tell.
 */
import type { ServerLink } from '../../../shared/link/server-link.ts';
import { changedLines, type LineChange, linesWithEnds } from '../../lexical/line-diff.ts';
import { wordsOf } from '../../lexical/words.ts';
import type { AskedSymbols } from '../../symbols/ask-symbols.ts';
import { symbolsIn } from '../../symbols/document-symbols.ts';
import { declaredSymbols } from '../../symbols/public-symbols.ts';
import { type SymbolNode, segmentsOf } from '../../symbols/symbol-tree.ts';
import type { SourceFile } from '../../workspace/source-files.ts';

const SHORTEST = 3;

/** The likeliest first: what is gone, then what was changed. */
export async function namesAtStake(
  link: ServerLink,
  { source, former }: { readonly source: SourceFile; readonly former: string },
  asked: AskedSymbols | undefined,
): Promise<readonly string[]> {
  const old = linesWithEnds(former);
  const changes = changedLines(old, linesWithEnds(source.text));
  const names = [
    ...goneFrom(source.text, old, changes),
    ...(asked ? await changedIn(link, asked, { source, changes }) : []),
  ];
  return [...new Set(names)].filter((name) => name.length >= SHORTEST);
}

function goneFrom(text: string, old: readonly string[], changes: readonly LineChange[]): readonly string[] {
  const left = new Set(wordsOf(text).map((word) => word.text));
  const removed = changes.flatMap(({ oldStart, oldEnd }) => old.slice(oldStart, oldEnd));
  return removed.flatMap((line) => wordsOf(line).map((word) => word.text)).filter((word) => !left.has(word));
}

async function changedIn(
  link: ServerLink,
  asked: AskedSymbols,
  { source, changes }: { readonly source: SourceFile; readonly changes: readonly LineChange[] },
): Promise<readonly string[]> {
  const tree = await symbolsIn(asked, link, source);
  const nodes = declaredSymbols(link.language, tree, source)
    .filter(({ isPublic }) => isPublic)
    .map(({ node }) => node);
  return changes
    .flatMap((change) => touchedBy(change, nodes))
    .map(({ name }) => segmentsOf(name).at(-1) ?? name);
}

/** Those that begin in the change, and the innermost one that goes on around it. */
function touchedBy({ newStart, newEnd }: LineChange, nodes: readonly SymbolNode[]): readonly SymbolNode[] {
  const [first, last] = [newStart + 1, Math.max(newStart + 1, newEnd)];
  const inside = nodes.filter(({ at }) => at.line >= first && at.line <= last);
  const around = nodes.filter(({ start, end }) => start.line <= first && end.line >= last);
  const innermost = around.sort((a, b) => a.end.line - a.start.line - (b.end.line - b.start.line))[0];
  return innermost === undefined ? inside : [...inside, innermost];
}
