import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { fakeServer, type Scenario } from '../support/fake-server.ts';
import { tokensIn } from '../support/tokens.ts';
import { type FakeSession, type FakeSessionOptions, fakeSession, sharedSessions } from './fake-session.ts';

const FILES = `
//- lib.fake
export function price
  return 1;
export const rate = 2;
//- main.fake
const total = price; // NEEDS lib.fake
//- other.fake
const share = rate;
//- old.fake
const first = ERROR 1;
const second = 2;
const third = WARN 3;
`;

/** Nothing of them is written except in copies of their own, so that all tests can share two sessions. */
const PULL: Scenario = { diagnostics: { profile: 'pull' } };
const sessions = sharedSessions(FILES, { scenario: PULL });

function ownSession(options: FakeSessionOptions = {}, files = FILES): Promise<FakeSession> {
  return fakeSession(files, { scenario: PULL, ...options });
}

interface Evaluation {
  readonly net_delta: number;
  readonly errors_introduced: readonly { file: string; line: number; column: number; message: string }[];
  readonly errors_resolved: readonly { file: string; line: number; message: string }[];
  readonly unknown: readonly string[];
  readonly files_checked: number;
  readonly confidence: string;
  readonly timeout: boolean;
}

/** Without what differs from run to run. */
function timeless(text: string): string {
  return text
    .replace(/\d+ ms\)/g, 'N ms)')
    .replace(/edit_id e\d+/g, 'edit_id eN')
    .replace(/\b[0-9a-f]{32}\b/g, 'SESSION');
}

async function shown(tool: string, args: object, session: FakeSession = sessions.text): Promise<string[]> {
  return timeless(await session.ask(tool, { ...args })).split('\n');
}

async function data<T = Evaluation>(tool: string, args: object, session = sessions.json): Promise<T> {
  const { json, isError, text } = await session.call(tool, { ...args });
  if (isError) throw new Error(text);
  return json as T;
}

async function refused(tool: string, args: object, session: FakeSession = sessions.text): Promise<string> {
  const { isError, text } = await session.call(tool, { ...args });
  if (!isError) throw new Error(`not refused: ${text}`);
  return timeless(text);
}

async function begin(session: FakeSession = sessions.json): Promise<{ session_id: string }> {
  const created = await session.call('create_simulation_session', {
    workspace_root: session.workspace.root,
    language: 'fake',
  });
  const { text } = created.raw.content[0] as { text: string };
  const id = /[0-9a-f]{32}/.exec(text)?.[0];
  if (id === undefined) throw new Error(text);
  return { session_id: id };
}

/** The text that the server has of a file, if it is open, by what it was told. */
function textInServer({ server, workspace }: FakeSession, name: string): string | undefined {
  const uri = pathToUri(workspace.file(name));
  let text: string | undefined;
  for (const { method, message } of server.journal.matching(({ event }) => event === 'received')) {
    const params = message?.params as {
      textDocument?: { uri: string; text?: string };
      contentChanges?: { text: string }[];
    };
    if (params?.textDocument?.uri !== uri) continue;
    if (method === 'textDocument/didOpen') text = params.textDocument.text;
    if (method === 'textDocument/didChange') text = params.contentChanges?.at(-1)?.text;
    if (method === 'textDocument/didClose') text = undefined;
  }
  return text;
}

