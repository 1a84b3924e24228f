import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { type FakeServer, fakeServer } from '../support/fake-server.ts';
import { BUILT_PROGRAM, type FrontEnd, startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';
import { SAMPLE, writeFakeConfig } from './fake-session.ts';

interface Shared {
  readonly workspace: Workspace;
  readonly server: FakeServer;
  readonly config: string;
}

function sharedWorkspace(): Shared {
  const workspace = createWorkspace(SAMPLE);
  const server = fakeServer(workspace.scratch);
  return { workspace, server, config: writeFakeConfig(workspace, server) };
}

function startShared(
  { workspace, config }: Shared,
  env: Readonly<Record<string, string>> = {},
): Promise<FrontEnd> {
  return startFrontEnd({ workspace, args: ['--config', config, '--daemon', 'always'], env });
}

function run(
  { workspace, config }: Shared,
  ...args: readonly string[]
): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [BUILT_PROGRAM, ...args, '--config', config],
    {
      cwd: workspace.root,
      env: workspace.env(),
      encoding: 'utf8',
      timeout: 50_000,
    },
  );
  return { code: status, out: stdout, err: stderr };
}

const ASK = ['list_symbols', { file_path: 'src/use.fake' }] as const;

describe('sessions on a shared server', () => {
  it('use one server, which stays when they leave', async () => {
    const shared = sharedWorkspace();
    await using _gone = shared.workspace;
    for (let session = 1; session <= 2; session++) {
      await using frontEnd = await startShared(shared);
      expect((await frontEnd.call(...ASK)).text).toContain('function again');
      expect((await frontEnd.call('get_server_capabilities')).text).toContain('; shared daemon');
      await frontEnd.close();
    }
    expect(shared.server.journal.received('initialize')).toHaveLength(1);
    expect(shared.server.journal.received('shutdown')).toHaveLength(0);
    expect(run(shared, 'daemon-stop', '--all')).toMatchObject({
      code: 0,
      out: `fake in ${shared.workspace.root}: stopped\n`,
    });
    await shared.workspace.expectNothingLeft();
  });

  it('answer in this process and say why when the daemon cannot be used', async () => {
    const shared = sharedWorkspace();
    await using _gone = shared.workspace;
    const file = shared.workspace.write(`${shared.workspace.scratch}/file`, '');
    await using frontEnd = await startFrontEnd({
      workspace: shared.workspace,
      args: ['--config', shared.config, '--daemon', 'always'],
      env: { AGENT_LSP_STATE_DIR: `${file}/state` },
    });
    const { text, isError } = await frontEnd.call(...ASK);
    expect(isError, text).toBe(false);
    expect(text).toContain('function again');
    expect(text).toMatch(/^note: .*scratch\/file\/state/m);
    await frontEnd.close();
    await shared.workspace.expectNothingLeft();
  });
});

describe('the daemon commands', () => {
  it('show, restart and stop shared servers', async () => {
    const shared = sharedWorkspace();
    await using _gone = shared.workspace;
    const { root } = shared.workspace;
    expect(run(shared, 'daemon-status').out).toContain('No shared servers');

    await using frontEnd = await startShared(shared);
    await frontEnd.call(...ASK);
    const status = run(shared, 'daemon-status').out;
    expect(status).toContain(`fake  ${root}\n  ready; 1 sessions, 0 calls running; up `);
    expect(status).toContain(shared.server.scenarioFile);
    const json = run(shared, 'daemon-status', '--json').out;
    expect(JSON.parse(json)).toMatchObject([
      { kind: 'running', status: { root, language: 'fake' } },
      { kind: 'total', brokers: 1, servers: { running: 1, asleep: 0 } },
    ]);
    expect(json).not.toContain('token');
    await frontEnd.close();

    expect(run(shared, 'daemon-restart', '--root-dir', root, '--language', 'fake').out).toBe(
      `fake in ${root}: restarted\n`,
    );
    expect(shared.server.journal.received('initialize')).toHaveLength(2);
    expect(run(shared, 'daemon-logs').out).toContain(`==> fake in ${root} (`);
    expect(run(shared, 'daemon-stop', '--language', 'go').out).toBe('Nothing was running.\n');
    expect(run(shared, 'daemon-stop', '--language', 'fake', '--now')).toMatchObject({
      code: 0,
      out: `fake in ${root}: stopped\n`,
    });
    expect(run(shared, 'daemon-status').out).toMatch(/stopped \d+ s ago: .*daemon-stop/);
    await shared.workspace.expectNothingLeft();
  });

  it('tell what all servers take and may take, and which one sleeps because of that', async () => {
    const shared = sharedWorkspace();
    await using _gone = shared.workspace;
    const env = { AGENT_LSP_MAX_MEMORY_MB: '1', AGENT_LSP_SLEEP_AFTER_SECONDS: '0' };
    await using frontEnd = await startShared(shared, env);
    const question = ['find_references', { file_path: 'src/use.fake', symbol: 'again' }] as const;
    const first = await frontEnd.call(...question);
    expect(first.text).not.toContain('INCOMPLETE');
    expect(first.isError).toBe(false);
    const status = await until(
      () => {
        const { out } = run(shared, 'daemon-status');
        return out.includes('asleep: ') && out;
      },
      { what: 'a server that sleeps' },
    );
    expect(status).toMatch(
      /^all shared servers: memory \d+ MB of a budget of 1 MB \(\d+ MB over it\); \d servers running, 1 asleep, 1 brokers \(\d+ MB\)$/m,
    );
    expect(status).toMatch(
      /^ {2}asleep: memory budget \(all servers used \d+ MB of 1 MB\); 1 sessions, 0 calls running; up /m,
    );
    const listings = JSON.parse(run(shared, 'daemon-status', '--json', '--language', 'go').out);
    expect(listings).toMatchObject([
      { kind: 'total', servers: { asleep: 1 }, memory: { budgetBytes: 1024 * 1024 } },
    ]);
    const { rssBytes, budgetBytes, leftBytes } = listings[0].memory;
    expect(leftBytes).toBe(budgetBytes - rssBytes);
    expect(run(shared, 'daemon-logs').out).toMatch(/memory budget.*server put to sleep/);
    // The session is still there, and its next answer is as complete as the first.
    expect((await frontEnd.call(...question)).text).toBe(first.text);
    expect(shared.server.journal.received('initialize').length).toBeGreaterThan(1);
    await frontEnd.close();
    run(shared, 'daemon-stop', '--all', '--now');
    await shared.workspace.expectNothingLeft();
  });

  it('call uses the warm server and leaves it running', async () => {
    const shared = sharedWorkspace();
    await using _gone = shared.workspace;
    for (let time = 1; time <= 2; time++)
      expect(
        run(shared, 'call', 'list_symbols', '--file_path', 'src/use.fake', '--daemon', 'always').out,
      ).toContain('again');
    expect(shared.server.journal.received('initialize')).toHaveLength(1);
    run(shared, 'daemon-stop', '--all');
    await shared.workspace.expectNothingLeft();
  });
});
