import { describe, expect, it } from 'vitest';
import { ResponseError } from 'vscode-languageserver-protocol';
import { orNothing } from '../../../../../src/shared/host/diagnostics/or-nothing.ts';
import { quirksOf } from '../../../../../src/shared/host/protocol/server-quirks.ts';

const saying = (message: string) => () => Promise.reject(new ResponseError(0, message));

describe('an error that only says that nothing is there', () => {
  const { nothingThere } = quirksOf('gopls');

  it.each([
    'no identifier found',
    'identifier not found',
    'not a type name',
    'Shelf is not a function',
    "Total is a function, not a method (query at 'func' token to find matching signatures)",
    'items is a var, not a type',
    'no enclosing expression has a type',
  ])('becomes nothing: %s', async (message) => {
    expect(await orNothing(nothingThere, saying(message))).toBeNull();
  });

  it.each(['no package metadata for file', 'references to builtin "len" are not supported'])(
    'stays an error where the server could not look: %s',
    async (message) => {
      await expect(orNothing(nothingThere, saying(message))).rejects.toThrow(message);
    },
  );

  it('stays an error of servers that answer null', async () => {
    await expect(orNothing(quirksOf('clangd').nothingThere, saying('no identifier found'))).rejects.toThrow();
  });
});
