// biome-ignore-all lint/suspicious/noTemplateCurlyInString: snippets are written like that
/** Text edits, held against an implementation that knows nothing of ours: it works on characters, one edit at a time. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Position, TextEdit } from 'vscode-languageserver-protocol';
import {
  applyTextEdits,
  EditContradiction,
} from '../../../../../src/frontend/features/edits/plan/text-edits.ts';
import { flattenSnippet } from '../../../../../src/frontend/lexical/snippet.ts';
import type { Encoding } from '../../../../../src/shared/base/positions.ts';

const encodings = fc.constantFrom<Encoding>('utf-8', 'utf-16', 'utf-32');
const piece = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('a', 'b', ' ', 'é', '漢', '😀', '𝒳', 'e\u0301', '👩‍👩‍👧', '\t', '\ufeff'),
  },
  { weight: 3, arbitrary: fc.constantFrom('\n', '\r\n', '\r') },
  { weight: 1, arbitrary: fc.constant('x'.repeat(3_000)) },
);
const anyText = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
/** Mostly of one kind of line end, as files are. */
const sourceText = fc.oneof(
  anyText,
  anyText.map((text) => text.replace(/\r\n|\r|\n/g, '\r\n')),
  anyText.map((text) => text.replace(/\r\n|\r|\n/g, '\n')),
);

interface Character {
  readonly text: string;
  readonly position: Position;
}

/** The text in characters, each with its position; CRLF is one character, and the end of the text is the last. */
function characters(text: string, encoding: Encoding): Character[] {
  const found: Character[] = [];
  let line = 0;
  let character = 0;
  const size = (one: string) =>
    encoding === 'utf-8' ? new TextEncoder().encode(one).length : encoding === 'utf-16' ? one.length : 1;
  const all = [...text];
  for (let index = 0; index < all.length; index++) {
    const isPair = all[index] === '\r' && all[index + 1] === '\n';
    const one = isPair ? '\r\n' : (all[index] ?? '');
    found.push({ text: one, position: { line, character } });
    if (isPair) index++;
    if (one === '\n' || one === '\r' || one === '\r\n') {
      line++;
      character = 0;
    } else character += size(one);
  }
  found.push({ text: '', position: { line, character } });
  return found;
}

/** Cuts in ascending order make edits that do not overlap: from the first to the second, from the third to the fourth. */
interface Cut {
  readonly from: number;
  readonly to: number;
  readonly newText: string;
}

function reference(all: readonly Character[], cuts: readonly Cut[]): string {
  const texts = all.map(({ text }) => text);
  const count = (end: string) => texts.filter((text) => text === end).length;
  const isCrLf = count('\r\n') > count('\n') && count('\r\n') >= count('\r');
  const inFile = (text: string) => {
    if (!isCrLf) return text;
    let result = '';
    for (let index = 0; index < text.length; index++) {
      if (text[index] === '\n' && text[index - 1] !== '\r') result += '\r';
      result += text[index];
    }
    return result;
  };
  // From the back, so that the places before stay what they are.
  for (const cut of [...cuts].reverse()) texts.splice(cut.from, cut.to - cut.from, inFile(cut.newText));
  return texts.join('');
}

const cases = fc.record({ text: sourceText, encoding: encodings }).chain(({ text, encoding }) => {
  const all = characters(text, encoding);
  const last = all.length - 1;
  return fc.record({
    text: fc.constant(text),
    encoding: fc.constant(encoding),
    all: fc.constant(all),
    points: fc.array(fc.nat(last), { maxLength: 16 }).map((list) => list.sort((a, b) => a - b)),
    texts: fc.array(anyText, { minLength: 8, maxLength: 8 }),
    shuffle: fc.array(fc.nat(1000), { minLength: 8, maxLength: 8 }),
  });
});

function cutsOf(points: readonly number[], texts: readonly string[]): Cut[] {
  const cuts: Cut[] = [];
  for (let index = 0; index + 1 < points.length; index += 2) {
    const [from = 0, to = 0] = [points[index], points[index + 1]];
    cuts.push({ from, to, newText: texts[index / 2] ?? '' });
  }
  return cuts;
}

