/** What a tool may rely on whichever way its server is reached: the same questions through all three kinds of link. */
import { describe, expect, it } from 'vitest';
import { ResponseError } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { failureOf } from '../../src/shared/base/failure.ts';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { textHash } from '../../src/shared/base/text-file.ts';
import type { Evaluation, ServerLink, ServerState } from '../../src/shared/link/server-link.ts';
import { gate, until } from '../support/events.ts';
import type { Rule, Scenario } from '../support/fake-server.ts';
import { LINK_MODES, linkWorld, type TextAtServer } from '../support/link-worlds.ts';
import type { Workspace } from '../support/workspace.ts';

const HANGING: Rule = { on: 'fake/echo', file: 'hang', do: { never: true } };

/** Indexing that goes on when the test opens the gates `half` and `end`. */
function indexing({ scratch }: Workspace): Scenario {
  const steps = [
    { progress: { token: 't', begin: 'Indexing', percentage: 10 } },
    { gate: `${scratch}/half.gate` },
    { progress: { token: 't', report: 50 } },
    { gate: `${scratch}/end.gate` },
    { progress: { token: 't', end: true } },
  ] as const;
  return { rules: [{ on: 'initialized', do: steps }, HANGING] };
}

function percentOf(state: ServerState): number | undefined {
  return state.kind === 'indexing' ? state.percent : undefined;
}

async function syncedText(link: ServerLink, file: AbsPath): Promise<string | null> {
  const answer = await link.request('fake/text', { uri: pathToUri(file) }, { documents: [file] });
  return (answer as TextAtServer).text;
}

/** A server that keeps its sessions apart, so that text can be tried out in every mode. */
const APART = {
  serverId: 'gopls',
  scenario: {
    diagnostics: { profile: 'pull' },
    rules: [
      {
        on: 'initialized',
        do: [{ progress: { token: 't', begin: 'Indexing' } }, { progress: { token: 't', end: true } }],
      },
      HANGING,
    ],
  },
} as const;

/** A question about one file with another text than the disk's. */
function tryOut(workspace: Workspace, text: string, requests: Evaluation['requests'] = []): Evaluation {
  const file = workspace.file('a.fake');
  const seen = { method: 'fake/text', params: { uri: pathToUri(file) } };
  const overlay = [{ file, text, base: textHash(workspace.read('a.fake')) }];
  return { overlay, requests: [...requests, seen], diagnosticsFor: [file] };
}

