/** What a server shows on hover, in its several shapes, as plain text: the signature first, then documentation. */
import type { Hover, MarkedString, MarkupContent } from 'vscode-languageserver-protocol';

const DOC_LINES = 6;

/** The text as the server wrote it; empty when there is none. */
export function hoverText(hover: Hover | null | undefined): string {
  if (!hover) return '';
  const { contents } = hover;
  const parts: readonly (MarkedString | MarkupContent)[] = Array.isArray(contents) ? contents : [contents];
  return parts
    .map(partText)
    .filter((part) => part.trim() !== '')
    .join('\n\n')
    .trim();
}

export interface CompactHover {
  readonly signature: string;
  readonly documentation: readonly string[];
  /** Lines of documentation that were left out. */
  readonly hidden: number;
}

/** Without markdown fences and rules; documentation is cut unless all of it is wanted. */
export function compactHover(text: string, full: boolean): CompactHover {
  const fence = /^```[^\n]*\n([\s\S]*?)\n?```/.exec(text.trim());
  const rest = fence ? text.trim().slice(fence[0].length) : text.trim().replace(/^[^\n]*/, '');
  const signature = fence ? (fence[1] ?? '') : (text.trim().split('\n')[0] ?? '');
  const lines = rest
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => !/^\s*(-{3,}|\*{3,}|```.*)?\s*$/.test(line));
  const shown = full ? lines : lines.slice(0, DOC_LINES);
  return { signature: signature.trim(), documentation: shown, hidden: lines.length - shown.length };
}

function partText(part: MarkedString | MarkupContent): string {
  if (typeof part === 'string') return part;
  return 'language' in part ? `\`\`\`${part.language}\n${part.value}\n\`\`\`` : part.value;
}
