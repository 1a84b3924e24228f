/**
 * Functions of one name in one indented block, as in Python: overloads, or the getter and setter of a property. The
 * server lists only the last of them, so the others are read from the text.
 */

import { SymbolKind } from 'vscode-languageserver-protocol';
import type { Point } from '../../shared/base/positions.ts';
import { languageFacts } from '../../shared/languages/facts.ts';
import { topLevel } from '../lexical/brackets.ts';
import { indentOf } from '../lexical/indentation.ts';
import { lineEndAt, lineStart, type SourceText } from '../lexical/symbol-extent.ts';
import { comparePoints } from '../places/places.ts';
import { everySymbol, type SymbolNode } from './symbol-tree.ts';

const FUNCTIONS: ReadonlySet<SymbolKind> = new Set([
  SymbolKind.Function,
  SymbolKind.Method,
  SymbolKind.Property,
]);
const BLOCKS: ReadonlySet<SymbolKind> = new Set([SymbolKind.Class, SymbolKind.Function, SymbolKind.Method]);

/** The nodes with those of the same name beside them, in file order. */
export function withSameNamed(
  source: SourceText,
  tree: readonly SymbolNode[],
  nodes: readonly SymbolNode[],
): SymbolNode[] {
  const { body: look } = languageFacts(source.family).text;
  if (look.kind !== 'suite') return [...nodes];
  const declares = `(?:(?:${look.modifiers})[ \\t]+)?(?:${look.functions})`;
  const all = nodes.flatMap((node) =>
    FUNCTIONS.has(node.kind) ? sameNamed(source, tree, node, declares) : [node],
  );
  const unique = new Map(all.map((node) => [`${node.at.line}:${node.at.column}`, node]));
  return [...unique.values()].sort((a, b) => comparePoints(a.at, b.at));
}

function sameNamed(
  source: SourceText,
  tree: readonly SymbolNode[],
  node: SymbolNode,
  declares: string,
): SymbolNode[] {
  const { lines } = source;
  const indent = indentOf(lines.at(node.at.line));
  const head = new RegExp(`^${indent}${declares}[ \\t]+(?=${node.name}\\b)`);
  const block = blockAround(tree, node.at);
  const found: SymbolNode[] = [node];
  for (let line = 1; line <= lines.count; line++) {
    const column = (head.exec(lines.at(line))?.[0].length ?? -1) + 1;
    if (column === 0 || line === node.at.line || source.isInString(lineStart(source, line))) continue;
    const at = { line, column };
    if (blockAround(tree, at) !== block) continue;
    const { name, kind, word, detail, path } = node;
    const start = { line, column: indent.length + 1 };
    found.push({
      name,
      kind,
      word,
      detail,
      path,
      at,
      start,
      end: endOf(source, at, indent),
      children: [],
      inside: 0,
    });
  }
  return found;
}

/** The innermost class or function that a declaration is in. */
function blockAround(tree: readonly SymbolNode[], at: Point): SymbolNode | undefined {
  return [...everySymbol(tree)].findLast(
    (node) =>
      BLOCKS.has(node.kind) &&
      node.at.line < at.line &&
      comparePoints(node.start, at) <= 0 &&
      comparePoints(at, node.end) <= 0,
  );
}

/** Its last line of code that is deeper than it, behind its header. */
function endOf(source: SourceText, { line: first }: Point, indent: string): Point {
  const { code, lines, offsets } = source;
  const begin = lineStart(source, first);
  const colon = topLevelColon(code, begin);
  let last = offsets.pointAt(colon).line;
  for (let line = last + 1; line <= lines.count; line++) {
    const masked = code.slice(lineStart(source, line), lineEndAt(source, line));
    const isInside = source.isInString(lineStart(source, line));
    if (masked.trim() === '' && !isInside) continue;
    if (!isInside && indentOf(masked).length <= indent.length && !/^\s*[)\]}]/.test(masked)) break;
    last = line;
  }
  const masked = code.slice(lineStart(source, last), lineEndAt(source, last));
  return { line: last, column: masked.trimEnd().length + 1 };
}

function topLevelColon(code: string, begin: number): number {
  for (let end = code.indexOf(':', begin); end >= 0; end = code.indexOf(':', end + 1))
    if (topLevel(code, begin, end)) return end;
  return begin;
}