describe('preview_edit', () => {
  it('says in a few words that an edit is safe, and how to make it', async () => {
    const answer = await sessions.text.ask('preview_edit', {
      file_path: 'lib.fake',
      old_text: 'return 1',
      new_text: 'return 2',
    });
    expect(timeless(answer).split('\n')).toEqual([
      'safe: 0 new errors, in this file alone (fresh, N ms)',
      'next: apply_edit edit_id eN',
    ]);
    expect(tokensIn(answer)).toBeLessThanOrEqual(30);
    expect(sessions.text.workspace.read('lib.fake')).toContain('return 1');
  });

  it('lists the errors that would be new, with lines of the text as it would be', async () => {
    const edit = {
      file_path: 'lib.fake',
      start_line: 1,
      start_column: 1,
      end_column: 1,
      new_text: 'one\nERROR two\n',
    };
    expect(await shown('preview_edit', edit)).toEqual([
      '1 new error, in this file alone (fresh, N ms)',
      '  new E lib.fake:2:1 fake-error ERROR two',
      'next: correct it, or apply_edit edit_id eN',
    ]);
    const { workspace } = sessions.json;
    expect(await data('preview_edit', edit)).toMatchObject({
      net_delta: 1,
      errors_introduced: [{ file: workspace.file('lib.fake'), line: 2, column: 1, severity: 1 }],
      errors_resolved: [],
      scope: 'file',
      confidence: 'high',
      timeout: false,
      edit_id: expect.stringMatching(/^e\d+$/),
    });
  });

  it('W12: does not count what was wrong before, in a file that was not open', async () => {
    await using session = await ownSession();
    const edit = { file_path: 'old.fake', old_text: 'second = 2', new_text: 'second = 3' };
    expect((await shown('preview_edit', edit, session))[0]).toBe(
      'safe: 0 new errors, 1 before, in this file alone (fresh, N ms)',
    );
  });

  it('W14: does not call an error new that only moved, and names the file of each', async () => {
    const edit = {
      file_path: 'old.fake',
      start_line: 1,
      start_column: 1,
      end_column: 1,
      new_text: 'const zero = 0;\n',
    };
    expect(await data('preview_edit', edit)).toMatchObject({
      net_delta: 0,
      errors_introduced: [],
      errors_resolved: [],
      warnings_introduced: [],
    });
    const instead = { file_path: 'old.fake', old_text: 'ERROR 1', new_text: 'ERROR 9' };
    expect(await shown('preview_edit', instead)).toEqual([
      '1 new error, 1 gone, 1 before, in this file alone (fresh, N ms)',
      '  new E old.fake:1:15 fake-error const first = ERROR 9;',
      'next: correct it, or apply_edit edit_id eN',
    ]);
    const { errors_resolved: gone } = await data('preview_edit', instead);
    expect(gone).toMatchObject([{ file: sessions.json.workspace.file('old.fake'), line: 1, column: 15 }]);
  });

  it('says what goes away, and which warnings come', async () => {
    const repaired = { file_path: 'old.fake', old_text: 'ERROR 1', new_text: '1' };
    expect((await shown('preview_edit', repaired))[0]).toBe(
      'safe: 0 new errors, 1 gone, 1 before, in this file alone (fresh, N ms)',
    );
    const warned = { file_path: 'old.fake', old_text: 'second = 2', new_text: 'second = WARN 2' };
    expect((await shown('preview_edit', warned)).slice(0, 2)).toEqual([
      'safe: 0 new errors, 1 before; 1 new warning, 1 before, in this file alone (fresh, N ms)',
      '  new W old.fake:2:16 fake-warning const second = WARN 2;',
    ]);
  });

  it('looks at files that depend on the edit, if asked to', async () => {
    const edit = { file_path: 'lib.fake', old_text: 'return 1', new_text: 'return BROKEN' };
    expect((await shown('preview_edit', edit))[0]).toBe(
      'safe: 0 new errors, in this file alone (fresh, N ms)',
    );
    expect((await shown('preview_edit', { ...edit, scope: 'workspace' })).slice(0, 2)).toEqual([
      '1 new error, in 3 files (fresh, N ms)',
      '  new E main.fake:1:25 fake-need const total = price; // NEEDS lib.fake',
    ]);
  });

  it('counts columns in UTF-16 and keeps line ends', async () => {
    await using session = await ownSession({ args: ['--output', 'json'] }, '//- a.fake\nx\n');
    writeFileSync(session.workspace.file('a.fake'), 'const a = "😀"; b\r\nend\r\n');
    const edit = {
      file_path: 'a.fake',
      start_line: 1,
      start_column: 17,
      end_column: 18,
      new_text: 'ERROR\nc',
    };
    const found = await data<Evaluation & { edit_id: string }>('preview_edit', edit, session);
    expect(found.errors_introduced).toMatchObject([{ line: 1, column: 17 }]);
    await session.ask('apply_edit', { edit_id: found.edit_id });
    expect(session.workspace.read('a.fake')).toBe('const a = "😀"; ERROR\r\nc\r\nend\r\n');
  });

  it('takes a file that does not exist yet', async () => {
    const edit = { file_path: 'new/more.fake', start_line: 1, new_text: 'const a = ERROR;\n' };
    expect((await shown('preview_edit', edit)).slice(0, 2)).toEqual([
      '1 new error, in this file alone (fresh, N ms)',
      '  new E new/more.fake:1:11 fake-error const a = ERROR;',
    ]);
  });

  it('W13: never calls a text safe that the server did not speak of', async () => {
    await using session = await ownSession({ scenario: { diagnostics: { profile: 'none' } } });
    const edit = { file_path: 'lib.fake', old_text: 'return 1', new_text: 'ERROR', timeout_ms: 1_500 };
    expect(await shown('preview_edit', edit, session)).toEqual([
      'TIMEOUT: lib.fake not checked; this is not "safe"',
      'next: try again, or apply_edit edit_id eN',
    ]);
    await using json = await ownSession({
      args: ['--output', 'json'],
      scenario: { diagnostics: { profile: 'none' } },
    });
    const answer = await json.call('preview_edit', edit);
    expect(answer.json).toMatchObject({
      timeout: true,
      confidence: 'low',
      unknown: [json.workspace.file('lib.fake')],
    });
    expect(answer.raw.structuredContent).toMatchObject({ status: 'incomplete', fresh: false });
  });

  it('trusts a server less that is still indexing', async () => {
    const progress = { token: 'index', begin: 'Indexing', percentage: 41 };
    await using session = await ownSession({
      args: ['--output', 'json'],
      scenario: { diagnostics: { profile: 'pull' }, rules: [{ on: 'initialized', do: { progress } }] },
    });
    const edit = { file_path: 'lib.fake', old_text: 'return 1', new_text: 'return 2', timeout_ms: 2_000 };
    expect(await data('preview_edit', edit, session)).toMatchObject({ confidence: 'low' });
  });

  it('is refused where others use the server', async () => {
    const edit = { file_path: 'lib.fake', old_text: 'return 1', new_text: 'return 2' };
    await using session = await ownSession();
    const { workspace } = session;
    const listener = fakeServer(workspace.scratch, {}, 'listening');
    // Ends with the workspace.
    spawn(listener.executable, [...listener.args, '--listen', '127.0.0.1:0'], {
      stdio: 'ignore',
      env: workspace.env(),
    });
    const { port } = await listener.journal.waitFor(['listening']);
    await session.ask('start_lsp', { language_id: 'fake', connect: `127.0.0.1:${port}` });
    expect(await refused('preview_edit', edit, session)).toMatch(
      /cannot try out text: somebody else runs this server/,
    );
  });

  it.each([
    { what: 'nothing to replace', edit: { new_text: 'x' }, why: 'it is not said what to replace' },
    {
      what: 'two places',
      edit: { new_text: 'x', old_text: 'price', start_line: 1 },
      why: 'a range and old_text are given at once',
    },
    {
      what: 'a text that is not there',
      edit: { new_text: 'x', old_text: 'absent' },
      why: 'old_text is not in lib.fake',
    },
    { what: 'a line past the end', edit: { new_text: 'x', start_line: 99 }, why: 'line 99 is past the end' },
    {
      what: 'an end before the start',
      edit: { new_text: 'x', start_line: 2, end_line: 1 },
      why: 'is before the start',
    },
  ])('refuses $what', async ({ edit, why }) => {
    expect(await refused('preview_edit', { file_path: 'lib.fake', ...edit })).toContain(why);
  });

  it('refuses a file outside the roots', async () => {
    const edit = { file_path: '/etc/hosts.fake', start_line: 1, new_text: 'x' };
    expect(await refused('preview_edit', edit)).toContain('outside the workspace roots');
  });
});

