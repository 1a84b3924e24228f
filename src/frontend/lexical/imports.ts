/** The import statements of a source, read from its text, because servers have no request for them. */
import type { TextLines } from '../../shared/base/positions.ts';
import { languageFacts } from '../../shared/languages/facts.ts';

export interface ImportStatement {
  /** 1-based. */
  readonly line: number;
  readonly endLine: number;
  /** On one line, without needless blanks. */
  readonly text: string;
}

/** More lines do not belong to one statement; something was misread. */
const MOST_LINES = 200;

/** Asked for with every outline, and the same as long as the text is. */
const known = new WeakMap<TextLines, { family: string; found: readonly ImportStatement[] }>();

/** In the order of the text. */
export function importsOf(lines: TextLines, family: string): readonly ImportStatement[] {
  const before = known.get(lines);
  if (before?.family === family) return before.found;
  const found = findImports(lines, languageFacts(family).text.imports);
  known.set(lines, { family, found });
  return found;
}

function findImports(lines: TextLines, start: RegExp): readonly ImportStatement[] {
  const found: ImportStatement[] = [];
  for (let line = 1; line <= lines.count; line++) {
    if (!start.test(lines.at(line))) continue;
    const endLine = endOf(lines, line);
    const parts = Array.from({ length: endLine - line + 1 }, (_, index) => lines.at(line + index).trim());
    found.push({ line, endLine, text: parts.join(' ').replace(/\s+/g, ' ') });
    line = endLine;
  }
  return found;
}

/** A statement goes on while a bracket is open, or behind a backslash. */
function endOf(lines: TextLines, start: number): number {
  let depth = 0;
  for (let line = start; line <= Math.min(lines.count, start + MOST_LINES); line++) {
    const text = lines.at(line);
    for (const character of text) {
      if (character === '{' || character === '(') depth += 1;
      if (character === '}' || character === ')') depth -= 1;
    }
    if (depth <= 0 && !text.endsWith('\\')) return line;
  }
  return start;
}
