/** How servers and links come and go under each kind of link: restarts, crashes, a second session, and the end. */
import { setMaxListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../src/shared/base/failure.ts';
import type { ServerState } from '../../src/shared/link/server-link.ts';
import { until } from '../support/events.ts';
import { LINK_MODES, linkWorld, listen } from '../support/link-worlds.ts';
import { isAlive, processesOfTest, untilDead } from '../support/processes.ts';

const OWNED = ['direct', 'daemon'] as const;

describe.each(LINK_MODES)('the server of a %s link', (mode) => {
  it('is a new instance after a restart; one that somebody else runs is only dialled again', async () => {
    await using world = await linkWorld(mode);
    const { link, server, workspace } = world;
    const [first, firstPid] = [await link.facts(), await world.serverPid()];
    const second = await link.restart();
    expect(second.instance).toBeGreaterThan(first.instance);
    expect(await link.facts()).toEqual(second);
    expect(await link.whenSettled()).toMatchObject({ kind: 'ready' });
    expect((await world.serverPid()) === firstPid).toBe(mode === 'passive');
    expect(isAlive(firstPid)).toBe(mode === 'passive');
    expect(server.journal.received('initialize')).toHaveLength(2);
    const file = workspace.file('a.fake');
    const params = { textDocument: { uri: `file://${file}` } };
    expect(await link.request('textDocument/documentSymbol', params, { documents: [file] })).toHaveLength(1);
    expect(server.journal.violations()).toEqual([]);
  });

  it('has the pinned files open again after a restart', async () => {
    await using world = await linkWorld(mode);
    const { link, workspace } = world;
    const file = workspace.file('a.fake');
    await link.openDocument(file);
    await link.restart();
    expect((await link.openDocuments()).map((document) => document.file)).toEqual([file]);
    await link.closeDocument(file);
    expect(await link.openDocuments()).toEqual([]);
  });

  it('is replaced, or dialled again, when it talks nonsense, and the call is answered all the same', async () => {
    const rules = [{ on: 'fake/echo', instances: [1], nth: 1, do: { brokenFrame: 'negative' } }] as const;
    await using world = await linkWorld(mode, { scenario: { rules } });
    const firstPid = await world.serverPid();
    expect(await world.link.request('fake/echo', 'answered')).toBe('answered');
    expect((await world.link.facts()).instance).toBe(2);
    expect((await world.serverPid()) === firstPid).toBe(mode === 'passive');
  });

  it('serves a second session as the mode promises', async () => {
    await using world = await linkWorld(mode);
    const other = world.another();
    const pids = [await world.serverPid(), await world.serverPid(other)];
    expect(new Set(pids).size).toBe(mode === 'direct' ? 2 : 1);
    expect(world.server.journal.received('initialize')).toHaveLength(mode === 'daemon' ? 1 : 2);
    expect((await other.facts()).serverName).toBe('fake-lsp');
    await world.link.restart();
    // Only a shared server is a new one for the other session as well.
    expect((await other.facts()).instance).toBe(mode === 'daemon' ? 2 : 1);
    await world.link.close();
    expect(await other.request('fake/echo', 'still served')).toBe('still served');
  });
});

describe.each(OWNED)('the server of a %s link that dies', (mode) => {
  it('ends a pending call with the reason and its last words, and serves the next one', async () => {
    const rules = [{ on: 'fake/echo', instances: [1], do: { stderr: 'out of luck', crash: 3 } }] as const;
    await using world = await linkWorld(mode, { scenario: { rules } });
    const { link } = world;
    const states: ServerState['kind'][] = [];
    using _subscription = link.onState(({ kind }) => states.push(kind));
    const failure = await link.request('fake/echo', 1, { idempotent: false }).catch(failureOf);
    expect(failure).toMatchObject({ kind: 'server-crashed', stderr: 'out of luck' });
    expect(failure).toHaveProperty('reason', expect.stringContaining('code 3'));
    expect(await link.request('fake/echo', 2)).toBe(2);
    expect((await link.facts()).instance).toBe(2);
    expect(states).toEqual(expect.arrayContaining(['crashed', 'ready']));
    expect(states.at(-1)).toBe('ready');
  });

  it('is asked a harmless question again, and only once', async () => {
    const rules = [
      { on: 'fake/echo', file: 'once', instances: [1], do: { crash: 'SIGKILL' } },
      {
        on: 'fake/echo',
        file: 'always',
        do: { crash: 'SIGKILL' },
      },
    ] as const;
    await using world = await linkWorld(mode, { scenario: { rules } });
    expect(await world.link.request('fake/echo', 'once')).toBe('once');
    const failure = await world.link.request('fake/echo', 'always').catch(failureOf);
    expect(failure).toMatchObject({ kind: 'server-crashed' });
    const always = world.server.journal
      .received('fake/echo')
      .filter(({ message }) => message?.params === 'always');
    expect(always).toHaveLength(2);
  });

  it('counts as settled only when it runs again', async () => {
    await using world = await linkWorld(mode);
    process.kill(await world.serverPid(), 'SIGKILL');
    await until(() => world.link.state.kind === 'crashed', { what: 'the crash' });
    expect(await world.link.whenSettled()).toMatchObject({ kind: 'ready' });
    expect((await world.link.facts()).instance).toBe(2);
  });
});

describe.each(LINK_MODES)('a %s link that is closed', (mode) => {
  it('settles what is pending and starts nothing afterwards', async () => {
    await using world = await linkWorld(mode, {
      scenario: { rules: [{ on: 'fake/echo', do: { never: true } }] },
    });
    const { link, server } = world;
    const shared = new AbortController();
    setMaxListeners(20, shared.signal);
    const end = (call: Promise<unknown>) => call.then(() => undefined, failureOf);
    const pending = Array.from({ length: 5 }, () =>
      end(link.request('fake/echo', 'hang', { signal: shared.signal })),
    );
    await server.journal.waitFor(['received', 'fake/echo'], { count: 5 });
    await link.close();
    const ends = ['cancelled', 'connection-lost', 'server-crashed'];
    for (const failure of await Promise.all(pending)) expect(ends).toContain(failure?.kind);
    const late = [link.facts(), link.request('fake/echo', 1), link.restart()].map(end);
    for (const failure of await Promise.all(late)) expect(ends).toContain(failure?.kind);
    expect(server.journal.received('initialize')).toHaveLength(1);
    await link.close();
  });
});

describe('closing', () => {
  it('a direct link leaves nothing running', async () => {
    await using world = await linkWorld('direct');
    const pid = await world.serverPid();
    await world.link.close();
    expect(isAlive(pid)).toBe(false);
    await world.workspace.expectNothingLeft();
    expect(world.server.journal.received('shutdown')).toHaveLength(1);
    expect(world.server.journal.received('exit')).toHaveLength(1);
    expect(world.link.state).toEqual({ kind: 'stopped' });
  });

  it('a daemon link leaves the server warm for the next session', async () => {
    await using world = await linkWorld('daemon');
    const pid = await world.serverPid();
    const before = processesOfTest(world.workspace.testId).map((each) => each.pid);
    await world.link.close();
    const next = world.another();
    expect(await world.serverPid(next)).toBe(pid);
    expect(processesOfTest(world.workspace.testId).map((each) => each.pid)).toEqual(before);
    expect(world.server.journal.received('initialize')).toHaveLength(1);
    expect(world.server.journal.received('shutdown')).toEqual([]);
  });

  it('a passive link hangs up and never tells the server to end', async () => {
    await using world = await linkWorld('passive');
    const { link, server } = world;
    const pid = await world.serverPid();
    await link.restart();
    await link.close();
    await server.journal.waitFor(['disconnected'], { count: 2 });
    expect(isAlive(pid)).toBe(true);
    expect([...server.journal.received('shutdown'), ...server.journal.received('exit')]).toEqual([]);
    const other = world.another();
    expect(await world.serverPid(other)).toBe(pid);
    // A server ends itself when the process with this id does, and we did not start it.
    for (const { message } of server.journal.received('initialize'))
      expect(message?.params).toMatchObject({ processId: null });
  });
});

describe('a passive link', () => {
  it('says that nobody listens, and is served again when somebody does', async () => {
    await using world = await linkWorld('passive');
    const { link, server, workspace } = world;
    const pid = await world.serverPid();
    const port = Number(link.command.split(':')[1]);
    process.kill(pid, 'SIGKILL');
    await untilDead(pid);
    await until(() => link.state.kind === 'crashed', { what: 'the lost connection' });
    const failure = await link.request('fake/echo', 1, { timeoutMs: 5_000 }).catch(failureOf);
    expect(JSON.stringify(failure)).toContain('ECONNREFUSED');
    const { child } = await listen(workspace, server, port);
    expect((await link.restart()).serverName).toBe('fake-lsp');
    expect(await world.serverPid()).toBe(child.pid);
    await link.close();
    child.kill('SIGKILL');
  });
});
