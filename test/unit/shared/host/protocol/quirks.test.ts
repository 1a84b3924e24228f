import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../../../src/shared/host/protocol/quirks.ts';
import { quirksOf } from '../../../../../src/shared/host/protocol/server-quirks.ts';
import {
  answerServerRequest,
  type ServerRequestContext,
} from '../../../../../src/shared/host/protocol/server-requests.ts';

describe('the ways of a server', () => {
  it('are facts of whatever is built on the language service of TypeScript, and of no other', () => {
    const facts = {
      leavesSymbolsOut: true,
      renamesByAlias: true,
      losesKeysOfNew: true,
      namesShareWords: true,
      renamesImportedFiles: true,
      readsProjectsBelow: true,
    };
    for (const server of ['typescript-7', 'typescript-language-server', 'deno', 'vtsls'])
      expect(factsOf(quirksOf(server))).toMatchObject(facts);
    expect(factsOf(quirksOf('typescript-language-server'))).toMatchObject({ tiesInOwnProjects: true });
    expect(factsOf(quirksOf('pyright'))).toEqual({ searchesTrackedOnly: true, assignmentsDeclare: true });
    expect(factsOf(quirksOf('unknown'))).toEqual({});
    expect(factsOf(quirksOf('typescript-7'))).toMatchObject({ mostSymbols: 256 });
  });

  it('are also requests to an editor, which are answered with nothing, and of other servers refused', () => {
    const asked = (server: string) =>
      answerServerRequest('_typescript.rename', {}, { quirks: quirksOf(server) } as ServerRequestContext);
    expect(asked('typescript-language-server')).toBe(null);
    expect(() => asked('typescript-7')).toThrow('method not found');
  });
});
