/** apply_edit over the fake server: every way to say which edit is meant, and everything that can be in its way. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { type FakeSession, fakeSession, sharedSessions } from './fake-session.ts';

const FILES = `
//- one.fake
const one = 1;
const two = 2;
`;
const sessions = sharedSessions(FILES, { scenario: { diagnostics: { profile: 'pull' } } });

/** A file of its own for each test, so that all can use one session. */
function fresh(name: string, text = 'const one = 1;\nconst two = 2;\n'): string {
  sessions.text.workspace.write(name, text);
  return name;
}

const call = (args: Readonly<Record<string, unknown>>) => sessions.text.call('apply_edit', args);
const ask = (args: Readonly<Record<string, unknown>>) => sessions.text.ask('apply_edit', args);
const read = (name: string) => sessions.text.workspace.read(name);
const uriOf = (name: string) => `file://${sessions.text.workspace.file(name)}`;

async function refused(args: Readonly<Record<string, unknown>>): Promise<string> {
  const { isError, text } = await call(args);
  expect(isError, text).toBe(true);
  return text;
}

/** Shows the replacement and keeps it. */
async function held(file_path: string, old_text: string, new_text: string): Promise<string> {
  const shown = await ask({ file_path, old_text, new_text, dry_run: true });
  return /edit_id (e\d+)/.exec(shown)?.[1] ?? 'none';
}

describe('apply_edit by edit_id', () => {
  it('applies what was shown, once', async () => {
    const file = fresh('once.fake');
    const edit_id = await held(file, 'one = 1', 'one = 11');
    expect(read(file)).toContain('one = 1;');
    expect((await ask({ edit_id })).split('\n')).toEqual([
      'edit once.fake: changed 1 place in 1 file',
      '  once.fake (1)',
      '0 new errors, in 1 file',
      `next: apply_edit with undo ${edit_id} takes it back`,
    ]);
    expect(read(file)).toBe('const one = 11;\nconst two = 2;\n');
    expect(await refused({ edit_id })).toMatch(
      new RegExp(
        `^edit_id ${edit_id} is no longer held: it was applied, or newer ones have taken its place\\.`,
      ),
    );
  });

  it('also looks at files that it does not touch and may break, and so does its undo', async () => {
    await using session = await fakeSession(
      '//- a.fake\nfunction stop\n//- gen/b.fake\nstop; // NEEDS ../a.fake\n',
      { scenario: { diagnostics: { profile: 'pull' } } },
    );
    const rename = { file_path: 'a.fake', symbol: 'stop', new_name: 'BROKEN', exclude_globs: ['gen/**'] };
    const effect = (answer: string) => answer.split('\n').filter((line) => /^(\d+ new| {2}new)/.test(line));
    expect(await session.ask('rename_symbol', { ...rename, dry_run: true })).toContain('edit_id e1');
    expect(effect(await session.ask('apply_edit', { edit_id: 'e1' }))).toEqual([
      '1 new error, in 2 files',
      expect.stringContaining('new E gen/b.fake:1:'),
    ]);
    expect(effect(await session.ask('apply_edit', { undo: 'e1' }))).toEqual([
      '0 new errors, 1 gone, 1 before, in 2 files',
    ]);
  });

  it('refuses what it does not know, and more than one way at once', async () => {
    expect(await refused({ edit_id: 'e999' })).toMatch(/^there is no edit_id "e999"\. /);
    expect(await refused({})).toBe(
      'it is not said which edit to apply. Pass edit_id alone, or file_path with old_text and new_text, or workspace_edit, or undo.',
    );
    expect(await refused({ edit_id: 'e1', undo: 'e1' })).toMatch(/^several edits are given at once\./);
    expect(await refused({ file_path: 'one.fake', old_text: 'one' })).toMatch(/^old_text needs new_text\./);
    expect(await refused({ old_text: 'one', new_text: 'x' })).toMatch(/^old_text needs file_path\./);
  });

  it('writes nothing when one of its files has changed in between, and can be tried again', async () => {
    const [a, b] = [fresh('between-a.fake'), fresh('between-b.fake')];
    const edits = [{ range: range(0, 6, 0, 9), newText: 'uno' }];
    const shown = await ask({
      workspace_edit: { changes: { [uriOf(a)]: edits, [uriOf(b)]: edits } },
      dry_run: true,
    });
    const edit_id = /edit_id (e\d+)/.exec(shown)?.[1];
    const before = read(b);
    sessions.text.workspace.write(b, `${before}// somebody else\n`);
    expect(await refused({ edit_id })).toBe(
      `${sessions.text.workspace.file(b)} has changed since. Compute the edit again from the file as it is now.`,
    );
    expect(read(a)).toBe('const one = 1;\nconst two = 2;\n');
    expect(read(b)).toBe(`${before}// somebody else\n`);
    sessions.text.workspace.write(b, before);
    await ask({ edit_id });
    expect([read(a), read(b)].every((text) => text.startsWith('const uno = 1;'))).toBe(true);
  });

  it('gives the same as data, with the errors that are new', async () => {
    const { workspace } = sessions.json;
    const file = workspace.write('data.fake', 'const one = 1;\n');
    const args = { file_path: 'data.fake', old_text: '1', new_text: 'ERROR' };
    const { json: shown } = await sessions.json.call('apply_edit', { ...args, dry_run: true });
    expect(shown).toMatchObject({
      applied: false,
      diff: '--- a/data.fake\n+++ b/data.fake\n@@ -1 +1 @@\n-const one = 1;\n+const one = ERROR;',
    });
    const { json: applied } = await sessions.json.call('apply_edit', args);
    expect(applied).toEqual({
      applied: true,
      edit_id: expect.stringMatching(/^e\d+$/),
      summary: 'edit data.fake: changed 1 place in 1 file',
      files: [{ file, operation: 'change', edits: 1 }],
      diagnostics: {
        errors_before: 0,
        errors_after: 1,
        warnings_before: 0,
        warnings_after: 0,
        net_delta: 1,
        files_checked: 1,
        introduced: [expect.objectContaining({ file, line: 1, column: 13, severity: 1 })],
        resolved: [],
        unknown: [],
      },
    });
  });
});

