/** The markdown that pyright shows on hover, taken apart into the symbol, its type and its documentation. */

export interface HoverParts {
  readonly symbol: string | null;
  readonly type: string | null;
  readonly documentation: string | null;
}

export const NO_HOVER: HoverParts = { symbol: null, type: null, documentation: null };

const FENCE = /^```[^\n]*\n([\s\S]*?)\n?```/;
const KIND = /^\(([^)]+)\)\s+/;
const NAME = /^(?:async\s+)?(?:def\s+|class\s+|type\s+)?([\p{L}_][\p{L}\p{N}_.]*)/u;

export function hoverParts(markdown: string): HoverParts {
  const text = markdown.trim();
  if (text === '') return NO_HOVER;
  const parts = codeAndProse(text);
  const [shown, documentation] = parts.code === '' ? proseAlone(text) : [parts.code, parts.prose];
  const [, kind] = KIND.exec(shown) ?? [];
  const declared = shown.replace(KIND, '');
  return {
    symbol: NAME.exec(declared)?.[1] ?? null,
    type: typeIn(declared, kind),
    documentation: documentation === '' ? null : documentation,
  };
}

/** What stands in the first fence, and what comes after it and its rule. */
export function codeAndProse(markdown: string): { readonly code: string; readonly prose: string } {
  const text = markdown.trim();
  const fence = FENCE.exec(text);
  const rest = fence ? text.slice(fence[0].length) : text;
  return { code: (fence?.[1] ?? '').trim(), prose: rest.replace(/^\s*-{3,}\s*/, '').trim() };
}

function proseAlone(text: string): readonly [string, string] {
  const [first = '', ...rest] = text.split('\n');
  return [first.trim(), rest.join('\n').trim()];
}

/** `def add(x: int) -> int` is of type `(x: int) -> int`, `name: str` of type `str`, and a class or module is one. */
function typeIn(declared: string, kind: string | undefined): string {
  const isOverloaded = /\n(?:async )?def /.test(declared);
  if (isOverloaded) return declared;
  const called = /^(?:async\s+)?def\s+[\p{L}\p{N}_.]+\s*(\([\s\S]*)$/u.exec(declared);
  if (called?.[1] !== undefined) return onOneLine(called[1]);
  const typed = /^[\p{L}_][\p{L}\p{N}_.]*\s*:\s*([\s\S]+)$/u.exec(declared);
  if (typed?.[1] !== undefined) return typed[1];
  return kind === undefined ? declared : `${kind} ${declared}`;
}

/** Pyright writes each parameter on a line of its own. */
function onOneLine(signature: string): string {
  return signature
    .replace(/\s*\n\s*/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1');
}
