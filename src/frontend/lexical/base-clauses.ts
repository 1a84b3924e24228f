/**
 * What a type says it inherits from, read from the text of its declaration, for servers without a type hierarchy. The
 * text only shows which names to ask about; the server says what they mean.
 */
import type { Point, TextLines } from '../../shared/base/positions.ts';
import { languageFacts } from '../../shared/languages/facts.ts';
import type { BaseClause } from '../../shared/languages/text-facts.ts';
import { comparePoints } from '../places/places.ts';
import { wordsOf } from './words.ts';

export interface TypeHeader {
  readonly name: string;
  /** In words. */
  readonly kind: string;
  readonly at: Point;
  readonly bases: readonly BaseName[];
}

export interface BaseName {
  readonly name: string;
  /** Of a dotted name its last part: what to ask the server about. */
  readonly at: Point;
}

const KINDS: Readonly<Record<string, string>> = {
  class: 'class',
  interface: 'interface',
  struct: 'struct',
  enum: 'enum',
  trait: 'interface',
  protocol: 'interface',
  mixin: 'class',
  object: 'class',
  record: 'class',
  module: 'module',
};
const DECLARATION = new RegExp(`\\b(${Object.keys(KINDS).join('|')})\\s+(?=[\\p{ID_Start}_$])`, 'gu');
/** Words in a list of base types that are none. */
const MODIFIERS = new Set([
  'public',
  'protected',
  'private',
  'virtual',
  'extends',
  'implements',
  'with',
  'mixes',
]);
const MOST_LINES = 40;

/** The declaration whose head the place is in: its name, or one of the types that it inherits from. */
export function headerAround(lines: TextLines, place: Point, language: string): TypeHeader | undefined {
  const first = Math.max(1, place.line - MOST_LINES);
  for (let line = place.line; line >= first; line--) {
    for (const start of declarationsOn(lines, line).reverse()) {
      if (comparePoints(start.at, place) > 0) continue;
      const header = parsed(lines, start, languageFacts(language).text.bases);
      const isIn = [header, ...header.bases].some(({ at }) => comparePoints(at, place) === 0);
      return isIn ? header : undefined;
    }
  }
  return undefined;
}

interface Start {
  readonly kind: string;
  readonly name: string;
  readonly at: Point;
}

function declarationsOn(lines: TextLines, line: number): Start[] {
  const text = lines.at(line);
  return [...text.matchAll(DECLARATION)].flatMap((match): Start[] => {
    const column = match.index + match[0].length + 1;
    const word = wordsOf(text).find((each) => each.column === column);
    return word ? [{ kind: KINDS[match[1] ?? ''] ?? 'class', name: word.text, at: { line, column } }] : [];
  });
}

function parsed(lines: TextLines, { kind, name, at }: Start, clause: BaseClause): TypeHeader {
  const tokens = headTokens(lines, { line: at.line, column: at.column + name.length }, clause);
  return { kind, name, at, bases: basesIn(tokens, clause) };
}

interface Token {
  readonly text: string;
  readonly at: Point;
  /** How many brackets it is inside of, angle brackets included. */
  readonly depth: number;
}

/** Words and signs from behind the name to where the body begins. */
function headTokens(lines: TextLines, from: Point, clause: BaseClause): readonly Token[] {
  const tokens: Token[] = [];
  let depth = 0;
  for (let line = from.line; line < from.line + MOST_LINES && line <= lines.count; line++) {
    const start = line === from.line ? from.column - 1 : 0;
    const text = lines.at(line);
    for (const match of text.slice(start).matchAll(/[\p{ID_Start}_$][\p{ID_Continue}$]*|=>|->|::|\S/gu)) {
      const sign = match[0];
      if (sign === '#' || (sign === '/' && text.startsWith('//', start + match.index))) break;
      const opens = '([{<'.includes(sign) && !(clause === 'less-than' && sign === '<');
      if (depth === 0 && (sign === ';' || (sign === '{' && opens))) return tokens;
      if (depth === 0 && sign === ':' && clause === 'brackets') return tokens;
      if (')]}>'.includes(sign)) depth = Math.max(0, depth - 1);
      tokens.push({ text: sign, depth, at: { line, column: start + match.index + 1 } });
      if (opens) depth += 1;
    }
    if (clause === 'less-than') return tokens;
  }
  return tokens;
}

function basesIn(tokens: readonly Token[], clause: BaseClause): readonly BaseName[] {
  switch (clause) {
    case 'brackets':
      return tokens[0]?.text === '(' ? namesOf(listIn(tokens.slice(1), 1)) : [];
    case 'less-than':
      return tokens[0]?.text === '<' ? namesOf([tokens.slice(1)]) : [];
    case 'colon': {
      const colon = tokens.findIndex(({ text, depth }) => text === ':' && depth === 0);
      const where = tokens.findIndex(({ text, depth }) => text === 'where' && depth === 0);
      return colon < 0 ? [] : namesOf(listIn(tokens.slice(colon + 1, where < 0 ? undefined : where), 0));
    }
    case 'keywords': {
      const first = tokens.findIndex(({ text, depth }) => depth === 0 && MODIFIERS.has(text));
      return first < 0 ? [] : namesOf(listIn(tokens.slice(first), 0));
    }
  }
}

/** The tokens of each entry of a list at this depth. */
function listIn(tokens: readonly Token[], depth: number): readonly (readonly Token[])[] {
  const entries: Token[][] = [[]];
  for (const token of tokens) {
    if (token.depth < depth) break;
    const separates = [',', '+', 'extends', 'implements', 'with', 'mixes'].includes(token.text);
    if (token.depth === depth && separates) entries.push([]);
    else entries.at(-1)?.push(token);
  }
  return entries;
}

/** `a.b.C<D>` is C. A name with a `=` behind it is an argument of another kind. */
function namesOf(entries: readonly (readonly Token[])[]): readonly BaseName[] {
  return entries.flatMap((entry): BaseName[] => {
    const own = entry.filter(({ text }) => !MODIFIERS.has(text));
    const depth = own[0]?.depth;
    const flat = own.filter((token) => token.depth === depth);
    const end = flat.findIndex(({ text }, index) => index > 0 && !/^(?:[\p{ID_Start}_$.]|::)/u.test(text));
    const path = end < 0 ? flat : flat.slice(0, end);
    const last = path.findLast(({ text }) => /^[\p{ID_Start}_$]/u.test(text));
    if (!last || flat[end]?.text === '=') return [];
    return [{ name: last.text, at: last.at }];
  });
}
