import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { gate } from '../../support/events.ts';
import { fakeServer, type Scenario } from '../../support/fake-server.ts';
import { startRawLsp } from '../../support/raw-lsp.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

function prepare(workspace: Workspace, scenario: Scenario) {
  const fake = fakeServer(workspace.scratch, scenario);
  const { root } = workspace;
  const start = (initialize = true) =>
    startRawLsp({ command: fake.executable, args: fake.args, env: workspace.env(), root, initialize });
  return { fake, start };
}

it('holds an answer back until the gate opens, and serves others meanwhile', async () => {
  await using workspace = createWorkspace();
  const held = gate(workspace.scratch, 'hover');
  const { fake, start } = prepare(workspace, {
    rules: [{ on: 'fake/echo', file: 'slow', do: { gate: held.path } }],
  });
  const lsp = await start();
  let answered = false;
  const slow = lsp.request('fake/echo', { name: 'slow' }).then((result) => {
    answered = true;
    return result;
  });
  await fake.journal.waitFor(['step']);
  expect(await lsp.request('fake/echo', { name: 'quick' })).toEqual({ name: 'quick' });
  expect(answered).toBe(false);
  held.open();
  expect(await slow).toEqual({ name: 'slow' });
});

it('answers a cancelled request as cancelled, or not at all if it is stubborn', async () => {
  await using workspace = createWorkspace();
  const rules = [{ on: 'fake/echo', do: { never: true } }] as const;
  const { fake, start } = prepare(workspace, { rules });
  const cancelledBy = async (abort: AbortController) => {
    const lsp = await start();
    const request = lsp.request('fake/echo', {}, abort.signal);
    await fake.journal.waitFor((entry) => entry.event === 'step' && entry.pid === lsp.pid);
    abort.abort();
    return { lsp, request };
  };
  const obedient = await cancelledBy(new AbortController());
  await expect(obedient.request).rejects.toMatchObject({ code: -32800 });

  fake.rewrite({ rules, stubborn: ['cancel'] });
  const stubborn = await cancelledBy(new AbortController());
  await fake.journal.waitFor(['received', '$/cancelRequest'], { count: 2 });
  await stubborn.lsp.request('fake/state');
  expect(fake.journal.matching(['replied', 'fake/echo'])).toHaveLength(1);
  stubborn.lsp.kill9();
  await expect(stubborn.request).rejects.toThrow();
});

it('gives errors, fixed results and huge results where the rules say so', async () => {
  await using workspace = createWorkspace();
  const { start } = prepare(workspace, {
    framing: { idLast: true },
    rules: [
      { on: 'textDocument/hover', do: { error: { code: -32001, message: 'not now' } } },
      { on: 'textDocument/rename', do: { result: { changes: {} } } },
      { on: 'textDocument/references', do: { big: 300_000 } },
    ],
  });
  const lsp = await start();
  await expect(lsp.request('textDocument/hover', {})).rejects.toMatchObject({
    code: -32001,
    message: 'not now',
  });
  expect(await lsp.request('textDocument/rename', {})).toEqual({ changes: {} });
  expect(JSON.stringify(await lsp.request('textDocument/references', {}))).toHaveLength(300_000);
  expect(JSON.stringify(await lsp.request('fake/big', { bytes: 5_000_000 }))).toHaveLength(5_000_000);
});

it('crashes at initialize in the first instance only, with its last words on stderr', async () => {
  await using workspace = createWorkspace();
  const { fake, start } = prepare(workspace, {
    rules: [{ on: 'initialize', instances: [1], do: { stderr: 'out of luck', crash: 3 } }],
  });
  await expect(start()).rejects.toThrow('out of luck');
  const lsp = await start();
  expect(await lsp.request('fake/state')).toMatchObject({ instance: 2 });
  expect(fake.journal.matching(['crash'])).toMatchObject([{ how: 3, instance: 1 }]);
});

it('crashes on a poisoned file, on the nth request and on every nth', async () => {
  await using workspace = createWorkspace('//- poison.txt\nx\n');
  const { fake, start } = prepare(workspace, {
    rules: [
      { on: 'textDocument/didOpen', file: 'poison.txt', do: { crash: 'SIGKILL' } },
      { on: 'request', instances: [2], nth: 2, do: { crash: 1 } },
      { on: 'request', instances: [3], every: 3, do: { crash: 2 } },
    ],
  });
  const poisoned = await start();
  await poisoned.open(workspace.file('poison.txt'));
  expect(await poisoned.closed).toEqual({ code: null, signal: 'SIGKILL' });
  for (const survived of [1, 2]) {
    const lsp = await start();
    for (let n = 0; n < survived; n++) await lsp.request('fake/echo', {});
    await expect(lsp.request('fake/echo', {})).rejects.toThrow();
    expect(await lsp.closed).toEqual({ code: survived, signal: null });
  }
  expect(fake.journal.matching(['start'])).toHaveLength(3);
});

