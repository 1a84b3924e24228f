/**
 * Which part of a declaration is its body, in languages with braces, with indentation and with `end`.
 * Decision: docs/decisions/dependencies.md#bodies-and-extents-by-their-look
 */
import { SymbolKind } from 'vscode-languageserver-protocol';
import { languageFacts } from '../../shared/languages/facts.ts';
import type { BodyLook } from '../../shared/languages/text-facts.ts';
import { closingOf, topLevel } from './brackets.ts';
import type { Extent, SourceText } from './symbol-extent.ts';

/** Offsets; those of brackets are of the characters themselves. */
export type Body =
  | { readonly kind: 'braces'; readonly open: number; readonly close: number }
  /** An expression behind an arrow. */
  | { readonly kind: 'expression'; readonly from: number; readonly to: number }
  /** What is behind the colon; on the same line, or on lines of its own. */
  | { readonly kind: 'suite'; readonly colon: number; readonly to: number; readonly isInline: boolean }
  /** From the end of the header to the word `end`. */
  | { readonly kind: 'end'; readonly from: number; readonly to: number }
  | { readonly kind: 'none'; readonly why: string };

type Look<Kind> = Extract<BodyLook, { readonly kind: Kind }>;

type Span = Pick<Extent, 'start' | 'nameEnd' | 'end'> & {
  readonly symbol: Pick<Extent['symbol'], 'kind' | 'container'>;
};

export function bodyOf({ code, family }: Pick<SourceText, 'code' | 'family'>, span: Span): Body {
  const { body: look } = languageFacts(family).text;
  switch (look.kind) {
    case 'braces':
      return bracesOf(code, look, span);
    case 'suite':
      return suiteOf(code, look, span);
    case 'end':
      return endedOf(code, look, span);
    case 'unknown':
      return none(`bodies in ${family} are not known`);
  }
}

const VALUES: ReadonlySet<SymbolKind> = new Set([SymbolKind.Variable, SymbolKind.Constant]);
const OBJECTS: ReadonlySet<SymbolKind> = new Set([...VALUES, SymbolKind.Property, SymbolKind.Object]);

function bracesOf(code: string, { arrows, marked }: Look<'braces'>, span: Span): Body {
  const { start, nameEnd, end } = span;
  const whole = topLevel(code, nameEnd, end);
  if (!whole) return none('its brackets do not pair up');
  const { groups } = whole;
  const flat = withoutTypeParameters(whole.flat);
  const last = nameEnd + flat.trimEnd().length - 1;
  const final = groups.at(-1);
  const braces: Body | undefined =
    final && final.close === last && code[last] === '}' ? { kind: 'braces', ...final } : undefined;
  const assigned = flat.search(/(?<![=!<>+\-*/%&|^?:])=(?![=>])/);
  const before = braces ? flat.slice(0, braces.open - nameEnd).trimEnd() : flat;
  if (arrows === 'functions') return scriptBody(code, span, { flat, braces, assigned, before });
  const arrow = flat.indexOf('=>');
  if (arrows === 'expressions' && arrow >= 0 && assigned < 0)
    return expression(code, nameEnd + arrow + 2, end);
  if (!braces) return none('it is declared without one');
  if (marked) {
    if (assigned >= 0)
      return marked.value.test(flat.slice(assigned)) ? braces : none('its value is no function');
    const isType = marked.braces.test(before);
    const isFunction = marked.name.test(code.slice(start, nameEnd));
    return isFunction === isType ? none('it is declared without one') : braces;
  }
  if (assigned >= 0 || VALUES.has(span.symbol.kind)) return none('it has a value instead of one');
  if (/\bcatch\s*(?:\(\s*\))?$/.test(before)) return none('it is a function-try-block');
  return braces;
}

/** Type parameters have defaults and bounds, which are no values. */
function withoutTypeParameters(flat: string): string {
  const begin = /^\s*</.exec(flat)?.[0].length;
  if (begin === undefined) return flat;
  let depth = 1;
  for (const { 0: bracket, index } of flat.slice(begin).matchAll(/<|(?<![=-])>/g)) {
    depth += bracket === '<' ? 1 : -1;
    const end = begin + index + 1;
    if (depth === 0) return ' '.repeat(end) + flat.slice(end);
  }
  return flat;
}

