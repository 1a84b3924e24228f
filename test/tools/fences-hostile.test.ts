/** Folders and addresses that nobody but the user can open, links that lead out, and the same fences from a shell. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import { describe, expect, it } from 'vitest';
import { Eavesdropper } from '../support/eavesdropper.ts';
import { fakeServer } from '../support/fake-server.ts';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';
import { type FakeSession, type FakeSessionOptions, fakeSession, writeFakeConfig } from './fake-session.ts';

const FILES = `
//- src/client.fake
export class Client {
  stop() {
  }
}
//- src/client.test.fake
client.stop();
//- ../secret/keys.fake
function key() {
}
//- ../secret/Makefile
all:
	@touch ran
//- ../library/shared.fake
function shared() {
}
`;

/** A session of an agent that may do everything, and a user who agrees to everything. */
async function trustingSession(options: FakeSessionOptions = {}) {
  const asked: string[] = [];
  const session = await fakeSession(FILES, {
    client: { capabilities: { elicitation: {} } },
    prepare: (client) =>
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        asked.push(params.message);
        return { action: 'accept' };
      }),
    ...options,
  });
  return Object.assign(session, { asked });
}

async function refusalOf(
  { call }: FakeSession,
  tool: string,
  args: Record<string, unknown>,
): Promise<string> {
  const { isError, text } = await call(tool, args);
  expect(isError, `${tool} ${JSON.stringify(args)}: ${text}`).toBe(true);
  expect(text).not.toContain('\n');
  return text;
}

const crossRepo = (...consumer_roots: string[]) => ({
  symbol_file: 'src/client.fake',
  symbol: 'Client.stop',
  consumer_roots,
});

