import { expect, test } from 'vitest';
import { hoverParts } from '../../../../../../src/frontend/features/profiles/pyright/hover-parts.ts';

const code = (text: string) => `\`\`\`python\n${text}\n\`\`\``;

test.each([
  [code('(variable) total: int'), 'total', 'int'],
  [code('(function) def add(\n    x: int,\n    y: int\n) -> int'), 'add', '(x: int, y: int) -> int'],
  [code('(method) async def stop(self: Self) -> None'), 'stop', '(self: Self) -> None'],
  [code('(class) Client'), 'Client', 'class Client'],
  [code('class Client(name: str)'), 'Client', 'class Client(name: str)'],
  [code('(module) os.path'), 'os.path', 'module os.path'],
  [code('(variable) größe: dict[str, int]'), 'größe', 'dict[str, int]'],
])('the hover %s is taken apart', (markdown, symbol, type) => {
  expect(hoverParts(markdown)).toEqual({ symbol, type, documentation: null });
});

test('overloads are left as they are', () => {
  const text = 'def f(x: int) -> int: ...\ndef f(x: str) -> str: ...';
  expect(hoverParts(code(`(function) ${text}`))).toMatchObject({ symbol: 'f', type: text });
});

test('documentation is what follows the rule', () => {
  expect(hoverParts(`${code('(function) def f() -> int')}\n\n---\nCounts.\n\nAll of it.`)).toEqual({
    symbol: 'f',
    type: '() -> int',
    documentation: 'Counts.\n\nAll of it.',
  });
});

test('nothing has no parts', () => {
  expect(hoverParts('')).toEqual({ symbol: null, type: null, documentation: null });
});
