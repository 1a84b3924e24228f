import { type ChildProcess, spawn } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeServer } from '../support/fake-server.ts';
import { isAlive } from '../support/processes.ts';
import { fakeSession } from './fake-session.ts';

describe('start_lsp', () => {
  it('starts what the directory needs and says what it started', async () => {
    await using session = await fakeSession();
    const text = await session.ask('start_lsp', { root_dir: session.workspace.root });
    expect(text).toContain('LSP server started successfully');
    expect(text).toContain(`fake-lsp 1.0.0 (fake) in ${session.workspace.root}: ready; own process`);
    expect(session.server.journal.received('initialize')).toHaveLength(1);
    await session.ask('start_lsp', { root_dir: session.workspace.root });
    expect(session.server.journal.received('initialize')).toHaveLength(1);
  });

  it('holds for the files below its root', async () => {
    await using session = await fakeSession();
    const root = session.workspace.file('src');
    await session.ask('start_lsp', { root_dir: root, language_id: 'fake' });
    await session.ask('list_symbols', { file_path: 'src/use.fake' });
    expect(session.server.journal.received('initialize')).toHaveLength(1);
  });

  it('waits for the index with ready_timeout_seconds', async () => {
    const rules = [
      {
        on: 'initialized',
        do: [
          { progress: { token: 'i', begin: 'Indexing' } },
          { wait: 50 },
          { progress: { token: 'i', end: true as const } },
        ],
      },
    ];
    await using session = await fakeSession(undefined, { scenario: { rules } });
    const text = await session.ask('start_lsp', { language_id: 'fake', ready_timeout_seconds: 20 });
    expect(text).toContain(': ready; own process');
  });

  it('refuses directories outside the roots, files and unknown languages', async () => {
    await using session = await fakeSession();
    const refused = async (args: Record<string, unknown>) => {
      const { text, isError } = await session.call('start_lsp', args);
      expect(isError).toBe(true);
      return text;
    };
    expect(await refused({ root_dir: '/' })).toContain('/ is outside the workspace roots');
    expect(await refused({ root_dir: 'src/use.fake' })).toContain('is not a directory');
    expect(await refused({ root_dir: 'gone' })).toContain('does not exist');
    expect(await refused({ language_id: 'klingon' })).toContain(
      'language "klingon" is not known. Pass language_id (one of',
    );
  });

  it('connects to a server that somebody else runs and leaves it running', async () => {
    await using session = await fakeSession();
    const listener = fakeServer(session.workspace.scratch, {}, 'listening');
    const child = track(
      spawn(listener.executable, [...listener.args, '--listen', '127.0.0.1:0'], {
        stdio: 'ignore',
        env: session.workspace.env(),
      }),
    );
    const { port } = await listener.journal.waitFor(['listening']);
    const text = await session.ask('start_lsp', { language_id: 'fake', connect: `127.0.0.1:${port}` });
    expect(text).toContain(`Connected to existing language server at 127.0.0.1:${port}`);
    expect(text).toContain(`somebody else's, at 127.0.0.1:${port}`);
    await session.ask('list_symbols', { file_path: 'src/use.fake' });
    const asked = listener.journal.received('textDocument/documentSymbol');
    expect(JSON.stringify(asked)).toContain('use.fake');
    await session.frontEnd.close();
    expect(isAlive(child.pid ?? 0)).toBe(true);
    expect(listener.journal.received('shutdown')).toHaveLength(0);
  });
});

describe('the other server tools', () => {
  it('restart_lsp_server gives a new server process', async () => {
    await using session = await fakeSession();
    expect(await session.ask('restart_lsp_server')).toContain(
      'No such LSP server was running in this session',
    );
    await session.ask('list_symbols', { file_path: 'src/use.fake' });
    expect(await session.ask('restart_lsp_server', { language_id: 'fake' })).toContain(
      'LSP server restarted successfully (fake)',
    );
    expect(session.server.journal.received('initialize')).toHaveLength(2);
    expect(await session.ask('list_symbols', { file_path: 'src/use.fake' })).toContain('function again');
  });

  it('get_server_capabilities tells which tools work, without start_lsp', async () => {
    await using session = await fakeSession(undefined, {
      args: ['--output', 'json'],
      scenario: { capabilities: { declarationProvider: null, implementationProvider: null } },
    });
    const { json } = await session.call('get_server_capabilities');
    expect(json).toMatchObject({
      server_name: 'fake-lsp',
      server_version: '1.0.0',
      fallback_tools: ['go_to_declaration'],
      unsupported_tools: ['go_to_implementation'],
      capabilities: { hoverProvider: true },
    });
    expect(json).toHaveProperty(
      'supported_tools',
      expect.arrayContaining(['find_references', 'get_diagnostics', 'start_lsp']),
    );
  });

  it('detect_lsp_servers tells what is installed and how to get the rest, and starts nothing', async () => {
    await using session = await fakeSession(
      '//- a.fake\n\n//- main.py\nprint(1)\n//- pyproject.toml\n[project]\nname = "x"\n//- a.nix\n{}\n',
    );
    const text = await session.ask('detect_lsp_servers', { workspace_dir: session.workspace.root });
    expect(text).toMatch(/^\/.*: python, fake, nix/);
    expect(text).toMatch(/^ {2}python: pyright-langserver {2}\//m);
    expect(text).toMatch(/^ {2}nix: nil is missing; install: /m);
    expect(session.server.journal.entries()).toHaveLength(0);
  });

  it('set_log_level decides what the client hears', async () => {
    await using session = await fakeSession();
    const heard: string[] = [];
    session.frontEnd.client.setNotificationHandler('notifications/message', ({ params }) => {
      heard.push(`${params.level} ${JSON.stringify(params.data)}`);
    });
    expect(await session.ask('set_log_level', { level: 'emergency' })).toBe('Log level set to "emergency"');
    await session.ask('detect_lsp_servers');
    expect(heard).toEqual([]);
    await session.ask('set_log_level', { level: 'debug' });
    await session.ask('detect_lsp_servers');
    expect(heard.some((line) => line.includes('"tool":"detect_lsp_servers"'))).toBe(true);
    const wrong = await session.call('set_log_level', { level: 'loud' });
    expect(wrong.text).toMatch(/^level must be one of debug, info, .*, got "loud"/);
  });
});

const children: ChildProcess[] = [];

function track(child: ChildProcess): ChildProcess {
  children.push(child);
  return child;
}

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
