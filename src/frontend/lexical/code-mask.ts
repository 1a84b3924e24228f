/**
 * Covers strings and comments in source text, so that the brackets and words that are left are code. Offsets do not
 * change. It goes by the syntax of each language, because no server says where strings and comments are.
 */

export interface MaskedCode {
  /** As long as the text: comments are blank, strings are quotes throughout, line ends in them included. */
  readonly code: string;
  /** Whether the character at the offset belongs to a string that began before it. */
  isInString(offset: number): boolean;
  /** Where that string begins. */
  stringStart(offset: number): number | undefined;
}

export function maskCode(text: string, family: string): MaskedCode {
  const pattern = new RegExp((LOOKS[family] ?? C_LIKE).source, 'gu');
  const parts: string[] = [];
  const strings: { start: number; end: number }[] = [];
  let last = 0;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const { index: start } = match;
    const { open, comment } = match.groups ?? {};
    const end = open === undefined ? start + match[0].length : endOfOpened(text, start, family);
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

const SLASHES = String.raw`\/\/[^\r\n]*`;
const BLOCK = String.raw`\/\*[\s\S]*?(?:\*\/|$)`;
const HASH = String.raw`#[^\r\n]*`;
/** A quote that is not closed on its line is none. */
const DOUBLE = String.raw`"(?:[^"\\\r\n]|\\[\s\S])*"`;
const SINGLE = String.raw`'(?:[^'\\\r\n]|\\[\s\S])*'`;
const TRIPLE = String.raw`"""(?:[^\\]|\\[\s\S])*?"""`;
const CHARACTER = String.raw`'(?:[^'\\\r\n]|\\(?:u\{[^}]*\}|[^\r\n'][^'\r\n]{0,8}|'))'`;
/** What follows a value is a division. */
const REGEX = String.raw`(?<=(?:^|[(,=:[!&|?{;+*%~^]|=>|\b(?:return|typeof|case|in|of|do|else|yield|await|void|when|if|and|or|not))\s*)\/(?![*/])(?:[^/\\[\r\n]|\\.|\[(?:[^\]\\\r\n]|\\.)*\])+\/[a-z]*`;
const HEREDOC = String.raw`<<[~-]?(?<quote>['"]?)(?<tag>[A-Z_]\w*)\k<quote>[^\r\n]*[\s\S]*?^[ \t]*\k<tag>\b`;

function look({
  comments,
  strings,
  opens,
}: {
  comments: string[];
  strings: string[];
  opens?: string[];
}): RegExp {
  const open = opens ? `|(?<open>${opens.join('|')})` : '';
  return new RegExp(`(?<comment>${comments.join('|')})${open}|(?<string>${strings.join('|')})`, 'mu');
}

const C_LIKE = look({ comments: [SLASHES, BLOCK], strings: [TRIPLE, DOUBLE, SINGLE] });
const NESTED = { comments: [SLASHES], opens: [String.raw`\/\*`] };
const LOOKS: Readonly<Record<string, RegExp>> = {
  typescript: look({ comments: [SLASHES, BLOCK], strings: [DOUBLE, SINGLE, REGEX], opens: ['`'] }),
  go: look({ comments: [SLASHES, BLOCK], strings: ['`[^`]*`', DOUBLE, CHARACTER] }),
  rust: look({
    ...NESTED,
    strings: [
      String.raw`\bb?r(?<hashes>#*)"[\s\S]*?"\k<hashes>`,
      String.raw`"(?:[^"\\]|\\[\s\S])*"`,
      CHARACTER,
    ],
  }),
  cpp: look({
    comments: [SLASHES, BLOCK],
    strings: [
      String.raw`R"(?<fence>[^()\\\s]{0,16})\([\s\S]*?\)\k<fence>"`,
      DOUBLE,
      `(?<![0-9A-Fa-f])${CHARACTER}`,
    ],
  }),
  csharp: look({
    comments: [SLASHES, BLOCK],
    strings: [TRIPLE, String.raw`(?:\$@|@\$?)"(?:[^"]|"")*"`, DOUBLE, SINGLE],
  }),
  kotlin: look({ comments: [SLASHES], strings: [TRIPLE, SINGLE], opens: [String.raw`\/\*`, '"(?!"")'] }),
  scala: look({ ...NESTED, strings: [TRIPLE, DOUBLE, CHARACTER] }),
  swift: look({ comments: [SLASHES], strings: [TRIPLE], opens: [String.raw`\/\*`, '"(?!"")'] }),
  dart: look({
    comments: [SLASHES],
    strings: [TRIPLE, String.raw`'''[\s\S]*?'''`, SINGLE],
    opens: [String.raw`\/\*`, '"(?!"")'],
  }),
  php: look({ comments: [SLASHES, BLOCK, String.raw`#(?!\[)[^\r\n]*`], strings: [HEREDOC, DOUBLE, SINGLE] }),
  python: look({
    comments: [HASH],
    strings: [TRIPLE, String.raw`'''(?:[^\\]|\\[\s\S])*?'''`, DOUBLE, SINGLE],
  }),
  ruby: look({
    comments: [String.raw`^=begin\b[\s\S]*?^=end\b`, HASH],
    strings: [HEREDOC, REGEX, String.raw`%[wWiIqQr]?(?:\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|\|[^|]*\|)`, SINGLE],
    opens: ['"'],
  }),
  elixir: look({
    comments: [HASH],
    strings: [
      String.raw`~[a-zA-Z]"""[\s\S]*?"""`,
      TRIPLE,
      String.raw`~[a-zA-Z](?:\/(?:[^/\\]|\\.)*\/|\[[^\]]*\]|\([^)]*\)|\{[^}]*\}|\|[^|]*\|)[a-z]*`,
      SINGLE,
      String.raw`(?<!\w)\?\\?\S`,
    ],
    opens: ['"(?!"")'],
  }),
  lua: look({
    comments: [String.raw`--\[(?<level>=*)\[[\s\S]*?\]\k<level>\]`, String.raw`--[^\r\n]*`],
    strings: [String.raw`\[(?<depth>=*)\[[\s\S]*?\]\k<depth>\]`, DOUBLE, SINGLE],
  }),
  bash: look({
    comments: [String.raw`(?<=^|\s)#[^\r\n]*`],
    strings: [HEREDOC, String.raw`"(?:[^"\\]|\\[\s\S])*"`, `'[^']*'`],
  }),
};

const INTERPOLATION: Readonly<Record<string, string>> = {
  typescript: '${',
  kotlin: '${',
  dart: '${',
  ruby: '#{',
  elixir: '#{',
  swift: '\\(',
};

/** The end of what can hold more of its kind: comments in comments, code in strings. */
function endOfOpened(text: string, start: number, family: string): number {
  if (text.startsWith('/*', start)) return endOfNestedComment(text, start);
  const quote = text[start] ?? '"';
  const inner = INTERPOLATION[family];
  for (let at = start + 1; at < text.length; at++) {
    if (inner !== undefined && text.startsWith(inner, at))
      at = endOfInterpolation(text, at + inner.length, family);
    else if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at + 1;
    else if (text[at] === '\n' && quote !== '`' && family !== 'ruby') return start + 1;
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
function endOfInterpolation(text: string, from: number, family: string): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? '';
    if (QUOTES.has(character)) at = endOfOpened(text, at, family) - 1;
    else if ('({['.includes(character)) depth += 1;
    else if (')}]'.includes(character)) depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}

function blank(comment: string): string {
  return comment.replace(/[^\r\n]/g, ' ');
}
