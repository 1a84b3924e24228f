/** Lines of source and the names of containers, beside the places that they belong to. */
import { describe, expect, it } from 'vitest';
import { type DocumentSymbol, SymbolInformation, SymbolKind } from 'vscode-languageserver-protocol';
import { excerptAt } from '../../../../src/frontend/render/source-excerpt.ts';
import { containerName, containerOfDeclared } from '../../../../src/frontend/symbols/containers.ts';
import { symbolTree } from '../../../../src/frontend/symbols/symbol-tree.ts';
import { TextLines } from '../../../../src/shared/base/positions.ts';

/** The excerpt of a line for the name behind the `@@`. */
function excerpt(marked: string, name: string, most: number): string {
  const column = marked.indexOf('@@') + 1;
  const lines = new TextLines(marked.replace('@@', ''));
  return excerptAt(
    lines,
    { start: { line: 1, column }, end: { line: 1, column: column + name.length } },
    most,
  );
}

describe('a line of source', () => {
  it('is shown whole when it fits', () => {
    expect(excerpt('  await  client.@@stop();', 'stop', 40)).toBe('await client.stop();');
  });

  it.each([
    {
      what: 'a name',
      marked: 'const all = [first, second, third, fourth, child.@@stop()];',
      kept: '…fourth, child.stop()];',
    },
    {
      what: 'a call with arguments',
      marked: 'const all = [first, second, manager.scopeOf(child, "a")[0]?.@@stop(1, 2, 3)];',
      kept: 'manager.scopeOf(child, "a")[0]?.stop',
    },
    {
      what: 'a pointer',
      marked: 'if (isSomething(wanted, here) && self->owner->@@stop(wanted)) {',
      kept: 'self->owner->stop',
    },
    {
      what: 'what an arrow leads to',
      marked: 'const all = [first, second, third].map(each=>(each).@@stop(a));',
      kept: '(each).stop',
    },
  ])('that is cut keeps what the name is taken from: $what', ({ marked, kept }) => {
    expect(excerpt(marked, 'stop', 30)).toContain(kept);
  });

  it('ends behind the name at the earliest, and says where it was cut', () => {
    expect(excerpt(`${'x'.repeat(100)} = a.@@stop(b) + rest_of_it_all`, 'stop', 20)).toMatch(
      /^… ?= a\.stop\(.*…$/,
    );
    expect(excerpt('first(second(third(a.@@stopEverything(b))))', 'stopEverything', 24)).toMatch(
      /a\.stopEverything/,
    );
  });
});

const TEXT = `class Shelf {
  take() {
    const inner = (a: number) => {
      price();
    };
  }
}
const onLoad: Handler = async function () {
  price();
};
const total = price();
`;

function range(startLine: number, start: number, endLine: number, end: number) {
  return { start: { line: startLine, character: start }, end: { line: endLine, character: end } };
}

describe('the container of a place', () => {
  const lines = new TextLines(TEXT);

  it('is the innermost function with its class, from either shape of symbols', () => {
    const flat = [
      SymbolInformation.create('inner', SymbolKind.Variable, range(2, 10, 4, 5), 'file:///a.ts', 'take'),
      SymbolInformation.create('take', SymbolKind.Method, range(1, 2, 5, 3), 'file:///a.ts', 'Shelf'),
      SymbolInformation.create('Shelf', SymbolKind.Class, range(0, 0, 6, 1), 'file:///a.ts'),
    ];
    const symbol = (
      name: string,
      kind: SymbolKind,
      at: ReturnType<typeof range>,
      children: DocumentSymbol[] = [],
    ) => ({
      name,
      kind,
      range: at,
      selectionRange: at,
      children,
    });
    const deep = [
      symbol('Shelf', SymbolKind.Class, range(0, 0, 6, 1), [
        symbol('take', SymbolKind.Method, range(1, 2, 5, 3), [
          symbol('inner', SymbolKind.Variable, range(2, 10, 4, 5)),
        ]),
      ]),
    ];
    for (const symbols of [flat, deep]) {
      const outline = { tree: symbolTree(symbols, lines, 'utf-16'), lines };
      expect(containerName(outline, { line: 4, column: 7 })).toBe('Shelf.take.inner');
      expect(containerName(outline, { line: 2, column: 10 })).toBe('Shelf.take');
      expect(containerOfDeclared(outline, { line: 3, column: 11 }, 'inner')).toBe('Shelf.take');
      expect(containerName(outline, { line: 11, column: 15 })).toBeUndefined();
    }
  });

  it('is a local variable only when that is a function', () => {
    const text = `function outer() {\n  const total = price();\n  const run: Run = (\n    a = (1),\n  ): void => {\n    price();\n  };\n}\n`;
    const own = new TextLines(text);
    const symbols = [
      {
        name: 'outer',
        kind: SymbolKind.Function,
        range: range(0, 0, 7, 1),
        selectionRange: range(0, 9, 0, 14),
        children: [
          {
            name: 'total',
            kind: SymbolKind.Variable,
            range: range(1, 8, 1, 23),
            selectionRange: range(1, 8, 1, 13),
          },
          {
            name: 'run',
            kind: SymbolKind.Constant,
            range: range(2, 8, 6, 3),
            selectionRange: range(2, 8, 2, 11),
          },
        ],
      },
    ];
    const outline = { tree: symbolTree(symbols, own, 'utf-16'), lines: own };
    expect(containerName(outline, { line: 2, column: 17 })).toBe('outer');
    expect(containerName(outline, { line: 6, column: 5 })).toBe('outer.run');
  });
});
