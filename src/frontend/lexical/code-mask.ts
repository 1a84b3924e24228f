/**
 * Covers strings and comments in source text, so that the brackets and words that are left are code. Offsets do not
 * change. It goes by the syntax of each language, because no server says where strings and comments are.
 */
import { languageFacts } from '../../shared/languages/facts.ts';
import type { MaskLook, TextFacts } from '../../shared/languages/text-facts.ts';

export interface MaskedCode {
  /** As long as the text: comments are blank, strings are quotes throughout, line ends in them included. */
  readonly code: string;
  /** Whether the character at the offset belongs to a string that began before it. */
  isInString(offset: number): boolean;
  /** Where that string begins. */
  stringStart(offset: number): number | undefined;
}

export function maskCode(text: string, family: string): MaskedCode {
  const { text: look } = languageFacts(family);
  const pattern = new RegExp(sourceOf(look.mask), 'gu');
  const parts: string[] = [];
  const strings: { start: number; end: number }[] = [];
  let last = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { index: start } = match;
    const { open, comment } = match.groups ?? {};
    const end = open === undefined ? start + match[0].length : endOfOpened(text, start, look);
    const covered = text.slice(start, end);
    const isComment = comment !== undefined || covered.startsWith('/*');
    if (!isComment) strings.push({ start, end });
    parts.push(text.slice(last, start), isComment ? blank(covered) : '"'.repeat(covered.length));
    last = Math.max(end, start + 1);
    pattern.lastIndex = last;
  }
  const stringAt = (offset: number) => strings.find(({ start, end }) => start < offset && offset < end);
  return {
    code: parts.join('') + text.slice(last),
    isInString: (offset) => stringAt(offset) !== undefined,
    stringStart: (offset) => stringAt(offset)?.start,
  };
}

function sourceOf({ comments, strings, opens }: MaskLook): string {
  const open = opens ? `|(?<open>${opens.join('|')})` : '';
  return `(?<comment>${comments.join('|')})${open}|(?<string>${strings.join('|')})`;
}

type StringLook = Pick<TextFacts, 'mask' | 'interpolation'>;

/** The end of what can hold more of its kind: comments in comments, code in strings. */
function endOfOpened(text: string, start: number, look: StringLook): number {
  if (text.startsWith('/*', start)) return endOfNestedComment(text, start);
  const quote = text[start] ?? '"';
  const inner = look.interpolation?.open;
  for (let at = start + 1; at < text.length; at++) {
    if (inner !== undefined && text.startsWith(inner, at))
      at = endOfInterpolation(text, at + inner.length, look);
    else if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at + 1;
    else if (text[at] === '\n' && quote !== '`' && !look.mask.spansLines) return start + 1;
  }
  return start + 1;
}

function endOfNestedComment(text: string, start: number): number {
  let depth = 0;
  for (const { 0: mark, index } of text.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1;
    if (depth === 0) return start + index + 2;
  }
  return text.length;
}

const QUOTES: ReadonlySet<string> = new Set(['`', '"', "'"]);

/** The offset of the bracket that ends the code inside of a string. */
function endOfInterpolation(text: string, from: number, look: StringLook): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? '';
    if (QUOTES.has(character)) at = endOfOpened(text, at, look) - 1;
    else if ('({['.includes(character)) depth += 1;
    else if (')}]'.includes(character)) depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

function blank(comment: string): string {
  // A line at a time: comments are long, and one call looks at many files.
  return comment.replace(/[^\r\n]+/g, ({ length }) => ' '.repeat(length));
}