describe.each(LINK_MODES)('a %s link', (mode) => {
  it('knows the facts of its server and says what it is', async () => {
    await using world = await linkWorld(mode);
    const { link, workspace } = world;
    expect(link).toMatchObject({ mode, root: workspace.root, language: 'fake', notice: undefined });
    expect(link.command).toMatch(mode === 'passive' ? /^127\.0\.0\.1:\d+$/ : /main\.mjs --scenario/);
    const facts = await link.facts();
    expect(facts).toMatchObject({ serverName: 'fake-lsp', serverVersion: '1.0.0', encoding: 'utf-16' });
    expect(facts).toMatchObject({ instance: 1, capabilities: { hoverProvider: true } });
    expect(facts.methods).toContain('textDocument/references');
    expect(facts.pid).toBe(mode === 'passive' ? undefined : await world.serverPid());
    expect(await link.whenSettled()).toMatchObject({ kind: 'ready' });
  });

  it('starts or dials the server once for calls that come together, and not before the first', async () => {
    await using world = await linkWorld(mode);
    const { link, server } = world;
    expect(link.state).toEqual({ kind: 'idle' });
    expect(server.journal.received('initialize')).toEqual([]);
    await Promise.all([link.facts(), link.request('fake/echo', 1), link.whenSettled(), link.facts()]);
    expect(server.journal.received('initialize')).toHaveLength(1);
    expect(server.journal.violations()).toEqual([]);
  });

  it('gives the answer of the server, whatever it is', async () => {
    await using world = await linkWorld(mode);
    for (const value of [false, 0, '', [], { text: 'naïve 😀 商品' }])
      expect(await world.link.request('fake/echo', value)).toEqual(value);
    const file = world.workspace.file('b.fake');
    const ask = (method: string, line: number) => {
      const params = { textDocument: { uri: pathToUri(file) }, position: { line, character: 0 } };
      return world.link.request(method, params, { documents: [file] });
    };
    expect(await ask('textDocument/definition', 1)).toEqual([
      expect.objectContaining({ uri: pathToUri(world.workspace.file('a.fake')) }),
    ]);
    expect(await ask('textDocument/hover', 2)).toBeNull();
  });

  it('makes the documents of a request equal to the disk first, also after edits by others', async () => {
    await using world = await linkWorld(mode);
    const { link, workspace, server } = world;
    const file = workspace.file('a.fake');
    expect(await syncedText(link, file)).toBe(workspace.read('a.fake'));
    for (let round = 0; round < 10; round++) {
      workspace.write('a.fake', `round ${round}\n`);
      expect(await syncedText(link, file)).toBe(`round ${round}\n`);
    }
    workspace.remove('a.fake');
    expect(await syncedText(link, file).catch(failureOf)).toEqual({ kind: 'no-such-file', path: file });
    expect(server.journal.received('textDocument/didOpen')).toHaveLength(1);
    expect(server.journal.violations()).toEqual([]);
  });

  it('has no open file with another text than the disk, also when a request is about other files', async () => {
    await using world = await linkWorld(mode);
    const { link, workspace } = world;
    const [a, b] = [workspace.file('a.fake'), workspace.file('b.fake')];
    for (const file of [a, b]) await syncedText(link, file);
    workspace.write('a.fake', 'const gamma = 1;\n');
    const params = { textDocument: { uri: pathToUri(b) }, position: { line: 1, character: 0 } };
    expect(await link.request('textDocument/definition', params, { documents: [b] })).toEqual([]);
    expect(await world.textAtServer(a)).toMatchObject({ open: true, text: 'const gamma = 1;\n' });
    workspace.remove('a.fake');
    await syncedText(link, b);
    expect(await world.textAtServer(a)).toMatchObject({ open: false });
  });

  it('fails a method that the server does not offer, without asking it', async () => {
    await using world = await linkWorld(mode, { scenario: { capabilities: { referencesProvider: null } } });
    const method = 'textDocument/references';
    expect(await world.link.request(method, {}).catch(failureOf)).toEqual({
      kind: 'unsupported',
      server: 'fake-lsp',
      method,
    });
    expect(world.server.journal.received(method)).toEqual([]);
  });

  it('keeps code and message of an error that the server answers', async () => {
    const error = { code: -32803, message: 'the file is not part of a project' };
    await using world = await linkWorld(mode, { scenario: { rules: [{ on: 'fake/echo', do: { error } }] } });
    const thrown = await world.link.request('fake/echo', 1).catch((each: unknown) => each);
    expect(thrown).toBeInstanceOf(ResponseError);
    expect(thrown).toMatchObject(error);
    const unknown = await world.link.request('fake/unheardOf', {}).catch((each: unknown) => each);
    expect(unknown).toMatchObject({ code: -32601, message: 'fake: no fake/unheardOf' });
  });

  it('passes a cancellation on to the server with the id that the server knows', async () => {
    await using world = await linkWorld(mode, { scenario: { rules: [HANGING] } });
    const controller = new AbortController();
    const call = world.link.request('fake/echo', 'hang', { signal: controller.signal }).catch(failureOf);
    const asked = await world.server.journal.waitFor(['received', 'fake/echo']);
    controller.abort();
    expect(await call).toEqual({ kind: 'cancelled' });
    const cancel = await world.server.journal.waitFor(['received', '$/cancelRequest']);
    expect(cancel.message?.params).toEqual({ id: asked.message?.id });
    const late = await world.link.request('fake/echo', 1, { signal: controller.signal }).catch(failureOf);
    expect(late).toEqual({ kind: 'cancelled' });
    expect(world.server.journal.received('fake/echo')).toHaveLength(1);
  });

  it('ends a call at its deadline, says what it waited for, and tells the server', async () => {
    await using world = await linkWorld(mode, { scenario: { rules: [HANGING] } });
    await world.link.whenSettled();
    const failure = await world.link.request('fake/echo', 'hang', { timeoutMs: 60 }).catch(failureOf);
    expect(failure).toMatchObject({ kind: 'timeout', what: 'fake/echo', state: 'ready' });
    await world.server.journal.waitFor(['received', '$/cancelRequest']);
    expect(await world.link.request('fake/echo', 'next')).toBe('next');
  });

  it('answers fifty calls at once, each with its own result and each once', async () => {
    await using world = await linkWorld(mode);
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    const answers = await Promise.all(numbers.map((number) => world.link.request('fake/echo', { number })));
    expect(answers).toEqual(numbers.map((number) => ({ number })));
    const received = world.server.journal.received('fake/echo');
    expect(new Set(received.map(({ message }) => message?.id)).size).toBe(50);
    expect(world.server.journal.matching(['replied', 'fake/echo'])).toHaveLength(50);
  });

  it('brings a result of 5 MB intact, with small ones before and after it', async () => {
    await using world = await linkWorld(mode);
    const [before, big, after] = await Promise.all([
      world.link.request('fake/echo', 'before'),
      world.link.request('fake/big', { bytes: 5_000_000 }),
      world.link.request('fake/echo', 'after'),
    ]);
    expect([before, after]).toEqual(['before', 'after']);
    // Compared by hand: a difference in a string of this size must not be printed.
    expect(big === 'x'.repeat(4_999_998)).toBe(true);
  });

  it.each([
    { profile: 'pull', freshness: { kind: 'exact', proof: 'pull' } },
    { profile: 'versioned', freshness: { kind: 'exact', proof: 'version' } },
    { profile: 'unversioned', freshness: { kind: 'inferred', proof: 'quiet' } },
  ] as const)(
    'reports diagnostics of a server that is $profile, with the proof',
    async ({ profile, freshness }) => {
      await using world = await linkWorld(mode, { scenario: { diagnostics: { profile } } });
      const { link, workspace } = world;
      const diagnose = async (text: string) => {
        const { diagnostics, ...rest } = await link.diagnostics(workspace.write('a.fake', text));
        return { ...rest, messages: diagnostics.map(({ message }) => message) };
      };
      const file = workspace.file('a.fake');
      // A first version proves nothing: some servers say 1 each time.
      expect(await diagnose('ERROR one\n')).toMatchObject({ file, messages: ['ERROR one'] });
      expect(await diagnose('fine\n')).toMatchObject({ version: 2, freshness, messages: [] });
    },
  );

  it('pulls diagnostics from a server that registers for that only after it was asked', async () => {
    const registration = {
      id: 'late',
      method: 'textDocument/diagnostic',
      registerOptions: { interFileDependencies: false, workspaceDiagnostics: false },
    };
    const register = { method: 'client/registerCapability', params: { registrations: [registration] } };
    await using world = await linkWorld(mode, {
      scenario: {
        diagnostics: { profile: 'none' },
        rules: [{ on: 'textDocument/didOpen', do: { ask: register } }],
      },
    });
    await world.link.facts();
    const file = world.workspace.write('a.fake', 'ERROR one\n');
    const report = await world.link.diagnostics(file, { timeoutMs: 5_000 });
    expect(report.freshness).toEqual({ kind: 'exact', proof: 'pull' });
    expect(report.diagnostics).toHaveLength(1);
  });

  it('does not call a file clean when the server says nothing about it', async () => {
    await using world = await linkWorld(mode, { scenario: { diagnostics: { profile: 'none' } } });
    await world.link.facts();
    const report = await world.link.diagnostics(world.workspace.file('a.fake'), { timeoutMs: 300 });
    expect(report.freshness.kind).toBe('timeout');
  });

  it('keeps a file open for whoever opened it until that one closes it', async () => {
    await using world = await linkWorld(mode);
    const { link, workspace } = world;
    const other = world.another();
    const file = workspace.file('a.fake');
    expect(await link.openDocuments()).toEqual([]);
    const opened = await link.openDocument(file);
    expect(opened).toEqual({ file, version: 1 });
    expect(await other.openDocuments()).toEqual([]);
    await other.openDocument(file);
    await other.openDocument(workspace.file('b.fake'));
    expect(await link.openDocuments()).toEqual([opened]);
    await other.closeDocument(file);
    expect((await other.openDocuments()).map((document) => document.file)).toEqual([
      workspace.file('b.fake'),
    ]);
    expect(await world.textAtServer(file)).toMatchObject({ open: true, version: 1 });
    await link.closeDocument(file);
    expect(await link.openDocuments()).toEqual([]);
    expect(await world.textAtServer(file)).toMatchObject({ open: false });
    expect(world.server.journal.violations()).toEqual([]);
  });

  it('lets go of its open files when it is closed', async () => {
    await using world = await linkWorld(mode);
    const other = world.another();
    await world.link.facts();
    await other.openDocument(world.workspace.file('a.fake'));
    await other.close();
    await until(async () => !(await world.textAtServer(world.workspace.file('a.fake'))).open, {
      what: 'the file being closed',
    });
  });

  it('hears of every change of the state and waits until it settles', async () => {
    await using world = await linkWorld(mode, { scenario: indexing });
    const { link, workspace } = world;
    const seen: ServerState[] = [];
    using _subscription = link.onState((state) => seen.push(state));
    await link.facts();
    await until(() => percentOf(link.state) === 10, { what: '10 %' });
    gate(workspace.scratch, 'half').open();
    await until(() => percentOf(link.state) === 50, { what: '50 %' });
    expect(await link.whenSettled({ timeoutMs: 60 })).toMatchObject({ kind: 'indexing', what: 'Indexing' });
    const settled = link.whenSettled();
    gate(workspace.scratch, 'end').open();
    expect(await settled).toMatchObject({ kind: 'ready' });
    expect(link.state).toEqual(await settled);
    expect(seen.flatMap((state) => percentOf(state) ?? [])).toEqual([10, 50]);
    expect(seen.at(-1)).toMatchObject({ kind: 'ready' });
    expect(await link.whenSettled({ timeoutMs: 0 })).toMatchObject({ kind: 'ready' });
  });

  it('starts the server to see it settle, and can be called off', async () => {
    await using world = await linkWorld(mode, { serverId: 'gopls', scenario: indexing });
    const { link, workspace } = world;
    const controller = new AbortController();
    const waiting = link.whenSettled({ signal: controller.signal }).catch(failureOf);
    await until(() => percentOf(link.state) === 10, { what: '10 %' });
    controller.abort();
    expect(await waiting).toEqual({ kind: 'cancelled' });
    for (const name of ['half', 'end']) gate(workspace.scratch, name).open();
    expect(await link.whenSettled()).toMatchObject({ kind: 'ready' });
  });

  it('tries out text where nobody else can see it, and refuses where somebody might', async () => {
    await using world = await linkWorld(mode, { scenario: { diagnostics: { profile: 'pull' } } });
    const { link, workspace, server } = world;
    const trial = tryOut(workspace, 'ERROR tried\n');
    if (mode === 'passive') {
      expect(await link.evaluate(trial).catch(failureOf)).toMatchObject({ kind: 'speculation-refused' });
      expect(server.journal.received('initialize')).toEqual([]);
      return;
    }
    const { answers, before, after, coverage } = await link.evaluate(trial);
    expect(answers).toEqual([{ result: expect.objectContaining({ text: 'ERROR tried\n' }) }]);
    expect(before).toMatchObject([{ diagnostics: [], freshness: { kind: 'exact' } }]);
    expect(after).toMatchObject([
      { diagnostics: [{ message: 'ERROR tried' }], freshness: { kind: 'exact' } },
    ]);
    expect(coverage).toBe('full');
    const file = workspace.file('a.fake');
    expect(await world.textAtServer(file)).toMatchObject({ text: workspace.read('a.fake') });
    expect((await link.diagnostics(file)).diagnostics).toEqual([]);
    workspace.write('a.fake', 'moved on\n');
    expect(await link.evaluate(trial).catch(failureOf)).toEqual({ kind: 'base-changed', path: file });
    expect(server.journal.violations()).toEqual([]);
  });

  it('shows contradictory texts of two sessions each to its own, and the disk to all others', async () => {
    await using world = await linkWorld(mode, APART);
    const { link, workspace, server } = world;
    const file = workspace.file('a.fake');
    const other = world.another();
    const looker = world.another();
    const rounds = Array.from({ length: 5 }, async (_, round) => {
      const trials = [link, other].map(async (each, index) => {
        const text = `ERROR ${index} in round ${round}\n`;
        const { answers, after } = await each.evaluate(tryOut(workspace, text));
        expect(answers).toEqual([{ result: expect.objectContaining({ text }) }]);
        expect(after[0]?.diagnostics.map(({ message }) => message)).toEqual([text.trim()]);
      });
      const looks = [link, other, looker].map(async (each) => {
        expect(await syncedText(each, file)).toBe(workspace.read('a.fake'));
        expect((await each.diagnostics(file)).diagnostics).toEqual([]);
      });
      await Promise.all([...trials, ...looks]);
    });
    await Promise.all(rounds);
    expect(server.journal.violations()).toEqual([]);
  });

  it('takes text away that is tried out when the call is cancelled or the link closed', async () => {
    await using world = await linkWorld(mode, APART);
    const { workspace, server } = world;
    const file = workspace.file('a.fake');
    const other = world.another();
    const hanging = tryOut(workspace, 'tried\n', [{ method: 'fake/echo', params: 'hang' }]);
    const controller = new AbortController();
    const first = other.evaluate(hanging, { signal: controller.signal }).catch(failureOf);
    await server.journal.waitFor(['received', 'fake/echo']);
    controller.abort();
    expect(await first).toEqual({ kind: 'cancelled' });
    expect(await syncedText(other, file)).toBe(workspace.read('a.fake'));
    const second = other.evaluate(hanging).catch(failureOf);
    await server.journal.waitFor(['received', 'fake/echo'], { count: 2 });
    await other.close();
    expect(await second).toMatchObject({ kind: expect.stringMatching(/cancelled|connection-lost|crashed/) });
    expect(await syncedText(world.link, file)).toBe(workspace.read('a.fake'));
    expect(server.journal.violations()).toEqual([]);
  });

  it('holds back with whenReady what spans files, and nothing else', async () => {
    await using world = await linkWorld(mode, { serverId: 'gopls', scenario: indexing });
    const { link, workspace, server } = world;
    await link.facts();
    await until(() => percentOf(link.state) === 10, { what: 'indexing' });
    const held = link.request('fake/echo', 'spans files', { whenReady: true });
    expect(await link.request('fake/echo', 'one file')).toBe('one file');
    expect(server.journal.received('fake/echo')).toHaveLength(1);
    for (const name of ['half', 'end']) gate(workspace.scratch, name).open();
    expect(await held).toBe('spans files');
    const ended = server.journal
      .entries()
      .findIndex(({ params }) => JSON.stringify(params)?.includes('"end"'));
    const asked = server.journal.entries().findIndex(({ message }) => message?.params === 'spans files');
    expect(ended).toBeGreaterThan(0);
    expect(asked).toBeGreaterThan(ended);
  });
});