describe('folders', () => {
  it.runIf(process.platform !== 'win32')(
    'of the system and homes are refused, and nobody is asked about them',
    async () => {
      for (const permission of ['ask', 'write']) {
        await using session = await trustingSession({ args: ['--permission', permission] });
        mkdirSync(`${session.workspace.home}/.ssh`, { recursive: true });
        symlinkSync('/etc', session.workspace.file('innocent'));
        const places = [
          '/',
          '/etc',
          '/etc/ssl',
          '/home',
          '/proc/self',
          '/sys',
          '/dev',
          'innocent',
          'file:///etc',
        ];
        for (const place of [...places, session.workspace.home, `${session.workspace.home}/.ssh`]) {
          expect(await refusalOf(session, 'add_workspace_folder', { path: place })).toContain(
            'cannot be a workspace folder. Pass the directory of one project.',
          );
          expect(await refusalOf(session, 'get_cross_repo_references', crossRepo(place))).toContain(
            'cannot be a workspace folder',
          );
        }
        expect(await refusalOf(session, 'list_symbols', { file_path: '/etc/passwd' })).toContain('outside');
        expect(session.asked).toEqual([]);
        expect(await session.ask('list_workspace_folders')).toContain('1 workspace folder;');
      }
    },
  );

  it('beyond -r are refused, also behind links, and nothing in them is read or run', async () => {
    for (const permission of ['ask', 'write']) {
      await using session = await trustingSession({ args: ['-r', '.', '--permission', permission] });
      const { workspace } = session;
      const secret = workspace.file('../secret');
      symlinkSync(secret, workspace.file('linked'));
      for (const path of [secret, '../secret', 'linked', 'src/../../secret']) {
        for (const [tool, args] of [
          ['add_workspace_folder', { path }],
          ['get_cross_repo_references', crossRepo('src', path)],
        ] as const)
          expect(await refusalOf(session, tool, args)).toBe(
            `${secret} is outside of the roots that this session was started with (-r ${workspace.root}). Ask the user to start agent-lsp with -r for it too, or to add it to allowed_paths or AGENT_LSP_ALLOWED_PATHS.`,
          );
        for (const tool of ['run_build', 'run_tests'])
          expect(await refusalOf(session, tool, { workspace_dir: path })).toContain(
            'outside the workspace roots',
          );
        expect(await refusalOf(session, 'start_lsp', { root_dir: path })).toContain(
          'outside the workspace roots',
        );
      }
      expect(await refusalOf(session, 'list_symbols', { file_path: 'linked/keys.fake' })).toContain(
        'outside',
      );
      expect(existsSync(`${secret}/ran`)).toBe(false);
      expect(session.asked).toEqual([]);
    }
  });

  it('beyond -r that the user has opened can be worked in', async () => {
    for (const options of [
      { config: { allowed_paths: ['../library'] } },
      { env: { AGENT_LSP_ALLOWED_PATHS: '../library' } },
    ]) {
      await using session = await trustingSession({ ...options, args: ['-r', '.'] });
      const { workspace } = session;
      const library = workspace.file('../library');
      expect(await session.ask('add_workspace_folder', { path: '../library' })).toContain(
        `Folder added: ${library}`,
      );
      expect(await session.ask('list_symbols', { file_path: `${library}/shared.fake` })).toContain('shared');
      expect(await refusalOf(session, 'add_workspace_folder', { path: '../secret' })).toContain(
        'allowed_paths',
      );
    }
  });

  it('are built only after they were added, which the user has agreed to by name', async () => {
    await using session = await trustingSession({ args: ['--permission', 'ask'] });
    const secret = session.workspace.file('../secret');
    expect(await refusalOf(session, 'run_build', { workspace_dir: secret })).toContain('outside');
    await session.ask('add_workspace_folder', { path: '../secret' });
    await session.ask('run_build', { workspace_dir: secret });
    expect(existsSync(`${secret}/ran`)).toBe(true);
    expect(session.asked).toEqual([
      `agent-lsp: may add_workspace_folder do this?\nwork in ${secret}, too: read files and start language servers there`,
      `agent-lsp: may run_build do this?\nbuild ${secret} with make: this runs code of the project in ${secret}`,
    ]);
  });

  it('of a question across repositories are taken in with it, which is said', async () => {
    await using session = await trustingSession();
    const library = session.workspace.file('../library');
    expect(await session.ask('get_cross_repo_references', crossRepo('../library'))).toContain(
      `note: now also folders of this session: ${library}`,
    );
    await using reader = await trustingSession({ args: ['--permission', 'read'] });
    expect(await reader.ask('get_cross_repo_references', crossRepo('src'))).toContain('1 in src;');
    expect(await refusalOf(reader, 'get_cross_repo_references', crossRepo('../library'))).toBe(
      'get_cross_repo_references for folders beyond the roots reaches beyond the roots, and this session may only read (permission: read). Do without it, or ask the user; agent-lsp --permission ask or write allows it.',
    );
  });
});

