/** A link over a broker: what a tool sees while brokers come, go, drain and fall silent. */
import { describe, expect, it } from 'vitest';
import { BrokerSession, type BrokerSessionOptions } from '../../../../src/frontend/link/broker-session.ts';
import { DaemonLink } from '../../../../src/frontend/link/daemon-link.ts';
import { HostLink } from '../../../../src/frontend/link/host-link.ts';
import { FailureError, failureOf } from '../../../../src/shared/base/failure.ts';
import { deferred } from '../../../../src/shared/base/lifetime.ts';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import type { LinkEvent, ServerState } from '../../../../src/shared/link/server-link.ts';
import type { DaemonRecord } from '../../../../src/shared/rendezvous/daemon-record.ts';
import { MemoryHost } from '../../../support/broker-host.ts';
import { insideBroker } from '../../../support/broker-inside.ts';
import { muteBroker } from '../../../support/broker-mute.ts';
import { connected, memoryPlan } from '../../../support/broker-world.ts';
import { until } from '../../../support/events.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const kind = (error: unknown) => failureOf(error)?.kind;
const unavailable = (reason: string) => new FailureError({ kind: 'broker-unavailable', reason });

/** A link that joins the given brokers in turn, the last one again and again; an error instead of a broker is thrown. */
function linkTo(ways: readonly ({ record: DaemonRecord } | Error)[], options: BrokerSessionOptions = {}) {
  const direct = new MemoryHost(memoryPlan('/nowhere'));
  let joins = 0;
  const link = new DaemonLink({
    plan: memoryPlan('/nowhere'),
    ...options,
    async join() {
      const way = ways[Math.min(joins++, ways.length - 1)];
      if (way === undefined || way instanceof Error) throw way ?? new Error('no way');
      return BrokerSession.attach(await connected(way.record), options);
    },
    openDirect: async () => new HostLink(direct),
  });
  return { link, direct, joins: () => joins, [Symbol.asyncDispose]: () => link.close() };
}

describe('a daemon link', () => {
  it('does nothing before the first call and joins once for many', async () => {
    await using world = await insideBroker();
    await using bench = linkTo([world]);
    const { link } = bench;
    expect(link.state).toEqual({ kind: 'idle' });
    expect(await link.openDocuments()).toEqual([]);
    await link.closeDocument(world.workspace.file('a'));
    expect(bench.joins()).toBe(0);
    const answers = await Promise.all([1, 2, 3].map((value) => link.request('test/echo', value)));
    expect(answers).toEqual([1, 2, 3]);
    expect(bench.joins()).toBe(1);
    expect([link.mode, link.notice]).toEqual(['daemon', undefined]);
    expect(await link.facts()).toMatchObject({ serverName: 'memory' });
    expect(await link.diagnostics(world.workspace.file('a'))).toMatchObject({ freshness: { kind: 'exact' } });
  });

  it('passes failures of the server on without going anywhere else', async () => {
    await using world = await insideBroker();
    await using bench = linkTo([world]);
    expect(await bench.link.request('test/unknown', null).catch(kind)).toBe('unsupported');
    expect(bench.joins()).toBe(1);
    expect(bench.link.mode).toBe('daemon');
  });

  it('shows the state that the broker pushes, and knows when it has settled', async () => {
    await using world = await insideBroker();
    await using bench = linkTo([world]);
    const { link } = bench;
    const seen: ServerState['kind'][] = [];
    using _listening = link.onState((state) => seen.push(state.kind));
    await link.facts();
    world.host.setState({ kind: 'indexing', sinceMs: 0, what: 'all' });
    await until(() => link.state.kind === 'indexing', { what: 'the pushed state' });
    const settled = link.whenSettled();
    world.host.setState({ kind: 'degraded', reason: 'why not' });
    expect(await settled).toEqual({ kind: 'degraded', reason: 'why not' });
    expect(seen.slice(-2)).toEqual(['indexing', 'degraded']);
    expect(await link.whenSettled()).toEqual({ kind: 'degraded', reason: 'why not' });
    world.host.setState({ kind: 'indexing', sinceMs: 0, what: 'all' });
    await until(() => link.state.kind === 'indexing', { what: 'the pushed state' });
    expect((await link.whenSettled({ timeoutMs: 10 })).kind).toBe('indexing');
  });

  it('cancels a call all the way down', async () => {
    await using world = await insideBroker();
    await using bench = linkTo([world]);
    const cancel = new AbortController();
    const call = bench.link.request('test/hang', null, { signal: cancel.signal }).catch(kind);
    await until(() => world.host.running === 1, { what: 'a running call' });
    cancel.abort();
    expect(await call).toBe('cancelled');
    await until(() => world.host.cancelled === 1, { what: 'the cancel to arrive' });
  });

  it('keeps a deadline even if nobody answers', async () => {
    const clock = new FakeClock();
    await using world = await insideBroker();
    await using bench = linkTo([world], { clock });
    await bench.link.facts();
    const call = bench.link.request('test/hang', null, { timeoutMs: 1000 }).catch(kind);
    await until(() => world.host.running === 1, { what: 'a running call' });
    await clock.advance(3000);
    expect(await call).toBe('timeout');
  });

  it('lets go when it is closed, and the broker stays', async () => {
    await using world = await insideBroker();
    await using bench = linkTo([world]);
    const hanging = bench.link.request('test/hang', null).catch(kind);
    await until(() => world.host.running === 1, { what: 'a running call' });
    await bench.link.close();
    expect(await hanging).toBe('connection-lost');
    await until(() => world.host.released.length === 1, { what: 'a released session' });
    expect(await bench.link.request('test/echo', 1).catch(kind)).toBe('cancelled');
    expect(world.host.stopped).toBe(0);
  });
});

