import { describe, expect, it } from 'vitest';
import { applyTextEdits } from '../../../../../src/frontend/features/edits/plan/text-edits.ts';
import { linesOnly } from '../../../../../src/frontend/features/formatting/lines-only.ts';
import { absolutePath } from '../../../../../src/shared/base/paths.ts';
import { TextLines } from '../../../../../src/shared/base/positions.ts';

/** Formats lines of a text with a formatter that answers with the whole new text. */
function formatted(text: string, whole: string, first: number, last: number): string {
  const lines = new TextLines(text);
  const source = { path: absolutePath('/w/a.ts'), text, lines };
  const end = { line: lines.count - 1, character: lines.at(lines.count).length };
  const edits = [{ range: { start: { line: 0, character: 0 }, end }, newText: whole }];
  const span = { start: { line: first, column: 1 }, end: { line: last, column: 1 } };
  return applyTextEdits(text, linesOnly(edits, source, span, 'utf-16').edits, 'utf-16').text;
}

describe('the lines of a whole text that was formatted', () => {
  it('are taken, and no others', () => {
    const text = 'a( 1 );\n\nb( 2,\n3 );\n\nc( 4 );\n';
    const whole = 'a(1);\n\nb(\n  2,\n  3\n);\n\nc(4);\n';
    expect(formatted(text, whole, 3, 4)).toBe('a( 1 );\n\nb(\n  2,\n  3\n);\n\nc( 4 );\n');
    expect(formatted(text, whole, 1, 1)).toBe('a(1);\n\nb( 2,\n3 );\n\nc( 4 );\n');
    expect(formatted(text, whole, 2, 5)).toBe('a( 1 );\n\nb(\n  2,\n  3\n);\n\nc( 4 );\n');
    expect(formatted(text, whole, 1, 6)).toBe(whole);
  });

  it('stay as they are when they were joined with others, or written anew', () => {
    expect(formatted('a(\n1\n);\n', 'a(1);\n', 2, 2)).toBe('a(\n1\n);\n');
    expect(formatted("a('1')\nb\n", 'a("1");\nb;\n', 2, 2)).toBe("a('1')\nb\n");
    expect(formatted('a\n\n\nb\n', 'a\nb\n', 2, 3)).toBe('a\n\n\nb\n');
  });

  it('keep CRLF, and characters of two units', () => {
    expect(formatted('a( 1 )\r\n🎉( 2 )\r\n', 'a(1)\r\n🎉(2)\r\n', 2, 2)).toBe('a( 1 )\r\n🎉(2)\r\n');
  });
});