describe('a simulation session', () => {
  it('collects edits, and says what they do together', async () => {
    const session = sessions.text;
    const id = await begin(session);
    expect(await session.ask('create_simulation_session')).toMatch(
      /^session_id [0-9a-f]{32}\nnext: simulate_edit, /,
    );
    const edit = (args: object) => shown('simulate_edit', { ...id, ...args });
    expect(await edit({ file_path: 'lib.fake', old_text: 'return 1', new_text: 'return BROKEN' })).toEqual([
      'lib.fake: version 1, not on disk',
      'next: evaluate_session',
    ]);
    expect(await edit({ file_path: 'lib.fake', old_text: 'BROKEN', new_text: '4' })).toContain(
      'lib.fake: version 2, not on disk',
    );
    expect(await edit({ file_path: 'main.fake', start_line: 1, new_text: 'ERROR' })).toContain(
      'main.fake: version 1, not on disk',
    );
    expect(await shown('evaluate_session', id)).toEqual([
      '1 new error, in 2 files (fresh, N ms)',
      '  new E main.fake:1:1 fake-error ERROR',
      'next: correct it, or commit_session',
    ]);
    await edit({ file_path: 'main.fake', old_text: 'ERROR', new_text: 'fine' });
    expect((await shown('evaluate_session', id))[0]).toBe('safe: 0 new errors, in 2 files (fresh, N ms)');
    expect(await shown('discard_session', id)).toEqual(['discarded']);
    expect(await refused('evaluate_session', id)).toBe(
      'session SESSION cannot be evaluated: it is discarded. Begin a new one with create_simulation_session.',
    );
    expect(await shown('destroy_session', id)).toEqual(['destroyed']);
    expect(await shown('destroy_session', id)).toEqual(['already_destroyed: there is no such session']);
    expect(await refused('simulate_edit', { ...id, file_path: 'lib.fake', new_text: '' })).toContain(
      'there is no session',
    );
  });

  it('may have files that no server is for among its files', async () => {
    const { session_id } = await data<{ session_id: string }>('create_simulation_session', {});
    const id = { session_id };
    await data('simulate_edit', { ...id, file_path: 'notes.txt', start_line: 1, new_text: 'ERROR\n' });
    await data('simulate_edit', { ...id, file_path: 'lib.fake', old_text: 'return 1', new_text: 'return 2' });
    expect(await data('evaluate_session', id)).toMatchObject({
      net_delta: 0,
      files_checked: 1,
      confidence: 'high',
    });
  });

  it('is answered as data that programs can go on with', async () => {
    const created = await sessions.json.call('create_simulation_session');
    expect(created.raw.content.slice(1)).toEqual([
      { type: 'text', text: expect.stringMatching(/^Next step: /) },
    ]);
    expect(created.json).toEqual({ session_id: expect.stringMatching(/^[0-9a-f]{32}$/), status: 'created' });
    const id = await begin();
    const edit = { ...id, file_path: 'lib.fake', old_text: 'return 1', new_text: 'ERROR' };
    expect(await data('simulate_edit', edit)).toEqual({
      ...id,
      edit_applied: true,
      file: sessions.json.workspace.file('lib.fake'),
      version_after: 1,
    });
    expect(await data('evaluate_session', { ...id, scope: 'workspace' })).toMatchObject({
      ...id,
      net_delta: 1,
      files_checked: 3,
      scope: 'workspace',
    });
    expect(await data('discard_session', id)).toEqual({ ...id, status: 'discarded' });
    expect(await data('destroy_session', id)).toEqual({ ...id, status: 'destroyed' });
    expect(await data('destroy_session', id)).toEqual({ ...id, status: 'already_destroyed' });
  });

  it('W14: sees only its own text, whatever others try on the same file', async () => {
    const trials = await Promise.all(
      Array.from({ length: 8 }, async (_, index) => {
        const id = await begin();
        const new_text = index % 2 === 0 ? `ERROR ${index}` : `fine ${index}`;
        await data('simulate_edit', { ...id, file_path: 'lib.fake', old_text: 'return 1', new_text });
        return { id, new_text };
      }),
    );
    const found = await Promise.all(trials.map(({ id }) => data('evaluate_session', id)));
    expect(found.map(({ errors_introduced: errors }) => errors.map(({ message }) => message))).toEqual(
      trials.map(({ new_text }) => (new_text.startsWith('ERROR') ? [`${new_text};`] : [])),
    );
    expect(await data('get_diagnostics', { file_path: 'lib.fake' })).toMatchObject({});
  });

  it('W11: leaves the text of the disk in the server, however it ends', async () => {
    const edit = { file_path: 'lib.fake', old_text: 'return 1', new_text: 'return 5' };
    for (const end of ['commit_session', 'destroy_session', 'discard_session', undefined]) {
      const id = await begin();
      await data('simulate_edit', { ...id, ...edit });
      await data('evaluate_session', id);
      if (end !== undefined) await data(end, id);
      await data('get_diagnostics', { file_path: 'lib.fake' });
      expect(textInServer(sessions.json, 'lib.fake')).toBe(sessions.json.workspace.read('lib.fake'));
    }
  });
});

