/**
 * Tells from the text alone whether the value of a variable or property is a function that is written right there.
 */
import type { TextLines } from '../../shared/base/positions.ts';
import type { SymbolNode } from './symbol-tree.ts';

/** Parameters that go on for longer are not looked through. */
const MOST_LINES = 40;

/** `name = (a) => …`, `name: Type = async function …`, `name: (a) => …`. */
export function isFunctionBehind(lines: TextLines, { name, at, end }: SymbolNode): boolean {
  const first = lines.at(at.line).slice(at.column - 1);
  if (!first.startsWith(name)) return false;
  const last = Math.min(end.line, at.line + MOST_LINES);
  const rest = Array.from({ length: last - at.line }, (_, index) => lines.at(at.line + 1 + index));
  const text = [first.slice(name.length), ...rest].join('\n').replace(/^[?!\s]+/, '');
  const value = valueStart(text);
  if (value !== undefined) return beginsFunction(text.slice(value));
  return text.startsWith(':') && beginsFunction(text.slice(1));
}

/** Behind the first `=` of the declaration that is no part of an arrow or a comparison and in no bracket. */
function valueStart(text: string): number | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? '';
    if ('([{'.includes(character)) depth += 1;
    else if (')]}'.includes(character)) depth -= 1;
    else if (character === '=' && text[at + 1] === '>') at += 1;
    else if (depth < 0 || (depth === 0 && /[;,]/.test(character))) return undefined;
    else if (character === '=' && depth === 0) return text[at + 1] === '=' ? undefined : at + 1;
  }
  return undefined;
}

function beginsFunction(text: string): boolean {
  if (/^\s*(?:async\s+)?(?:function\b|[\p{ID_Start}_$][\p{ID_Continue}$]*\s*=>)/u.test(text)) return true;
  const open = /^\s*(?:async\s*)?(?:<[^()]*>\s*)?\(/.exec(text)?.[0].length;
  if (open === undefined) return false;
  let depth = 1;
  for (let at = open; at < text.length; at++) {
    if ('([{'.includes(text[at] ?? '')) depth += 1;
    else if (')]}'.includes(text[at] ?? '')) depth -= 1;
    if (depth === 0) return /^\s*(?:=>|:)/.test(text.slice(at + 1));
  }
  return false;
}
