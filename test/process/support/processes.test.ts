import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, it } from 'vitest';
import { until } from '../../support/events.ts';
import { fakeServer, type Scenario } from '../../support/fake-server.ts';
import {
  descendantsOf,
  isAlive,
  processesMatching,
  processesOfTest,
  untilDead,
} from '../../support/processes.ts';
import { startRawLsp } from '../../support/raw-lsp.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

async function start(workspace: Workspace, scenario: Scenario) {
  const fake = fakeServer(workspace.scratch, scenario);
  const { root } = workspace;
  const lsp = await startRawLsp({ command: fake.executable, args: fake.args, env: workspace.env(), root });
  return { fake, lsp };
}

it('finds the processes of a test by their environment, also orphans in other process groups', async () => {
  await using workspace = createWorkspace();
  const { fake, lsp } = await start(workspace, { grandchildren: { count: 2, detached: true } });
  const grandchildren = fake.journal.matching(['grandchild']).map(({ child }) => child);
  expect(descendantsOf(lsp.pid ?? 0).map(({ pid }) => pid)).toEqual(grandchildren);
  lsp.kill9();
  await lsp.closed;
  const orphans = await until(
    () => {
      const left = processesOfTest(workspace.testId);
      return left.length === 2 && left;
    },
    { what: 'two orphans' },
  );
  expect(orphans.map(({ pid }) => pid)).toEqual(grandchildren);
  expect(orphans.map(({ command }) => command)).toEqual(['sleep 3600', 'sleep 3600']);
});

it('finds processes by an argument', async () => {
  await using workspace = createWorkspace();
  const { fake, lsp } = await start(workspace, {});
  expect(processesMatching(fake.scenarioFile).map(({ pid }) => pid)).toEqual([lsp.pid]);
});

it('kills everything a test leaves behind when its workspace goes, however stubborn', async () => {
  let left: readonly { pid: number }[] = [];
  {
    await using workspace = createWorkspace();
    const { lsp } = await start(workspace, {
      stubborn: ['shutdown', 'exit', 'SIGTERM', 'stdin'],
      grandchildren: { count: 1, holdStdio: true },
    });
    await lsp.notify('exit');
    left = processesOfTest(workspace.testId);
    expect(left).toHaveLength(2);
  }
  expect(left.filter(({ pid }) => isAlive(pid))).toEqual([]);
});

it('names the processes, sockets and temporary files that are left', async () => {
  await using workspace = createWorkspace();
  await workspace.expectNothingLeft();

  const child = spawn('sleep', ['3600'], { env: workspace.env(), stdio: 'ignore' });
  await expect(workspace.expectNothingLeft(100)).rejects.toThrow('sleep 3600');
  child.kill('SIGKILL');
  await untilDead(child.pid ?? 0);

  writeFileSync(path.join(workspace.stateDir, 'broker.log'), 'may stay');
  await workspace.expectNothingLeft();
  writeFileSync(path.join(workspace.stateDir, 'daemon.json.tmp'), '');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path.join(workspace.stateDir, 'a.sock'), resolve));
  await expect(workspace.expectNothingLeft()).rejects.toThrow(/a\.sock\n.*daemon\.json\.tmp/);
  await new Promise((resolve) => server.close(resolve));
});

it('does not take a zombie for a living process', async () => {
  await using workspace = createWorkspace();
  // The shell starts a child that ends at once and becomes `sleep`, which never asks for it.
  const shell = spawn('sh', ['-c', 'true & exec sleep 3600'], { env: workspace.env(), stdio: 'ignore' });
  await until(() => processesOfTest(workspace.testId)[0]?.command === 'sleep 3600', {
    what: 'the shell to become sleep',
  });
  await until(() => descendantsOf(shell.pid ?? 0).length === 0, { what: 'the child to end' });
  expect(processesOfTest(workspace.testId).map(({ pid }) => pid)).toEqual([shell.pid]);
});
