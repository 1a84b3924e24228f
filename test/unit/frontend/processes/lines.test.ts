import { describe, expect, it } from 'vitest';
import { LineSplitter, OutputTail } from '../../../../src/frontend/processes/lines.ts';

function linesOf(...chunks: readonly string[]): readonly string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return lines;
}

describe('output', () => {
  it('is cut into lines wherever its pieces end', () => {
    expect(linesOf('a\nb', 'c\r', '\nd', '\n\ne')).toEqual(['a', 'bc', 'd', 'e']);
  });

  it('loses colours and other commands for terminals', () => {
    expect(linesOf('\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007\n')).toEqual([
      'red link',
    ]);
  });

  it('keeps only the beginning of a line without end', () => {
    const [first = '', second] = linesOf('x'.repeat(200_000), 'x'.repeat(200_000), '\nnext\n');
    expect(first.length).toBe(256 * 1024);
    expect(second).toBe('next');
  });

  it('is kept as its last part, with the count of what came before', () => {
    const tail = new OutputTail(20);
    for (let i = 0; i < 100; i++) tail.add(`line ${i}`);
    expect(tail.text).toBe('[774 characters before this were cut]\nline 98\nline 99');
    expect(tail.last(1)).toEqual(['line 99']);
  });
});
