/**
 * The words and punctuation of a TypeScript or JavaScript source, without its comments and the contents of strings. It
 * does not parse: where a quote or a slash could mean two things, it takes the reading that ends on the same line.
 */

export interface SourceToken {
  /** A word, a mark, or the mark that begins a string or regular expression and stands for all of it. */
  readonly text: string;
  /** From 0. */
  readonly line: number;
  /** Nothing but blanks stands before it on its line. */
  readonly isFirst: boolean;
  /** At the very beginning of its line. */
  readonly isOutermost: boolean;
  readonly isWord: boolean;
}

const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy;
/** Blanks and comments. */
const BLANK = /(?:[\s\ufeff]+|\/\/.*|\/\*[\s\S]*?(?:\*\/|$(?![\s\S])))+/y;
/** To behind a template, or behind the `${` that leaves it for code. */
const TEMPLATE_PART = /[^`\\$]*(?:(?:\\[\s\S]|\$(?!\{))[^`\\$]*)*(?:`|\$\{|)/y;
/** What begins with a mark and ends on its line; an apostrophe in the text of an element does not. */
const WHOLE: Readonly<Record<string, RegExp>> = {
  "'": /'[^'\\\n]*(?:\\[\s\S][^'\\\n]*)*'/y,
  '"': /"[^"\\\n]*(?:\\[\s\S][^"\\\n]*)*"/y,
  '/': /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y,
};
/** A regular expression can stand behind these words, and behind all marks that do not end a value. */
const BEFORE_VALUE: ReadonlySet<string> = new Set(
  'return typeof case in of do else void delete throw new instanceof yield await'.split(' '),
);

export function* tokensOf(text: string): Generator<SourceToken> {
  /** How deep braces were where each template that is open was left for code. */
  const templates: number[] = [];
  let [at, line, lineStart, depth] = [0, 0, 0, 0];
  let isFirst = true;
  /** Then a slash divides, or closes an element. */
  let isBehindValue = false;
  const take = (pattern: RegExp, from: number): string | undefined => {
    pattern.lastIndex = from;
    return pattern.exec(text)?.[0];
  };
  const skip = (part: string) => {
    for (let next = part.indexOf('\n'); next >= 0; next = part.indexOf('\n', next + 1)) {
      line++;
      lineStart = at + next + 1;
    }
    at += part.length;
  };
  const skipTemplate = () => {
    at++;
    const part = take(TEMPLATE_PART, at) ?? '';
    isBehindValue = !part.endsWith('${');
    if (!isBehindValue) templates.push(depth);
    skip(part);
  };
  while (at < text.length) {
    const blank = take(BLANK, at);
    if (blank !== undefined) {
      isFirst ||= blank.includes('\n');
      skip(blank);
      continue;
    }
    const char = text[at] ?? '';
    if (char === '}' && templates.at(-1) === depth) {
      templates.pop();
      skipTemplate();
      continue;
    }
    const word = take(WORD, at);
    const token: SourceToken = {
      text: word ?? char,
      line,
      isFirst,
      isOutermost: at === lineStart,
      isWord: word !== undefined,
    };
    isFirst = false;
    yield token;
    if (char === '{') depth++;
    else if (char === '}') depth--;
    const pattern = char === '/' && isBehindValue ? undefined : WHOLE[char];
    isBehindValue = endsValue(token);
    if (char === '`') skipTemplate();
    else skip(word ?? (pattern && take(pattern, at)) ?? char);
  }
}

function endsValue({ text, isWord }: SourceToken): boolean {
  return isWord ? !BEFORE_VALUE.has(text) : /[)\]}<'"\d]/.test(text);
}
