/**
 * A part of a file that an agent names by lines, with or without columns, and the same part as a range for servers.
 */
import type { Range } from 'vscode-languageserver-protocol';
import { fail } from '../../shared/base/failure.ts';
import { type Encoding, type Point, type TextLines, toServerPosition } from '../../shared/base/positions.ts';
import { comparePoints } from '../places/places.ts';
import type { ToolContext } from '../tools/context.ts';
import type { SourceFile } from '../workspace/source-files.ts';
import { checkPlace } from './locate.ts';

export interface SpanInput {
  readonly start_line?: number | undefined;
  readonly start_column?: number | undefined;
  readonly end_line?: number | undefined;
  readonly end_column?: number | undefined;
}

/** From the first point up to the second, which is not part of it. */
export interface Span {
  readonly start: Point;
  readonly end: Point;
}

/** Left out columns mean whole lines, a left out end the line of the start, and nothing at all the whole file. */
export function spanOf(input: SpanInput, source: SourceFile, context: ToolContext): Span {
  const { lines } = source;
  const { start_line: startLine, start_column: startColumn } = input;
  if (startLine === undefined && startColumn === undefined && input.end_line === undefined)
    return { start: { line: 1, column: 1 }, end: endOf(lines.count, lines) };
  const first = startLine ?? 1;
  checkPlace(first, startColumn, source, context);
  const start = { line: first, column: startColumn ?? 1 };
  const last = endOf(Math.min(input.end_line ?? first, lines.count), lines);
  const end = { line: last.line, column: Math.min(input.end_column ?? last.column, last.column) };
  if (comparePoints(end, start) < 0)
    fail({
      kind: 'invalid-input',
      message: `the end ${end.line}:${end.column} is before the start ${start.line}:${start.column}`,
      next: 'Swap the two',
    });
  return { start, end };
}

export function serverRange({ start, end }: Span, lines: TextLines, encoding: Encoding): Range {
  return {
    start: toServerPosition(start, lines, encoding),
    end: toServerPosition(end, lines, encoding),
  };
}

/** `12:5`, `12:5-14:1`, or `lines 12-14` where whole lines are meant. */
export function shownSpan({ start, end }: Span, lines: TextLines): string {
  if (start.column === 1 && end.column === lines.at(end.line).length + 1)
    return start.line === end.line ? `line ${start.line}` : `lines ${start.line}-${end.line}`;
  const from = `${start.line}:${start.column}`;
  return comparePoints(start, end) === 0 ? from : `${from}-${end.line}:${end.column}`;
}

function endOf(line: number, lines: TextLines): Point {
  return { line, column: lines.at(line).length + 1 };
}
