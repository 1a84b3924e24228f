/** Lines that only bring a name into a file or pass it on; by their look, in whatever language. */
import type { TextLines } from '../../shared/base/positions.ts';

const IMPORT =
  /^\s*(import\b|from\s+\S+\s+import\b|export\s*(type\s*)?[{*]|#\s*include\b|(pub(\([^)]*\))?\s+)?use\s|using\s|require\b)|\brequire\(/;
const LONGEST_IMPORT = 40;

/** A list of names may go over many lines. */
export function isImport(lines: TextLines, line: number): boolean {
  for (let above = 0; above <= LONGEST_IMPORT && above < line; above++) {
    const text = lines.at(line - above);
    if (IMPORT.test(text)) return true;
    if ((above > 0 && /[;)]\s*$/.test(text)) || text.trim() === '') return false;
  }
  return false;
}
