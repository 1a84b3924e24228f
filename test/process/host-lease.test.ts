/** Text is tried out in a window of its own: it gets there as it should, goes away again always, and nobody else sees it. */
import { describe, expect, it } from 'vitest';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { failureOf } from '../../src/shared/base/failure.ts';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { textHash } from '../../src/shared/base/text-file.ts';
import type { Host } from '../../src/shared/host/host.ts';
import type { Evaluation, EvaluationResult, OverlayFile } from '../../src/shared/link/server-link.ts';
import { gate } from '../support/events.ts';
import type { Rule } from '../support/fake-server.ts';
import { type HostWorld, hostWorld } from '../support/host.ts';

interface ServerText {
  readonly open: boolean;
  readonly version: number | null;
  readonly text: string | null;
}

const HANGING: Rule = { on: 'fake/echo', file: 'hang', do: { never: true } };
const SYNC = ['textDocument/didOpen', 'textDocument/didChange', 'textDocument/didClose'];

/** The server wants to be told of all files, so that it is known when none has changed. */
const WATCHING = {
  method: 'client/registerCapability',
  params: {
    registrations: [
      {
        id: 'watch',
        method: 'workspace/didChangeWatchedFiles',
        registerOptions: { watchers: [{ globPattern: '**/*' }] },
      },
    ],
  },
};

/** Without naming the file, so that looking changes nothing. */
function textAt(host: Host, file: AbsPath): Promise<ServerText> {
  return host.request('fake/text', { uri: pathToUri(file) }) as Promise<ServerText>;
}

function textRequest(file: AbsPath): Evaluation['requests'][number] {
  return { method: 'fake/text', params: { uri: pathToUri(file) } };
}

/** The overlay of a file of the workspace over what the disk has now. */
function over({ workspace }: HostWorld, name: string, text: string): OverlayFile {
  return { file: workspace.file(name), text, base: textHash(workspace.read(name)) };
}

function evaluation(parts: Partial<Evaluation>): Evaluation {
  return { overlay: [], requests: [], diagnosticsFor: [], ...parts };
}

function results({ answers }: EvaluationResult): readonly unknown[] {
  return answers.map((answer) => ('result' in answer ? answer.result : answer.failure));
}

function messages(reports: EvaluationResult['after']): Record<string, readonly string[]> {
  return Object.fromEntries(
    reports.map(({ file, diagnostics }) => [
      file.slice(file.lastIndexOf('/') + 1),
      diagnostics.map(({ message }) => String(message)),
    ]),
  );
}

/** What the server was told about texts, in order. */
function told({ server }: HostWorld): readonly string[] {
  return server.journal
    .matching((entry) => entry.event === 'received' && SYNC.includes(entry.method ?? ''))
    .map(({ method }) => method?.slice('textDocument/'.length) ?? '');
}

