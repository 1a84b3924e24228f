/** Equal questions at the same time: the server works once, and nobody gets an answer that is too old for its question. */
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../src/shared/base/failure.ts';
import { pathToUri } from '../../src/shared/base/paths.ts';
import type { HostCallOptions } from '../../src/shared/host/calls/call-scope.ts';
import { gate } from '../support/events.ts';
import { type HostWorld, type HostWorldOptions, hostWorld } from '../support/host.ts';

const METHOD = 'textDocument/references';
const ACROSS: HostCallOptions = { whenReady: true, raw: true };

/** A server that holds every search back until the gate is opened. */
function heldWorld(options: HostWorldOptions = {}): HostWorld {
  return hostWorld({
    languageIds: { fake: 'fake' },
    text: '//- a.fake\nfunction alpha\n//- b.fake\nalpha\n',
    scenario: ({ scratch }) => ({
      rules: [
        { on: METHOD, do: { gate: `${scratch}/go.gate` } },
        { on: 'fake/work', do: [{ progress: { token: 't', begin: 'Indexing' } }, { result: null }] },
        { on: 'fake/done', do: [{ progress: { token: 't', end: true } }, { result: null }] },
      ],
    }),
    ...options,
  });
}

function search({ host, workspace }: HostWorld, options: HostCallOptions = {}, character = 10) {
  const file = workspace.file('a.fake');
  const params = {
    textDocument: { uri: pathToUri(file) },
    position: { line: 0, character },
    context: { includeDeclaration: true },
  };
  return host.request(METHOD, params, { ...ACROSS, documents: [file], ...options });
}

/** Takes the same way as a search and overtakes none: when it is answered, those before it are with the server. */
async function passed({ host }: HostWorld): Promise<void> {
  await host.request('fake/echo', 'here', ACROSS);
}

function open({ workspace }: HostWorld): void {
  gate(workspace.scratch, 'go').open();
}

const timesAsked = ({ server }: HostWorld) => server.journal.received(METHOD).length;

describe('equal questions at the same time', () => {
  it('are asked once and answered alike', async () => {
    await using world = heldWorld();
    const searches = [search(world), search(world), search(world)];
    await passed(world);
    open(world);
    const [first, second, third] = await Promise.all(searches);
    expect(first).toHaveLength(2);
    expect([second, third]).toEqual([first, first]);
    expect(timesAsked(world)).toBe(1);
  });

  it('are asked again once they were answered', async () => {
    await using world = heldWorld();
    open(world);
    await search(world);
    await search(world);
    expect(timesAsked(world)).toBe(2);
  });

  it('are not the same at another place', async () => {
    await using world = heldWorld();
    const searches = [search(world), search(world, {}, 11)];
    await passed(world);
    open(world);
    await Promise.all(searches);
    expect(timesAsked(world)).toBe(2);
  });

  it('are asked again when a file was written in between', async () => {
    await using world = heldWorld();
    const before = search(world);
    await passed(world);
    world.workspace.write('b.fake', 'alpha\nalpha\n');
    const after = search(world);
    await passed(world);
    open(world);
    await before;
    expect(await after).toHaveLength(3);
    expect(timesAsked(world)).toBe(2);
  });

  it('are each asked of a server that is not told what changes on disk', async () => {
    await using world = heldWorld({ languageIds: {} });
    const searches = [search(world), search(world)];
    await passed(world);
    open(world);
    await Promise.all(searches);
    expect(timesAsked(world)).toBe(2);
  });

  it('are asked again when the server has learned something in between', async () => {
    await using world = heldWorld();
    const before = search(world);
    await passed(world);
    await world.host.request('fake/work', {});
    await world.host.request('fake/done', {});
    const after = search(world);
    await passed(world);
    open(world);
    await Promise.all([before, after]);
    expect(timesAsked(world)).toBe(2);
  });

  it('are asked again when they may not be repeated', async () => {
    await using world = heldWorld();
    const searches = [search(world, { idempotent: false }), search(world, { idempotent: false })];
    await passed(world);
    open(world);
    await Promise.all(searches);
    expect(timesAsked(world)).toBe(2);
  });

  it('go on for the others when one is cancelled', async () => {
    await using world = heldWorld();
    const one = new AbortController();
    const cancelled = search(world, { signal: one.signal }).catch(failureOf);
    const other = search(world);
    await passed(world);
    one.abort();
    expect(await cancelled).toEqual({ kind: 'cancelled' });
    open(world);
    expect(await other).toHaveLength(2);
    expect(world.server.journal.received('$/cancelRequest')).toHaveLength(0);
  });

  it('are cancelled at the server with the last of them, and nobody joins them then', async () => {
    await using world = heldWorld();
    const end = new AbortController();
    const searches = [search(world, { signal: end.signal }), search(world, { signal: end.signal })];
    const failures = Promise.all(searches.map((each) => each.catch(failureOf)));
    await passed(world);
    end.abort();
    expect(await failures).toEqual([{ kind: 'cancelled' }, { kind: 'cancelled' }]);
    await world.server.journal.waitFor(['received', '$/cancelRequest']);
    const next = search(world);
    await passed(world);
    open(world);
    expect(await next).toHaveLength(2);
    expect(world.server.journal.received('$/cancelRequest')).toHaveLength(1);
    expect(timesAsked(world)).toBe(2);
  });

  it('are asked of the next server when the one that they were put to dies', async () => {
    await using world = heldWorld({
      scenario: { rules: [{ on: METHOD, instances: [1], do: { crash: 1 } }] },
    });
    const [first, second] = await Promise.all([search(world), search(world)]);
    expect(first).toHaveLength(2);
    expect(second).toEqual(first);
    expect(world.host.counters.instance).toBe(2);
  });
});

