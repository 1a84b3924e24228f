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
      '  quickfix  Remove fake-error  (preferred; 1:13 fake-error; 1 edit in a.fake; edit_id e1)',
      '  refactor.rewrite  Upper-case the line  (1 edit in a.fake; edit_id e2)',
      '  action  Run it  (execute_command c1 runs fake.run)',
      'not possible here: Extract (nothing is selected)',
      'next: apply_edit with edit_id e1 applies that one',
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
        edit_id: 'e1',
      },
      { title: 'Upper-case the line', kind: 'refactor.rewrite', diagnostics: [], changes, edit_id: 'e2' },
      {
        title: 'Run it',
        diagnostics: [],
        command: { id: 'c1', command: 'fake.run', arguments: [1, 'two'] },
      },
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

  it('gives each fix an id under which it is applied as it was shown', async () => {
    await using session = await fakeSession(FILES);
    const listed = await session.ask('suggest_fixes', { file_path: 'a.fake', start_line: 2 });
    expect(listed).toContain('Upper-case the line  (1 edit in a.fake; edit_id e1)');
    const before = session.workspace.read('a.fake');
    const applied = await session.ask('apply_edit', { edit_id: 'e1' });
    expect(applied.split('\n')[0]).toBe('fix: Upper-case the line: changed 1 place in 1 file');
    expect(session.workspace.read('a.fake')).toBe(before.replace('const two = 2;', 'CONST TWO = 2;'));
    await session.ask('suggest_fixes', { file_path: 'a.fake', start_line: 1 });
    session.workspace.write('a.fake', 'const changed = 1;\n');
    expect((await session.call('apply_edit', { edit_id: 'e2' })).text).toMatch(/a\.fake has changed since/);
    expect(session.workspace.read('a.fake')).toBe('const changed = 1;\n');
  });

  it('says of a fix that cannot be applied why, and which command comes with an edit', async () => {
    const at = { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } };
    const to = (uri: string) => ({ changes: { [uri]: [{ range: at, newText: 'x' }] } });
    await using session = await fakeSession('//- none.fake\nconst one = 1;\n', {
      scenario: {
        rules: [
          {
            on: 'textDocument/codeAction',
            do: {
              result: [
                { title: 'Outside', kind: 'quickfix', edit: to('file:///etc/passwd') },
                { title: 'Nowhere', kind: 'quickfix', edit: to('file:///nowhere/none.fake') },
                {
                  title: 'Both',
                  kind: 'source',
                  edit: { changes: {} },
                  command: { title: 'and then', command: 'fake.then' },
                },
              ],
            },
          },
        ],
      },
    });
    const said = (await session.ask('suggest_fixes', { file_path: 'none.fake', start_line: 1 })).split('\n');
    expect(said[2]).toMatch(
      /^ {2}quickfix {2}Outside {2}\(1 edit in .*passwd; .*is outside the workspace roots/,
    );
    expect(said[3]).toMatch(/^ {2}quickfix {2}Nowhere {2}\(1 edit in .*; .*is outside the workspace roots/);
    expect(said.slice(4)).toEqual([
      '  source  Both  (no changes; execute_command c1 runs fake.then)',
      'next: execute_command with command c1 runs that one',
    ]);
  });

  it('says when nothing is offered', async () => {
    expect(await sessions.text.ask('suggest_fixes', { file_path: 'none.fake', start_line: 1 })).toBe(
      `No fixes for none.fake line 1, no problems there; fake-lsp ready; root ${sessions.text.workspace.root}\nnext: get_diagnostics none.fake tells which lines have problems`,
    );
  });

  it.each([
    {
      args: { file_path: 'a.fake', start_line: 3, end_line: 1 },
      message: /^the end 1:21 is before the start 3:1\. Swap/,
    },
    {
      args: { file_path: 'a.fake', start_line: 8 },
      message: /^line 8 is past the end of a\.fake\. Pass a line from 1 to 4/,
    },
    { args: { start_line: 1 }, message: /^file_path is missing/ },
  ])('refuses a range that is none: $args', async ({ args, message }) => {
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
