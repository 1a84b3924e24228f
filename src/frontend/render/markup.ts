/** Documentation as servers send it, with or without a kind, as text. */
import type { MarkupContent } from 'vscode-languageserver-protocol';
import { oneLine } from './budget.ts';

/** Empty when there is none. */
export function markupText(content: string | MarkupContent | undefined): string {
  return withoutEntities((typeof content === 'string' ? content : (content?.value ?? '')).trim());
}

/** All of it on one line, without the marks of code blocks and rules. */
export function markupLine(content: string | MarkupContent | undefined, most: number): string {
  return oneLine(markupText(content).replace(/^\s*(```.*|-{3,}|\*{3,})\s*$/gm, ''), most);
}

/** Servers that write for browsers escape some characters of their prose; code is left as it is. */
export function withoutEntities(markdown: string): string {
  return markdown
    .split(/(```[\s\S]*?```|`[^`\n]*`)/)
    .map((part) =>
      part.startsWith('`') ? part : part.replace(/&(?:nbsp|lt|gt|amp|quot|#39);/g, plainCharacter),
    )
    .join('');
}

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
