/** What a server shows on hover, in its several shapes, as plain text: the signature first, then documentation. */
import type { Hover, MarkedString, MarkupContent } from 'vscode-languageserver-protocol';
import { withoutEntities, withoutEscapes } from '../../render/markup.ts';

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
  const { signature, rest } = partsOf(text.trim());
  const lines = rest
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => !/^\s*(-{3,}|\*{3,}|```.*)?\s*$/.test(line) && !ASIDE.test(line));
  const shown = full ? lines : lines.slice(0, DOC_LINES);
  return { signature: signature.trim(), documentation: shown, hidden: lines.length - shown.length };
}

const FENCE = /^```[^\n]*\n([\s\S]*?)\n?```\s*/;
/** Lines that only lead elsewhere (gopls) or list what every type has (rust-analyzer). */
const ASIDE = /^\[`[^`]*` on pkg\.go\.dev\]\(\S*\)$|^Implements notable traits: /;
/** clangd repeats the signature in words before it. */
const REPEATED = /^(?:### |\u2192|Parameters:$|- `|provided by )/;

function partsOf(text: string): { signature: string; rest: string } {
  // rust-analyzer writes the module in a fence of its own before that of the signature.
  let signature: string | undefined;
  let rest = text;
  for (let fence = FENCE.exec(rest); fence; fence = FENCE.exec(rest)) {
    signature = fence[1] ?? '';
    rest = rest.slice(fence[0].length);
  }
  if (signature !== undefined) return { signature, rest };
  const behind = text.startsWith('### ') ? /\n```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text) : null;
  if (!behind) return { signature: text.split('\n')[0] ?? '', rest: text.replace(/^[^\n]*/, '') };
  const code = (behind[1] ?? '').split('\n');
  const prose = text.slice(0, behind.index).split('\n');
  return {
    signature: code.filter((line) => !line.startsWith('// In ')).join('\n'),
    rest: prose.filter((line) => !REPEATED.test(line)).join('\n'),
  };
}

function partText(part: MarkedString | MarkupContent): string {
  if (typeof part === 'string') return withoutEscapes(part);
  if ('language' in part) return `\`\`\`${part.language}\n${part.value}\n\`\`\``;
  return part.kind === 'markdown' ? withoutEscapes(part.value) : withoutEntities(part.value);
}
