/** A line of source as it is shown beside a place in it: whole if it is short, else the part with the place. */
import type { TextLines } from '../../shared/base/positions.ts';
import type { Place } from '../places/places.ts';
import { oneLine } from './budget.ts';

/** What is longer than this and stands before a name is not worth its room. */
const LONGEST_RECEIVER = 120;
const OPENING: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' };

/** The part has the name at the place and what the name is taken from: of `child.stop()` never `stop()` alone. */
export function excerptAt(
  lines: TextLines | undefined,
  { start, end }: Pick<Place, 'start' | 'end'>,
  most = 80,
): string {
  const line = lines?.at(start.line) ?? '';
  const whole = oneLine(line, Number.POSITIVE_INFINITY);
  if (whole.length <= most) return whole;
  const indent = line.length - line.trimStart().length;
  const name = start.column - 1;
  const nameEnd = end.line === start.line ? end.column - 1 : name + 1;
  const from = nameEnd - indent < most ? indent : beginning(line, name, indent, most);
  const to = Math.max(from + most - 1, nameEnd);
  const [before, after] = [from > indent ? '…' : '', to < line.trimEnd().length ? '…' : ''];
  return `${before}${oneLine(line.slice(from, to), Number.POSITIVE_INFINITY)}${after}`;
}

/** Half of the room goes to what is before the name, and more where its receiver needs it; no word is cut in two. */
function beginning(line: string, name: number, indent: number, most: number): number {
  const wanted = Math.max(indent, name - Math.floor(most / 2));
  const broken = /^\w+/.exec(line.slice(wanted))?.[0] ?? '';
  const isBroken = wanted > indent && /\w/.test(line[wanted - 1] ?? '');
  const atWord = isBroken ? Math.min(name, wanted + broken.length) : wanted;
  return Math.max(name - LONGEST_RECEIVER, indent, Math.min(atWord, receiverStart(line, name)));
}

/** Where the expression begins that a name is a member of: at `a` in `x(a.b(c)[0]?.name)`. */
function receiverStart(line: string, name: number): number {
  let start = name;
  for (;;) {
    const joint = /(?:\?\.|!\.|\.|::|->)#?$/.exec(line.slice(0, start))?.[0];
    if (joint === undefined) return start;
    const before = operandStart(line, start - joint.length);
    if (before === undefined) return start - joint.length;
    start = before;
  }
}

/** Where the name or call that ends here begins. */
function operandStart(line: string, end: number): number | undefined {
  let start = end;
  for (let open = OPENING[line[start - 1] ?? '']; open; open = OPENING[line[start - 1] ?? '']) {
    const partner = partnerOf(line, start - 1, open);
    // An arrow or a comparison before the operand, or a bracket that another line opens.
    if (partner === undefined) break;
    start = partner;
  }
  const name = /[\p{ID_Continue}$#@]+$/u.exec(line.slice(0, start))?.[0] ?? '';
  const literal = name === '' ? (/(['"`])(?:(?!\1).)*\1$/.exec(line.slice(0, start))?.[0] ?? '') : '';
  const isOwnKeyword = /^(?:return|await|yield|new|throw|in|of|not|and|or)$/.test(name);
  start -= isOwnKeyword ? 0 : name.length + literal.length;
  return start === end ? undefined : start;
}

function partnerOf(line: string, close: number, open: string): number | undefined {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (line[at] === line[close]) depth += 1;
    else if (line[at] === open && --depth === 0) return at;
  }
  return undefined;
}
