import type { ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { pathToUri } from '../../src/shared/base/paths.ts';
import type { Scenario } from '../support/fake-server.ts';
import { fakeServer } from '../support/fake-server.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { runProgram } from '../support/real-session.ts';
import { createWorkspace } from '../support/workspace.ts';
import { type FakeSession, fakeSession, sharedSessions, writeFakeConfig } from './fake-session.ts';

const FILES = `
//- a.fake
const one = 1;
//- b.fake
const two = 2;
`;

const commands = ['fake.run', 'fake.insert', 'fake.insertLate'];
const scenario: Scenario = { capabilities: { executeCommandProvider: { commands } } };

const sessions = sharedSessions(FILES, { scenario });

function insertion({ workspace }: Pick<FakeSession, 'workspace'>, text: string, ...files: readonly string[]) {
  const uris = files.map((file) => pathToUri(workspace.file(file)));
  return { command: 'fake.insert', arguments: [text, ...uris], file_path: 'a.fake' };
}

describe('execute_command', () => {
  it('gives the server’s answer, whatever the arguments are', async () => {
    const args = [1, 'two', null, true, { three: [3] }, []];
    expect(
      await sessions.text.ask('execute_command', {
        command: 'fake.run',
        arguments: args,
      }),
    ).toBe(`fake-lsp ran fake.run: ${JSON.stringify({ ran: args })}\nit edits nothing`);
    const { json } = await sessions.json.call('execute_command', {
      command: 'fake.run',
      file_path: 'a.fake',
    });
    expect(json).toEqual({ server: 'fake-lsp', command: 'fake.run', result: { ran: [] } });
  });

  it('that does not end in time is not to be sent again without a look', async () => {
    const rules = [{ on: 'workspace/executeCommand', do: { never: true } }] as const;
    await using session = await fakeSession(FILES, {
      scenario: { ...scenario, rules },
      config: { call_timeout_seconds: 3 },
    });
    const { text, isError } = await session.call('execute_command', { command: 'fake.run' });
    expect(isError).toBe(true);
    expect(text).toContain('took longer than');
    expect(text).toContain('look at git diff before calling again');
    expect(text).not.toContain('Call again');
  });

  it('shows what the command would edit, or applies it as one edit that can be undone', async () => {
    await using session = await fakeSession(FILES, { scenario });
    const { workspace, server } = session;
    const before = [workspace.read('a.fake'), workspace.read('b.fake')];
    const both = insertion(session, '// new\n', 'a.fake', 'b.fake');
    const shown = (await session.ask('execute_command', { ...both, dry_run: true })).split('\n');
    expect(shown.slice(0, 3)).toEqual([
      'fake-lsp ran fake.insert: {"applied":[true,true]}',
      'fake.insert: would change 2 places in 2 files; edit_id e1',
      '  ./: a.fake (1), b.fake (1)',
    ]);
    expect(shown.at(-1)).toBe('next: apply_edit with edit_id e1 applies it');
    expect([workspace.read('a.fake'), workspace.read('b.fake')]).toEqual(before);
    const applied = (await session.ask('execute_command', both)).split('\n');
    expect(applied.slice(0, 2)).toEqual([
      'fake-lsp ran fake.insert: {"applied":[true,true]}',
      'fake.insert: changed 2 places in 2 files',
    ]);
    expect([workspace.read('a.fake'), workspace.read('b.fake')]).toEqual(
      before.map((text) => `// new\n${text}`),
    );
    await session.ask('apply_edit', { undo: 'e2' });
    expect([workspace.read('a.fake'), workspace.read('b.fake')]).toEqual(before);
    expect(server.journal.violations()).toEqual([]);
  });

  it('runs what suggest_fixes has offered, by its id, with the arguments that were offered', async () => {
    await sessions.text.ask('suggest_fixes', { file_path: 'a.fake', start_line: 1 });
    expect(await sessions.text.ask('execute_command', { command: 'c1' })).toBe(
      'fake-lsp ran fake.run: {"ran":[1,"two"]}\nit edits nothing',
    );
    const { text } = await sessions.text.call('execute_command', { command: 'c99' });
    expect(text).toMatch(/^there is no command c99.*Call suggest_fixes again/);
  });

  it('says that the command ran when its edit cannot be applied', async () => {
    const before = sessions.text.workspace.read('a.fake');
    const outside = { command: 'fake.insert', arguments: ['x', 'file:///etc/hosts'] };
    expect(await sessions.text.ask('execute_command', outside)).toMatch(
      /^fake-lsp ran fake\.insert: .*\nits edit was NOT applied: \/etc\/hosts is outside the workspace roots/,
    );
    const half = insertion(sessions.json, 'x', 'a.fake', 'none.fake');
    const { json } = await sessions.json.call('execute_command', half);
    expect(json).toMatchObject({
      result: { applied: [true, true] },
      edit_error: expect.stringMatching(/none\.fake/),
    });
    expect(sessions.json.workspace.read('a.fake')).toBe(before);
  });

  it('sends nothing that the server has not announced', async () => {
    const { server } = sessions.text;
    const sent = server.journal.received('workspace/executeCommand').length;
    for (const [args, message] of [
      [
        { command: 'fake.ru' },
        /^fake-lsp announces no command "fake\.ru" \(did you mean fake\.run\?\)\. It has fake\.run, fake/,
      ],
      [{ command: 'rm', arguments: ['-rf'] }, /^fake-lsp announces no command "rm"/],
      [{ command: 'fake.run', file_path: '/etc/hosts' }, /is outside the workspace roots/],
      [{ command: 'fake.run', arguments: { a: 1 } }, /^arguments must be of type array/],
      [{}, /^command is required/],
    ] as const) {
      const { isError, text } = await sessions.text.call('execute_command', args);
      expect(text).toMatch(message);
      expect(isError).toBe(true);
    }
    expect(server.journal.received('workspace/executeCommand')).toHaveLength(sent);
  });

  it('is not there for who may only read, and asks in its own words where the user decides', async () => {
    await using reader = await fakeSession(FILES, { scenario, args: ['--permission', 'read'] });
    const refused = await reader.call('execute_command', { command: 'fake.run', file_path: 'a.fake' });
    expect(refused.text).toMatch(/^execute_command runs programs, and this session may only read/);
    await using silent = await fakeSession(FILES, { scenario, args: ['--permission', 'ask'] });
    const unasked = await silent.call('execute_command', { command: 'fake.run', file_path: 'a.fake' });
    expect(unasked.text).toMatch(/^execute_command needs the user's consent, and this client cannot ask/);
    for (const { server } of [reader, silent])
      expect(server.journal.received('workspace/executeCommand')).toEqual([]);
  });

  it('asks the user before it runs, and again before it writes', async () => {
    const asked: string[] = [];
    const answers: ElicitResult['action'][] = ['accept', 'accept', 'accept', 'decline', 'decline'];
    await using session = await fakeSession(FILES, {
      scenario,
      args: ['--permission', 'ask'],
      client: { capabilities: { elicitation: {} } },
      prepare: (client) =>
        client.setRequestHandler('elicitation/create', async ({ params }) => {
          asked.push(params.message);
          return { action: answers.shift() ?? 'cancel' };
        }),
    });
    const { workspace, server } = session;
    const before = workspace.read('a.fake');
    const insert = insertion(session, '// new\n', 'a.fake');
    const shown = await session.ask('execute_command', insert);
    expect(shown).toMatch(/fake\.insert: would change 1 place in 1 file; edit_id e1/);
    expect(workspace.read('a.fake')).toBe(before);
    await session.ask('apply_edit', { edit_id: 'e1' });
    expect(workspace.read('a.fake')).toBe(`// new\n${before}`);
    const declined = await session.call('execute_command', { ...insert, dry_run: false });
    expect(declined.text).toContain('Nothing was written: the user did not agree');
    expect(workspace.read('a.fake')).toBe(`// new\n${before}`);
    const refused = await session.call('execute_command', insert);
    expect(refused.text).toMatch(/^the user did not agree to execute_command; nothing was done/);
    expect(server.journal.received('workspace/executeCommand')).toHaveLength(2);
    const question = `agent-lsp: may execute_command do this?\nrun fake.insert of fake-lsp with ${JSON.stringify(insert.arguments)}`;
    expect(asked).toEqual([
      question,
      'agent-lsp: may apply_edit change 1 file?\nfake.insert\n  a.fake',
      question,
      'agent-lsp: may execute_command change 1 file?\nfake.insert\n  a.fake',
      question,
    ]);
  });

  it('works the same through a shared server', async () => {
    await using workspace = createWorkspace(FILES);
    const server = fakeServer(workspace.scratch, scenario);
    const config = writeFakeConfig(workspace, server);
    await using frontEnd = await startFrontEnd({
      workspace,
      args: ['--config', config, '--daemon', 'always'],
    });
    const answer = await frontEnd.call(
      'execute_command',
      insertion({ workspace }, '// new\n', 'a.fake', 'b.fake'),
    );
    expect(answer.text.split('\n').slice(0, 2)).toEqual([
      'fake-lsp ran fake.insert: {"applied":[true,true]}',
      'fake.insert: changed 2 places in 2 files',
    ]);
    expect(workspace.read('b.fake')).toBe('// new\nconst two = 2;\n');
    await frontEnd.close();
    await runProgram(workspace, 'daemon-stop', '--all', '--now');
    await workspace.expectNothingLeft();
  });
});
