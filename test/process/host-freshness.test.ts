/** In whatever manner a server reports, a file is never called clean, or broken, because of texts that are no more. */
import { describe, expect, it } from 'vitest';
import { gate } from '../support/events.ts';
import type { DiagnosticsScenario } from '../support/fake-server.ts';
import { type HostWorld, hostWorld } from '../support/host.ts';

const FILES = '//- a.fake\nfine\n//- b.fake\nNEEDS a.fake\n';

function world(diagnostics: DiagnosticsScenario): HostWorld {
  return hostWorld({ text: FILES, scenario: { diagnostics } });
}

async function problemsOf({ host, workspace }: HostWorld, name: string, timeoutMs = 20_000) {
  const { freshness, diagnostics } = await host.diagnostics(workspace.file(name), { timeoutMs });
  return { ...freshness, problems: diagnostics.length };
}

function received({ server }: HostWorld): number {
  return server.journal.matching(['received']).length;
}

interface Manner {
  readonly manner: string;
  readonly scenario: DiagnosticsScenario;
}

const PUSHED: readonly Manner[] = [
  { manner: 'versioned', scenario: { profile: 'versioned' } },
  { manner: 'unversioned', scenario: { profile: 'unversioned' } },
  { manner: 'of one version always', scenario: { profile: 'constant' } },
  { manner: 'late', scenario: { profile: 'unversioned', delayMs: 300 } },
  { manner: 'two-stage', scenario: { profile: 'two-stage', delayMs: 100 } },
  { manner: 'old after new', scenario: { profile: 'old-after-new' } },
];
const PULLED: readonly Manner[] = [
  { manner: 'pull', scenario: { profile: 'pull' } },
  { manner: 'pull that says unchanged', scenario: { profile: 'pull-unchanged' } },
];
const republishing = PUSHED.map(
  ({ manner, scenario }): Manner => ({
    manner: `${manner}, with dependents`,
    scenario: { ...scenario, dependents: true },
  }),
);

describe('diagnostics of a file that depends on another', () => {
  it.each([...PUSHED, ...republishing, ...PULLED])(
    'follow the other file at once, from a server that is $manner',
    async ({ scenario }) => {
      await using here = world(scenario);
      const { workspace } = here;
      expect(await problemsOf(here, 'a.fake')).toMatchObject({ problems: 0 });
      expect(await problemsOf(here, 'b.fake')).toMatchObject({ problems: 0 });
      const fresh = expect.stringMatching(/^(exact|inferred)$/);
      for (const [text, problems] of [
        ['BROKEN\n', 1],
        ['fine again\n', 0],
        ['BROKEN again\n', 1],
      ] as const) {
        workspace.write('a.fake', text);
        expect(await problemsOf(here, 'b.fake')).toMatchObject({ kind: fresh, problems });
        // Nothing has changed since, so that nothing has to be found out again.
        const asked = received(here);
        expect(await problemsOf(here, 'b.fake')).toMatchObject({ kind: fresh, problems });
        if (scenario.profile?.startsWith('pull') !== true) expect(received(here)).toBe(asked);
      }
    },
  );
});