describe('events of a daemon link', () => {
  const changed = (name: string): LinkEvent => ({ kind: 'files-changed', files: [absolutePath(`/${name}`)] });

  it('are asked for with the first listener and join nothing', async () => {
    await using world = await insideBroker();
    await using bench = linkTo([world]);
    const heard: LinkEvent[] = [];
    using _listening = bench.link.onEvent((event) => heard.push(event));
    expect(bench.joins()).toBe(0);
    await bench.link.request('test/echo', 1);
    world.host.emit(changed('a'));
    await until(() => heard.length === 1, { what: 'the event' });
    expect(heard).toEqual([changed('a')]);
  });

  it('are not sent to a link that nobody listens to', async () => {
    await using world = await insideBroker();
    await using bench = linkTo([world]);
    await bench.link.facts();
    expect(world.host.eventListeners).toBe(0);
  });

  it('go on with the next broker, which says that some may be missing, and end with the one before', async () => {
    await using first = await insideBroker();
    await using second = await insideBroker();
    await using bench = linkTo([first, second]);
    const heard: LinkEvent[] = [];
    using _listening = bench.link.onEvent((event) => heard.push(event));
    const held = new AbortController();
    const hanging = bench.link.request('test/hang', null, { signal: held.signal }).catch(kind);
    await until(() => first.host.running === 1, { what: 'a running call' });
    first.broker.leave('drain', { reason: 'test', cause: 'stopped' });
    expect(await bench.link.request('test/echo', 1)).toBe(1);
    await bench.link.request('test/echo', 2);
    // The call that hangs keeps the connection to the first one open.
    first.host.emit(changed('old'));
    second.host.emit(changed('new'));
    await until(() => heard.length === 2, { what: 'the events' });
    expect(heard).toEqual([{ kind: 'missed' }, changed('new')]);
    held.abort();
    expect(await hanging).toBe('cancelled');
  });

  it('come from the server in this process when there is no broker', async () => {
    await using bench = linkTo([unavailable('no sockets here')]);
    const heard: LinkEvent[] = [];
    using _listening = bench.link.onEvent((event) => heard.push(event));
    await bench.link.facts();
    bench.direct.emit(changed('a'));
    expect(heard).toEqual([changed('a')]);
  });

  it('show no state of a broker that has gone', async () => {
    await using world = await insideBroker();
    await using bench = linkTo([world]);
    await bench.link.facts();
    world.broker.leave('now', { reason: 'test', cause: 'stopped' });
    await until(() => bench.link.state.kind === 'idle', { what: 'the loss to be noticed' });
  });
});

describe('when a broker goes away', () => {
  it('idle between calls, the next call finds the next broker', async () => {
    await using first = await insideBroker();
    await using second = await insideBroker();
    await using bench = linkTo([first, second]);
    const file = first.workspace.file('pinned');
    await bench.link.openDocument(file);
    first.broker.leave('now', { reason: 'test', cause: 'stopped' });
    await first.broker.ended;
    expect(await bench.link.request('test/echo', 'again')).toBe('again');
    expect(bench.joins()).toBe(2);
    expect(second.host.counters.openDocuments).toBe(1);
    expect(await bench.link.openDocuments()).toEqual([{ file, version: 1 }]);
  });

  it('while it drains, calls are sent to its successor, also those with side effects', async () => {
    await using first = await insideBroker();
    await using second = await insideBroker();
    await using bench = linkTo([first, second]);
    await bench.link.facts();
    first.broker.leave('drain', { reason: 'test', cause: 'stopped' });
    expect(await bench.link.request('test/echo', 'moved', { idempotent: false })).toBe('moved');
    expect(second.host.started).toBe(1);
  });

  it('in the middle of a call, an idempotent one is made again', async () => {
    await using first = await insideBroker();
    await using second = await insideBroker();
    await using bench = linkTo([first, second]);
    const calls = Array.from({ length: 5 }, () => bench.link.request('test/hang', null).catch(kind));
    await until(() => first.host.running === 5, { what: 'running calls' });
    first.broker.leave('now', { reason: 'test', cause: 'stopped' });
    await until(() => second.host.running === 5, { what: 'the calls at the successor' });
    expect(bench.joins()).toBe(2);
    await bench.link.close();
    await Promise.all(calls);
  });

  it('in the middle of a call with side effects, that call fails and is not made twice', async () => {
    await using first = await insideBroker();
    await using second = await insideBroker();
    await using bench = linkTo([first, second]);
    const call = bench.link.request('test/hang', null, { idempotent: false }).catch(kind);
    await until(() => first.host.running === 1, { what: 'a running call' });
    first.broker.leave('now', { reason: 'test', cause: 'stopped' });
    expect(await call).toBe('connection-lost');
    expect(second.host.started).toBe(0);
    expect(await bench.link.request('test/echo', 1)).toBe(1);
  });

  it('and the next one too, the server runs in this process', async () => {
    await using first = await insideBroker();
    await using bench = linkTo([first, unavailable('gone for good')]);
    await bench.link.facts();
    await bench.link.openDocument(first.workspace.file('pinned'));
    first.broker.leave('now', { reason: 'test', cause: 'stopped' });
    await first.broker.ended;
    expect(await bench.link.request('test/echo', 'direct')).toBe('direct');
    expect(bench.link.mode).toBe('direct');
    expect(bench.link.notice).toContain('gone for good');
    expect(bench.direct.counters.openDocuments).toBe(1);
  });
});

