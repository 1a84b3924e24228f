/** Documentation as servers send it, with or without a kind, as text. */
import type { MarkupContent } from 'vscode-languageserver-protocol';
import { oneLine } from './budget.ts';

/** Empty when there is none. */
export function markupText(content: string | MarkupContent | undefined): string {
  if (content === undefined) return '';
  if (typeof content === 'string') return withoutEntities(content.trim());
  const { kind, value } = content;
  return (kind === 'markdown' ? withoutEscapes : withoutEntities)(value.trim());
}

/** All of it on one line, without the marks of code blocks and rules. */
export function markupLine(content: string | MarkupContent | undefined, most: number): string {
  return oneLine(markupText(content).replace(/^\s*(```.*|-{3,}|\*{3,})\s*$/gm, ''), most);
}

/** Servers that write for browsers escape some characters of their prose; code is left as it is. */
export function withoutEntities(text: string): string {
  return inProse(text, (part) => part.replace(ENTITY, plainCharacter));
}

/** The same for Markdown, in which servers also mark with a backslash what is no mark (`unit\_price`), and the ends of lines. */
export function withoutEscapes(markdown: string): string {
  return inProse(markdown, (part) =>
    part.replace(BREAK, '').replace(ESCAPED, '$1').replace(ENTITY, plainCharacter),
  );
}

function inProse(text: string, change: (part: string) => string): string {
  return text
    .split(CODE)
    .map((part) => (part.startsWith('`') ? part : change(part)))
    .join('');
}

const CODE = /((?<!\\)```[\s\S]*?```|(?<!\\)`[^`\n]*`)/;
/** Only what servers escape: authors who think of no Markdown write `\d` and `\.` in patterns. */
const ESCAPED = /\\([_*~[\]<>`#\\])/g;
/** The blanks that end a line in Markdown; before code they are blanks between words. */
const BREAK = / {2,}(?=\r?\n)/g;
const ENTITY = /&(?:nbsp|lt|gt|amp|quot|#39);/g;

function plainCharacter(entity: string): string {
  return ENTITIES.get(entity) ?? entity;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&nbsp;', ' '],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&#39;', "'"],
]);
