/** Recognizes, from the text alone and for all languages, lines that only import a name or export it again. */
import type { TextLines } from '../../shared/base/positions.ts';

const IMPORT =
  /^\s*(import\b|from\s+\S+\s+import\b|export\s*(type\s*)?[{*]|#\s*include\b|(pub(\([^)]*\))?\s+)?use\s|using\s|require\b)|\brequire\(/;
const LONGEST_IMPORT = 40;

/** A list of names may go over many lines, as long as its bracket is open. */
export function isInImport(lines: TextLines, line: number): boolean {
  if (IMPORT.test(lines.at(line))) return true;
  let between = '';
  for (let above = 1; above <= LONGEST_IMPORT && above < line; above++) {
    const text = lines.at(line - above);
    between = `${text}\n${between}`;
    if (IMPORT.test(text)) return isOpen(text) && isOpen(between);
    if (/[;})]\s*$/.test(text) || text.trim() === '') return false;
  }
  return false;
}

function isOpen(text: string): boolean {
  return (text.match(/[{(]/g)?.length ?? 0) > (text.match(/[})]/g)?.length ?? 0);
}
