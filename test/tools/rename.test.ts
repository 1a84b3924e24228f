/** rename_symbol and prepare_rename over the fake server, which renames every whole word. */
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/shared/link/server-plan.ts';
import { fakeServer, type Scenario } from '../support/fake-server.ts';
import { type FakeSession, fakeSession, sharedSessions } from './fake-session.ts';

const FILES = `
//- src/client.fake
export class Client {
  stop() {
    // stops in any case
    this.log("stop");
  }
  log() {
  }
}
//- src/use.fake
const client = new Client();
client.stop();
client.stop();
//- gen/api/client.gen.fake
client.stop();
//- README.md
Call stop when you are done, not unstoppable.
`;
const STOP = { file_path: 'src/client.fake', symbol: 'Client.stop' };
const FILES_OF_STOP = ['src/client.fake', 'src/use.fake', 'gen/api/client.gen.fake'];

function texts({ workspace }: FakeSession): Record<string, string> {
  return Object.fromEntries(FILES_OF_STOP.map((file) => [file, workspace.read(file)]));
}

describe('rename_symbol', () => {
  it('renames in all files and says what was done, and back again to the same bytes', async () => {
    await using session = await fakeSession(FILES);
    const before = texts(session);
    const answer = await session.ask('rename_symbol', {
      ...STOP,
      new_name: 'halt',
      exclude_globs: ['gen/**'],
    });
    expect(answer.split('\n')).toEqual([
      'rename stop to halt: changed 4 places in 2 files',
      'left out: gen/api/client.gen.fake (1)',
      '  src/: client.fake (2), use.fake (2)',
      '0 new errors, in 3 files',
      'note: 4 of 4 occurrences accounted for',
      'note: 1 mention in comments, strings and documents: README.md:1; left as before; mentions:"change" changes them',
      'next: apply_edit with undo e1 takes it back',
    ]);
    expect(session.workspace.read('src/use.fake')).toBe(
      'const client = new Client();\nclient.halt();\nclient.halt();\n',
    );
    expect(session.workspace.read('gen/api/client.gen.fake')).toBe(before['gen/api/client.gen.fake']);
    const back = { file_path: 'src/use.fake', line: 2, column: 8, new_name: 'stop' };
    expect(await session.ask('rename_symbol', { ...back, dry_run: false })).toContain(
      'rename halt to stop: changed 4 places in 2 files',
    );
    expect(texts(session)).toEqual(before);
  });

  it('shows a diff and keeps the edit while it is only to be looked at', async () => {
    await using session = await fakeSession(FILES, { args: ['--output', 'json'] });
    const before = texts(session);
    const { json: shown, raw } = await session.call('rename_symbol', {
      ...STOP,
      new_name: 'halt',
      exclude_globs: ['*.gen.fake'],
      trial_ms: 30_000,
      dry_run: true,
    });
    const file = session.workspace.file;
    expect(shown).toEqual({
      applied: false,
      edit_id: 'e1',
      summary: 'rename stop to halt: would change 4 places in 2 files; edit_id e1',
      files: [
        { file: file('src/client.fake'), operation: 'change', edits: 2 },
        { file: file('src/use.fake'), operation: 'change', edits: 2 },
      ],
      diff: expect.stringContaining('-client.stop();\n-client.stop();\n+client.halt();\n+client.halt();'),
      // As it was tried out.
      diagnostics: expect.objectContaining({
        errors_before: 0,
        errors_after: 0,
        introduced: [],
        unknown: [],
      }),
    });
    expect(raw.structuredContent).toMatchObject({ status: 'ok', complete: true });
    expect(texts(session)).toEqual(before);
    const { json: applied } = await session.call('apply_edit', { edit_id: 'e1' });
    expect(applied).toMatchObject({ applied: true, edit_id: 'e1' });
    expect(session.workspace.read('src/client.fake')).toContain('halt() {');
  });

  it.each([
    { exclude_globs: ['gen/**'], expected: ['gen/api/client.gen.fake'] },
    { exclude_globs: ['./gen/'], expected: ['gen/api/client.gen.fake'] },
    { exclude_globs: ['gen'], expected: ['gen/api/client.gen.fake'] },
    { exclude_globs: ['**/*.gen.fake'], expected: ['gen/api/client.gen.fake'] },
    { exclude_globs: ['*.gen.fake'], expected: ['gen/api/client.gen.fake'] },
    {
      exclude_globs: ['src/*.fake', 'gen/*'],
      expected: ['src/use.fake', 'src/client.fake', 'gen/api/client.gen.fake'],
    },
    { exclude_globs: ['*/client*'], expected: ['src/client.fake'] },
    { exclude_globs: ['ge*/**/client.*'], expected: ['gen/api/client.gen.fake'] },
    { exclude_globs: ['gen/*.fake', 'use'], expected: [] },
  ])('leaves out what $exclude_globs means', async ({ exclude_globs, expected }) => {
    const { isError, text } = await sessions.text.call('rename_symbol', {
      ...STOP,
      new_name: 'halt',
      exclude_globs,
      dry_run: true,
    });
    if (expected.length === FILES_OF_STOP.length) {
      expect({ isError, text }).toEqual({
        isError: true,
        text: 'all places of stop are in files that exclude_globs leaves out. Narrow exclude_globs.',
      });
      return;
    }
    const omitted = /^left out: (.*)$/m.exec(text)?.[1]?.split(', ') ?? [];
    expect(omitted.map((each) => each.replace(/ \(\d+\)$/, ''))).toEqual(expected);
  });

  const sessions = sharedSessions(FILES, {
    scenario: {
      rules: [
        {
          on: 'textDocument/rename',
          file: '"newName":"taken"',
          do: { error: { code: -32602, message: 'taken is declared at 3:1' } },
        },
        { on: 'textDocument/rename', file: '"newName":"nothing"', do: { result: null } },
        { on: 'textDocument/rename', file: '"newName":"empty"', do: { result: { documentChanges: [] } } },
        { on: 'textDocument/rename', file: '"newName":"outside"', do: { result: outside('/etc/hosts') } },
      ],
    },
  });

  it.each([
    {
      args: { new_name: 'stop' },
      message: 'src/client.fake:2:3 is already called stop. Pass another new_name.',
    },
    { args: { new_name: ' halt' }, message: 'new_name " halt" has blanks around it. Pass the bare name.' },
    { args: { new_name: '' }, message: 'new_name must not be empty. Pass new_name.' },
    {
      args: { new_name: 'taken' },
      message:
        'stop (src/client.fake:2:3) was not renamed to taken: fake-lsp says: taken is declared at 3:1. Nothing was written. Choose another new_name or place; prepare_rename says what can be renamed.',
    },
    {
      args: { new_name: 'nothing' },
      message:
        'stop (src/client.fake:2:3) was not renamed: fake-lsp found nothing to change. Put the place on its declaration; nothing is renamed by guess.',
    },
    {
      args: { new_name: 'empty' },
      message:
        'stop (src/client.fake:2:3) was not renamed: fake-lsp found nothing to change. Put the place on its declaration; nothing is renamed by guess.',
    },
    {
      args: { new_name: 'outside' },
      message:
        /^stop \(.*\) was not renamed: .* would change \/etc\/hosts as well, which is outside the workspace/,
    },
  ])('refuses $args and says why', async ({ args, message }) => {
    const before = texts(sessions.text);
    const { isError, text } = await sessions.text.call('rename_symbol', { ...STOP, ...args });
    expect(isError).toBe(true);
    if (typeof message === 'string') expect(text).toBe(message);
    else expect(text).toMatch(message);
    expect(texts(sessions.text)).toEqual(before);
  });

  it('asks back when several places are meant, and renames none', async () => {
    const { isError, text } = await sessions.text.call('rename_symbol', {
      file_path: 'src/use.fake',
      line: 2,
      new_name: 'other',
    });
    expect(isError).toBe(false);
    expect(text).toContain('stop  file_path:"src/use.fake", line:2, column:8');
    expect(sessions.text.workspace.read('src/use.fake')).toContain('new Client()');
  });

  it('shows first what is no name, and what is in files that nobody writes', async () => {
    const strange = await sessions.text.ask('rename_symbol', {
      ...STOP,
      new_name: 'a b',
      exclude_globs: ['gen'],
      dry_run: false,
    });
    expect(strange).toContain('note: shown first: "a b" does not look like a name');
    const generated = await sessions.text.ask('rename_symbol', { ...STOP, new_name: 'halt' });
    expect(generated).toContain(
      'note: shown first: it changes files that are not written by hand: 1 in generated files; exclude_globs leaves them out',
    );
    expect(generated).toMatch(/^next: apply_edit with edit_id e\d+ applies it$/m);
    expect(sessions.text.workspace.read('src/use.fake')).toContain('client.stop()');
  });

  it('says where the new name stood already', async () => {
    const answer = await sessions.text.ask('rename_symbol', { ...STOP, new_name: 'log', dry_run: true });
    expect(answer).toContain(
      'note: log stood there before, check that nothing is shadowed: src/client.fake:4,6',
    );
  });

  it('is shown only while the index is not complete', async () => {
    await using session = await fakeSession(FILES, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '8000' },
      scenario: {
        rules: [
          { on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing', percentage: 41 } } },
        ],
      },
    });
    const before = texts(session);
    const answer = await session.ask('rename_symbol', { ...STOP, new_name: 'halt', dry_run: false });
    expect(answer).toMatch(/^INCOMPLETE: fake-lsp is still indexing \(41 %\), retry in \d+ s\n/);
    expect(answer).toContain('note: shown first: not all of its places are known');
    expect(texts(session)).toEqual(before);
  });

  it('shows first what does not read like the name: then the server has another text', async () => {
    await using session = await fakeSession(FILES);
    session.server.rewrite({
      rules: [
        {
          on: 'textDocument/rename',
          do: { result: changing(`file://${session.workspace.file('src/use.fake')}`, 1, 2, 6) },
        },
      ],
    });
    const answer = await session.ask('rename_symbol', { ...STOP, new_name: 'halt' });
    expect(answer).toContain('note: shown first: src/use.fake:2:3 reads "ient", not stop');
  });

  it('shows first what changes more than the name, and says at how many places', async () => {
    await using session = await fakeSession(FILES);
    const uri = `file://${session.workspace.file('src/use.fake')}`;
    const range = { start: { line: 0, character: 0 }, end: { line: 3, character: 0 } };
    const newText = 'const other = new Client();\nother.halt();\n';
    session.server.rewrite({
      rules: [{ on: 'textDocument/rename', do: { result: { changes: { [uri]: [{ range, newText }] } } } }],
    });
    const before = texts(session);
    const answer = await session.ask('rename_symbol', { ...STOP, new_name: 'halt', dry_run: false });
    expect(answer).toContain('note: shown first: 1 of 3 places changes more than the name: src/use.fake:1:1');
    expect(answer).toMatch(/^next: apply_edit with edit_id e1 applies it$/m);
    expect(texts(session)).toEqual(before);
    expect(await session.ask('apply_edit', { edit_id: 'e1' })).toContain('changed 3 places in 2 files');
    expect(session.workspace.read('src/use.fake')).toBe(newText);
  });

  it('names places that keep the old name for others', async () => {
    await using session = await fakeSession(FILES);
    const uri = `file://${session.workspace.file('src/use.fake')}`;
    session.server.rewrite({
      rules: [{ on: 'textDocument/rename', do: { result: changing(uri, 1, 7, 11, 'halt as stop') } }],
    });
    const answer = await session.ask('rename_symbol', { ...STOP, new_name: 'halt', dry_run: true });
    expect(answer).toContain(
      'note: others still see stop at src/use.fake:2 "halt as stop"; rename it there as well to change that',
    );
  });

  it('writes what it had spelled out as it was, when it is renamed back', async () => {
    await using session = await fakeSession('//- a.fake\nconst stop = 1;\nconst all = { stop, go };\n');
    const uri = `file://${session.workspace.file('a.fake')}`;
    const at = (line: number, start: number, end: number, newText: string): Json => {
      const range = { start: { line, character: start }, end: { line, character: end } };
      return { range, newText };
    };
    const answers = [
      ['halt', [at(0, 6, 10, 'halt'), at(1, 14, 18, 'stop: halt')]],
      ['stop', [at(0, 6, 10, 'stop'), at(1, 20, 24, 'stop')]],
    ] as const;
    session.server.rewrite({
      rules: answers.map(([newName, edits]) => ({
        on: 'textDocument/rename',
        file: `"newName":"${newName}"`,
        do: { result: { changes: { [uri]: edits } } },
      })),
    });
    const rename = (new_name: string) =>
      session.ask('rename_symbol', { file_path: 'a.fake', line: 1, column: 7, new_name });
    await rename('halt');
    expect(session.workspace.read('a.fake')).toBe('const halt = 1;\nconst all = { stop: halt, go };\n');
    await rename('stop');
    expect(session.workspace.read('a.fake')).toBe('const stop = 1;\nconst all = { stop, go };\n');
  });

  it('shows first what brings new errors and writes nothing, and apply_edit makes it all the same', async () => {
    await using session = await fakeSession(FILES, { scenario: { diagnostics: { profile: 'pull' } } });
    const before = texts(session);
    const wrong = { ...STOP, new_name: 'ERROR', exclude_globs: ['gen'], dry_run: false };
    const answer = (await session.ask('rename_symbol', wrong)).split('\n');
    const news = [
      '  new E src/client.fake:2:3 fake-error ERROR() {',
      '  new E src/client.fake:4:15 fake-error this.log("ERROR");',
      '  new 2 x E src/use.fake:2:8 fake-error client.ERROR();',
    ];
    expect(answer.slice(0, 7)).toEqual([
      'rename stop to ERROR: would change 4 places in 2 files; edit_id e1',
      'left out: gen/api/client.gen.fake (1)',
      '  src/: client.fake (2), use.fake (2)',
      'tried out: 4 new errors, in 3 files',
      ...news,
    ]);
    expect(answer).toContain('note: shown first: it brings 4 new errors');
    expect(answer.at(-1)).toBe('next: apply_edit with edit_id e1 applies it');
    expect(texts(session)).toEqual(before);
    // Also files that keep the old name were looked at, before and after.
    const left = () =>
      session.server.journal
        .received('textDocument/diagnostic')
        .filter(({ message }) => JSON.stringify(message).includes('client.gen.fake'));
    expect(left()).toHaveLength(2);
    const applied = (await session.ask('apply_edit', { edit_id: 'e1' })).split('\n');
    expect(applied[0]).toBe('rename stop to ERROR: changed 4 places in 2 files');
    expect(applied).toEqual(expect.arrayContaining(['4 new errors, in 3 files', ...news]));
    expect(session.workspace.read('src/client.fake')).toContain('ERROR() {');
    expect(left()).toHaveLength(4);
  });

  it('applies at once what only says old errors in other words, and asks once for what was wrong before', async () => {
    await using session = await fakeSession(`${FILES}//- bad.fake\nERROR here: stop\n`, {
      scenario: { diagnostics: { profile: 'pull' } },
      args: ['--output', 'json'],
    });
    const { json } = await session.call('rename_symbol', {
      ...STOP,
      new_name: 'halt',
      exclude_globs: ['gen'],
    });
    expect(json).toMatchObject({
      applied: true,
      diagnostics: { errors_before: 1, errors_after: 1, introduced: [], unknown: [] },
    });
    const asked = session.server.journal.received('textDocument/diagnostic');
    const about = asked.filter(({ message }) => JSON.stringify(message).includes('src/use.fake'));
    // As it is, and as it would be; that is what it has become.
    expect(about).toHaveLength(2);
  });

  it.each<{ readonly outcome: string; readonly scenario: Scenario }>([
    { outcome: 'finds nothing out in time', scenario: { diagnostics: { profile: 'none' } } },
    {
      outcome: 'fails',
      scenario: {
        diagnostics: { profile: 'pull' },
        rules: [
          { on: 'textDocument/diagnostic', do: { error: { code: -32603, message: 'not now, please' } } },
        ],
      },
    },
  ])('renames all the same when trying it out $outcome', async ({ scenario }) => {
    await using session = await fakeSession(FILES, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '6000' },
      scenario,
    });
    const answer = await session.ask('rename_symbol', {
      ...STOP,
      new_name: 'halt',
      exclude_globs: ['gen'],
    });
    expect(answer).toContain('rename stop to halt: changed 4 places in 2 files');
    expect(answer).toContain('UNKNOWN for src/client.fake, src/use.fake');
    expect(answer).not.toContain('tried out:');
    expect(session.workspace.read('src/client.fake')).toContain('halt() {');
  });

  it('renames all the same where others use the server and nothing can be tried out', async () => {
    await using session = await fakeSession(FILES);
    const { workspace } = session;
    const listener = fakeServer(workspace.scratch, {}, 'listening');
    // Ends with the workspace.
    spawn(listener.executable, [...listener.args, '--listen', '127.0.0.1:0'], {
      stdio: 'ignore',
      env: workspace.env(),
    });
    const { port } = await listener.journal.waitFor(['listening']);
    await session.ask('start_lsp', { language_id: 'fake', connect: `127.0.0.1:${port}` });
    const wrong = { ...STOP, new_name: 'ERROR', exclude_globs: ['gen'] };
    const answer = await session.ask('rename_symbol', wrong);
    expect(answer).toContain('rename stop to ERROR: changed 4 places in 2 files');
    expect(answer).toContain('4 new errors, in 3 files');
  });

  it('says that it was not tried out when it moves files as well', async () => {
    await using session = await fakeSession(FILES);
    const uri = (name: string) => `file://${session.workspace.file(name)}`;
    const range = { start: { line: 1, character: 7 }, end: { line: 1, character: 11 } };
    const textDocument = { uri: uri('src/use.fake'), version: null };
    const documentChanges = [
      { textDocument, edits: [{ range, newText: 'halt' }] },
      { kind: 'rename', oldUri: uri('src/client.fake'), newUri: uri('src/halt.fake') },
    ];
    session.server.rewrite({ rules: [{ on: 'textDocument/rename', do: { result: { documentChanges } } }] });
    const answer = await session.ask('rename_symbol', { ...STOP, new_name: 'halt' });
    expect(answer).toContain('rename stop to halt: changed 1 place in 1 file, renamed 1');
    expect(answer).toContain(
      'note: it was not tried out first, because it also moves, creates or deletes files',
    );
  });

  it('does not rename a file whose name is all that the server would change', async () => {
    await using session = await fakeSession(FILES);
    const [oldUri, newUri] = ['src/use.fake', 'src/halt.fake'].map(
      (name) => `file://${session.workspace.file(name)}`,
    );
    session.server.rewrite({
      rules: [
        {
          on: 'textDocument/rename',
          do: {
            result: { documentChanges: [{ kind: 'rename', oldUri: String(oldUri), newUri: String(newUri) }] },
          },
        },
      ],
    });
    const { isError, text } = await session.call('rename_symbol', { ...STOP, new_name: 'halt' });
    expect({ isError, text }).toEqual({
      isError: true,
      text: 'src/client.fake:2:3 is the name of a file, and fake-lsp would leave all that speak of it as they are. move_file renames a file, and imports follow.',
    });
  });

  it('cannot be had from a server that does not rename', async () => {
    await using session = await fakeSession(FILES, { scenario: { capabilities: { renameProvider: null } } });
    for (const [tool, args] of [
      ['rename_symbol', { ...STOP, new_name: 'halt' }],
      ['prepare_rename', STOP],
    ] as const) {
      const { isError, text } = await session.call(tool, args);
      expect({ isError, text }).toEqual({
        isError: true,
        text: 'fake-lsp does not support textDocument/rename. get_server_capabilities lists the tools that work here.',
      });
    }
  });
});

