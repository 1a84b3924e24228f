/** Whether a place in a text is code: not in a comment, and in a string only where the string holds code itself. */
import { maskCode } from '../../../lexical/code-mask.ts';

/** What opens code inside of a string, and what marks a string that has it. */
interface Holes {
  readonly open: string;
  readonly close: string;
  /** Must be found around the quote that begins the string. */
  readonly prefix?: RegExp;
}

const BRACES: Holes = { open: '${', close: '}' };
const HOLES: Readonly<Record<string, Holes>> = {
  typescript: BRACES,
  kotlin: BRACES,
  dart: BRACES,
  scala: BRACES,
  bash: BRACES,
  php: { open: '{$', close: '}' },
  ruby: { open: '#{', close: '}' },
  elixir: { open: '#{', close: '}' },
  swift: { open: '\\(', close: ')' },
  rust: { open: '{', close: '}' },
  python: { open: '{', close: '}', prefix: /[fFtT][rR]?["']/ },
  csharp: { open: '{', close: '}', prefix: /\$/ },
};
/** A name right behind `$` stands for its value there. */
const DOLLAR: ReadonlySet<string> = new Set(['kotlin', 'dart', 'scala', 'bash', 'php']);

export function codePlaces(text: string, family: string): (offset: number) => boolean {
  const { code, stringStart } = maskCode(text, family);
  return (offset) => {
    if (code[offset] === text[offset]) return true;
    const start = stringStart(offset);
    return start !== undefined && isInHole(text, { start, offset }, family);
  };
}

function isInHole(
  text: string,
  { start, offset }: { start: number; offset: number },
  family: string,
): boolean {
  if (DOLLAR.has(family) && text[offset - 1] === '$') return true;
  const holes = HOLES[family];
  if (!holes) return false;
  const { open, close, prefix } = holes;
  if (prefix && !prefix.test(text.slice(Math.max(0, start - 2), start + 2))) return false;
  const before = text.slice(start, offset);
  return before.lastIndexOf(open) > before.lastIndexOf(close);
}