interface ScriptParts {
  readonly flat: string;
  readonly braces: Extract<Body, { kind: 'braces' }> | undefined;
  readonly assigned: number;
  readonly before: string;
}

/** A function may be a value; a type may look like a body. */
function scriptBody(code: string, { start, nameEnd, end, symbol }: Span, parts: ScriptParts): Body {
  const { flat, braces, assigned, before } = parts;
  const isObject = symbol.container !== undefined && OBJECTS.has(symbol.container);
  const colon = isObject && assigned < 0 ? /^\s*:/.exec(flat)?.[0].length : undefined;
  const from = colon ?? (assigned < 0 ? undefined : assigned + 1);
  if (from === undefined) {
    const isSignature = /\b(?:abstract|declare)\b/.test(code.slice(start, nameEnd)) && /\)/.test(before);
    const isType = /(?:[:|&,<]|=>)$/.test(before) || symbol.container === SymbolKind.Interface;
    return braces && !isSignature && !isType ? braces : none('it is declared without one');
  }
  const value = flat.slice(from);
  if (braces && nameEnd + from + value.search(/\S/) === braces.open) return braces;
  if (/^\s*(?:async\s+)?function\b/.test(value)) return braces ?? none('its function does not end with it');
  const arrow = value.indexOf('=>');
  if (arrow < 0) return none('its value is no function');
  if (
    !/^\s*(?:async\b\s*)?(?:<[^()]*>\s*)?(?:[\w$]+|\(\s*\))\s*(?::[^()]*|:\s*asserts\b.*)?$/.test(
      value.slice(0, arrow),
    )
  )
    return none('it is not plain where its arrow function begins');
  return expression(code, nameEnd + from + arrow + 2, end);
}

/** What is behind an arrow: a block, or an expression. */
function expression(code: string, behind: number, end: number): Body {
  const from = behind + Math.max(code.slice(behind, end).search(/\S/), 0);
  const to = behind + code.slice(behind, end).trimEnd().replace(/;$/, '').trimEnd().length;
  if (code[from] === '{' && closingOf(code, from, end) === to - 1)
    return { kind: 'braces', open: from, close: to - 1 };
  return { kind: 'expression', from, to };
}

function suiteOf(code: string, look: Look<'suite'>, { start, nameEnd, end }: Span): Body {
  const { modifiers, functions, types } = look;
  const header = new RegExp(`^(?:(?:${modifiers})\\s+)?(?:${functions}|${types})\\s`);
  if (!header.test(code.slice(start, nameEnd))) return none(`it is neither a ${functions} nor a ${types}`);
  const whole = topLevel(code, nameEnd, end);
  const at = whole?.flat.indexOf(':') ?? -1;
  if (!whole || at < 0) return none('its colon was not found');
  const colon = nameEnd + at;
  const isInline = /^[^\S\r\n]*[^\s]/.test(code.slice(colon + 1, end));
  return { kind: 'suite', colon, to: end, isInline };
}

/** The header ends with its line, or with the parameters or the `do` that it has. */
function endedOf(code: string, look: Look<'end'>, { start, nameEnd, end }: Span): Body {
  if (!/(?:^|[\s;)])end$/.test(code.slice(nameEnd, end))) return none('it does not end with `end`');
  const to = end - 'end'.length;
  const flat = topLevel(code, nameEnd, to)?.flat;
  if (flat === undefined) return none('its brackets do not pair up');
  const header = look.header.exec(flat);
  const isFunction = look.needs?.test(code.slice(start, nameEnd) + (header?.[0] ?? '')) ?? true;
  if (!header || !isFunction) return none('its header was not found');
  const after = nameEnd + header.index + header[0].length;
  return { kind: 'end', from: code[after] === ';' ? after + 1 : after, to };
}

function none(why: string): Body {
  return { kind: 'none', why };
}
