/** The HTTP server is killed with many sessions open, in the middle of their calls. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { gate, until } from '../support/events.ts';
import { fakeServer } from '../support/fake-server.ts';
import { type HttpClientOptions, startHttp } from '../support/http-front-end.ts';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { leftovers, processesOfTest } from '../support/processes.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';
import { SAMPLE, writeFakeConfig } from '../tools/fake-session.ts';

const SESSIONS = 20;
const NEWER: HttpClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };

const pidsOf = ({ testId }: Workspace) =>
  processesOfTest(testId)
    .map(({ pid }) => pid)
    .sort();

/** Half of them by either protocol; every other one waits for an answer, and every fourth holds an edit. */
async function killedWithSessions(workspace: Workspace, mode: 'never' | 'always') {
  const server = fakeServer(workspace.scratch, {
    rules: [{ on: 'textDocument/hover', do: { gate: gate(workspace.scratch, 'never').path } }],
  });
  const config = writeFakeConfig(workspace, server);
  const http = await startHttp({ workspace, args: ['--config', config, '--daemon', mode] });
  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, (_, index) =>
      http.connect({
        ...(index % 2 === 0 ? {} : NEWER),
        name: `client-${index}`,
        headers: { 'Agent-Lsp-Session': `session-${index}` },
      }),
    ),
  );
  for (const session of sessions)
    expect(await session.call('list_symbols', { file_path: 'src/use.fake' })).toContain('function again');
  for (const session of sessions.filter((_, index) => index % 4 === 0))
    await session.call('rename_symbol', { symbol: 'again', new_name: 'anew', dry_run: true });
  const calls = sessions
    .filter((_, index) => index % 4 > 1)
    .map((session) => session.call('inspect_symbol', { symbol: 'Client.stop' }));
  for (const call of calls) call.catch(() => {});
  await until(() => server.journal.received('textDocument/hover').length > 0, {
    what: 'the questions to the server',
  });
  const others = pidsOf(workspace).filter((pid) => pid !== http.pid);
  process.kill(http.pid, 'SIGKILL');
  expect(await http.exited).toEqual({ code: null, signal: 'SIGKILL' });
  await Promise.allSettled([...calls, ...sessions.map((session) => session.client.close())]);
  return { config, others };
}

describe('a process that is killed with 20 sessions open', () => {
  it('leaves no server, no socket and no temporary file', async () => {
    await using workspace = createWorkspace(SAMPLE);
    await killedWithSessions(workspace, 'never');
    await workspace.expectNothingLeft(10_000);
    expect(workspace.read('src/use.fake')).toContain('function again');
  });

  it('leaves shared servers to others, without a trace of its sessions', async () => {
    await using workspace = createWorkspace(SAMPLE);
    const { config, others } = await killedWithSessions(workspace, 'always');
    const run = (...args: readonly string[]) =>
      spawnSync(process.execPath, [BUILT_PROGRAM, ...args, '--config', config], {
        cwd: workspace.root,
        env: workspace.env(),
        encoding: 'utf8',
      }).stdout;
    await until(() => run('daemon-status').includes('; 0 sessions,'), {
      what: 'the broker without sessions',
      seen: () => run('daemon-status'),
    });
    expect(run('daemon-status')).not.toContain('session http');
    // The next session finds them warm.
    expect(pidsOf(workspace)).toEqual(others);
    expect(leftovers(workspace.stateDir)).toHaveLength(1);
    expect(run('daemon-stop', '--all', '--now')).toContain('stopped');
    await workspace.expectNothingLeft(10_000);
  });
});
