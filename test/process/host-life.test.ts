/** Servers that die, hang, refuse to leave or talk nonsense: every call ends, nothing is left, the next call works. */
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../src/shared/base/failure.ts';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { RawJson } from '../../src/shared/wire/raw-json.ts';
import { gate, until } from '../support/events.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type HostWorld, hostWorld } from '../support/host.ts';
import { isAlive, processesOfTest } from '../support/processes.ts';

describe('host life', () => {
  it('starts the server on the first call and shares it', async () => {
    await using world = hostWorld();
    expect(world.host.state).toEqual({ kind: 'idle' });
    const all = await Promise.all([
      world.host.facts(),
      world.host.facts(),
      world.host.request('fake/state', {}),
    ]);
    expect(all[0]).toMatchObject({
      serverName: 'fake-lsp',
      serverVersion: '1.0.0',
      encoding: 'utf-16',
      instance: 1,
    });
    expect(world.server.journal.received('initialize')).toHaveLength(1);
  });

  it('fails a call to a method that the server does not offer, without asking it', async () => {
    await using world = hostWorld({ scenario: { capabilities: { referencesProvider: null } } });
    const failure = await world.host.request('textDocument/references', {}).catch(failureOf);
    expect(failure).toEqual({ kind: 'unsupported', server: 'fake-lsp', method: 'textDocument/references' });
    expect(world.server.journal.received('textDocument/references')).toHaveLength(0);
  });

  it('accepts what is registered later, also before initialize was answered', async () => {
    await using world = hostWorld({
      scenario: {
        capabilities: { referencesProvider: null },
        rules: [
          {
            on: 'initialize',
            do: {
              askAndWait: {
                method: 'client/registerCapability',
                params: { registrations: [{ id: 'r', method: 'textDocument/references' }] },
              },
            },
          },
        ],
      },
    });
    expect((await world.host.facts()).methods).toContain('textDocument/references');
  });

  it('answers every request of the server, the unknown one with MethodNotFound', async () => {
    const asked = [
      'workspace/configuration',
      'window/workDoneProgress/create',
      'workspace/applyEdit',
      'window/showMessageRequest',
      'window/showDocument',
      'workspace/workspaceFolders',
      'workspace/semanticTokens/refresh',
      'workspace/diagnostic/refresh',
      'nobody/knowsThis',
    ];
    await using world = hostWorld({
      settings: { 'python.analysis': { mode: 'strict' }, python: { path: '/x' } },
      scenario: {
        rules: ['initialize', 'initialized'].map((on) => ({
          on,
          do: asked.map((method) => ({
            askAndWait: {
              method,
              params: {
                items: [{ section: 'python' }, { section: 'python.analysis.mode' }, { section: 'no' }],
              },
            },
          })),
        })),
      },
    });
    await world.host.facts();
    const answers = () => world.server.journal.matching(['answer']);
    await until(() => answers().length >= asked.length * 2, { what: 'all answers' });
    const byMethod = new Map(answers().map((entry) => [entry.method, entry]));
    expect(byMethod.get('workspace/configuration')).toMatchObject({
      result: [{ path: '/x', analysis: { mode: 'strict' } }, 'strict', null],
    });
    expect(byMethod.get('workspace/applyEdit')).toMatchObject({ result: { applied: false } });
    expect(byMethod.get('workspace/workspaceFolders')).toMatchObject({
      result: [{ uri: pathToUri(world.workspace.root) }],
    });
    expect(byMethod.get('nobody/knowsThis')).toMatchObject({ error: { code: -32601 } });
  });

  it('brings a token for progress where the server would wait for one, another each time', async () => {
    await using world = hostWorld({ serverId: 'pyright' });
    const file = world.workspace.file('a.fake');
    const params = { textDocument: { uri: pathToUri(file) }, position: { line: 0, character: 10 } };
    const references = { ...params, context: { includeDeclaration: true } };
    for (const each of [1, 2]) {
      expect(await world.host.request('textDocument/references', references), `${each}`).toHaveLength(1);
      await world.host.request('textDocument/hover', params);
    }
    const tokens = (method: string) =>
      world.server.journal
        .received(method)
        .map(({ message }) => (message?.params as { workDoneToken?: string } | undefined)?.workDoneToken);
    expect(new Set(tokens('textDocument/references')).size).toBe(2);
    expect(tokens('textDocument/references')).not.toContain(undefined);
    expect(tokens('textDocument/hover')).toEqual([undefined, undefined]);
  });

  it('fails the pending calls of a server that dies and serves the next call from a new one', async () => {
    await using world = hostWorld({
      scenario: { rules: [{ on: 'fake/echo', instances: [1], do: { stderr: 'out of luck\n', crash: 3 } }] },
    });
    const once = await world.host.request('fake/echo', 1, { idempotent: false }).catch(failureOf);
    expect(once).toMatchObject({ kind: 'server-crashed', stderr: 'out of luck' });
    expect(once).toHaveProperty('reason', expect.stringContaining('code 3'));
    expect(await world.host.request('fake/echo', 2)).toBe(2);
    expect(world.host.counters).toMatchObject({ instance: 2, crashes: 1 });
  });

  it('asks a harmless request again after the crash by itself', async () => {
    await using world = hostWorld({
      scenario: { rules: [{ on: 'fake/echo', instances: [1], do: { crash: 'SIGKILL' } }] },
    });
    expect(await world.host.request('fake/echo', 'still here')).toBe('still here');
  });

  it('does not let one poisonous file take the server from the others', async () => {
    await using world = hostWorld({
      text: '//- a.fake\nfunction alpha\n//- poison.fake\nboom\n',
      scenario: { rules: [{ on: 'textDocument/hover', file: 'poison.fake', do: { crash: 1 } }] },
    });
    const hover = (name: string) => {
      const file = world.workspace.file(name);
      const params = { textDocument: { uri: pathToUri(file) }, position: { line: 0, character: 0 } };
      return world.host.request('textDocument/hover', params, { documents: [file] });
    };
    expect(await hover('poison.fake').catch(failureOf)).toMatchObject({ kind: 'server-crashed' });
    const again = await hover('poison.fake').catch(failureOf);
    expect(again).toHaveProperty('reason', expect.stringContaining('died twice'));
    expect(await hover('a.fake')).not.toBeNull();
    expect(world.host.counters.crashes).toBe(2);
  });

  it('backs off, gives up after five crashes at initialize, and starts again when asked to', async () => {
    const clock = new FakeClock();
    await using world = hostWorld({
      clock,
      scenario: {
        rules: [{ on: 'initialize', instances: [1, 2, 3, 4, 5], do: { stderr: 'no licence\n', crash: 2 } }],
      },
    });
    const first = world.host.facts().catch(failureOf);
    const delays: number[] = [];
    for (let crash = 1; crash <= 4; crash++) {
      await until(() => world.host.state.kind === 'crashed', { what: `crash ${crash}` });
      if (world.host.state.kind === 'crashed') delays.push(world.host.state.retryMs);
      await clock.advance(delays.at(-1) ?? 0);
    }
    await until(() => world.host.state.kind === 'failed', { what: 'giving up' });
    expect(delays).toEqual([500, 1000, 2000, 4000]);
    expect(await first).toMatchObject({ kind: 'server-crashed', stderr: 'no licence' });
    const refused = await world.host.facts().catch(failureOf);
    expect(refused).toMatchObject({ kind: 'server-failed', stderr: 'no licence' });
    expect(refused).toHaveProperty('reason', expect.stringContaining('5 times'));
    await world.host.restart();
    expect(await world.host.whenSettled()).toMatchObject({ kind: 'ready' });
  });

  it('answers what waits for the next start when somebody restarts the server meanwhile', async () => {
    await using world = hostWorld({
      scenario: { rules: [{ on: 'fake/echo', file: 'die', do: { crash: 1 } }] },
    });
    const { host } = world;
    await host.request('fake/echo', 'die', { idempotent: false }).catch(failureOf);
    await until(() => host.state.kind === 'crashed', { what: 'the pause before the next start' });
    const waiting = host.request('fake/echo', 'patient', { timeoutMs: 10_000 });
    await host.restart();
    expect(await waiting).toBe('patient');
  });

  it('forgets crashes that are long ago', async () => {
    const clock = new FakeClock();
    await using world = hostWorld({ clock, scenario: { rules: [{ on: 'request', do: { crash: 1 } }] } });
    for (let crash = 1; crash <= 7; crash++) {
      await world.host.request(`fake/crash${crash}`, {}, { idempotent: false }).catch(() => {});
      await until(() => world.host.state.kind === 'crashed', { what: `crash ${crash}` });
      await clock.advance(60_000);
      await until(() => world.host.state.kind === 'ready', { what: `start ${crash + 1}` });
      await clock.advance(60_000);
    }
    expect(world.host.counters.crashes).toBe(7);
  });

  it('ends a call at its deadline, says what it waited for, and tells the server', async () => {
    await using world = hostWorld({ scenario: { rules: [{ on: 'fake/echo', do: { never: true } }] } });
    await world.host.facts();
    const failure = await world.host.request('fake/echo', 1, { timeoutMs: 50 }).catch(failureOf);
    expect(failure).toEqual({ kind: 'timeout', what: 'fake/echo', afterMs: 50, state: 'ready' });
    const asked = world.server.journal.received('fake/echo')[0]?.message?.id;
    const cancel = await world.server.journal.waitFor(['received', '$/cancelRequest']);
    expect(cancel.message?.params).toEqual({ id: asked });
    expect(await world.host.request('fake/state', {})).toMatchObject({ instance: 1 });
  });

  it('ends a call at its deadline when the server never answers initialize', async () => {
    await using world = hostWorld({ scenario: { rules: [{ on: 'initialize', do: { never: true } }] } });
    const failure = await world.host.facts({ timeoutMs: 100 }).catch(failureOf);
    expect(failure).toMatchObject({ kind: 'timeout', state: expect.stringContaining('starting') });
  });

  it('passes a cancellation on with the id that the server knows', async () => {
    await using world = hostWorld({ scenario: { rules: [{ on: 'fake/echo', do: { never: true } }] } });
    const controller = new AbortController();
    const call = world.host.request('fake/echo', 1, { signal: controller.signal }).catch(failureOf);
    const asked = await world.server.journal.waitFor(['received', 'fake/echo']);
    controller.abort();
    expect(await call).toEqual({ kind: 'cancelled' });
    const cancel = await world.server.journal.waitFor(['received', '$/cancelRequest']);
    expect(cancel.message?.params).toEqual({ id: asked.message?.id });
  });

  it('leaves nothing of a server that ignores shutdown, SIGTERM and the end of its input, nor of its children', async () => {
    const world = hostWorld({
      scenario: { stubborn: ['shutdown', 'exit', 'SIGTERM', 'stdin'], grandchildren: { count: 2 } },
    });
    try {
      await world.host.facts();
      expect(processesOfTest(world.workspace.testId).length).toBeGreaterThanOrEqual(3);
      await world.host.stop();
      await world.workspace.expectNothingLeft();
    } finally {
      await world[Symbol.asyncDispose]();
    }
  });

  it('leaves no children of a server that crashes', async () => {
    await using world = hostWorld({
      scenario: { grandchildren: { count: 2 }, rules: [{ on: 'fake/echo', do: { crash: 'SIGKILL' } }] },
    });
    await world.host.facts();
    await world.host.request('fake/echo', 1, { idempotent: false }).catch(() => {});
    await world.host.stop();
    await world.workspace.expectNothingLeft();
  });

  it('leaves no server when its owner is killed with SIGKILL', async () => {
    const world = hostWorld({
      scenario: { stubborn: ['shutdown', 'exit', 'SIGTERM', 'stdin'], grandchildren: { count: 1 } },
    });
    try {
      const script = new URL('../support/host-owner.ts', import.meta.url).pathname;
      const owner = spawn(process.execPath, ['--import', 'tsx', script, JSON.stringify(world.host.plan)], {
        env: world.workspace.env(),
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await new Promise((resolve) => owner.stdout.once('data', resolve));
      expect(owner.pid && isAlive(owner.pid)).toBe(true);
      owner.kill('SIGKILL');
      await world.workspace.expectNothingLeft();
    } finally {
      await world[Symbol.asyncDispose]();
    }
  });

  it('replaces a server whose engine was killed, instead of believing what the wrapper answers', async () => {
    const clock = new FakeClock();
    await using world = hostWorld({
      clock,
      scenario: {
        grandchildren: { count: 1, holdStdio: true },
        rules: [{ on: 'fake/slow', instances: [1], do: { never: true } }],
      },
    });
    const { child } = await started(world);
    const slow = world.host.request('fake/slow', {}, { idempotent: false }).catch(failureOf);
    await world.server.journal.waitFor(['received', 'fake/slow']);
    await clock.advance(15_000);
    process.kill(child, 'SIGKILL');
    await until(() => !isAlive(child), { what: 'the end of the engine' });
    await clock.advance(1000);
    expect(await slow).toMatchObject({ kind: 'server-crashed', reason: expect.stringContaining('engine') });
    await until(() => world.host.state.kind === 'crashed', { what: 'the crash' });
    const next = world.host.request('fake/echo', 'whole');
    await clock.advance(500);
    expect(await next).toBe('whole');
    expect(world.host.counters).toMatchObject({ instance: 2, crashes: 1 });
  });

  it('replaces a server that hangs without using the processor', async () => {
    const clock = new FakeClock();
    await using world = hostWorld({
      clock,
      scenario: { rules: [{ on: 'fake/echo', instances: [1], do: { hang: 'idle' } }] },
    });
    await world.host.facts();
    const call = world.host.request('fake/echo', 1, { timeoutMs: 40_000 }).catch(failureOf);
    await world.server.journal.waitFor(['received', 'fake/echo']);
    await clock.advance(40_000);
    expect(await call).toMatchObject({ kind: 'timeout', what: 'fake/echo' });
    await until(
      async () => {
        await clock.advance(100);
        return world.host.state.kind === 'crashed';
      },
      { what: 'the restart of the hung server' },
    );
    expect(world.host.state).toHaveProperty('reason', expect.stringContaining('hung'));
    const next = world.host.request('fake/echo', 2);
    await clock.advance(500);
    expect(await next).toBe(2);
    expect(world.host.counters.instance).toBe(2);
  });

  it('leaves a server alone that takes long because it works', async () => {
    const clock = new FakeClock();
    await using world = hostWorld({
      clock,
      scenario: { rules: [{ on: 'fake/echo', instances: [1], do: { never: true } }] },
    });
    await world.host.facts();
    const call = world.host.request('fake/echo', 1, { timeoutMs: 15_000 }).catch(failureOf);
    await world.server.journal.waitFor(['received', 'fake/echo']);
    await clock.advance(15_000);
    expect(await call).toMatchObject({ kind: 'timeout' });
    expect(await world.host.request('fake/state', {})).toMatchObject({ instance: 1 });
  });

  it.each(['half', 'negative', 'huge', 'not-a-number', 'no-length', 'not-json'] as const)(
    'treats a %s frame as the death of that server and goes on with a new one',
    async (kind) => {
      await using world = hostWorld({
        scenario: { rules: [{ on: 'fake/echo', instances: [1], do: [{ brokenFrame: kind }, { crash: 0 }] }] },
      });
      expect(await world.host.request('fake/echo', kind)).toBe(kind);
      expect(world.host.counters.instance).toBe(2);
    },
  );

  it.each([{ header: 'lower' }, { header: 'extra' }, { split: true }, { idLast: true }] as const)(
    'understands a server that frames like %o',
    async (framing) => {
      await using world = hostWorld({ scenario: { framing } });
      expect(await world.host.request('fake/echo', { text: 'naïve 😀' })).toEqual({ text: 'naïve 😀' });
    },
  );

  it('hands a result of 100 MB on as bytes', async () => {
    await using world = hostWorld();
    const result = await world.host.request('fake/big', { bytes: 100_000_000 }, { raw: true });
    expect(result).toBeInstanceOf(RawJson);
    expect((result as RawJson).length).toBeGreaterThan(99_999_000);
    expect(await world.host.request('fake/echo', 'well')).toBe('well');
  });

  it('does not deadlock when both pipes are full', async () => {
    await using world = hostWorld({
      scenario: (workspace) => ({
        rules: [
          { on: 'fake/flood', do: [{ pauseReading: `${workspace.scratch}/go.gate` }, { result: 'done' }] },
        ],
      }),
    });
    await world.host.facts();
    const flood = world.host.request('fake/flood', {});
    const big = 'x'.repeat(2_000_000);
    const echoes = Array.from({ length: 5 }, () => world.host.request('fake/echo', big));
    await world.server.journal.waitFor(['received', 'fake/flood']);
    gate(world.workspace.scratch, 'go').open();
    expect(await flood).toBe('done');
    for (const echo of echoes) expect(((await echo) as string).length).toBe(big.length);
  });
});

async function started(world: HostWorld): Promise<{ child: number }> {
  await world.host.facts();
  const { child } = await world.server.journal.waitFor(['grandchild']);
  return { child: Number(child) };
}