/** An address of this machine that others can reach. */
const OUTER = Object.values(os.networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

describe('connections', () => {
  it('to other machines are refused, and nobody is asked about them', async () => {
    for (const permission of ['ask', 'write']) {
      await using session = await trustingSession({ args: ['--permission', permission] });
      for (const connect of [
        '192.0.2.1:9999',
        '[2001:db8::1]:9999',
        '0.0.0.0:9999',
        '169.254.169.254:80',
        'build.example:9999',
        'localhost.example:9999',
        '2130706433:9999',
      ])
        expect(await refusalOf(session, 'start_lsp', { language_id: 'fake', connect })).toBe(
          `${connect} is neither of this machine nor named in the user's configuration. Ask the user to add it to allowed_addresses or AGENT_LSP_ALLOWED_ADDRESSES, or connect to a server on localhost.`,
        );
      expect(session.asked).toEqual([]);
    }
  });

  it('ask for loopback by its address, and send nothing before', async () => {
    await using listener = await Eavesdropper.on('127.0.0.1');
    const connect = `localhost:${listener.port}`;
    await using session = await trustingSession({ args: ['--permission', 'ask'] });
    await session.call('start_lsp', { language_id: 'go', connect });
    expect(session.asked).toEqual([
      `agent-lsp: may start_lsp do this?\nsend sources to the language server at ${connect}`,
    ]);
    expect(listener.heard).toContain('initialize');
    await using subagent = await trustingSession({ args: ['--subagent'] });
    const heard = listener.connections;
    expect(await refusalOf(subagent, 'start_lsp', { language_id: 'go', connect })).toBe(
      'start_lsp with connect is not allowed for a subagent. Leave it to the agent that sent you: report what should be done.',
    );
    expect(listener.connections).toBe(heard);
  });

  it.skipIf(OUTER === undefined)(
    `elsewhere are made if the user has named them${OUTER === undefined ? ' (skipped: no network interface)' : ''}`,
    async () => {
      await using listener = await Eavesdropper.on(OUTER ?? '');
      const connect = `${OUTER}:${listener.port}`;
      await using closed = await trustingSession();
      await refusalOf(closed, 'start_lsp', { language_id: 'go', connect });
      expect(listener.connections).toBe(0);
      for (const options of [
        { config: { allowed_addresses: [connect] } },
        { env: { AGENT_LSP_ALLOWED_ADDRESSES: connect } },
      ]) {
        const before = listener.connections;
        await using session = await trustingSession(options);
        await session.call('start_lsp', { language_id: 'go', connect });
        expect(listener.connections).toBeGreaterThan(before);
      }
    },
  );
});

describe('advice', () => {
  it('names nothing that is refused to this session', async () => {
    await using free = await fakeSession(FILES);
    await using reader = await fakeSession(FILES, { args: ['--permission', 'read'] });
    const sum = { file_path: 'src/sum.ts' };
    for (const { workspace } of [free, reader])
      for (const name of ['src/sum.ts', 'src/sum.test.ts']) workspace.write(name, 'export {};\n');
    expect(await free.ask('get_tests_for_file', sum)).toContain('next: run_tests path:"src/sum.test.ts"');
    expect(await reader.ask('get_tests_for_file', sum)).not.toContain('run_tests');
    const fixes = { file_path: 'src/client.fake', start_line: 1 };
    expect(await free.ask('suggest_fixes', fixes)).toContain('execute_command c1 runs');
    const shown = await reader.ask('suggest_fixes', fixes);
    expect(shown).toContain('takes a command of the server, which this session may not run');
    expect(shown).not.toContain('execute_command');
    // They are the same for every session, so that they name no tool.
    expect(free.frontEnd.client.getInstructions()).not.toMatch(/[a-z]_[a-z]+\b(?<!position_pattern)/);
  });
});

describe('agent-lsp call', () => {
  it('has the same fences, and says what is needed', async () => {
    await using workspace = createWorkspace(FILES);
    const config = writeFakeConfig(workspace, fakeServer(workspace.scratch));
    const call = (...args: readonly string[]) => {
      const { status, stdout } = spawnSync(
        process.execPath,
        [BUILT_PROGRAM, '--config', config, '--daemon', 'never', ...args],
        { cwd: workspace.root, env: workspace.env(), encoding: 'utf8', timeout: 50_000 },
      );
      return { status, stdout };
    };
    const add = ['call', 'add_workspace_folder', '--path', '../secret'];
    expect(call('--permission', 'read', ...add)).toEqual({
      status: 1,
      stdout:
        'add_workspace_folder reaches beyond the roots, and this session may only read (permission: read). Do without it, or ask the user; agent-lsp --permission ask or write allows it.\n',
    });
    expect(call('--permission', 'ask', ...add).stdout).toContain('agent-lsp --permission write or a rule');
    expect(call('--subagent', 'call', 'run_build').stdout).toContain('is not allowed for a subagent');
    expect(call('-r', '.', ...add).stdout).toContain('AGENT_LSP_ALLOWED_PATHS');
    expect(call('call', 'start_lsp', '--connect', '192.0.2.1:1').stdout).toContain(
      'AGENT_LSP_ALLOWED_ADDRESSES',
    );
    expect(call(...add)).toMatchObject({ status: 0 });
  });
});