describe('apply_edit by text', () => {
  it('wants text that is there once', async () => {
    const file = fresh('text.fake', 'const a = 1;\nconst b = 1;\n');
    expect(await refused({ file_path: file, old_text: ' = 1;', new_text: ' = 2;' })).toMatch(
      /^old_text is 2 times in .* \(lines 1, 2\)\./,
    );
    expect(await refused({ file_path: file, old_text: 'const c', new_text: 'x' })).toMatch(
      /old_text is not in/,
    );
    expect(read(file)).toBe('const a = 1;\nconst b = 1;\n');
    await ask({ file_path: file, old_text: 'b = 1', new_text: 'b = 2' });
    expect(read(file)).toBe('const a = 1;\nconst b = 2;\n');
    await ask({ file_path: file, old_text: 'const a = 1;\n', new_text: '' });
    expect(read(file)).toBe('const b = 2;\n');
    expect(await ask({ file_path: file, old_text: 'b', new_text: 'b' })).toBe(
      'edit text.fake: nothing to change',
    );
  });

  it('shows first what differs in white space, and never glues lines together', async () => {
    const file = fresh('space.fake', 'function f() {\n    first();\n    second();\n}\n');
    const shown = await ask({
      file_path: file,
      old_text: 'first();\nsecond();',
      new_text: 'third();',
      dry_run: false,
    });
    expect(shown).toContain(
      'note: shown first: old_text differs from lines 2-3 in white space; new_text was indented like them',
    );
    expect(read(file)).toContain('first()');
    await ask({ edit_id: /edit_id (e\d+)/.exec(shown)?.[1] });
    expect(read(file)).toBe('function f() {\n    third();\n}\n');
  });

  it('keeps line ends, byte order mark, mode and links', async () => {
    const { workspace } = sessions.text;
    const file = fresh('kept.fake', '\ufeffconst 🎉 = 1;\r\nconst two = 2;\r\n');
    chmodSync(workspace.file(file), 0o755);
    symlinkSync(workspace.file(file), workspace.file('link.fake'));
    await ask({ file_path: 'link.fake', old_text: 'const two = 2;', new_text: 'const two =\n  22;' });
    expect(readFileSync(workspace.file(file), 'utf8')).toBe(
      '\ufeffconst 🎉 = 1;\r\nconst two =\r\n  22;\r\n',
    );
    expect(statSync(workspace.file(file)).mode & 0o777).toBe(0o755);
  });
});