describe('text that is tried out', () => {
  it('is what requests inside the window see, and nobody afterwards', async () => {
    await using world = hostWorld({ scenario: { diagnostics: { profile: 'pull' } } });
    const { host, workspace, server } = world;
    const file = workspace.file('a.fake');
    await host.request('fake/text', {}, { documents: [file] });
    const result = await host.evaluate(
      evaluation({ overlay: [over(world, 'a.fake', 'tried out\n')], requests: [textRequest(file)] }),
    );
    expect(results(result)).toEqual([{ open: true, version: 2, text: 'tried out\n' }]);
    expect(result).toMatchObject({ before: [], after: [], coverage: 'full' });
    expect(await textAt(host, file)).toEqual({ open: true, version: 3, text: workspace.read('a.fake') });
    expect(told(world)).toEqual(['didOpen', 'didChange', 'didChange']);
    expect(server.journal.received('textDocument/didSave')).toEqual([]);
    expect(server.journal.received('workspace/didChangeWatchedFiles')).toEqual([]);
    expect(server.journal.violations()).toEqual([]);
  });

  it('is compared with what the server has said already, as long as nothing else has changed', async () => {
    await using world = hostWorld({
      scenario: { diagnostics: { profile: 'pull' }, rules: [{ on: 'initialized', do: { ask: WATCHING } }] },
    });
    const { host, workspace, server } = world;
    const file = workspace.file('a.fake');
    await host.facts();
    await server.journal.waitFor(['answer', 'client/registerCapability']);
    const asked = () => server.journal.received('textDocument/diagnostic').length;
    const trial = async (text: string) => {
      const before = asked();
      const overlay = [over(world, 'a.fake', text)];
      const result = await host.evaluate(evaluation({ overlay, diagnosticsFor: [file] }));
      return { before: messages(result.before), after: messages(result.after), questions: asked() - before };
    };
    const clean = { 'a.fake': [] };
    expect(await trial('ERROR 1\n')).toEqual({
      before: clean,
      after: { 'a.fake': ['ERROR 1'] },
      questions: 2,
    });
    expect(await trial('ERROR 2\n')).toEqual({
      before: clean,
      after: { 'a.fake': ['ERROR 2'] },
      questions: 1,
    });
    workspace.write('a.fake', 'ERROR on disk\n');
    const later = await trial('ERROR 3\n');
    expect(later).toMatchObject({
      before: { 'a.fake': ['ERROR on disk'] },
      after: { 'a.fake': ['ERROR 3'] },
    });
    workspace.write('other.fake', 'BROKEN\n');
    expect((await trial('ERROR 4\n')).questions).toBe(2);
  });

  it('is opened where the file was not open, also where there is no file, and closed again', async () => {
    await using world = hostWorld();
    const { host, workspace, server } = world;
    const [old, created] = [workspace.file('a.fake'), workspace.file('new.fake')];
    const result = await host.evaluate(
      evaluation({
        overlay: [over(world, 'a.fake', 'old\n'), { file: created, text: 'new\n', base: null }],
        requests: [textRequest(old), textRequest(created)],
      }),
    );
    expect(results(result)).toMatchObject([{ text: 'old\n' }, { open: true, text: 'new\n' }]);
    expect(await textAt(host, old)).toMatchObject({ open: false, text: workspace.read('a.fake') });
    expect(await textAt(host, created)).toMatchObject({ open: false, text: null });
    expect(told(world)).toEqual(['didOpen', 'didOpen', 'didClose', 'didClose']);
    expect(server.journal.violations()).toEqual([]);
  });

  it.each([
    {
      how: 'changed',
      name: 'b.fake',
      meddle: (world: HostWorld) => world.workspace.write('b.fake', 'other\n'),
    },
    { how: 'removed', name: 'b.fake', meddle: (world: HostWorld) => world.workspace.remove('b.fake') },
    {
      how: 'created',
      name: 'new.fake',
      meddle: (world: HostWorld) => world.workspace.write('new.fake', 'there\n'),
    },
  ])(
    'is refused by name, and nothing of it sent, when a file was $how meanwhile',
    async ({ name, meddle }) => {
      await using world = hostWorld({ text: '//- a.fake\nfunction alpha\n//- b.fake\nfunction beta\n' });
      const { host, workspace } = world;
      await host.facts();
      const overlay = [
        over(world, 'a.fake', 'a\n'),
        over(world, 'b.fake', 'b\n'),
        { file: workspace.file('new.fake'), text: 'n\n', base: null },
      ];
      meddle(world);
      const failure = await host.evaluate(evaluation({ overlay })).catch(failureOf);
      expect(failure).toEqual({ kind: 'base-changed', path: workspace.file(name) });
      await host.request('fake/echo', 1);
      expect(told(world)).toEqual([]);
    },
  );

  it('gives each request its own answer or failure', async () => {
    const error = { code: -32803, message: 'not this one' };
    await using world = hostWorld({
      scenario: {
        capabilities: { referencesProvider: null },
        rules: [
          { on: 'fake/echo', file: 'bad', do: { error } },
          { on: 'fake/echo', file: 'nothing', do: { result: null } },
        ],
      },
    });
    const result = await world.host.evaluate(
      evaluation({
        overlay: [over(world, 'a.fake', 'x\n')],
        requests: [
          { method: 'fake/echo', params: 'bad' },
          { method: 'textDocument/references', params: {} },
          { method: 'fake/echo', params: 'nothing' },
          { method: 'fake/echo', params: 'good' },
        ],
      }),
    );
    expect(results(result)).toEqual([
      { kind: 'server-error', server: 'fake-lsp', method: 'fake/echo', ...error },
      { kind: 'unsupported', server: 'fake-lsp', method: 'textDocument/references' },
      null,
      'good',
    ]);
  });

  it.each(['pull', 'pull-unchanged', 'versioned', 'unversioned'] as const)(
    'has diagnostics of its own from a server that is %s, which nobody else is shown',
    async (profile) => {
      await using world = hostWorld({
        text: '//- a.fake\nfine\n//- b.fake\nWARN beta\n',
        scenario: { diagnostics: { profile } },
      });
      const { host, workspace } = world;
      const [a, b, created] = [workspace.file('a.fake'), workspace.file('b.fake'), workspace.file('c.fake')];
      const events: string[] = [];
      using _listening = host.onEvent((event) => events.push(JSON.stringify(event)));
      expect(messages([await host.diagnostics(a)])).toEqual({ 'a.fake': [] });
      const result = await host.evaluate(
        evaluation({
          overlay: [
            over(world, 'a.fake', 'ERROR tried\n'),
            { file: created, text: 'WARN tried\n', base: null },
          ],
          diagnosticsFor: [a, b, created],
        }),
      );
      expect(messages(result.before)).toEqual({ 'a.fake': [], 'b.fake': ['WARN beta'] });
      expect(messages(result.after)).toEqual({
        'a.fake': ['ERROR tried'],
        'b.fake': ['WARN beta'],
        'c.fake': ['WARN tried'],
      });
      for (const { freshness } of result.after) expect(freshness.kind).toMatch(/exact|inferred/);
      const [first, second] = await Promise.all([host.diagnostics(a), host.diagnostics(b)]);
      expect(messages([first, second])).toEqual({ 'a.fake': [], 'b.fake': ['WARN beta'] });
      for (const { freshness } of [first, second]) expect(freshness.kind).toMatch(/exact|inferred/);
      expect(events.filter((event) => event.includes('tried'))).toEqual([]);
    },
  );

  it('is not what is last known of a file when the server does not speak again', async () => {
    await using world = hostWorld({
      text: '//- a.fake\nWARN base\n',
      scenario: ({ scratch }) => ({
        diagnostics: { profile: 'versioned', gate: `${scratch}/v{version}.gate` },
      }),
    });
    const { host, workspace } = world;
    const file = workspace.file('a.fake');
    for (const version of ['v1', 'v2']) gate(workspace.scratch, version).open();
    const overlay = [over(world, 'a.fake', 'ERROR tried\n')];
    const { after } = await host.evaluate(evaluation({ overlay, diagnosticsFor: [file] }));
    expect(messages(after)).toEqual({ 'a.fake': ['ERROR tried'] });
    const late = await host.diagnostics(file, { timeoutMs: 400 });
    expect(late.freshness.kind).toBe('timeout');
    expect(messages([late])).toEqual({ 'a.fake': ['WARN base'] });
    gate(workspace.scratch, 'v3').open();
    const fresh = await host.diagnostics(file);
    expect(fresh.freshness.kind).toMatch(/exact|inferred/);
    expect(messages([fresh])).toEqual({ 'a.fake': ['WARN base'] });
  });

  it('is not followed by the disk while it is there, and the disk counts again at once afterwards', async () => {
    await using world = hostWorld({
      scenario: ({ scratch }) => ({
        rules: [{ on: 'fake/echo', file: 'slow', do: { gate: `${scratch}/slow.gate` } }],
      }),
    });
    const { host, workspace, server } = world;
    const file = workspace.file('a.fake');
    await host.openDocument('me', file);
    const trying = host.evaluate(
      evaluation({
        overlay: [over(world, 'a.fake', 'tried\n')],
        requests: [{ method: 'fake/echo', params: 'slow' }, textRequest(file)],
      }),
    );
    await server.journal.waitFor(['received', 'fake/echo']);
    workspace.write('a.fake', 'written meanwhile\n');
    const reader = host.request('fake/text', { uri: pathToUri(file) }, { documents: [file] });
    await host.closeDocument('me', file);
    gate(workspace.scratch, 'slow').open();
    expect(results(await trying)[1]).toMatchObject({ open: true, text: 'tried\n' });
    expect(await reader).toMatchObject({ text: 'written meanwhile\n' });
    expect(server.journal.violations()).toEqual([]);
  });

  it('is taken away when the call is cancelled', async () => {
    await using world = hostWorld({ scenario: { rules: [HANGING] } });
    const { host, workspace, server } = world;
    const file = workspace.file('a.fake');
    await host.openDocument('me', file);
    const controller = new AbortController();
    const trying = host
      .evaluate(
        evaluation({
          overlay: [over(world, 'a.fake', 'tried\n')],
          requests: [{ method: 'fake/echo', params: 'hang' }],
        }),
        { signal: controller.signal },
      )
      .catch(failureOf);
    await server.journal.waitFor(['received', 'fake/echo']);
    const reader = textAt(host, file);
    controller.abort();
    expect(await trying).toEqual({ kind: 'cancelled' });
    expect(await reader).toEqual({ open: true, version: 3, text: workspace.read('a.fake') });
    expect(server.journal.violations()).toEqual([]);
  });

  it('is taken away when its time is over, and a request that hangs does not take it from the others', async () => {
    await using world = hostWorld({ scenario: { rules: [HANGING], diagnostics: { profile: 'none' } } });
    const { host, workspace } = world;
    const file = workspace.file('a.fake');
    await host.openDocument('me', file);
    const result = await host.evaluate(
      evaluation({
        overlay: [over(world, 'a.fake', 'tried\n')],
        requests: [{ method: 'fake/echo', params: 'hang' }, textRequest(file)],
      }),
      { timeoutMs: 800 },
    );
    expect(results(result)).toMatchObject([{ kind: 'timeout', what: 'fake/echo' }, { text: 'tried\n' }]);
    expect((await textAt(host, file)).text).toBe(workspace.read('a.fake'));
  });

  it('does not get in while a reader is running, and says so at its deadline', async () => {
    await using world = hostWorld({ scenario: { rules: [HANGING] } });
    const { host } = world;
    await host.facts();
    const controller = new AbortController();
    const reader = host.request('fake/echo', 'hang', { signal: controller.signal }).catch(failureOf);
    await world.server.journal.waitFor(['received', 'fake/echo']);
    const overlay = [over(world, 'a.fake', 'tried\n')];
    const failure = await host.evaluate(evaluation({ overlay }), { timeoutMs: 100 }).catch(failureOf);
    expect(failure).toMatchObject({ kind: 'timeout', what: 'evaluate' });
    expect(told(world)).toEqual([]);
    const next = host.evaluate(evaluation({ overlay, requests: [{ method: 'fake/echo', params: 1 }] }));
    controller.abort();
    expect(results(await next)).toEqual([1]);
    await reader;
  });

  it('is seen only by whoever tries it, also when several try different text on one file at once', async () => {
    await using world = hostWorld();
    const { host, workspace, server } = world;
    const file = workspace.file('a.fake');
    const disk = workspace.read('a.fake');
    await host.openDocument('me', file);
    const base = textHash(disk);
    const texts = Array.from({ length: 8 }, (_, index) => `text ${index}\n`);
    const calls = texts.map(async (text) => {
      const requests = [textRequest(file), textRequest(file)];
      const trying = host.evaluate(evaluation({ overlay: [{ file, text, base }], requests }));
      const reading = textAt(host, file);
      for (const seen of results(await trying)) expect(seen).toMatchObject({ text });
      expect((await reading).text).toBe(disk);
    });
    await Promise.all(calls);
    expect((await textAt(host, file)).text).toBe(disk);
    const changes = server.journal.received('textDocument/didChange');
    const sent = changes
      .map(({ message }) => message?.params as { contentChanges: { text: string }[] })
      .map(({ contentChanges: [change] }) => change?.text);
    expect(sent.filter((_, index) => index % 2 === 0).sort()).toEqual(texts);
    expect(sent.filter((_, index) => index % 2 === 1)).toEqual(texts.map(() => disk));
    expect(server.journal.violations()).toEqual([]);
  });

  it('is tried again with the next server when the one it was tried on dies, and is not found there later', async () => {
    await using world = hostWorld({
      scenario: ({ scratch }) => {
        const steps = [{ gate: `${scratch}/die.gate` }, { crash: 'SIGKILL' }] as const;
        return { rules: [{ on: 'fake/echo', file: 'die', instances: [1], do: steps }] };
      },
    });
    const { host, workspace, server } = world;
    const file = workspace.file('a.fake');
    await host.openDocument('me', file);
    const trying = host.evaluate(
      evaluation({
        overlay: [over(world, 'a.fake', 'tried\n')],
        requests: [{ method: 'fake/echo', params: 'die' }, textRequest(file)],
      }),
    );
    await server.journal.waitFor(['received', 'fake/echo']);
    // Sent to nobody yet when the server dies, so it is no second attempt, also for what must not be repeated.
    const reader = host.request(
      'fake/text',
      { uri: pathToUri(file) },
      { idempotent: false, documents: [file] },
    );
    gate(workspace.scratch, 'die').open();
    expect(results(await trying)).toMatchObject(['die', { text: 'tried\n' }]);
    expect(await reader).toMatchObject({ text: workspace.read('a.fake') });
    expect((await textAt(host, file)).text).toBe(workspace.read('a.fake'));
    expect(host.counters).toMatchObject({ instance: 2, crashes: 1 });
    expect(server.journal.violations()).toEqual([]);
  });

  it('is not sent a third time when it kills the server, but another text of the file may be tried', async () => {
    await using world = hostWorld({
      scenario: { rules: [{ on: 'fake/echo', file: 'deadly', do: { crash: 1 } }] },
    });
    const { host } = world;
    await host.facts();
    const trial = (text: string) =>
      evaluation({
        overlay: [over(world, 'a.fake', text)],
        requests: [{ method: 'fake/echo', params: text }],
      });
    const deadly = trial('deadly');
    expect(await host.evaluate(deadly).catch(failureOf)).toMatchObject({ kind: 'server-crashed' });
    const reader = host.request('fake/echo', 'reader');
    expect(await host.evaluate(deadly).catch(failureOf)).toMatchObject({
      kind: 'server-crashed',
      reason: expect.stringContaining('died twice'),
    });
    expect(results(await host.evaluate(trial('harmless')))).toEqual(['harmless']);
    expect(await reader).toBe('reader');
    expect(host.counters.crashes).toBe(2);
  });

  it('is gone when the server is restarted in the middle', async () => {
    await using world = hostWorld({ scenario: { rules: [{ ...HANGING, instances: [1] }] } });
    const { host, workspace, server } = world;
    const file = workspace.file('a.fake');
    await host.openDocument('me', file);
    const trying = host.evaluate(
      evaluation({
        overlay: [over(world, 'a.fake', 'tried\n')],
        requests: [{ method: 'fake/echo', params: 'hang' }, textRequest(file)],
      }),
    );
    await server.journal.waitFor(['received', 'fake/echo']);
    await host.restart();
    expect(results(await trying)).toMatchObject(['hang', { text: 'tried\n' }]);
    expect((await textAt(host, file)).text).toBe(workspace.read('a.fake'));
  });

  it('is said to be half the truth for a server whose checker reads the disk', async () => {
    await using world = hostWorld({ serverId: 'rust-analyzer' });
    const result = await world.host.evaluate(evaluation({ overlay: [over(world, 'a.fake', 'x\n')] }));
    expect(result.coverage).toBe('analysis');
  });

  it('is said to be looked at apart for a server that takes other files from the disk', async () => {
    await using world = hostWorld({ serverId: 'clangd' });
    world.workspace.write('b.fake', 'b\n');
    const a = over(world, 'a.fake', 'x\n');
    const b = over(world, 'b.fake', 'x\n');
    const coverage = async (overlay: readonly OverlayFile[], diagnosticsFor: readonly AbsPath[]) =>
      (await world.host.evaluate(evaluation({ overlay, diagnosticsFor }))).coverage;
    expect(await coverage([a], [a.file])).toBe('full');
    expect(await coverage([a], [a.file, b.file])).toBe('analysis');
    expect(await coverage([a, b], [a.file])).toBe('apart');
  });

  it('ends its window when the host is stopped', async () => {
    await using world = hostWorld({ scenario: { rules: [HANGING] } });
    const { host, server } = world;
    const trying = host
      .evaluate(
        evaluation({
          overlay: [over(world, 'a.fake', 'tried\n')],
          requests: [{ method: 'fake/echo', params: 'hang' }],
        }),
      )
      .catch(failureOf);
    await server.journal.waitFor(['received', 'fake/echo']);
    const reader = host.request('fake/echo', 1).catch(failureOf);
    await host.stop();
    expect(await trying).toMatchObject({ kind: expect.stringMatching(/server-crashed|connection-lost/) });
    expect(await reader).toMatchObject({ kind: 'connection-lost' });
  });
});
