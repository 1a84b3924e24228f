/** Documentation as servers send it, with or without a kind, as text. */
import type { MarkupContent } from 'vscode-languageserver-protocol';
import { oneLine } from './budget.ts';

/** Empty when there is none. */
export function markupText(content: string | MarkupContent | undefined): string {
  return (typeof content === 'string' ? content : (content?.value ?? '')).trim();
}

/** All of it on one line, without the marks of code blocks and rules. */
export function markupLine(content: string | MarkupContent | undefined, most: number): string {
  return oneLine(markupText(content).replace(/^\s*(```.*|-{3,}|\*{3,})\s*$/gm, ''), most);
}
