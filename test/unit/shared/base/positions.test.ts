/** Public positions are 1-based UTF-16 at every edge, whatever the server counts in. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Encoding,
  TextLines,
  toPoint,
  toServerPosition,
} from '../../../../src/shared/base/positions.ts';

const line = 'a𝒳é漢😀\tz';
const lines = new TextLines(`first\r\n${line}\rlast\n`);

describe('positions', () => {
  it.each([
    { encoding: 'utf-16', character: 9 },
    { encoding: 'utf-8', character: 16 },
    { encoding: 'utf-32', character: 7 },
  ] as const)('counts the end of a mixed line in $encoding', ({ encoding, character }) => {
    const end = { line: 2, column: line.length + 1 };
    expect(toServerPosition(end, lines, encoding)).toEqual({ line: 1, character });
    expect(toPoint({ line: 1, character }, () => lines, encoding)).toEqual(end);
  });

  it('splits lines at LF, CRLF and lone CR', () => {
    expect(lines.count).toBe(4);
    expect([lines.at(1), lines.at(2), lines.at(3), lines.at(4), lines.at(9)]).toEqual([
      'first',
      line,
      'last',
      '',
      '',
    ]);
  });

  it('goes there and back for every character of any text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.constantFrom<Encoding>('utf-8', 'utf-16', 'utf-32'),
        (text, encoding) => {
          const all = new TextLines(text);
          for (let number = 1; number <= all.count; number++) {
            let column = 1;
            for (const character of [...all.at(number), '']) {
              const point = { line: number, column };
              expect(toPoint(toServerPosition(point, all, encoding), () => all, encoding)).toEqual(point);
              column += character.length;
            }
          }
        },
      ),
    );
  });

  it('does not read the text when nothing has to be converted', () => {
    const unread = () => {
      throw new Error('the text was read');
    };
    expect(toPoint({ line: 4, character: 2 }, unread, 'utf-16')).toEqual({ line: 5, column: 3 });
  });
});