describe('apply_edit with a WorkspaceEdit', () => {
  it('takes both forms, and creates, renames and deletes files', async () => {
    const file = fresh('forms.fake');
    await ask({
      workspace_edit: {
        changes: {
          [uriOf(file)]: [
            { range: range(1, 6, 1, 9), newText: 'zwei' },
            { range: range(0, 6, 0, 9), newText: 'eins' },
          ],
        },
      },
    });
    expect(read(file)).toBe('const eins = 1;\nconst zwei = 2;\n');
    const answer = await ask({
      workspace_edit: {
        documentChanges: [
          { kind: 'create', uri: uriOf('made/new.fake') },
          {
            textDocument: { uri: uriOf('made/new.fake'), version: null },
            edits: [{ range: range(0, 0, 0, 0), newText: 'const made = 1;\n' }],
          },
          { kind: 'rename', oldUri: uriOf(file), newUri: uriOf('made/moved.fake') },
          { kind: 'delete', uri: uriOf(fresh('gone.fake')) },
        ],
      },
    });
    expect(answer.split('\n')[0]).toBe(
      'workspace edit: created 1 file, renamed 1 file, deleted 1 file, made 1 folder',
    );
    const { workspace } = sessions.text;
    expect(read('made/new.fake')).toBe('const made = 1;\n');
    expect(read('made/moved.fake')).toContain('eins');
    expect([file, 'gone.fake'].map((name) => existsSync(workspace.file(name)))).toEqual([false, false]);
    const undo = /undo (e\d+)/.exec(answer)?.[1];
    await ask({ undo });
    expect(read(file)).toContain('eins');
    expect(existsSync(workspace.file('made'))).toBe(false);
  });

  it.each([
    { what: 'outside the roots', uri: () => 'file:///etc/hosts', message: /outside the workspace roots/ },
    { what: 'in .git', uri: () => uriOf('.git/config'), message: /may not be written: it belongs to git/ },
    {
      what: 'behind a link that leads out',
      uri: () => uriOf('out/file.fake'),
      message: /leads out of the workspace roots/,
    },
    {
      what: 'that is read-only',
      uri: () => uriOf('locked.fake'),
      message: /locked\.fake may not be written: .*read-only/,
    },
    { what: 'with edits that overlap', uri: undefined, message: /overlap/ },
  ])('writes nothing $what, nor anything else of that edit', async ({ what, uri, message }) => {
    const { workspace } = sessions.text;
    const file = fresh('beside.fake');
    workspace.write('.git/config', '[core]\n');
    if (!existsSync(workspace.file('out'))) {
      mkdirSync(path.join(workspace.scratch, 'outside'));
      symlinkSync(path.join(workspace.scratch, 'outside'), workspace.file('out'));
      workspace.write(path.join(workspace.scratch, 'outside/file.fake'), 'const one = 1;\n');
    }
    if (what.includes('read-only')) chmodSync(workspace.write('locked.fake', 'const one = 1;\n'), 0o444);
    const edit = { range: range(0, 0, 0, 5), newText: 'let' };
    const changes = uri
      ? { [uriOf(file)]: [edit], [uri()]: [edit] }
      : { [uriOf(file)]: [edit, { range: range(0, 3, 0, 8), newText: 'x' }] };
    expect(await refused({ workspace_edit: { changes } })).toMatch(message);
    expect(read(file)).toBe('const one = 1;\nconst two = 2;\n');
  });
});

