import { describe, expect, it } from 'vitest';
import { ResponseError } from 'vscode-languageserver-protocol';
import { absolutePath, pathToUri } from '../../../../../src/shared/base/paths.ts';
import { DiagnosticsStore } from '../../../../../src/shared/host/diagnostics/diagnostics-store.ts';
import { engineDiagnostics } from '../../../../../src/shared/host/diagnostics/engine-diagnostics.ts';
import { OfferedMethods } from '../../../../../src/shared/host/protocol/offered-methods.ts';
import { quirksOf } from '../../../../../src/shared/host/protocol/server-quirks.ts';
import type { Json } from '../../../../../src/shared/link/server-plan.ts';
import type { Connection } from '../../../../../src/shared/wire/connection.ts';
import { FakeClock } from '../../../../support/fake-clock.ts';

const A = absolutePath('/w/a.ts');
const B = absolutePath('/w/b.ts');
const COMMAND = 'typescript.tsserverRequest';
const at = (line: number, offset: number) => ({ line, offset });
const MISTAKE = {
  start: at(2, 5),
  end: at(2, 9),
  text: 'wrong',
  code: 2322,
  category: 'error',
  reportsDeprecated: {},
  relatedInformation: [
    { span: { start: at(1, 1), end: at(1, 2), file: B }, message: 'here' },
    { message: 'no place' },
  ],
};
const UNUSED = {
  start: at(1, 1),
  end: at(1, 4),
  text: 'unused',
  code: 6133,
  category: 'suggestion',
  reportsUnnecessary: {},
};

interface Setting {
  readonly settings?: Json;
  readonly commands?: readonly string[];
  readonly answer?: (kind: string) => unknown;
}

/** An engine that was told of A, some time ago, and finds a mistake in it. */
function engine({ settings = {}, commands = [COMMAND], answer }: Setting = {}) {
  const clock = new FakeClock();
  const quirks = quirksOf('typescript-language-server');
  const diagnostics = new DiagnosticsStore(clock, quirks);
  const asked: string[] = [];
  const found: Readonly<Record<string, unknown>> = {
    semanticDiagnosticsSync: [MISTAKE],
    suggestionDiagnosticsSync: [UNUSED],
  };
  const request = async (_method: string, params: unknown) => {
    const {
      arguments: [kind],
    } = params as { arguments: [string, unknown] };
    asked.push(kind);
    return answer ? answer(kind) : { success: true, body: found[kind] ?? [] };
  };
  // The rest of a connection is not used.
  const connection = { request } as unknown as Connection;
  const offered = new OfferedMethods({ executeCommandProvider: { commands: [...commands] } });
  diagnostics.textChanges(A, 1);
  const ask = () =>
    engineDiagnostics({ connection, offered, quirks, diagnostics, plan: { settings } }, A, {
      signal: new AbortController().signal,
      deadline: clock.now() + 60_000,
      clock,
    });
  return { clock, diagnostics, asked, ask };
}

describe('the engine behind a server that only publishes', () => {
  it('is asked for all kinds of diagnostics, which read as if the server had published them', async () => {
    const { ask, asked, diagnostics } = engine();
    expect(await ask()).toEqual([
      {
        range: { start: { line: 1, character: 4 }, end: { line: 1, character: 8 } },
        message: 'wrong',
        severity: 1,
        code: 2322,
        source: 'typescript',
        tags: [2],
        relatedInformation: [
          {
            location: {
              uri: pathToUri(B),
              range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
            },
            message: 'here',
          },
        ],
      },
      {
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } },
        message: 'unused',
        severity: 4,
        code: 6133,
        source: 'typescript',
        tags: [1],
      },
    ]);
    expect(asked).toHaveLength(3);
    expect(diagnostics.lastKnown(A)?.diagnostics).toHaveLength(2);
  });

  it('is not asked soon after files came or went, or one was closed', async () => {
    const { ask, diagnostics, clock } = engine();
    diagnostics.worldChanges([A]);
    expect(await ask()).toBeDefined();
    diagnostics.worldChanges([A, B], true);
    expect(await ask()).toBeDefined();
    diagnostics.worldChanges([A, B]);
    expect(await ask()).toBeUndefined();
    await clock.advance(3_000);
    expect(await ask()).toBeDefined();
    diagnostics.sending('textDocument/didClose', { textDocument: { uri: pathToUri(B) } });
    expect(await ask()).toBeUndefined();
  });

  it('is not asked when it would say more than the server is to publish, or cannot be', async () => {
    for (const setting of [
      { settings: { diagnostics: { ignoredCodes: [2322] } } },
      { settings: { javascript: { validate: { enable: false } } } },
      { commands: [] },
    ]) {
      const { ask, asked } = engine(setting);
      expect(await ask()).toBeUndefined();
      expect(asked).toEqual([]);
    }
  });

  it('says nothing when it refuses one of the questions, or the text has changed meanwhile', async () => {
    const refusing = engine({
      answer: (kind) => {
        if (kind === 'semanticDiagnosticsSync') throw new ResponseError(1, 'No Project');
        return { success: true, body: [] };
      },
    });
    expect(await refusing.ask()).toBeUndefined();
    const cancelled = engine({ answer: () => ({ type: 'cancelled' }) });
    expect(await cancelled.ask()).toBeUndefined();
    const overtaken = engine();
    const answer = overtaken.ask();
    overtaken.diagnostics.textChanges(A, 2);
    expect(await answer).toBeUndefined();
  });

  it('lets nobody take a publication that is still to come for one about a newer text', async () => {
    const { ask, diagnostics, clock } = engine();
    await ask();
    diagnostics.textChanges(A, 2);
    expect(diagnostics.habits.isClean).toBe(false);
    await clock.advance(3_000);
    diagnostics.textChanges(A, 3);
    expect(diagnostics.habits.isClean).toBe(false);
    diagnostics.habits.settled();
    diagnostics.textChanges(A, 4);
    expect(diagnostics.habits.isClean).toBe(true);
  });
});
