/** Diagnostics say how they are known to be fresh; what is not known is a timeout, never "clean". */
import { describe, expect, it } from 'vitest';
import { gate, until } from '../support/events.ts';
import type { DiagnosticsScenario } from '../support/fake-server.ts';
import { type HostWorld, hostWorld } from '../support/host.ts';

function world(diagnostics: DiagnosticsScenario): HostWorld {
  return hostWorld({ text: '//- a.fake\nERROR one\nfine\n', scenario: { diagnostics } });
}

async function diagnose(world: HostWorld, text: string, timeoutMs?: number) {
  const file = world.workspace.write('a.fake', text);
  const report = await world.host.diagnostics(file, timeoutMs === undefined ? {} : { timeoutMs });
  return { errors: report.diagnostics.length, freshness: report.freshness, version: report.version };
}

describe('host diagnostics', () => {
  it.each([
    { profile: 'pull', freshness: { kind: 'exact', proof: 'pull' } },
    { profile: 'pull-dynamic', freshness: { kind: 'exact', proof: 'pull' } },
    { profile: 'pull-unchanged', freshness: { kind: 'exact', proof: 'pull' } },
    { profile: 'versioned', freshness: { kind: 'exact', proof: 'version' } },
    { profile: 'unversioned', freshness: { kind: 'inferred', proof: 'quiet' } },
    { profile: 'two-stage', freshness: { kind: 'exact', proof: 'version' } },
    { profile: 'old-after-new', freshness: { kind: 'exact', proof: 'version' } },
  ] as const)('follows every edit of a server that is $profile', async ({ profile, freshness }) => {
    await using here = world({ profile });
    // A first version proves nothing: some servers say 1 each time.
    expect(await diagnose(here, 'ERROR one\nfine\n')).toMatchObject({ errors: 1 });
    expect(await diagnose(here, 'ERROR one\nERROR two\n')).toMatchObject({ errors: 2, freshness });
    expect(await diagnose(here, 'all is well\n')).toMatchObject({ errors: 0, freshness });
    expect(await diagnose(here, 'all is well\n')).toMatchObject({ errors: 0, freshness });
    expect(await diagnose(here, 'ERROR again\n')).toMatchObject({ errors: 1, freshness });
  });

  it('never calls a file clean when nothing was published for its text', async () => {
    await using here = world({ profile: 'silent-clear' });
    expect(await diagnose(here, 'ERROR one\n')).toMatchObject({ errors: 1 });
    const cleared = await diagnose(here, 'all is well\n', 400);
    expect(cleared.freshness).toMatchObject({ kind: 'timeout', afterMs: expect.any(Number) });
    expect(cleared.freshness).toHaveProperty('lastKnownAgeMs');
  });

  it('times out with what it last knew when the publication is late, and has it at the next call', async () => {
    const late = hostWorld({
      text: '//- a.fake\nfine\n',
      scenario: ({ scratch }) => ({ diagnostics: { profile: 'versioned', gate: `${scratch}/late.gate` } }),
    });
    await using here = late;
    await here.host.facts();
    const early = await diagnose(here, 'ERROR one\n', 300);
    expect(early).toMatchObject({ errors: 0, freshness: { kind: 'timeout' } });
    gate(here.workspace.scratch, 'late').open();
    expect(await diagnose(here, 'ERROR one\n')).toMatchObject({ errors: 1, freshness: { kind: 'inferred' } });
  });

  it('turns to pulling when the server registers it while a publication is waited for', async () => {
    await using here = hostWorld({
      text: '//- a.fake\nERROR one\n',
      scenario: ({ scratch }) => ({
        diagnostics: { profile: 'none' },
        rules: [
          {
            on: 'textDocument/didOpen',
            do: [
              { gate: `${scratch}/register.gate` },
              {
                ask: {
                  method: 'client/registerCapability',
                  params: { registrations: [{ id: 'd', method: 'textDocument/diagnostic' }] },
                },
              },
            ],
          },
        ],
      }),
    });
    const report = here.host.diagnostics(here.workspace.file('a.fake'));
    await here.server.journal.waitFor(['received', 'textDocument/didOpen']);
    gate(here.workspace.scratch, 'register').open();
    expect((await report).freshness).toEqual({ kind: 'exact', proof: 'pull' });
  });

  it('ends with the crash, not with an empty list, when the server dies while it is waited for', async () => {
    await using here = hostWorld({
      scenario: {
        diagnostics: { profile: 'none' },
        rules: [{ on: 'textDocument/didOpen', do: { crash: 1 } }],
      },
    });
    const call = here.host.diagnostics(here.workspace.file('a.fake'));
    await expect(call).rejects.toMatchObject({ failure: { kind: 'server-crashed' } });
  });
});