describe('simulate_chain', () => {
  const bad = { file_path: 'lib.fake', old_text: 'return 1', new_text: 'ERROR' };
  const mended = { file_path: 'lib.fake', old_text: 'ERROR', new_text: 'return 2' };
  const fine = { file_path: 'other.fake', old_text: 'share', new_text: 'part' };

  it('W14: is safe up to the step before the first that brings an error, though a later one mends it', async () => {
    const id = await begin(sessions.text);
    expect(await shown('simulate_chain', { ...id, edits: [fine, bad, mended] })).toEqual([
      'safe through step 1 of 3',
      '  step 1: 0 new errors, in 1 file',
      '  step 2: 1 new error, in 2 files',
      '  step 3: 0 new errors, in 2 files',
      'all together: safe: 0 new errors, in 2 files (fresh, N ms)',
      'next: commit_session, or discard_session',
    ]);
    const other = await begin();
    const chain = await data<object>('simulate_chain', { ...other, edits: [fine, bad] });
    expect(chain).toMatchObject({
      ...other,
      steps: [
        { step: 1, net_delta: 0, errors_introduced: [] },
        { step: 2, net_delta: 1, errors_introduced: [{ file: sessions.json.workspace.file('lib.fake') }] },
      ],
      safe_to_apply_through_step: 1,
      cumulative_delta: 1,
    });
  });

  it('counts a step as safe that only removes errors', async () => {
    const id = await begin();
    const edits = [{ file_path: 'old.fake', old_text: 'ERROR 1', new_text: '1' }, fine];
    expect(await data('simulate_chain', { ...id, edits })).toMatchObject({
      steps: [{ net_delta: -1 }, { net_delta: -1 }],
      safe_to_apply_through_step: 2,
      cumulative_delta: -1,
    });
  });

  it('takes none of the edits when one does not fit', async () => {
    const id = await begin(sessions.text);
    expect(
      await refused('simulate_chain', { ...id, edits: [fine, { ...bad, old_text: 'absent' }] }),
    ).toContain('old_text is not in lib.fake');
    expect(await refused('evaluate_session', id)).toContain('it is created');
    expect(await refused('simulate_chain', { ...id, edits: [{ file_path: 'lib.fake' }] })).toContain(
      'edits[0].new_text is required',
    );
  });
});