describe('without a usable broker', () => {
  it('every kind of call runs directly and the link says why', async () => {
    await using bench = linkTo([unavailable('no sockets here')]);
    const { link, direct } = bench;
    const file = memoryPlan('/nowhere').root;
    expect(await Promise.all([link.request('test/echo', 1), link.request('test/echo', 2)])).toEqual([1, 2]);
    expect(await link.facts()).toMatchObject({ serverName: 'memory' });
    expect((await link.diagnostics(file)).file).toBe(file);
    expect((await link.openDocument(file)).version).toBe(1);
    expect(await link.openDocuments()).toHaveLength(1);
    await link.closeDocument(file);
    expect((await link.whenSettled()).kind).toBe('ready');
    expect(await link.restart()).toMatchObject({ serverName: 'memory' });
    expect(link.notice).toContain('no sockets here');
    expect(bench.joins()).toBe(1);
    await link.close();
    expect(direct.stopped).toBe(1);
  });

  it('a direct server that cannot be opened fails the call, and the next call tries again', async () => {
    let attempts = 0;
    const host = new MemoryHost(memoryPlan('/nowhere'));
    const link = new DaemonLink({
      plan: host.plan,
      join: () => Promise.reject(unavailable('no daemon')),
      openDirect: async () => {
        if (attempts++ === 0) throw new FailureError({ kind: 'overloaded', what: 'test' });
        return new HostLink(host);
      },
    });
    expect(await link.request('test/echo', 1).catch(kind)).toBe('overloaded');
    expect(await link.request('test/echo', 1)).toBe(1);
    await link.close();
  });

  it('the deadline of a call covers the search for a broker', async () => {
    const clock = new FakeClock();
    const never = deferred<BrokerSession>();
    const link = new DaemonLink({
      plan: memoryPlan('/nowhere'),
      clock,
      join: () => never.promise,
      openDirect: () => Promise.reject(new Error('not asked for')),
    });
    const call = link.request('test/echo', 1, { timeoutMs: 500 }).catch(kind);
    await clock.advance(500);
    expect(await call).toBe('timeout');
    await link.close();
  });
});

describe('a broker that may have fallen silent', () => {
  it('is kept as long as it answers a ping', async () => {
    const clock = new FakeClock();
    await using world = await insideBroker();
    await using bench = linkTo([world], { clock });
    const cancel = new AbortController();
    const call = bench.link.request('test/hang', null, { signal: cancel.signal }).catch(kind);
    await until(() => world.host.running === 1, { what: 'a running call' });
    for (let round = 0; round < 5; round++) {
      await clock.advance(3000);
      await until(() => clock.nextIn === 3000, { what: 'the pong' });
    }
    expect(bench.link.mode).toBe('daemon');
    cancel.abort();
    expect(await call).toBe('cancelled');
    expect(clock.pending).toBe(0);
  });

  it('is given up when it does not even answer that, and the call is made directly', async () => {
    const clock = new FakeClock();
    await using mute = await muteBroker();
    // Late by itself the first time, as on a busy machine, and without an excuse the second time.
    let starved = 0;
    await using bench = linkTo([mute], { clock, isStarved: () => starved++ === 0 });
    const call = bench.link.request('test/echo', 'direct');
    await until(() => mute.heard.includes('request'), { what: 'the call' });
    await clock.advance(3000);
    await until(() => mute.heard.includes('ping'), { what: 'a ping' });
    await clock.advance(2000);
    expect(starved).toBe(1);
    await clock.advance(2000);
    expect(await call).toBe('direct');
    expect(bench.joins()).toBe(1);
    expect(bench.link.notice).toContain('no sign of life');
  });
});
