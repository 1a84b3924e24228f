/**
 * Whether the code that an agent sends for a symbol is its whole declaration or only its body. A body may also
 * contain the symbol's name, so the code must declare that name, in the same way as before, and contain nothing else.
 */
import { escapePattern } from '../../shared/base/escape-pattern.ts';
import { fail } from '../../shared/base/failure.ts';
import { languageFacts } from '../../shared/languages/facts.ts';
import type { Body } from './body-span.ts';
import { closingOf, topLevel } from './brackets.ts';
import { indentOf } from './indentation.ts';
import { type Extent, firstCode, type SourceText } from './symbol-extent.ts';

export interface WholeDeclaration {
  /** Where comments and decorators end and the declaration itself begins. */
  readonly start: number;
}

/** Undefined when the code is only a body. Fails when there is more than the declaration. */
export function wholeDeclaration(
  given: SourceText,
  old: SourceText,
  extent: Extent,
  body: Body,
): WholeDeclaration | undefined {
  const whole = declarationIn(given, old, extent, body);
  // What begins as the declaration does is no body, though its end is not where that of a declaration should be.
  const header = folded(old.code.slice(extent.start, headerEnd(extent, body)));
  const { path } = extent.symbol;
  if (!whole && header.length > path.length + 2 && folded(given.code).startsWith(header))
    fail({
      kind: 'invalid-input',
      message: `new_body begins like the declaration of ${path}, but its end is not clear`,
      next: 'Pass only the body, or use apply_edit with old_text and new_text',
    });
  return whole;
}

function headerEnd({ end }: Extent, body: Body): number {
  switch (body.kind) {
    case 'braces':
      return body.open + 1;
    case 'suite':
      return body.colon + 1;
    case 'end':
    case 'expression':
      return body.from;
    case 'none':
      return end;
  }
}

function folded(code: string): string {
  return code.trim().replace(/\s+/g, ' ');
}

function declarationIn(
  given: SourceText,
  old: SourceText,
  extent: Extent,
  body: Body,
): WholeDeclaration | undefined {
  const { code, family } = given;
  const { name } = extent.symbol;
  const start = firstCode(given, 0, code.length);
  const declared = new RegExp(`(?<![\\w$#~])${escapePattern(name)}(?![\\w$])`).exec(code.slice(start));
  if (!declared) return undefined;
  const nameAt = start + declared.index;
  const before = plainPrefix(code.slice(start, nameAt));
  if (before === undefined) return undefined;
  const oldBefore = plainPrefix(old.code.slice(extent.start, extent.name)) ?? '';
  const [was, is] = [declaringClass(oldBefore), declaringClass(before)];
  const span = { ...extent, start, nameEnd: nameAt + name.length };
  if (was !== undefined) {
    if (is === undefined || (is !== was && !(is === 'function' && was === 'value'))) return undefined;
    if (
      languageFacts(family).text.memberModifiers &&
      is === 'value' &&
      body.kind === 'none' &&
      !/^\s*[:=]/.test(code.slice(span.nameEnd))
    )
      return undefined;
    if (hasMore(given, span, is)) more(name);
    return { start };
  }
  if (is !== undefined) return undefined;
  return isMember(given, old, extent, { nameEnd: span.nameEnd, before, oldBefore, body })
    ? { start }
    : undefined;
}

type DeclaringClass = 'function' | 'type' | 'value';

const CLASSES: Readonly<Record<DeclaringClass, string>> = {
  function: 'function|def|defp|defmacro|func|fn|fun|sub|proc',
  type: 'class|struct|interface|enum|trait|impl|type|typealias|module|defmodule|object|record|protocol|union|namespace|mod|extension|actor|mixin',
  value: 'const|let|var|val|using',
};

/** By the word directly before the name, or before what qualifies it: `const` is also a modifier. */
function declaringClass(before: string): DeclaringClass | undefined {
  for (const kind of ['function', 'type', 'value'] as const)
    if (new RegExp(`(?:^|\\s)(?:${CLASSES[kind]})\\*?\\s*(?:[\\w<>,]+(?:\\.|::|:))*$`).test(before))
      return kind;
  return undefined;
}

const STATEMENT =
  /(?:^|\s)(?:return|await|throw|raise|new|delete|yield|if|unless|elif|else|for|while|until|switch|match|case|do|try|catch|goto|assert|with|in|not|typeof|go|defer|puts|print|import|from|package)\b/;

