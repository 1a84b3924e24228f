/**
 * What a line does with a name: calls it, uses its value, imports it or writes to it. Read from the text, because no
 * server says it for every language.
 */
import type { TextLines } from '../../shared/base/positions.ts';
import type { Place } from '../places/places.ts';
import { isInImport } from './import-lines.ts';

export const USE_KINDS = ['call', 'value', 'import', 'write'] as const;
/** `value`: everything else, such as a function that is passed on, or a name in a type. */
export type UseKind = (typeof USE_KINDS)[number];

/** Type arguments, `?.` and `!` may stand between a name and the bracket of its call. */
const CALLED = /^\s*(?:\?\.|!|::)?\s*/;
const CALL = /^\s*\(/;
/** Type arguments that go on for longer are not read to their end. */
const MOST_LINES = 40;
/** `(name as Type)(…)`: brackets of its own around what is called, and none of another call. */
const CAST = {
  before: /(?:^|[^\w$)\]\s]|\b(?:return|await|yield))\s*\(\s*(?:[\w$]+\??\.)*$/,
  after: /^\s*(?:as\b[^()]*|!)?\)\s*(?:\?\.)?\(/,
};
/** Applied where it stands: `@name`, `<Name`, and a template right behind it. */
const DECORATOR = /^\s*@(?:[\w$]+\.)*$/;
const ELEMENT = /(?:^|[\s(,=>?:&|{])<(?:[\w$]+\.)*$/;
const TEMPLATE = /^`/;
const WRITE = {
  after: /^\s*(?:=(?![=>~])|(?:[-+*/%&|^]|\*\*|\/\/|<<|>>>?|&&|\|\||\?\?)=(?!=)|\+\+|--)/,
  before: /(?:\+\+|--)\s*(?:[\w$]+\.)*$/,
};

export function useKindOf({ start, end }: Place, lines: TextLines): UseKind {
  const before = lines.at(start.line).slice(0, start.column - 1);
  const after = lines.at(end.line).slice(end.column - 1);
  if (isCalled(after, lines, end.line) || (CAST.after.test(after) && CAST.before.test(before))) return 'call';
  if (isInImport(lines, start.line)) return 'import';
  if (isApplied(before, after) || (ELEMENT.test(before) && /^\s*[\w/>{]|^$/.test(after))) return 'call';
  if (TEMPLATE.test(after)) return 'call';
  return WRITE.after.test(after) || WRITE.before.test(before) ? 'write' : 'value';
}

/** `@name`; of `@name.register` it is the last name that is applied. */
function isApplied(before: string, after: string): boolean {
  return DECORATOR.test(before) && !/^\s*\./.test(after);
}

function isCalled(after: string, lines: TextLines, line: number): boolean {
  const rest = after.replace(CALLED, '');
  if (!rest.startsWith('<')) return CALL.test(rest);
  const below = Array.from({ length: Math.min(MOST_LINES, lines.count - line) }, (_, at) =>
    lines.at(line + 1 + at),
  );
  const behind = afterTypeArguments([rest, ...below].join('\n'));
  return behind !== undefined && CALL.test(behind);
}

/** What stands behind `<…>`, which may have brackets and function types in it; undefined for a comparison. */
function afterTypeArguments(text: string): string | undefined {
  const open: string[] = [];
  for (const { 0: sign, index } of text.matchAll(/=>|&&|\|\||[<>()[\]{}]|"[^"\n]*"|'[^'\n]*'/g)) {
    if (sign === '&&' || sign === '||') return undefined;
    if (CLOSING.has(sign)) open.push(sign);
    else if (sign === '>' || sign === ')' || sign === ']' || sign === '}') {
      if (CLOSING.get(open.pop() ?? '') !== sign) return undefined;
      if (open.length === 0) return text.slice(index + 1);
    }
  }
  return undefined;
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
