/**
 * `typeof store` inside a type takes the type of a value and runs nothing, so the code around it does not call
 * `store`. Recognised by the text alone; in doubt the code counts as a caller.
 */
import type { Point, TextLines } from '../../../shared/base/positions.ts';

/** The words that lead to the asked name: `typeof shop.` in `typeof shop.price`. */
const ASKED = /\btypeof\s+(?:[\w$]+\s*\.\s*|import\([^)]*\)\s*\.\s*)*$/;
/** Only a type can go on so in front of it. */
const IN_TYPE =
  /(?:\bkeyof|\bextends|\bas|\bsatisfies|\breadonly|\bis|[\w$\])]\s*<|[|&]|[\w$)\]?]\s*:)\s*\(*\s*$/;
const ALIAS = /^\s*(?:export\s+)?(?:declare\s+)?type\s+[\w$]+/;
/** What an expression goes on with. */
const COMPARED = /^(?:\s*[.[][^=]*?)?\s*(?:[!=]==?|\?|&&|\|\||\+)/;
const MOST_LINES_ABOVE = 12;

export function isTypeQuery(lines: TextLines, { line, column }: Point): boolean {
  const text = lines.at(line);
  const before = text.slice(0, column - 1);
  const asked = ASKED.exec(before);
  if (!asked) return false;
  const after = text.slice(column - 1).replace(/^[\w$]+/, '');
  if (COMPARED.test(after)) return false;
  const lead = before.slice(0, asked.index);
  return IN_TYPE.test(lead) || isInAlias(lines, line, lead);
}

/** `type Kind = (typeof kinds)[number]`, which may go over several lines. */
function isInAlias(lines: TextLines, line: number, lead: string): boolean {
  if (ALIAS.test(lead)) return true;
  if (!/^[\s(|&]*$/.test(lead)) return false;
  for (let above = line - 1; above >= 1 && above >= line - MOST_LINES_ABOVE; above--) {
    const text = lines.at(above);
    if (ALIAS.test(text)) return true;
    if (/[;}]\s*$/.test(text) || text.trim() === '') return false;
  }
  return false;
}
