/**
 * Whether a called function runs beside or after its caller, such as in a thread or a callback. The statement and the
 * brackets around the call decide, not the declaration of the caller.
 */
import { escapePattern } from '../../shared/base/escape-pattern.ts';
import type { Point, TextLines } from '../../shared/base/positions.ts';
import { languageFacts } from '../../shared/languages/facts.ts';

/** More text before a bracket than this says nothing about it. */
const HEAD = 160;

export function knowsConcurrency(language: string): boolean {
  return languageFacts(language).text.spawns.length > 0;
}

export interface Spawned {
  readonly pattern: string;
  /** The place is itself what is started, or handed over to be started; not only somewhere inside of that. */
  readonly isDirect: boolean;
}

/** What starts the work that the place belongs to, looked for from the line on where its function begins. */
export function spawnAround(
  language: string,
  lines: TextLines,
  fromLine: number,
  site: Point,
): Spawned | undefined {
  const { spawns: patterns } = languageFacts(language).text;
  const { before, heads } = surroundings(language, lines, fromLine, site);
  for (const { name, before: wanted } of patterns) {
    const match = wanted?.exec(before);
    if (match) return { pattern: name ?? match[0].trim(), isDirect: true };
  }
  for (const [depth, head] of heads.toReversed().entries())
    for (const { name, around } of patterns) {
      const match = around?.exec(head);
      if (match) return { pattern: name ?? match[0].trim(), isDirect: depth === 0 };
    }
  return undefined;
}

interface Surroundings {
  readonly before: string;
  /** The text before each bracket that is still open, outermost first. */
  readonly heads: readonly string[];
}

/** Strings and comments are left out, as far as they end on their line. */
function surroundings(language: string, lines: TextLines, fromLine: number, site: Point): Surroundings {
  const heads: string[] = [];
  let text = '';
  for (let line = fromLine; line <= site.line; line++) {
    const whole = lines.at(line);
    const code = withoutStrings(line === site.line ? whole.slice(0, site.column - 1) : whole, language);
    for (const character of code) {
      if ('([{'.includes(character)) heads.push(text.slice(-HEAD));
      if (')]}'.includes(character)) heads.pop();
      text += character;
    }
    if (line < site.line) text = `${text.slice(-HEAD)}\n`;
  }
  return { before: text.slice(-HEAD), heads };
}

function withoutStrings(line: string, language: string): string {
  const { lineComments } = languageFacts(language).text;
  const blocks = lineComments.includes('//') ? '|/\\*.*?(?:\\*/|$)' : '';
  const comment = new RegExp(`(?:${lineComments.map(escapePattern).join('|')}).*$${blocks}`, 'g');
  return line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""').replace(comment, '');
}