it.each([
  { what: 'lower-case headers', framing: { header: 'lower' } },
  { what: 'extra headers', framing: { header: 'extra' } },
  { what: 'headers that come byte by byte', framing: { split: true } },
  { what: 'everything byte by byte', framing: { split: 'all' } },
] as const)('can be understood with $what', async ({ framing }) => {
  await using workspace = createWorkspace();
  const { start } = prepare(workspace, { framing });
  const lsp = await start();
  expect(await lsp.request('fake/echo', { text: 'größe 🍵' })).toEqual({ text: 'größe 🍵' });
});

it.each([
  {
    what: 'half a frame',
    scenario: { rules: [{ on: 'start', do: { brokenFrame: 'half', crash: 0 } }] },
    expected: /^Content-Length: \d+\r\n\r\n\{.*\}$/,
  },
  {
    what: 'a negative length',
    scenario: { rules: [{ on: 'start', do: { brokenFrame: 'negative', crash: 0 } }] },
    expected: /^Content-Length: -\d/,
  },
  {
    what: 'a huge length',
    scenario: { rules: [{ on: 'start', do: { brokenFrame: 'huge', crash: 0 } }] },
    expected: /^Content-Length: 1000000000000\r/,
  },
  {
    what: 'bytes of any kind',
    scenario: { rules: [{ on: 'start', do: { raw: '\r\n\r\n', crash: 0 } }] },
    expected: /^\r\n\r\n$/,
  },
  {
    what: 'stray text before the first header',
    scenario: { framing: { prelude: 'Hello!\n' }, rules: [{ on: 'start', do: { log: 'x', crash: 0 } }] },
    expected: /^Hello!\nContent-Length: /,
  },
] as const)('writes $what', async ({ scenario, expected }) => {
  await using workspace = createWorkspace();
  const { fake } = prepare(workspace, scenario);
  const run = spawnSync(fake.executable, fake.args, {
    env: workspace.env(),
    encoding: 'utf8',
    timeout: 20_000,
  });
  expect(run.stdout).toMatch(expected);
});

it('reports progress in stages that gates release', async () => {
  await using workspace = createWorkspace();
  const half = gate(workspace.scratch, 'half');
  const { fake, start } = prepare(workspace, {
    rules: [
      {
        on: 'initialized',
        do: [
          { progress: { token: 'index', begin: 'Indexing', percentage: 0 } },
          { gate: half.path },
          { progress: { token: 'index', report: 50 } },
          { progress: { token: 'index', end: true } },
        ],
      },
    ],
  });
  const lsp = await start();
  await fake.journal.waitFor(['sent', '$/progress']);
  expect(lsp.serverRequests.map(({ method }) => method)).toEqual(['window/workDoneProgress/create']);
  half.open();
  await lsp.notification<{ value: { kind: string } }>('$/progress', ({ value }) => value.kind === 'end');
  const kinds = lsp.notifications.map(({ params }) => (params as { value: { kind: string } }).value.kind);
  expect(kinds).toEqual(['begin', 'report', 'end']);
});

it('ignores shutdown, exit, the end of its input and SIGTERM when it is stubborn', async () => {
  await using workspace = createWorkspace();
  const { fake, start } = prepare(workspace, { stubborn: ['shutdown', 'exit', 'SIGTERM', 'stdin'] });
  const lsp = await start();
  const pid = lsp.pid ?? 0;
  void lsp.request('shutdown').catch(() => {});
  await lsp.notify('exit');
  await fake.journal.waitFor(['received', 'exit']);
  process.kill(pid, 'SIGTERM');
  await fake.journal.waitFor(['signal']);
  expect(await lsp.request('fake/echo', { alive: true }).catch((error: Error) => error.message)).toEqual({
    alive: true,
  });
  lsp.kill9();
  expect(await lsp.closed).toEqual({ code: null, signal: 'SIGKILL' });
});

it('refuses a scenario with a name it does not know', async () => {
  await using workspace = createWorkspace();
  const { fake, start } = prepare(workspace, {});
  // A typo that the types would not let through.
  fake.rewrite(JSON.parse('{"rules":[{"on":"initialize","do":{"crush":1}}]}'));
  await expect(start()).rejects.toThrow('unknown step "crush"');
});