describe('a call that takes too long', () => {
  it.each([
    { dry_run: true, says: 'only shows something has changed nothing, and says nothing else' },
    { dry_run: false, says: 'writes may have changed files, which is said' },
  ])('and $says', async ({ dry_run }) => {
    await using session = await fakeSession(FILES, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '1500' },
      scenario: { rules: [{ on: 'textDocument/rename', do: { hang: 'idle' } }] },
    });
    const { isError, text } = await session.call('rename_symbol', { ...STOP, new_name: 'halt', dry_run });
    expect(isError, text).toBe(true);
    expect(text).toMatch(/too long|longer than|did not finish/);
    expect(text.includes('may have changed files')).toBe(!dry_run);
  });
});

describe('prepare_rename', () => {
  const sessions = sharedSessions(FILES, {
    scenario: {
      rules: [
        {
          on: 'textDocument/prepareRename',
          file: '"line":0',
          do: { error: { code: -32602, message: 'no, thanks' } },
        },
        { on: 'textDocument/prepareRename', file: '"line":4', do: { result: null } },
        { on: 'textDocument/prepareRename', file: '"line":5', do: { result: { defaultBehavior: true } } },
      ],
    },
  });

  it('says what would be renamed, from 1 on', async () => {
    expect((await sessions.text.ask('prepare_rename', STOP)).split('\n')).toEqual([
      'stop (src/client.fake:2:3-7) can be renamed',
      'next: rename_symbol with new_name',
    ]);
    const { json: data } = await sessions.json.call('prepare_rename', STOP);
    const file = sessions.json.workspace.file('src/client.fake');
    expect(data).toEqual({
      renamable: true,
      place: { file, line: 2, column: 3, end_line: 2, end_column: 7 },
      placeholder: 'stop',
    });
    const byDefault = { file_path: 'src/client.fake', symbol: 'log', line: 6 };
    expect(await sessions.text.ask('prepare_rename', byDefault)).toContain(
      'log (src/client.fake:6:3-6) can be renamed',
    );
  });

  it('says why something cannot be renamed', async () => {
    const at = (line: number, column: number) => ({ file_path: 'src/client.fake', line, column });
    expect(await sessions.text.ask('prepare_rename', at(1, 14))).toBe(
      'Client (src/client.fake:1:14) cannot be renamed: fake-lsp says: no, thanks',
    );
    expect(await sessions.text.ask('prepare_rename', at(5, 3))).toBe(
      '} (src/client.fake:5:3) cannot be renamed: nothing is declared under it (a keyword, a literal, a comment?)',
    );
    expect((await sessions.json.call('prepare_rename', at(1, 14))).json).toEqual({
      renamable: false,
      reason: 'fake-lsp says: no, thanks',
    });
    const { isError, text } = await sessions.text.call('rename_symbol', { ...at(1, 14), new_name: 'X' });
    expect(isError).toBe(true);
    expect(text).toBe(
      'Client (src/client.fake:1:14) cannot be renamed: fake-lsp says: no, thanks. Put the place on a name that the workspace declares; nothing is renamed by guess.',
    );
  });

  it('takes the word where the server does not check, and says so', async () => {
    await using session = await fakeSession(FILES, { scenario: { capabilities: { renameProvider: true } } });
    expect((await session.ask('prepare_rename', STOP)).split('\n')).toEqual([
      'stop (src/client.fake:2:3-7) may be renamed',
      'note: fake-lsp does not check it before; this is the word that stands there',
      'next: rename_symbol with new_name',
    ]);
  });
});

function changing(uri: string, line: number, start: number, end: number, newText = 'halt'): Json {
  const range = { start: { line, character: start }, end: { line, character: end } };
  return { changes: { [uri]: [{ range, newText }] } };
}

function outside(file: string): Json {
  return changing(`file://${file}`, 0, 0, 1);
}