describe('commit_session', () => {
  const edits = [
    { file_path: 'lib.fake', old_text: 'return 1', new_text: 'return 7' },
    { file_path: 'new/more.fake', start_line: 1, new_text: 'const a = 1;\n' },
  ];

  async function edited(session: FakeSession) {
    const id = await begin(session);
    for (const edit of edits) await session.ask('simulate_edit', { ...id, ...edit });
    return id;
  }

  it('gives a patch in the form of git, and keeps the edit under an id', async () => {
    await using session = await ownSession({ args: ['--output', 'json'] });
    const id = await edited(session);
    const committed = await data<{ patch: string; edit_id: string }>('commit_session', id, session);
    expect(committed).toMatchObject({ ...id, applied: false });
    expect(committed.patch.split('\n')).toEqual([
      '--- a/lib.fake',
      '+++ b/lib.fake',
      '@@ -1,3 +1,3 @@',
      ' export function price',
      '-  return 1;',
      '+  return 7;',
      ' export const rate = 2;',
      'diff --git a/new/more.fake b/new/more.fake',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/new/more.fake',
      '@@ -0,0 +1 @@',
      '+const a = 1;',
      '',
    ]);
    expect(await refused('commit_session', id, session)).toContain('it is committed');
    await session.ask('apply_edit', { edit_id: committed.edit_id });
    expect(session.workspace.read('new/more.fake')).toBe('const a = 1;\n');
  });

  it('writes all files with apply', async () => {
    await using session = await ownSession({ args: ['--output', 'json'] });
    const id = await edited(session);
    expect(await data('commit_session', { ...id, apply: true }, session)).toMatchObject({
      applied: true,
      files_written: ['lib.fake', 'new/more.fake'].map((name) => session.workspace.file(name)),
      diagnostics: { net_delta: 0 },
    });
    expect(session.workspace.read('lib.fake')).toContain('return 7');
    expect(session.workspace.read('new/more.fake')).toBe('const a = 1;\n');
  });

  it('refuses when a file has changed on disk since, says which, and writes nothing', async () => {
    await using session = await ownSession();
    const id = await edited(session);
    await session.ask('evaluate_session', id);
    session.workspace.write('lib.fake', '// somebody else\n');
    expect(await refused('commit_session', { ...id, apply: true }, session)).toMatch(
      /lib\.fake has changed since/,
    );
    expect(session.workspace.read('lib.fake')).toBe('// somebody else\n');
    expect(() => readFileSync(session.workspace.file('new/more.fake'))).toThrow();
    expect(await refused('evaluate_session', id, session)).toContain('it is dirty');
    expect(await session.ask('discard_session', id)).toBe('discarded');
  });

  it('writes to another folder with the same files, if asked to', async () => {
    await using session = await ownSession(
      { args: ['--output', 'json'] },
      `${FILES}\n//- copy/lib.fake\nexport function price\n  return 1;\nexport const rate = 2;\n`,
    );
    const id = await edited(session);
    expect(await data('commit_session', { ...id, apply: true, target: 'copy' }, session)).toMatchObject({
      applied: true,
    });
    expect(session.workspace.read('copy/lib.fake')).toContain('return 7');
    expect(session.workspace.read('copy/new/more.fake')).toBe('const a = 1;\n');
    expect(session.workspace.read('lib.fake')).toContain('return 1');
  });

  it('only shows the patch to whoever may only read, and the session goes on', async () => {
    await using session = await ownSession({ env: { AGENT_LSP_PERMISSION: 'read' } });
    const id = await edited(session);
    const text = await session.ask('commit_session', { ...id, apply: true });
    expect(text).toContain('this session may only read');
    expect(session.workspace.read('lib.fake')).toContain('return 1');
    expect((await shown('evaluate_session', id, session))[0]).toContain('safe');
  });
});

