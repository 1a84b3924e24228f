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
const CALL = /^\s*(?:\?\.|!|::)?\s*(?:<[^()]*>)?\s*\(/;
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
  if (CALL.test(after) || (CAST.after.test(after) && CAST.before.test(before))) return 'call';
  if (isInImport(lines, start.line)) return 'import';
  if (DECORATOR.test(before) || (ELEMENT.test(before) && /^\s*[\w/>{]|^$/.test(after))) return 'call';
  if (TEMPLATE.test(after)) return 'call';
  return WRITE.after.test(after) || WRITE.before.test(before) ? 'write' : 'value';
}
