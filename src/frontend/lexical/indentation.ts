/** Agents write code at any indentation; in the file it gets that of its place, with the file's own tabs or spaces. */
import { languageFacts } from '../../shared/languages/facts.ts';
import { maskCode } from './code-mask.ts';

/** Lines without their line ends. */
export interface CodeBlock {
  readonly lines: readonly string[];
  /** Lines that begin inside of a string: their white space is content. */
  readonly fixed: ReadonlySet<number>;
}

export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

/** What one level of indentation is in a file. */
export function indentUnit(text: string): string {
  const indents = text.split(/\r\n|\n|\r/).flatMap((line) => (line.trim() === '' ? [] : [indentOf(line)]));
  const tabs = indents.filter((indent) => indent.startsWith('\t')).length;
  const spaces = indents.filter((indent) => /^ {2}/.test(indent));
  if (tabs > spaces.length) return '\t';
  const counts = new Map<number, number>();
  let before = 0;
  for (const { length } of indents.filter((indent) => !indent.includes('\t'))) {
    const step = length - before;
    if (step >= 2 && step <= 8) counts.set(step, (counts.get(step) ?? 0) + 1);
    before = length;
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return ' '.repeat(best?.[0] ?? 4);
}

/** The code as a block whose outermost lines have no indentation; blank lines around it are left out. */
export function blockOf(text: string, family: string): CodeBlock {
  const clean = text
    .replace(/\r\n|\r/g, '\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  const { code, isInString } = maskCode(clean, family);
  const lines = clean.split('\n');
  const starts: number[] = [];
  let offset = 0;
  for (const line of lines) {
    starts.push(offset);
    offset += line.length + 1;
  }
  const docstring = languageFacts(family).text.docstrings ? docstringLines(lines) : 0;
  const fixed = new Set(
    [...lines.keys()].filter((index) => index > docstring && isInString(starts[index] ?? 0)),
  );
  const movable = lines.flatMap((line, index) => (line.trim() === '' || fixed.has(index) ? [] : [index]));
  const [first = 0, ...rest] = movable;
  const width = (index: number) => indentOf(lines[index] ?? '').length;
  const least = Math.min(...rest.map(width));
  const firstCode = code.slice(starts[first], (starts[first] ?? 0) + (lines[first]?.length ?? 0)).trimEnd();
  const isCut =
    width(first) === 0 && least > 0 && rest.length > 0 && !opensBlock(firstCode, rest.map(width), least);
  const common = isCut ? least : Math.min(width(first), least);
  return {
    lines: lines.map((line, index) => {
      if (fixed.has(index)) return line;
      if (line.trim() === '') return '';
      return isCut && index === first ? line : line.slice(Math.min(common, width(index)));
    }),
    fixed,
  };
}

/** The block at an indentation. */
export function indented({ lines, fixed }: CodeBlock, indent: string, unit: string): string[] {
  const own = ownUnit(lines.filter((_, index) => !fixed.has(index)));
  return lines.map((line, index) => {
    if (fixed.has(index) || line === '') return line;
    return indent + converted(indentOf(line), own, unit) + line.trimStart();
  });
}

/** Where the first line was quoted without its indentation, what is below it says whether it opens a block. */
function opensBlock(first: string, rest: readonly number[], least: number): boolean {
  return rest[0] === least && /[:{([,=>&|+\-*\\]$|\b(?:do|then|else|begin)$|\|$/.test(first);
}

/** How many of the first lines belong to the string that a Python body begins with. */
function docstringLines(lines: readonly string[]): number {
  const mark = /^\s*[rRuU]?("""|''')/.exec(lines[0] ?? '')?.[1];
  if (mark === undefined || (lines[0]?.split(mark).length ?? 0) > 2) return 0;
  const end = lines.findIndex((line, index) => index > 0 && line.includes(mark));
  return Math.max(end, 0);
}

function ownUnit(lines: readonly string[]): string {
  const indents = lines.map(indentOf).filter((indent) => indent !== '');
  if (indents.some((indent) => indent.startsWith('\t'))) return '\t';
  return ' '.repeat(Math.min(...indents.map(({ length }) => length), 8) || 4);
}

/** Only between tabs and spaces: other widths may be alignment. */
function converted(indent: string, own: string, unit: string): string {
  const isTabbed = unit === '\t';
  if (indent === '' || own.startsWith('\t') === isTabbed) return indent;
  const count = isTabbed ? Math.floor(indent.length / own.length) : indent.replace(/ /g, '').length;
  const left = isTabbed ? ' '.repeat(indent.length % own.length) : indent.replace(/\t/g, '');
  return unit.repeat(count) + left;
}