describe('safe_apply_edit', () => {
  it('makes an edit that brings no error, and safe_edit does the same', async () => {
    await using session = await ownSession();
    const edit = { file_path: 'lib.fake', old_text: 'return 1', new_text: 'return 8' };
    expect((await shown('safe_apply_edit', edit, session))[0]).toBe(
      'edit lib.fake: changed 1 place in 1 file',
    );
    expect(session.workspace.read('lib.fake')).toContain('return 8');
    await session.ask('safe_edit', { ...edit, old_text: 'return 8', new_text: 'return 9' });
    expect(session.workspace.read('lib.fake')).toContain('return 9');
  });

  it('W9: is not made when an error is new, though another one goes away', async () => {
    await using session = await ownSession();
    const edit = { file_path: 'old.fake', old_text: 'ERROR 1', new_text: 'ERROR 9' };
    expect(await shown('safe_apply_edit', edit, session)).toEqual([
      'edit old.fake: not applied; edit_id eN',
      '1 new error, 1 gone, 1 before, in 1 file (fresh, N ms)',
      '  new E old.fake:1:15 fake-error const first = ERROR 9;',
      'next: correct it, or apply_edit edit_id eN all the same',
    ]);
    expect(session.workspace.read('old.fake')).toContain('ERROR 1');
    await session.ask('apply_edit', { edit_id: 'e1' });
    expect(session.workspace.read('old.fake')).toContain('ERROR 9');
  });

  it('is not made when a file that depends on it would break', async () => {
    await using session = await ownSession({ args: ['--output', 'json'] });
    const edit = { file_path: 'lib.fake', old_text: 'return 1', new_text: 'return BROKEN' };
    expect(await data('safe_apply_edit', edit, session)).toMatchObject({
      applied: false,
      edit_id: 'e1',
      evaluation: { net_delta: 1, errors_introduced: [{ file: session.workspace.file('main.fake') }] },
    });
    expect(session.workspace.read('lib.fake')).toContain('return 1');
  });

  it('refuses a text that is not there or there twice, like apply_edit', async () => {
    const edit = { file_path: 'old.fake', old_text: 'const', new_text: 'let' };
    expect(await refused('safe_apply_edit', edit)).toContain('old_text is 3 times in');
  });
});
