/**
 * What is written around a declaration: comments, decorators and attributes directly above it, and the docstring
 * inside. Read from the text, because servers differ in whether their ranges include them.
 */
import type { TextLines } from '../../shared/base/positions.ts';
import { languageFacts } from '../../shared/languages/facts.ts';

/** 1-based lines of a declaration as the server gave them. */
export interface DeclarationLines {
  readonly start: number;
  readonly end: number;
}

/** The first line that belongs to the declaration: its topmost decorator, attribute or comment line. */
export function leadingLine(lines: TextLines, start: number, family: string): number {
  let first = start;
  for (let above = first - 1; above >= 1; above = first - 1) {
    const begin = beginOfLead(lines, above, family);
    if (begin === undefined) break;
    first = begin;
  }
  return first;
}

/** The documentation that the source itself has for a declaration, without comment marks; empty when it has none. */
export function docComment(
  lines: TextLines,
  extent: DeclarationLines,
  nameLine: number,
  family: string,
): string {
  const inside = languageFacts(family).text.docstrings ? docstring(lines, nameLine, extent.end) : '';
  if (inside !== '') return inside;
  const first = leadingLine(lines, extent.start, family);
  const written: string[] = [];
  for (let line = first; line < nameLine; line++) {
    const text = lines.at(line).trim();
    if (text.startsWith('/*')) {
      const end = endOfBlock(lines, line, nameLine);
      for (let each = line; each <= end; each++) written.push(withoutStars(lines.at(each)));
      line = end;
    } else if (lineComment(text, family) && !NOT_DOC.test(text)) written.push(text.replace(LINE_MARK, ''));
  }
  return trimmedLines(written).join('\n');
}

const LINE_MARK = /^(?:\/\/[/!]?|#'?|--+\|?|;+|%+)[ \t]?/;
/** A comment that is for programs. */
const NOT_DOC = /^#!|^#.*-\*-|^\/\/(?:go:|\s*(?:eslint|biome|prettier|@ts-|#region|#endregion))/;
/** Where the piece of text begins that ends on this line and belongs to what is below it. */
function beginOfLead(lines: TextLines, line: number, family: string): number | undefined {
  const text = lines.at(line).trim();
  if (text === '') return undefined;
  if (text.endsWith('*/')) return beginOfBlock(lines, line);
  if (lineComment(text, family)) return /^#!|^#.*-\*-/.test(text) ? undefined : line;
  if (isDecorator(text, family)) return line;
  // The last line of a decorator that is written on several.
  if (/^[)\]}]+$/.test(text)) return beginOfDecorator(lines, line, family);
  return undefined;
}

function lineComment(text: string, family: string): boolean {
  const { lineComments } = languageFacts(family).text;
  return lineComments.some((mark) => text.startsWith(mark)) && !isDecorator(text, family);
}

function isDecorator(text: string, family: string): boolean {
  return languageFacts(family).text.decorator.line?.test(text) === true;
}

function beginOfDecorator(lines: TextLines, end: number, family: string): number | undefined {
  const indent = indentOf(lines.at(end));
  for (let line = end - 1; line >= Math.max(1, end - 40); line--) {
    const text = lines.at(line);
    if (text.trim() === '' || indentOf(text) < indent) return undefined;
    if (indentOf(text) === indent) return isDecorator(text.trim(), family) ? line : undefined;
  }
  return undefined;
}

/** Only when nothing but the comment is on these lines. */
function beginOfBlock(lines: TextLines, end: number): number | undefined {
  for (let line = end; line >= 1; line--) {
    const text = lines.at(line);
    if (text.includes('/*')) return text.trim().startsWith('/*') ? line : undefined;
  }
  return undefined;
}

function endOfBlock(lines: TextLines, start: number, before: number): number {
  for (let line = start; line < before; line++) if (lines.at(line).includes('*/')) return line;
  return before - 1;
}

function withoutStars(line: string): string {
  return line
    .trim()
    .replace(/^\/\*+!?[ \t]?/, '')
    .replace(/[ \t]*\*+\/$/, '')
    .replace(/^\*[ \t]?/, '');
}

/** The string that a Python body begins with. */
function docstring(lines: TextLines, nameLine: number, end: number): string {
  let line = nameLine;
  // The colon that ends the head is the first one at the end of a line, comments aside.
  while (line <= end && !/:\s*(?:#.*)?$/.test(lines.at(line))) line += 1;
  do line += 1;
  while (line <= end && lines.at(line).trim() === '');
  const begin = /^\s*[rRuU]?("""|'''|"|')/.exec(lines.at(line));
  const mark = begin?.[1];
  if (line > end || !begin || mark === undefined) return '';
  const found: string[] = [];
  for (let rest = lines.at(line).slice(begin[0].length); line <= end; rest = lines.at(line)) {
    const close = rest.indexOf(mark);
    found.push(close < 0 ? rest : rest.slice(0, close));
    if (close >= 0 || mark.length === 1) break;
    line += 1;
  }
  return trimmedLines(unindented(found)).join('\n');
}

/** The first line of a docstring stands behind the quotes and says nothing about the indentation. */
function unindented([first = '', ...others]: readonly string[]): string[] {
  const indents = others.filter((line) => line.trim() !== '').map(indentOf);
  const common = Math.min(...indents, 200);
  return [first.trim(), ...others.map((line) => line.slice(common).trimEnd())];
}

function trimmedLines(lines: readonly string[]): readonly string[] {
  const clean = lines.map((line) => line.trimEnd());
  const from = clean.findIndex((line) => line !== '');
  const to = clean.findLastIndex((line) => line !== '');
  return from < 0 ? [] : clean.slice(from, to + 1);
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
