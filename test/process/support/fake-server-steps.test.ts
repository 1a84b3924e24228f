import { expect, it } from 'vitest';
import { pathToUri } from '../../../src/shared/base/paths.ts';
import { gate } from '../../support/events.ts';
import { fakeServer, type Scenario, type Step } from '../../support/fake-server.ts';
import { isAlive } from '../../support/processes.ts';
import { type RawLsp, startRawLsp } from '../../support/raw-lsp.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

async function start(workspace: Workspace, scenario: Scenario = {}) {
  const fake = fakeServer(workspace.scratch, scenario);
  const { root } = workspace;
  const lsp = await startRawLsp({ command: fake.executable, args: fake.args, env: workspace.env(), root });
  return { fake, lsp };
}

function act(lsp: RawLsp, ...steps: readonly Step[]): Promise<unknown> {
  return lsp.request('fake/do', { steps });
}

it('acts on request, and hands back what the client answered', async () => {
  await using workspace = createWorkspace('//- a.txt\nERROR\n');
  const { lsp } = await start(workspace);
  expect(await act(lsp, { askAndWait: { method: 'fake/unknown', params: {} } })).toMatchObject({
    error: { code: -32601 },
  });
  const uri = pathToUri(workspace.file('a.txt'));
  await act(lsp, { publish: { uri, version: 9 } }, { log: 'Found 3 source files.' });
  expect(lsp.notifications).toMatchObject([
    {
      method: 'textDocument/publishDiagnostics',
      params: { uri, version: 9, diagnostics: [{ severity: 1 }] },
    },
    { method: 'window/logMessage', params: { message: 'Found 3 source files.' } },
  ]);
});

it('waits for a file to go as well as for one to come', async () => {
  await using workspace = createWorkspace();
  const lock = gate(workspace.scratch, 'lock');
  lock.open();
  const { fake, lsp } = await start(workspace);
  const done = act(lsp, { untilGone: lock.path }, { result: 'gone' });
  await fake.journal.waitFor(({ step }) => step === 'untilGone');
  expect(fake.journal.matching(['replied', 'fake/do'])).toEqual([]);
  lock.close();
  expect(await done).toBe('gone');
});

it('reads nothing while it is told not to', async () => {
  await using workspace = createWorkspace();
  const again = gate(workspace.scratch, 'again');
  const { fake, lsp } = await start(workspace);
  await act(lsp, { reply: true, pauseReading: again.path });
  await fake.journal.waitFor(({ step }) => step === 'pauseReading');
  const echo = lsp.request('fake/echo', { big: 'x'.repeat(1_000_000) });
  expect(fake.journal.received('fake/echo')).toEqual([]);
  again.open();
  await echo;
  expect(fake.journal.received('fake/echo')).toHaveLength(1);
});

it('writes a megabyte before it reads on', async () => {
  await using workspace = createWorkspace();
  const { lsp } = await start(workspace);
  await Promise.all([
    act(lsp, { flood: 1_000_000 }),
    lsp.request('fake/echo', { big: 'y'.repeat(1_000_000) }),
  ]);
  expect(lsp.notifications.filter(({ method }) => method === 'window/logMessage')).toHaveLength(125);
});

it('goes on living without an output', async () => {
  await using workspace = createWorkspace();
  const later = gate(workspace.scratch, 'later');
  const { fake, lsp } = await start(workspace);
  await lsp.notify('fake/do', {
    steps: [{ closeStdout: true }, { gate: later.path }, { stderr: 'still here' }],
  });
  await fake.journal.waitFor(({ step }) => step === 'gate');
  later.open();
  await fake.journal.waitFor(({ step }) => step === 'stderr');
  expect(isAlive(lsp.pid ?? 0)).toBe(true);
});

it.each(['idle', 'busy'] as const)('hangs with its processor %s until it is killed', async (hang) => {
  await using workspace = createWorkspace();
  const { fake, lsp } = await start(workspace);
  await lsp.notify('fake/do', { steps: [{ hang }] });
  await fake.journal.waitFor(({ step }) => step === 'hang');
  const ignored = lsp.notify('exit').catch(() => {});
  process.kill(lsp.pid ?? 0, 'SIGTERM');
  expect(fake.journal.received('exit')).toEqual([]);
  lsp.kill9();
  expect(await lsp.closed).toEqual({ code: null, signal: 'SIGKILL' });
  await ignored;
});