describe('a caller that has no patience left', () => {
  /** One search is answered before: only then is the server known to be ready. */
  async function warmWorld(): Promise<HostWorld> {
    const world = heldWorld();
    const first = search(world, {}, 9);
    await passed(world);
    open(world);
    await first;
    gate(world.workspace.scratch, 'go').close();
    return world;
  }

  it('is told so, and finds the answer to its question when it comes back', async () => {
    await using world = await warmWorld();
    const asked = timesAsked(world);
    await expect(search(world, { patienceMs: 1 })).rejects.toSatisfy(
      (error) => failureOf(error)?.kind === 'still-working',
    );
    expect(world.server.journal.received('$/cancelRequest')).toEqual([]);
    const again = search(world, { patienceMs: 60_000 });
    await passed(world);
    open(world);
    expect(await again).toHaveLength(2);
    expect(timesAsked(world)).toBe(asked + 1);
  });

  it('waits for the first answer of a server all the same', async () => {
    await using world = heldWorld();
    const first = search(world, { patienceMs: 1 });
    await passed(world);
    open(world);
    expect(await first).toHaveLength(2);
  });

  it('is asked for anew what a change on disk may have made another answer of', async () => {
    await using world = await warmWorld();
    const asked = timesAsked(world);
    await expect(search(world, { patienceMs: 1 })).rejects.toSatisfy(
      (error) => failureOf(error)?.kind === 'still-working',
    );
    world.workspace.write('b.fake', 'alpha\nalpha\n');
    const again = search(world, { patienceMs: 60_000, documents: [world.workspace.file('b.fake')] });
    await passed(world);
    open(world);
    expect(await again).toHaveLength(3);
    expect(timesAsked(world)).toBe(asked + 2);
  });

  it('gets its answer in the end, however often the disk changes in between', async () => {
    await using world = await warmWorld();
    const failed: unknown[] = [];
    const searchAfter = (text: string) => {
      world.workspace.write('b.fake', `alpha\n${text}\n`);
      return search(world, { patienceMs: 1, documents: [world.workspace.file('b.fake')] });
    };
    for (const text of ['1', '2', '3', '4'])
      await searchAfter(text).catch((error: unknown) => failed.push(failureOf(error)?.kind));
    expect(failed).toEqual(Array(4).fill('still-working'));
    const last = searchAfter('5');
    await passed(world);
    open(world);
    expect(await last).toHaveLength(2);
  });

  it('is told so as well while the server loads more, and nothing is asked of it until then', async () => {
    await using world = await warmWorld();
    const asked = timesAsked(world);
    await world.host.request('fake/work', {});
    expect(world.host.state).toMatchObject({ kind: 'indexing', again: true });
    await expect(search(world, { patienceMs: 1 })).rejects.toSatisfy((error) => {
      const failure = failureOf(error);
      return failure?.kind === 'still-working' && failure.unasked === true;
    });
    const again = search(world, { patienceMs: 60_000 });
    await world.host.request('fake/done', {});
    await passed(world);
    open(world);
    expect(await again).toHaveLength(2);
    expect(timesAsked(world)).toBe(asked + 1);
  });

  it('waits for a server that loads what it has never answered about', async () => {
    await using world = heldWorld();
    await world.host.request('fake/work', {});
    const first = search(world, { patienceMs: 1 });
    await world.host.request('fake/done', {});
    await passed(world);
    open(world);
    expect(await first).toHaveLength(2);
  });
});
