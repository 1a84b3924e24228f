/** How a broker ends: asked to, idle, replaced on disk; and what those who are connected see of it. */
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../src/shared/base/failure.ts';
import { BROKER } from '../../../src/shared/rendezvous/broker-methods.ts';
import type { BrokerStatus } from '../../../src/shared/rendezvous/broker-protocol.ts';
import { readLastExit } from '../../../src/shared/rendezvous/daemon-notes.ts';
import { readRecord, recordPath } from '../../../src/shared/rendezvous/daemon-record.ts';
import { insideBroker } from '../../support/broker-inside.ts';
import { ask, attached, connected, greetBroker } from '../../support/broker-world.ts';
import { until } from '../../support/events.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const MINUTE = 60_000;
const kind = (error: unknown) => failureOf(error)?.kind;

describe('a drain', () => {
  it('finishes what runs, refuses what is new, says so to newcomers, and unpublishes first', async () => {
    await using world = await insideBroker();
    using channel = await attached(world.record);
    const cancel = new AbortController();
    const running = ask(channel, 'test/hang', null, cancel.signal).catch(kind);
    await until(() => world.host.running === 1, { what: 'a running call' });
    using other = await connected(world.record);
    expect(await other.request(BROKER.stop, { mode: 'drain', reason: 'upgrade' })).toBeNull();

    await until(() => readRecord(recordPath(world.directory)).kind === 'absent', {
      what: 'an unpublished descriptor',
    });
    expect(await ask(channel, 'test/echo', 1).catch(kind)).toBe('draining');
    await expect(other.request(BROKER.attach, {}).catch(kind)).resolves.toBe('draining');
    const newcomer = await greetBroker(world.record);
    expect(newcomer).toMatchObject({ kind: 'answered', hello: { state: 'draining' } });
    if (newcomer.kind === 'answered') {
      expect(await newcomer.channel.request(BROKER.status, {})).toMatchObject({ draining: true });
      newcomer.channel.close('seen');
    }
    expect(world.host.stopped).toBe(0);

    cancel.abort();
    expect(await running).toBe('cancelled');
    expect(await world.broker.ended).toMatchObject({ reason: 'upgrade', cause: 'stopped' });
    expect(world.host.stopped).toBe(1);
    expect(readLastExit(world.directory)).toMatchObject({
      reason: 'upgrade',
      generation: world.record.generation,
    });
    expect(readdirSync(world.directory)).toEqual(['last-exit.json']);
    expect(existsSync(world.record.socketPath)).toBe(false);
  });

  it('calls that wait for their turn are told that nothing of them was executed', async () => {
    await using world = await insideBroker();
    using channel = await attached(world.record);
    const cancel = new AbortController();
    const running = Array.from({ length: 8 }, () =>
      ask(channel, 'test/hang', null, cancel.signal).catch(kind),
    );
    const waiting = ask(channel, 'test/echo', 'never').catch(kind);
    await until(() => world.host.running === 8, { what: 'a full lane' });
    await channel.request(BROKER.stop, { mode: 'drain', reason: 'test' });
    cancel.abort();
    await Promise.all(running);
    expect(await waiting).toBe('draining');
    await world.broker.ended;
  });

  it('with mode now does not wait for running calls', async () => {
    await using world = await insideBroker();
    using channel = await attached(world.record);
    const running = ask(channel, 'test/hang').catch(kind);
    await until(() => world.host.running === 1, { what: 'a running call' });
    await channel.request(BROKER.stop, { mode: 'now', reason: 'now' });
    await world.broker.ended;
    expect(await running).toBe('connection-lost');
  });

  it('that takes too long is ended by a second request with mode now', async () => {
    await using world = await insideBroker();
    using channel = await attached(world.record);
    const running = ask(channel, 'test/hang').catch(kind);
    await until(() => world.host.running === 1, { what: 'a running call' });
    await channel.request(BROKER.stop, { mode: 'drain', reason: 'first' });
    await channel.request(BROKER.stop, { mode: 'now', reason: 'second' });
    await running;
    expect(await world.broker.ended).toMatchObject({ reason: 'first' });
  });
});

describe('idle exit', () => {
  it('comes half an hour after the last session has left, and not before', async () => {
    const clock = new FakeClock();
    await using world = await insideBroker({ clock });
    await clock.advance(29 * MINUTE);
    const session = await attached(world.record);
    await clock.advance(45 * MINUTE);
    expect(await session.request(BROKER.ping, {})).toBeNull();
    session.close('done');
    await until(() => world.host.released.length === 1, { what: 'the session to be gone' });
    await clock.advance(29 * MINUTE);
    const look = await connected(world.record);
    const status = (await look.request(BROKER.status, {})) as BrokerStatus;
    expect(status.idleExitInMs).toBe(MINUTE);
    look.close('seen');
    await until(() => clock.nextIn !== undefined, { what: 'a timer' });
    await clock.advance(MINUTE + 2000);
    expect((await world.broker.ended).reason).toMatch(/^idle/);
  });

  it('is called off by somebody who connects at the last moment', async () => {
    const clock = new FakeClock();
    await using world = await insideBroker({ clock });
    await clock.advance(30 * MINUTE - 1);
    using session = await attached(world.record);
    await clock.advance(10 * MINUTE);
    expect(await ask(session, 'test/echo', 'warm')).toBe('warm');
    expect(readRecord(recordPath(world.directory)).kind).toBe('found');
  });
});

describe('a program that was replaced on disk', () => {
  it('makes the broker leave as soon as nobody is attached', async () => {
    let replaced = false;
    await using world = await insideBroker({ programChanged: () => replaced });
    const session = await attached(world.record);
    replaced = true;
    const second = await attached(world.record);
    session.close('done');
    expect(await ask(second, 'test/echo', 'still here')).toBe('still here');
    second.close('done');
    expect((await world.broker.ended).reason).toMatch(/replaced/);
  });

  it('is not noticed by a look alone before anybody greets, and does not cut a session short', async () => {
    await using world = await insideBroker({ programChanged: () => true });
    using session = await attached(world.record);
    expect(await ask(session, 'test/echo', 1)).toBe(1);
    using look = await connected(world.record);
    look.close('seen');
    expect(await ask(session, 'test/echo', 2)).toBe(2);
  });
});

describe('what the descriptor says', () => {
  it('follows readiness and activity', async () => {
    await using world = await insideBroker();
    const record = () => {
      const reading = readRecord(recordPath(world.directory));
      return reading.kind === 'found' ? reading.record : undefined;
    };
    await until(() => record()?.ready === true, { what: 'a ready server' });
    using session = await attached(world.record);
    await ask(session, 'test/echo', 1);
    expect(record()?.lastActivityAt).toBeGreaterThan(0);
    await ask(session, 'test/state', { kind: 'indexing', sinceMs: 0, what: 'again' });
    expect(record()?.ready).toBe(false);
  });
});
