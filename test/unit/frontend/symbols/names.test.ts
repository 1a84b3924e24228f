import { describe, expect, it } from 'vitest';
import { occurrences, wordAt, wordNear, wordsOf } from '../../../../src/frontend/lexical/words.ts';
import { findPattern } from '../../../../src/frontend/places/position-pattern.ts';
import { matching, parseNamePath } from '../../../../src/frontend/symbols/symbol-lookup.ts';
import { enclosingSymbol, segmentsOf, symbolTree } from '../../../../src/frontend/symbols/symbol-tree.ts';
import type { SourceFile } from '../../../../src/frontend/workspace/source-files.ts';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import { TextLines } from '../../../../src/shared/base/positions.ts';

function source(text: string): SourceFile {
  return { path: absolutePath('/w/a.ts'), text, lines: new TextLines(text) };
}

describe('words of a line', () => {
  it('are names, also those beyond ASCII', () => {
    expect(wordsOf('const größe_2 = $x + 名前;').map(({ text }) => text)).toEqual([
      'const',
      'größe_2',
      '$x',
      '名前',
    ]);
  });

  it('are found in them, behind them, and a few columns away', () => {
    const line = 'foo.bar   baz';
    expect(wordAt(line, 2)?.text).toBe('foo');
    expect(wordAt(line, 4)?.text).toBe('foo');
    expect(wordAt(line, 5)?.text).toBe('bar');
    expect(wordAt(line, 9)).toBeUndefined();
    expect(wordNear(line, 10)?.text).toBe('baz');
    expect(wordNear('    x            ', 16)).toBeUndefined();
  });

  it('occur as wholes only', () => {
    expect(occurrences('run', new TextLines('1run runé $run run1\nrun+éрrun run(run)'))).toEqual([
      { line: 1, column: 2 },
      { line: 2, column: 1 },
      { line: 2, column: 11 },
      { line: 2, column: 15 },
    ]);
    expect(occurrences('run', new TextLines('rerun run\nrun_ run'))).toEqual([
      { line: 1, column: 7 },
      { line: 2, column: 6 },
    ]);
    expect(occurrences('#run', new TextLines('this.#run()'))).toEqual([{ line: 1, column: 7 }]);
  });
});

describe('a position pattern', () => {
  it('finds text with either line end', () => {
    for (const end of ['\n', '\r\n', '\r'])
      expect(findPattern('a {\n  @@b', source(`x${end}a {${end}  b${end}`), {})).toEqual({
        line: 3,
        column: 3,
      });
  });

  it('is refused with the reason', () => {
    const refuse =
      (pattern: string, scope = {}) =>
      () =>
        findPattern(pattern, source('one\ntwo'), scope);
    expect(refuse('one')).toThrow(/exactly one @@/);
    expect(refuse('@@o@@')).toThrow(/exactly one @@/);
    expect(refuse('@@')).toThrow(/no text/);
    expect(refuse('@@three')).toThrow(/does not occur/);
    expect(refuse('@@one', { start: 2 })).toThrow(/in lines 2-2/);
    expect(refuse('@@one', { start: 9 })).toThrow(/past the last line \(2\)/);
    expect(refuse('@@one', { start: 2, end: 1 })).toThrow(/is before/);
  });
});

describe('name paths', () => {
  it('are cut at dots, colons and slashes, with a number at the end', () => {
    expect(parseNamePath('Client.stop')).toEqual({ segments: ['Client', 'stop'], ordinal: undefined });
    expect(parseNamePath('ns::Client/stop#2')).toEqual({ segments: ['ns', 'Client', 'stop'], ordinal: 2 });
    expect(parseNamePath('stop(int, char)')).toEqual({ segments: ['stop'], ordinal: undefined });
    expect(parseNamePath('Client.stop[0]')).toEqual({ segments: ['Client', 'stop'], ordinal: 1 });
    expect(parseNamePath('(*Client[T]).Stop#2')).toEqual({ segments: ['Client', 'Stop'], ordinal: 2 });
  });

  it('match how Go, Rust, C++ and Java servers name their symbols', () => {
    expect(segmentsOf('(*Client).Stop')).toEqual(['Client', 'Stop']);
    expect(segmentsOf('(List[T]).Len')).toEqual(['List', 'Len']);
    expect(segmentsOf('impl<T> Display for Card<T>')).toEqual(['Card']);
    expect(segmentsOf('impl Card')).toEqual(['Card']);
    expect(segmentsOf('stop(String)')).toEqual(['stop']);
    expect(segmentsOf('Shelf::~Shelf')).toEqual(['Shelf', '~Shelf']);
    expect(segmentsOf('Box<T>::total')).toEqual(['Box', 'total']);
    expect(segmentsOf('Größe.höhe')).toEqual(['Größe', 'höhe']);
    expect(segmentsOf('a.b c')).toEqual(['a.b c']);
  });

  it('match the end of a path, in file order', () => {
    const text = 'class A {\n  go() {}\n}\nclass B {\n  go() {}\n}\n';
    const symbol = (name: string, line: number, last: number, children: unknown[] = []) => ({
      name,
      kind: 5 as const,
      range: { start: { line, character: 0 }, end: { line: last, character: 9 } },
      selectionRange: { start: { line, character: 0 }, end: { line: last, character: 9 } },
      children: children as never[],
    });
    const tree = symbolTree(
      [symbol('B', 3, 5, [symbol('go', 4, 4)]), symbol('A', 0, 2, [symbol('go', 1, 1)])],
      new TextLines(text),
      'utf-16',
    );
    const places = (path: string) =>
      matching(tree, parseNamePath(path)).map(({ at }) => `${at.line}:${at.column}`);
    expect(places('go')).toEqual(['2:3', '5:3']);
    expect(places('B.go')).toEqual(['5:3']);
    expect(places('X.go')).toEqual([]);
    expect(enclosingSymbol(tree, { line: 2, column: 1 })?.path).toEqual(['A', 'go']);
    expect(enclosingSymbol(tree, { line: 9, column: 1 })).toBeUndefined();
  });
});
