/** The code of a text without comments and strings, but with the code inside of template strings that have a word. Offsets do not change. */
import { maskCode } from '../../lexical/code-mask.ts';

export function templateCode(text: string, word: string): string {
  const mask = maskCode(text, 'typescript');
  let { code } = mask;
  for (const { index } of text.matchAll(/\$\{/g)) {
    const start = index + 2;
    const opened = mask.stringStart(index);
    if (opened === undefined || text[opened] !== '`' || code[index] !== '"') continue;
    // Few templates have the word that is looked for, and following all of them takes long.
    if (mask.stringStart(text.indexOf(word, start)) !== opened) continue;
    const rest = text.slice(start, endOfString(mask, index, text.length));
    // Nested templates are code of this one.
    const inner = templateCode(rest.slice(0, endOfCode(maskCode(rest, 'typescript').code)), word);
    code = `${code.slice(0, start)}${inner}${code.slice(start + inner.length)}`;
  }
  return code;
}

function endOfString({ isInString }: ReturnType<typeof maskCode>, from: number, most: number): number {
  let end = from;
  while (end < most && isInString(end)) end += 1;
  return end;
}

/** Before the brace that closes what was open before. */
function endOfCode(code: string): number {
  let depth = 0;
  for (let at = 0; at < code.length; at++) {
    if (code[at] === '{') depth += 1;
    if (code[at] === '}' && depth-- === 0) return at;
  }
  return code.length;
}