/** What is before a name when it is declared there; undefined when that is the beginning of something else. */
function plainPrefix(before: string): string | undefined {
  const plain = before
    .replace(/\bpub\s*\([^)]*\)/g, 'pub')
    .replace(/\[\[[^\]]*\]\]/g, '')
    .replace(/\btemplate\s*<[^;{}()]*>/g, '')
    .replace(/\bimpl\b[^{};]*\bfor\s+|\bimpl\s*<[^{};]*>\s*/g, 'impl ')
    .replace(/\bfunc\s*\([^()]*\)\s*/g, 'func ')
    .replace(/\b(?:explicit|alignas|decltype|__attribute__)\s*\((?:[^()]|\([^()]*\))*\)/g, '');
  return /[;{}()=]/.test(plain) || STATEMENT.test(plain) ? undefined : plain;
}

/** Whether there is code behind the declaration that the text begins with. */
function hasMore(
  { text, code, family }: SourceText,
  span: { start: number; nameEnd: number },
  is: DeclaringClass,
): boolean {
  const { start, nameEnd } = span;
  const style = languageFacts(family).text.body.kind;
  if (style === 'suite' || style === 'end') return hasMoreLines(text, code, start, style);
  const whole = topLevel(code, nameEnd, code.length);
  if (!whole) return false;
  const flat = whole.flat.trimEnd().replace(/[;,]$/, '').trimEnd();
  if (/;/.test(flat)) return true;
  const words = new RegExp(
    `[}\\n)]\\s*(?:export\\s+|pub\\s+)?(?:${Object.values(CLASSES).join('|')})\\s+[\\w$]`,
  );
  if (words.test(flat.replace(/^\s*=\s*(?:async\s+)?function\b/, ''))) return true;
  return is !== 'value' && /\}\s*[^\s{]/.test(flat) && !flat.endsWith('}');
}

/** A line that is not deeper than the declaration does not belong to it, but for what closes it. */
function hasMoreLines(text: string, code: string, start: number, style: 'suite' | 'end'): boolean {
  const lineBegin = text.lastIndexOf('\n', start) + 1;
  const indent = indentOf(text.slice(lineBegin)).length;
  const header = style === 'suite' ? (topLevel(code, start, code.length)?.flat.indexOf(':') ?? 0) : 0;
  let offset = text.indexOf('\n', start + Math.max(header, 0));
  let ended = false;
  while (offset >= 0) {
    const next = text.indexOf('\n', offset + 1);
    const line = code.slice(offset + 1, next < 0 ? code.length : next);
    const isCode = line.trim() !== '' && !line.startsWith('"');
    if (isCode && ended) return true;
    if (isCode && indentOf(line).length <= indent) {
      if (style === 'suite') return true;
      if (/^\s*end\b/.test(line)) ended = true;
    }
    offset = next;
  }
  return false;
}

interface Member {
  readonly nameEnd: number;
  readonly before: string;
  readonly oldBefore: string;
  readonly body: Body;
}

/** Methods and fields are declared without a word that says so. */
function isMember({ code, family }: SourceText, old: SourceText, extent: Extent, member: Member): boolean {
  const { nameEnd, before, oldBefore, body } = member;
  const { memberModifiers } = languageFacts(family).text;
  if (memberModifiers ? !memberModifiers.test(before) : oldBefore.trim() !== '' && before.trim() === '')
    return false;
  const whole = topLevel(code, nameEnd, code.length);
  if (!whole) return false;
  const flat = whole.flat.trimEnd().replace(/[;,]$/, '').trimEnd();
  const isFunction = /^\s*[?!]?\s*(?:<[^(){};]*>)?\s*\(/.test(old.code.slice(extent.nameEnd));
  if (!isFunction)
    return (
      !flat.includes(';') && /^\s*[?!]?\s*(?::|=(?![=>])|$)/.test(flat) && !/\n\s*[\w$.]+\s*[=(]/.test(flat)
    );
  const open = /^\s*[?!]?\s*(?:<[^(){};]*>)?\s*\(/.exec(flat)?.[0].length;
  if (open === undefined) return false;
  const close = closingOf(code, nameEnd + open - 1);
  if (close === undefined) return false;
  const final = whole.groups.at(-1);
  const endsWithBody = flat.endsWith('}') && final !== undefined && code[final.open] === '{';
  if (!endsWithBody) return body.kind === 'none' && !/[;.]/.test(flat.slice(close + 1 - nameEnd));
  const between = code.slice(close + 1, final.open);
  if (/;/.test(flat) || STATEMENT.test(between.replace(/\bnoexcept\b|\btry\b/g, ''))) return false;
  return memberModifiers
    ? /^\s*(?::[^;=]*)?$/.test(between)
    : !/^\s*[.+\-/]|[^:]\n\s*\w+\s*\(/.test(between) || between.trim().startsWith(':');
}

function more(name: string): never {
  fail({
    kind: 'invalid-input',
    message: `new_body has more than the declaration of ${name}`,
    next: 'Pass only that declaration or only its body; insert_after_symbol adds what comes behind it',
  });
}