describe('diagnostics of a server that publishes', () => {
  it('are exact as soon as its versions have followed ours, and not before', async () => {
    await using here = world({ profile: 'versioned' });
    expect(await problemsOf(here, 'a.fake')).toMatchObject({ kind: 'inferred', proof: 'quiet' });
    here.workspace.write('a.fake', 'ERROR\n');
    expect(await problemsOf(here, 'a.fake')).toMatchObject({ kind: 'exact', proof: 'version', problems: 1 });
    here.workspace.write('a.fake', 'fine\n');
    expect(await problemsOf(here, 'a.fake')).toMatchObject({ kind: 'exact', proof: 'version', problems: 0 });
    expect(await problemsOf(here, 'b.fake')).toMatchObject({ kind: 'exact', proof: 'version' });
  });

  it('are never exact when it says the same version each time', async () => {
    await using here = world({ profile: 'constant' });
    for (const [text, problems] of [
      ['ERROR\n', 1],
      ['fine\n', 0],
      ['ERROR\nERROR\n', 2],
    ] as const) {
      here.workspace.write('a.fake', text);
      expect(await problemsOf(here, 'a.fake')).toMatchObject({ kind: 'inferred', proof: 'quiet', problems });
    }
  });

  it('are those of the second publication, however late it is, while the server reports work', async () => {
    await using here = hostWorld({
      text: FILES,
      scenario: ({ scratch }) => ({
        diagnostics: { profile: 'two-stage', gate: `${scratch}/second.gate` },
        rules: [
          {
            on: 'textDocument/didOpen',
            do: { progress: { token: 't', begin: 'Checking' } },
          },
          { on: 'fake/done', do: { progress: { token: 't', end: true } } },
        ],
      }),
    });
    here.workspace.write('a.fake', 'ERROR\n');
    const report = problemsOf(here, 'a.fake');
    await here.server.journal.waitFor(['sent', 'textDocument/publishDiagnostics']);
    gate(here.workspace.scratch, 'second').open();
    await here.server.journal.waitFor(['sent', 'textDocument/publishDiagnostics'], { count: 2 });
    await here.host.request('fake/done', {}).catch(() => {});
    expect(await report).toMatchObject({ problems: 1 });
  });

  it('are inferred from its rest for a file that it says nothing about, and never exact', async () => {
    await using here = world({ profile: 'silent-clear' });
    expect(await problemsOf(here, 'a.fake')).toMatchObject({ kind: 'inferred', proof: 'idle', problems: 0 });
    expect(await problemsOf(here, 'a.fake')).toMatchObject({ kind: 'inferred', proof: 'idle', problems: 0 });
  });

  it('are a timeout with the age of what was known when nothing is said about a text that replaced a bad one', async () => {
    await using here = world({ profile: 'silent-clear' });
    here.workspace.write('a.fake', 'ERROR\n');
    expect(await problemsOf(here, 'a.fake')).toMatchObject({ kind: 'inferred', problems: 1 });
    here.workspace.write('a.fake', 'fine\n');
    expect(await problemsOf(here, 'a.fake', 4_000)).toMatchObject({
      kind: 'timeout',
      problems: 1,
      lastKnownAgeMs: expect.any(Number),
    });
  });

  it('are a timeout with what was known when a server that is asked does not answer', async () => {
    await using here = hostWorld({
      text: FILES,
      scenario: {
        diagnostics: { profile: 'pull' },
        rules: [{ on: 'textDocument/diagnostic', nth: 2, do: { never: true } }],
      },
    });
    here.workspace.write('a.fake', 'ERROR\n');
    expect(await problemsOf(here, 'a.fake')).toMatchObject({ kind: 'exact', problems: 1 });
    here.workspace.write('a.fake', 'fine\n');
    expect(await problemsOf(here, 'a.fake', 1_000)).toMatchObject({
      kind: 'timeout',
      problems: 1,
      lastKnownAgeMs: expect.any(Number),
    });
    await here.server.journal.waitFor(['received', '$/cancelRequest']);
  });

  it('come from the open file although somebody else closes it meanwhile', async () => {
    await using here = hostWorld({
      text: FILES,
      scenario: ({ scratch }) => ({ diagnostics: { profile: 'unversioned', gate: `${scratch}/late.gate` } }),
    });
    const { host, workspace, server } = here;
    const file = workspace.write('a.fake', 'ERROR\n');
    await host.openDocument('other', file);
    const report = problemsOf(here, 'a.fake');
    await server.journal.waitFor(['received', 'textDocument/documentSymbol']);
    await host.closeDocument('other', file);
    gate(workspace.scratch, 'late').open();
    expect(await report).toMatchObject({ kind: 'inferred', problems: 1 });
  });

  it('are those of the next server when the one that was asked dies', async () => {
    await using here = hostWorld({
      text: '//- a.fake\nERROR\n',
      scenario: {
        diagnostics: { profile: 'versioned' },
        rules: [{ on: 'textDocument/didOpen', instances: [1], do: { crash: 1 } }],
      },
    });
    expect(await problemsOf(here, 'a.fake')).toMatchObject({ problems: 1 });
  });
});