describe('host readiness', () => {
  it('is ready with the first answer, for a server that reports nothing', async () => {
    await using here = hostWorld();
    expect(await here.host.whenSettled()).toEqual({ kind: 'ready', proof: 'first answer' });
  });

  it('is not ready before the work that the server announced has ended', async () => {
    await using here = hostWorld({
      scenario: ({ scratch }) => ({
        rules: [
          {
            on: 'initialized',
            do: [
              { progress: { token: 't', begin: 'Indexing' } },
              { gate: `${scratch}/end.gate` },
              { progress: { token: 't', end: true } },
            ],
          },
        ],
      }),
    });
    const states: string[] = [];
    here.host.onState((state) => states.push(state.kind));
    const held = here.host.request('fake/echo', 'spans files', { whenReady: true });
    await here.server.journal.waitFor(['answer', 'window/workDoneProgress/create']);
    await here.host.request('fake/echo', 'one file');
    expect(here.server.journal.received('fake/echo')).toHaveLength(1);
    gate(here.workspace.scratch, 'end').open();
    expect(await held).toBe('spans files');
    expect(states.filter((kind) => kind === 'ready')).toHaveLength(1);
  });

  it('follows progress with its percentage', async () => {
    await using here = hostWorld({
      scenario: ({ scratch }) => ({
        rules: [
          {
            on: 'initialized',
            do: [
              { progress: { token: 't', begin: 'Indexing', percentage: 10 } },
              { gate: `${scratch}/half.gate` },
              { progress: { token: 't', report: 50 } },
              { gate: `${scratch}/end.gate` },
              { progress: { token: 't', end: true } },
            ],
          },
        ],
      }),
    });
    await here.host.facts();
    const percent = () => (here.host.state.kind === 'indexing' ? here.host.state.percent : undefined);
    await until(() => percent() === 10, { what: '10 %' });
    gate(here.workspace.scratch, 'half').open();
    await until(() => percent() === 50, { what: '50 %' });
    expect(await here.host.whenSettled({ timeoutMs: 50 })).toMatchObject({
      kind: 'indexing',
      what: 'Indexing',
    });
    gate(here.workspace.scratch, 'end').open();
    expect(await here.host.whenSettled()).toMatchObject({ kind: 'ready' });
  });

  it('waits for the log line of a server that says so only there, and holds back what spans files', async () => {
    await using here = hostWorld({
      serverId: 'pyright',
      scenario: ({ scratch }) => ({
        rules: [
          { on: 'initialized', do: [{ gate: `${scratch}/found.gate` }, { log: 'Found 12 source files' }] },
        ],
      }),
    });
    await here.host.facts();
    const held = here.host.request('fake/echo', 'spans files', { whenReady: true });
    await here.host.request('fake/echo', 'one file');
    expect(here.server.journal.received('fake/echo')).toHaveLength(1);
    gate(here.workspace.scratch, 'found').open();
    expect(await held).toBe('spans files');
    expect(here.host.state).toEqual({ kind: 'ready', proof: 'Found 12 source files' });
  });

  it('listens to the status of a server that has one', async () => {
    await using here = hostWorld({
      serverId: 'rust-analyzer',
      scenario: {
        rules: [
          {
            on: 'initialized',
            do: [
              { send: { method: 'experimental/serverStatus', params: { health: 'ok', quiescent: false } } },
              { send: { method: 'experimental/serverStatus', params: { health: 'ok', quiescent: true } } },
            ],
          },
        ],
      },
    });
    expect(await here.host.whenSettled()).toEqual({ kind: 'ready', proof: 'server status' });
  });
});

describe('watched files', () => {
  it('tells the server about files that others create, change and delete, as it registered', async () => {
    await using here = hostWorld({
      scenario: {
        rules: [
          {
            on: 'initialized',
            do: {
              ask: {
                method: 'client/registerCapability',
                params: {
                  registrations: [
                    {
                      id: 'w',
                      method: 'workspace/didChangeWatchedFiles',
                      registerOptions: { watchers: [{ globPattern: '**/*.fake' }] },
                    },
                  ],
                },
              },
            },
          },
        ],
      },
    });
    await here.host.facts();
    await here.server.journal.waitFor(['answer', 'client/registerCapability']);
    const seen = () =>
      here.server.journal
        .received('workspace/didChangeWatchedFiles')
        .flatMap(
          (entry) =>
            (entry.message?.params as { changes: { uri: string; type: number }[] } | undefined)?.changes ??
            [],
        )
        .map(({ uri, type }) => `${uri.split('/').at(-1)} ${type}`);
    // The watcher begins some time after the registration; a new file each time shows when it does.
    let round = 0;
    const created = () =>
      seen()
        .find((line) => /^new\d+\.fake 1$/.test(line))
        ?.split(' ')[0];
    await until(() => here.workspace.write(`new${round++}.fake`, 'x') && created() !== undefined, {
      what: 'a first event',
    });
    const known = created() ?? '';
    here.workspace.write('other.txt', 'not registered');
    here.workspace.write('node_modules/dep.fake', 'skipped');
    here.workspace.write('a.fake', 'changed\n');
    here.workspace.remove(known);
    await until(() => seen().includes('a.fake 2') && seen().includes(`${known} 3`), {
      what: 'change and delete',
      seen: () => seen().join('\n'),
    });
    expect(seen().filter((line) => line.startsWith('other') || line.startsWith('dep'))).toEqual([]);
  });
});
