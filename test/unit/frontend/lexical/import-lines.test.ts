import { describe, expect, it } from 'vitest';
import { isInImport } from '../../../../src/frontend/lexical/import-lines.ts';
import { TextLines } from '../../../../src/shared/base/positions.ts';

/** The lines, counted from 1, that are taken for a part of an import. */
function importLines(text: string): readonly number[] {
  const lines = new TextLines(text);
  return Array.from({ length: lines.count }, (_, index) => index + 1).filter((line) =>
    isInImport(lines, line),
  );
}

describe('lines of imports', () => {
  it('are told from uses right behind them', () => {
    expect(importLines("import { a } from './a.js';\nexport const b = a();\n")).toEqual([1]);
    expect(importLines('from app.core import Ledger\nledger = Ledger()\n')).toEqual([1]);
    expect(importLines('use crate::a::B;\nfn f() -> B {}\n')).toEqual([1]);
    expect(importLines("const { a } = require('./a');\na();\n")).toEqual([1]);
    expect(importLines('#include "a.hpp"\nvoid f() {\n  a();\n}\n')).toEqual([1]);
    expect(importLines('import a\ndef f(\n    b: a.B,\n):\n')).toEqual([1]);
  });

  it('go on as long as a bracket is open', () => {
    expect(importLines("import {\n  a,\n  b,\n} from './a.js';\na(b);\n")).toEqual([1, 2, 3, 4]);
    expect(importLines('from a import (\n    b,\n    c,\n)\nb(c)\n')).toEqual([1, 2, 3, 4]);
    expect(importLines('import (\n\t"fmt"\n\n\t"os"\n)\n')).toContain(2);
  });
});