describe('apply_edit with undo', () => {
  it('takes an edit back, once, and not over the changes of others', async () => {
    const file = fresh('undo.fake');
    const replace = async (old_text: string, new_text: string) =>
      /undo (e\d+)/.exec(await ask({ file_path: file, old_text, new_text }))?.[1];
    const undo = await replace('one = 1', 'one = 11');
    expect(await ask({ undo, dry_run: true })).toContain('-const one = 11;\n+const one = 1;');
    expect(read(file)).toContain('one = 11');
    await ask({ undo });
    expect(read(file)).toBe('const one = 1;\nconst two = 2;\n');
    expect(await refused({ undo })).toMatch(/^no applied edit ".*" can be undone\./);
    const later = await replace('one = 1', 'one = 12');
    sessions.text.workspace.write(file, 'const one = 12; // mine\n');
    expect(await refused({ undo: later })).toContain('has changed since');
    expect(read(file)).toBe('const one = 12; // mine\n');
  });
});

describe('apply_edit under permissions', () => {
  const change = { file_path: 'one.fake', old_text: 'one = 1', new_text: 'one = 3' };

  it('shows only, in a session that may only read', async () => {
    await using session = await fakeSession(FILES, { args: ['--permission', 'read'] });
    const answer = await session.ask('apply_edit', { ...change, dry_run: false });
    expect(answer).toContain('+const one = 3;');
    expect(answer).toContain('next: Nothing was written. This is a preview only');
    expect(session.workspace.read('one.fake')).toContain('one = 1;');
  });

  it('asks the user, and writes only after a yes', async () => {
    const answers: ElicitResult['action'][] = ['decline', 'accept'];
    const asked: string[] = [];
    await using session = await fakeSession(FILES, {
      args: ['--permission', 'ask'],
      client: { capabilities: { elicitation: {} } },
      prepare: (client) =>
        client.setRequestHandler('elicitation/create', async ({ params }) => {
          asked.push(params.message);
          return { action: answers.shift() ?? 'cancel' };
        }),
    });
    const edit_id = /edit_id (e\d+)/.exec(await session.ask('apply_edit', change))?.[1];
    expect(asked).toEqual([]);
    expect(await session.ask('apply_edit', { edit_id })).toContain(
      'next: Nothing was written: the user did not agree.',
    );
    expect(session.workspace.read('one.fake')).toContain('one = 1;');
    expect(await session.ask('apply_edit', { edit_id })).toContain('changed 1 place in 1 file');
    expect(session.workspace.read('one.fake')).toContain('one = 3;');
    expect(asked[1]).toBe('agent-lsp: may apply_edit change 1 file?\nedit one.fake\n  one.fake');
  });

  it('leaves a line in the audit for what was shown and what was written', async () => {
    await using session = await fakeSession(FILES);
    await session.ask('apply_edit', { ...change, dry_run: true });
    await session.ask('apply_edit', change);
    const lines = await auditLines(session, 2);
    const edit = { mode: 'text-match', old_text_preview: 'one = 1', new_text_preview: 'one = 3' };
    expect(lines).toMatchObject([
      { tool: 'apply_edit', success: true, edit_summary: { ...edit, apply: false } },
      { tool: 'apply_edit', success: true, edit_summary: { ...edit, apply: true } },
    ]);
  });
});

async function auditLines({ workspace }: FakeSession, count: number): Promise<unknown[]> {
  const file = path.join(workspace.stateDir, 'audit.jsonl');
  const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []);
  await until(() => lines().length >= count, { what: 'lines in the audit' });
  return lines().map((line) => JSON.parse(line));
}

function range(line: number, character: number, endLine: number, endCharacter: number) {
  return { start: { line, character }, end: { line: endLine, character: endCharacter } };
}
