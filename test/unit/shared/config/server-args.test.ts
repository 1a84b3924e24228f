import { expect, test } from 'vitest';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { parseServerArgs } from '../../../../src/shared/config/server-args.ts';
import { languageTable } from '../../../../src/shared/languages/table.ts';

const context = { table: languageTable, cwd: '/cwd', homedir: '/home/u' };

function parse(...args: string[]) {
  return parseServerArgs(args, context).map(({ languageId, command }) => [languageId, ...(command ?? [])]);
}

function refusal(...args: string[]) {
  try {
    parse(...args);
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.kind === 'invalid-input') return failure;
  }
  throw new Error('not refused');
}

test('no arguments name no servers', () => {
  expect(parse()).toEqual([]);
});

test('one server with its arguments', () => {
  expect(parse('go', 'gopls')).toEqual([['go', 'gopls']]);
  expect(parse('go', 'gopls', '-remote=auto', '-v')).toEqual([['go', 'gopls', '-remote=auto', '-v']]);
  expect(parse('python', 'server:with:colons')).toEqual([['python', 'server:with:colons']]);
});

test('several servers as pairs', () => {
  expect(parse('go:gopls', 'typescript:typescript-language-server,--stdio')).toEqual([
    ['go', 'gopls'],
    ['typescript', 'typescript-language-server', '--stdio'],
  ]);
  expect(parse('js:C:\\tools\\tsls.cmd,--stdio').flat()).toContain('--stdio');
});

test('a path is taken from the working directory or the home', () => {
  expect(parse('go', './bin/gopls')).toEqual([['go', '/cwd/bin/gopls']]);
  expect(parse('go:~/bin/gopls')).toEqual([['go', '/home/u/bin/gopls']]);
});

test.each([
  { args: ['go'], message: '"go" names no server' },
  { args: ['go:'], message: '"go:" names no server' },
  { args: [':gopls'], message: '":gopls" is not a pair of language and server' },
  {
    args: ['go:gopls', 'pyright-langserver'],
    message: '"pyright-langserver" is not a pair of language and server',
  },
  { args: ['js:a', 'typescript:b'], message: '"typescript:b" names a second server for typescript' },
])('$args is refused, and the right forms are shown', ({ args, message }) => {
  expect(refusal(...args)).toMatchObject({
    message,
    next: expect.stringContaining('agent-lsp go gopls [args...]'),
  });
});

test('a language that is not known is refused at once, with the nearest name', () => {
  const { message, next } = refusal('pyhton', 'pylsp');
  expect(message).toMatch(/^unknown language "pyhton"; did you mean "python"\? Allowed: bash, /);
  expect(next).toContain('--config');
  expect(refusal('qqq:x').message).toMatch(/^unknown language "qqq"; allowed: /);
});