describe('diagnostics of a server that is asked', () => {
  it('are asked for again when the server was overtaken', async () => {
    await using here = hostWorld({
      text: '//- a.fake\nERROR\n',
      scenario: {
        diagnostics: { profile: 'pull' },
        rules: [
          {
            on: 'textDocument/diagnostic',
            nth: 1,
            do: { error: { code: -32801, message: 'content modified' } },
          },
          {
            on: 'textDocument/diagnostic',
            nth: 2,
            do: { error: { code: -32802, message: 'server cancelled' } },
          },
        ],
      },
    });
    expect(await problemsOf(here, 'a.fake')).toEqual({ kind: 'exact', proof: 'pull', problems: 1 });
  });

  it('are not taken from an answer that refers to something unknown', async () => {
    await using here = hostWorld({
      text: '//- a.fake\nERROR\n',
      scenario: {
        diagnostics: { profile: 'pull-unchanged' },
        rules: [
          { on: 'textDocument/diagnostic', nth: 1, do: { result: { kind: 'unchanged', resultId: 'x' } } },
        ],
      },
    });
    expect(await problemsOf(here, 'a.fake')).toEqual({ kind: 'exact', proof: 'pull', problems: 1 });
  });

  it('are asked for again when the server says meanwhile that they are old', async () => {
    await using here = hostWorld({
      text: '//- a.fake\nERROR\n',
      scenario: {
        diagnostics: { profile: 'pull' },
        rules: [
          {
            on: 'textDocument/diagnostic',
            nth: 1,
            do: [
              { askAndWait: { method: 'workspace/diagnostic/refresh' } },
              { result: { kind: 'full', items: [] } },
            ],
          },
        ],
      },
    });
    expect(await problemsOf(here, 'a.fake')).toEqual({ kind: 'exact', proof: 'pull', problems: 1 });
  });

  it('are not taken from a server that is still loading', async () => {
    await using here = hostWorld({
      text: '//- a.fake\nERROR\n',
      scenario: ({ scratch }) => ({
        diagnostics: { profile: 'pull' },
        rules: [
          {
            on: 'initialized',
            do: [
              { progress: { token: 't', begin: 'Loading' } },
              { gate: `${scratch}/loaded.gate` },
              { progress: { token: 't', end: true } },
            ],
          },
          { on: 'textDocument/diagnostic', nth: 1, do: { result: { kind: 'full', items: [] } } },
        ],
      }),
    });
    await here.host.facts();
    await here.server.journal.waitFor(['answer', 'window/workDoneProgress/create']);
    const report = problemsOf(here, 'a.fake');
    await here.server.journal.waitFor(['replied', 'textDocument/diagnostic']);
    gate(here.workspace.scratch, 'loaded').open();
    expect(await report).toEqual({ kind: 'exact', proof: 'pull', problems: 1 });
  });

  it('are remembered of related files, and their names are given back', async () => {
    await using here = hostWorld({
      text: FILES,
      scenario: ({ file }) => ({ diagnostics: { profile: 'pull-unchanged', related: [file('b.fake')] } }),
    });
    here.workspace.write('a.fake', 'BROKEN\n');
    expect(await problemsOf(here, 'a.fake')).toMatchObject({ problems: 0 });
    expect(await problemsOf(here, 'b.fake')).toEqual({ kind: 'exact', proof: 'pull', problems: 1 });
    const [, asked] = here.server.journal.received('textDocument/diagnostic');
    expect(asked?.message?.params).toHaveProperty('previousResultId');
  });
});
