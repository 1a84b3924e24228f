import { expect, test } from 'vitest';
import { hoverParts } from '../../../../../../src/frontend/features/profiles/pyright/hover-parts.ts';

const code = (text: string) => `\`\`\`python\n${text}\n\`\`\``;

test.each([
  { markdown: code('(variable) total: int'), symbol: 'total', type: 'int' },
  {
    markdown: code('(function) def add(\n    x: int,\n    y: int\n) -> int'),
    symbol: 'add',
    type: '(x: int, y: int) -> int',
  },
  {
    markdown: code('(method) async def stop(self: Self) -> None'),
    symbol: 'stop',
    type: '(self: Self) -> None',
  },
  { markdown: code('(class) Client'), symbol: 'Client', type: 'class Client' },
  { markdown: code('class Client(name: str)'), symbol: 'Client', type: 'class Client(name: str)' },
  { markdown: code('(module) os.path'), symbol: 'os.path', type: 'module os.path' },
  { markdown: code('(variable) größe: dict[str, int]'), symbol: 'größe', type: 'dict[str, int]' },
])('the hover $markdown is taken apart', ({ markdown, symbol, type }) => {
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
