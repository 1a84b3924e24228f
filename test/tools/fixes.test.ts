import { describe, expect, it } from 'vitest';
import { fakeSession, sharedSessions } from './fake-session.ts';

const FILES = `
//- a.fake
const one = ERROR 1;
const two = 2;
const three = WARN 3;
//- none.fake
const one = 1;
`;
const scenario = { rules: [{ on: 'textDocument/codeAction', file: 'none.fake', do: { result: null } }] };

const sessions = sharedSessions(FILES, { scenario });

describe('suggest_fixes', () => {
  it('lists what is offered for a line with the problems there and what it would change', async () => {
    expect(
      (await sessions.text.ask('suggest_fixes', { file_path: 'a.fake', start_line: 1 })).split('\n'),
    ).toEqual([
      `3 fixes for a.fake line 1, 1 problem there; fake-lsp ready; root ${sessions.text.workspace.root}`,
      '  E 1:13 fake-error const one = ERROR 1;',
      'offered:',
      '  quickfix  Remove fake-error  (preferred; 1:13 fake-error; 1 edit in a.fake)',
      '  refactor.rewrite  Upper-case the line  (1 edit in a.fake)',
      '  action  Run it  (runs fake.run)',
      'not possible here: Extract (nothing is selected)',
    ]);
  });

  it('gives the same as data, with 1-based positions and paths', async () => {
    const { json: data, raw } = await sessions.json.call('suggest_fixes', {
      file_path: 'a.fake',
      start_line: 1,
    });
    const changes = { edits: 1, files: [{ file: sessions.json.workspace.file('a.fake'), edits: 1 }] };
    expect(data).toEqual([
      {
        title: 'Remove fake-error',
        kind: 'quickfix',
        is_preferred: true,
        diagnostics: [
          {
            line: 1,
            column: 13,
            end_line: 1,
            end_column: 18,
            severity: 1,
            code: 'fake-error',
            source: 'fake',
            message: 'const one = ERROR 1;',
          },
        ],
        changes,
      },
      { title: 'Upper-case the line', kind: 'refactor.rewrite', diagnostics: [], changes },
      { title: 'Run it', diagnostics: [], command: { command: 'fake.run', arguments: [1, 'two'] } },
      {
        title: 'Extract',
        kind: 'refactor.extract',
        disabled_reason: 'nothing is selected',
        diagnostics: [],
      },
    ]);
    expect(raw.structuredContent).toMatchObject({ status: 'ok', complete: true, fresh: true, total: 4 });
  });

  it('tells the server of the problems that touch the range, and of no others', async () => {
    const told = async (args: object) => {
      await sessions.text.ask('suggest_fixes', { file_path: 'a.fake', ...args });
      const params = sessions.text.server.journal.received('textDocument/codeAction').at(-1)?.message?.params;
      const { range, context } = params as {
        range: { start: object; end: object };
        context: { diagnostics: { code: string }[]; only?: string[]; triggerKind: number };
      };
      return { ...range, codes: context.diagnostics.map(({ code }) => code), only: context.only };
    };
    const at = (line: number, character: number) => ({ line, character });
    expect(await told({ start_line: 1, end_line: 3 })).toEqual({
      start: at(0, 0),
      end: at(2, 21),
      codes: ['fake-error', 'fake-warning'],
      only: undefined,
    });
    expect(await told({ start_line: 2 })).toEqual({
      start: at(1, 0),
      end: at(1, 14),
      codes: [],
      only: undefined,
    });
    expect(await told({ start_line: 3, start_column: 15, only: 'quickfix, source.organizeImports' })).toEqual(
      {
        start: at(2, 14),
        end: at(2, 14),
        codes: ['fake-warning'],
        only: ['quickfix', 'source.organizeImports'],
      },
    );
    expect(await told({ symbol: 'three' })).toMatchObject({ start: at(2, 6), end: at(2, 6), codes: [] });
    expect(await told({ position_pattern: 'three = @@WARN' })).toMatchObject({ codes: ['fake-warning'] });
    expect(await told({ start_line: 1, start_column: 7, end_line: 1, end_column: 10 })).toMatchObject({
      start: at(0, 6),
      end: at(0, 9),
      codes: [],
    });
  });

  it('keeps to the kinds that were asked for, whatever the server answers', async () => {
    const titles = async (args: object) => {
      const { json: data } = await sessions.json.call('suggest_fixes', {
        file_path: 'a.fake',
        start_line: 1,
        ...args,
      });
      return (data as { title: string }[]).map(({ title }) => title);
    };
    expect(await titles({ only: 'refactor' })).toEqual(['Upper-case the line', 'Extract']);
    expect(await titles({ only: 'refactor.rewrite' })).toEqual(['Upper-case the line']);
    expect(await titles({ limit: 1 })).toEqual(['Remove fake-error']);
    expect(await titles({ limit: 1, cursor: '1' })).toEqual(['Upper-case the line']);
    expect(
      await sessions.text.ask('suggest_fixes', { file_path: 'a.fake', start_line: 2, only: 'source' }),
    ).toBe(
      `No fixes for a.fake line 2, no problems there; fake-lsp ready; root ${sessions.text.workspace.root}\nnext: leave only out to see all kinds`,
    );
  });

  it('executes none and changes nothing', async () => {
    const before = sessions.text.workspace.read('a.fake');
    await sessions.text.ask('suggest_fixes', { file_path: 'a.fake', start_line: 1, end_line: 3 });
    expect(sessions.text.workspace.read('a.fake')).toBe(before);
    for (const { server } of [sessions.text, sessions.json]) {
      expect(server.journal.received('codeAction/resolve').length).toBeGreaterThan(0);
      expect(server.journal.received('workspace/executeCommand')).toEqual([]);
      expect(server.journal.received('textDocument/didChange')).toEqual([]);
    }
  });

  it('says when nothing is offered', async () => {
    expect(await sessions.text.ask('suggest_fixes', { file_path: 'none.fake', start_line: 1 })).toBe(
      `No fixes for none.fake line 1, no problems there; fake-lsp ready; root ${sessions.text.workspace.root}`,
    );
  });

  it.each([
    [{ file_path: 'a.fake', start_line: 3, end_line: 1 }, /^the end 1:21 is before the start 3:1\. Swap/],
    [{ file_path: 'a.fake', start_line: 8 }, /^line 8 is past the end of a\.fake\. Pass a line from 1 to 4/],
    [{ start_line: 1 }, /^file_path is missing/],
  ])('refuses a range that is none: %j', async (args, message) => {
    const { isError, text: said } = await sessions.text.call('suggest_fixes', args);
    expect(isError).toBe(true);
    expect(said).toMatch(message);
  });

  it('comes also from a server that never reports problems and cannot say later what a fix changes', async () => {
    await using session = await fakeSession(FILES, {
      args: ['--output', 'json'],
      scenario: { diagnostics: { profile: 'none' }, capabilities: { codeActionProvider: true } },
    });
    const { json: data } = await session.call('suggest_fixes', { file_path: 'a.fake', start_line: 1 });
    // Without resolve the edits stay unknown, which is not the same as no changes.
    expect(data).toMatchObject([{ title: 'Upper-case the line' }, { title: 'Run it' }, { title: 'Extract' }]);
    expect(data).not.toHaveProperty('0.changes');
    expect(session.server.journal.received('codeAction/resolve')).toEqual([]);
  });
});