describe('text edits', () => {
  it('give what the reference gives, in any encoding and order, for any text', () => {
    fc.assert(
      fc.property(cases, ({ text, encoding, all, points, texts, shuffle }) => {
        const cuts = cutsOf(points, texts);
        const edits = cuts.map(({ from, to, newText }, index) => ({
          edit: {
            range: { start: at(all, from), end: at(all, to) },
            newText,
          },
          // Insertions at one place stay in order, all others come in any.
          rank: from === to ? index : (shuffle[index] ?? 0) + 100,
        }));
        edits.sort((a, b) => a.rank - b.rank);
        const result = applyTextEdits(
          text,
          edits.map(({ edit }) => edit),
          encoding,
        );
        expect(result.text).toBe(reference(all, cuts));
      }),
      { numRuns: 800 },
    );
  });

  it('that overlap are refused, and only those', () => {
    fc.assert(
      fc.property(cases, fc.nat(), ({ text, encoding, all, points, texts }, pick) => {
        const cuts = cutsOf(points, texts).filter(({ from, to }) => to - from >= 2);
        const victim = cuts[pick % Math.max(cuts.length, 1)];
        fc.pre(victim !== undefined && text.length > 2);
        const inside = { start: at(all, victim.from + 1), end: at(all, victim.from + 1) };
        const edits: TextEdit[] = cuts.map(({ from, to, newText }) => ({
          range: { start: at(all, from), end: at(all, to) },
          newText,
        }));
        expect(() => applyTextEdits(text, [...edits, { range: inside, newText: '!' }], encoding)).toThrow(
          EditContradiction,
        );
      }),
      { numRuns: 200 },
    );
  });

  const insert = (line: number, character: number, newText: string): TextEdit => ({
    range: { start: { line, character }, end: { line, character } },
    newText,
  });
  const replace = (line: number, from: number, to: number, newText: string): TextEdit => ({
    range: { start: { line, character: from }, end: { line, character: to } },
    newText,
  });

  it('at one place keep their order, before what is replaced there', () => {
    const edits = [replace(0, 1, 2, 'R'), insert(0, 1, '1'), insert(0, 1, '2'), insert(0, 2, '3')];
    expect(applyTextEdits('abc', edits, 'utf-16')).toEqual({ text: 'a12R3c', places: 4 });
  });

  it('past the end of a line or of the text mean that end', () => {
    expect(applyTextEdits('ab\r\ncd', [insert(0, 99, '!'), insert(7, 3, '?')], 'utf-16').text).toBe(
      'ab!\r\ncd?',
    );
  });

  it('never split a character', () => {
    expect(applyTextEdits('a😀b', [insert(0, 2, '-')], 'utf-16').text).toBe('a😀-b');
    expect(applyTextEdits('a😀b', [insert(0, 3, '-')], 'utf-8').text).toBe('a😀-b');
  });

  it('that a server names twice are made once, if nothing is only inserted', () => {
    const twice = [replace(0, 0, 1, 'x'), replace(0, 0, 1, 'x')];
    expect(applyTextEdits('abc', twice, 'utf-16')).toEqual({ text: 'xbc', places: 1 });
    expect(applyTextEdits('abc', [insert(0, 1, '-'), insert(0, 1, '-')], 'utf-16').text).toBe('a--bc');
  });

  it('say where they contradict each other', () => {
    expect(() =>
      applyTextEdits('ab\ncdef', [replace(1, 0, 3, 'x'), replace(1, 2, 4, 'y')], 'utf-16'),
    ).toThrow('its edits at 2:1-2:4 and 2:3-2:5 overlap');
  });

  it('get the line ends of the file', () => {
    expect(applyTextEdits('a\r\nb\r\n', [insert(1, 0, 'x\ny\r\nz\n')], 'utf-16').text).toBe(
      'a\r\nx\r\ny\r\nz\r\nb\r\n',
    );
    expect(applyTextEdits('a\nb\n', [insert(1, 0, 'x\r\n')], 'utf-16').text).toBe('a\nx\r\nb\n');
  });

  it('count only what changes something', () => {
    expect(applyTextEdits('abc', [replace(0, 0, 1, 'a'), replace(0, 1, 2, 'x')], 'utf-16').places).toBe(1);
  });
});

function at(all: readonly Character[], index: number): Position {
  return all[index]?.position ?? expect.unreachable();
}

describe('a snippet', () => {
  it.each([
    { snippet: 'plain', plain: 'plain' },
    { snippet: '$0fn ${1:name}($2) {}', plain: 'fn name() {}' },
    { snippet: '${1:a ${2:b} c}', plain: 'a b c' },
    { snippet: '${1|one,two|} ${2|a\\,b,c|}', plain: 'one a,b' },
    { snippet: '\\$x \\} \\\\ \\n', plain: '$x } \\ \\n' },
    { snippet: '${TM_SELECTED_TEXT:none} $TM_X ${VAR}', plain: 'none  ' },
    { snippet: '${1/(.*)/${1:/upcase}/g}!', plain: '!' },
    { snippet: 'a $ b ${ c', plain: 'a $ b ${ c' },
    { snippet: '${1:}', plain: '' },
  ])('$snippet is plain $plain', ({ snippet, plain }) => {
    expect(flattenSnippet(snippet)).toBe(plain);
  });
});
