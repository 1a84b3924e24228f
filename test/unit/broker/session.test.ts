/** What a broker does for the front ends on its socket. */

import type { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { longRequestLimits } from '../../../src/broker/long-requests.ts';
import { FailureError, failureOf } from '../../../src/shared/base/failure.ts';
import type { ServerState } from '../../../src/shared/link/server-link.ts';
import { type BrokerChannel, greet } from '../../../src/shared/rendezvous/broker-channel.ts';
import { BROKER } from '../../../src/shared/rendezvous/broker-methods.ts';
import type { BrokerStatus } from '../../../src/shared/rendezvous/broker-protocol.ts';
import { dial } from '../../../src/shared/rendezvous/endpoint.ts';
import { BROKER_PROTOCOL } from '../../../src/shared/version.ts';
import { FrameWriter } from '../../../src/shared/wire/frame-stream.ts';
import { insideBroker } from '../../support/broker-inside.ts';
import { closed, rawClient } from '../../support/broker-raw-client.ts';
import { ask, attached, connected, HELLO, ungreeted } from '../../support/broker-world.ts';
import { until } from '../../support/events.ts';
import { FakeClock } from '../../support/fake-clock.ts';

const kindOf = (kind: string) => (error: unknown) => failureOf(error)?.kind === kind;

describe('greeting', () => {
  it('with a wrong token closes the connection without an answer', async () => {
    await using world = await insideBroker();
    const contact = await greet({ ...world.record, token: 'wrong' }, { hello: HELLO, timeoutMs: 10_000 });
    expect(contact).toMatchObject({ kind: 'hung-up', detail: 'connection-lost' });
  });

  it('must come first: any other request or notification before it closes the connection', async () => {
    await using world = await insideBroker();
    for (const name of ['status', 'stop', 'attach', 'request']) {
      using channel = await ungreeted(world.record);
      await expect(channel.request({ name }, {})).rejects.toSatisfy(kindOf('connection-lost'));
    }
    const dialled = await dial(world.record.socketPath, 10_000);
    if (dialled.kind !== 'connected') throw new Error(dialled.kind);
    new FrameWriter(dialled.socket).send({ jsonrpc: '2.0', method: 'exit' } as never);
    dialled.socket.resume();
    await closed(dialled.socket);
  });

  it('must come within two seconds', async () => {
    const clock = new FakeClock();
    await using world = await insideBroker({ clock });
    const dialled = await dial(world.record.socketPath, 10_000);
    if (dialled.kind !== 'connected') throw new Error(dialled.kind);
    dialled.socket.resume();
    await until(() => clock.pending >= 2, { what: 'the connection to be accepted' });
    await clock.advance(1999);
    expect(dialled.socket.destroyed).toBe(false);
    await clock.advance(1);
    await closed(dialled.socket);
  });

  it('is waited for by at most 64 connections; the next one is refused, greeted ones are not disturbed', async () => {
    await using world = await insideBroker();
    using greeted = await connected(world.record);
    const strangers: Socket[] = [];
    for (let index = 0; index < 65; index++) {
      const dialled = await dial(world.record.socketPath, 10_000);
      if (dialled.kind !== 'connected') throw new Error(dialled.kind);
      strangers.push(dialled.socket.resume());
    }
    await until(() => strangers.some((socket) => socket.destroyed), { what: 'a refused connection' });
    expect(strangers.filter((socket) => socket.destroyed)).toHaveLength(1);
    expect(await greeted.request(BROKER.ping, {})).toBeNull();
    for (const socket of strangers) socket.destroy();
  });

  it('in another protocol leaves status and stop, and nothing else', async () => {
    await using world = await insideBroker();
    const contact = await greet(world.record, {
      hello: { ...HELLO, protocol: [BROKER_PROTOCOL + 1, BROKER_PROTOCOL + 2] },
      timeoutMs: 10_000,
    });
    if (contact.kind !== 'answered') throw new Error(contact.kind);
    expect(contact.hello).toMatchObject({
      protocol: null,
      state: 'serving',
      generation: world.record.generation,
    });
    expect(await contact.channel.request(BROKER.status, {})).toMatchObject({
      generation: world.record.generation,
    });
    await expect(contact.channel.request(BROKER.attach, {})).rejects.toThrow('no protocol in common');
    await expect(contact.channel.request(BROKER.facts, {})).rejects.toThrow('not attached');
    expect(await contact.channel.request(BROKER.stop, { mode: 'now', reason: 'upgrade' })).toBeNull();
    expect(await world.broker.ended).toMatchObject({ reason: 'upgrade' });
  });
});

describe('calls', () => {
  it('need an attachment, known methods and sound parameters', async () => {
    await using world = await insideBroker();
    using channel = await connected(world.record);
    await expect(channel.request(BROKER.facts, {})).rejects.toThrow('not attached');
    await channel.request(BROKER.attach, {});
    await expect(channel.request({ name: 'initialize' }, {})).rejects.toThrow('method not found');
    await expect(channel.request({ name: 'diagnostics' }, {})).rejects.toThrow('file');
    await expect(channel.request({ name: 'request' }, { method: 'test/echo' })).rejects.toThrow('documents');
    await expect(channel.request({ name: 'facts' }, { timeoutMs: 'soon' })).rejects.toThrow('timeoutMs');
    expect(await channel.request(BROKER.facts, {})).toMatchObject({ serverName: 'memory' });
  });

  it('about one file go past searches that wait for those of others, and these past such as are never answered', async () => {
    const clock = new FakeClock();
    await using world = await insideBroker({ clock });
    const { atOnce, countsMs } = longRequestLimits({ oneAtATime: false });
    const search = (channel: BrokerChannel, method: string, signal?: AbortSignal) => {
      const params = { method, params: 'found', documents: [], idempotent: true, whenReady: true };
      return channel.request(BROKER.request, params, { signal });
    };
    const given = Array.from({ length: atOnce + 1 }, () => new AbortController());
    const held = given.map(async ({ signal }) => {
      using channel = await attached(world.record);
      await search(channel, 'test/hang', signal).catch(() => undefined);
    });
    await until(() => world.host.running === atOnce, { what: 'as many searches as go at once' });
    using other = await attached(world.record);
    const seen: string[] = [];
    const third = search(other, 'test/echo').then(() => seen.push('search'));
    await ask(other, 'test/echo').then(() => seen.push('one file'));
    expect(seen).toEqual(['one file']);
    await clock.advance(countsMs);
    await third;
    expect(seen).toEqual(['one file', 'search']);
    for (const each of given) each.abort();
    await Promise.all(held);
  });

  it('keep failures of the host as they are', async () => {
    await using world = await insideBroker();
    using channel = await attached(world.record);
    await expect(ask(channel, 'test/unknown')).rejects.toEqual(
      new FailureError({ kind: 'unsupported', server: 'memory', method: 'test/unknown' }),
    );
  });

  it('of two front ends with the same ids never meet, and "1" is not 1', async () => {
    await using world = await insideBroker();
    using first = await rawClient(world.record);
    using second = await rawClient(world.record);
    first.request(1, 'test/echo', 'first number');
    first.request('1', 'test/echo', 'first string');
    second.request(1, 'test/echo', 'second number');
    second.request('1', 'test/echo', 'second string');
    expect((await first.answer(1)).result).toBe('first number');
    expect((await first.answer('1')).result).toBe('first string');
    expect((await second.answer(1)).result).toBe('second number');
    expect((await second.answer('1')).result).toBe('second string');
  });

  it('are cancelled by their own front end only, and only while they run', async () => {
    await using world = await insideBroker();
    using first = await rawClient(world.record);
    using second = await rawClient(world.record);
    first.request(5, 'test/echo', 'done');
    await first.answer(5);
    first.request(7, 'test/hang');
    second.request(7, 'test/hang');
    await until(() => world.host.running === 2, { what: 'two running calls' });
    // Of a finished call, of an unknown one, with the same number as another type: nothing happens.
    for (const id of [5, 99, '7', null]) second.send({ method: '$/cancelRequest', params: { id } });
    second.send({ method: '$/cancelRequest', params: { id: 7 } });
    expect((await second.answer(7)).error).toMatchObject({ code: -32800 });
    expect([world.host.running, world.host.cancelled]).toEqual([1, 1]);
    expect(first.received.some((message) => message.id === 7)).toBe(false);
    first.send({ method: '$/cancelRequest', params: { id: 7 } });
    expect((await first.answer(7)).error).toMatchObject({ code: -32800 });
    expect(first.received.filter((message) => message.id === 5)).toHaveLength(1);
  });

  it('of a front end that vanishes with 20 in flight are all cancelled and everything it held is released', async () => {
    await using world = await insideBroker();
    using survivor = await attached(world.record);
    const dying = await attached(world.record);
    await dying.request(BROKER.openDocument, { file: world.workspace.file('a') });
    const calls = Array.from({ length: 20 }, () =>
      ask(dying, 'test/hang').catch((error: unknown) => failureOf(error)?.kind),
    );
    await until(() => world.host.running === 8, { what: 'as many running calls as one session may have' });
    dying.close('killed');
    expect(new Set(await Promise.all(calls))).toEqual(new Set(['connection-lost']));
    await until(() => world.host.running === 0, { what: 'no running calls' });
    expect(world.host.cancelled).toBe(8);
    expect(world.host.released).toHaveLength(1);
    const status = (await survivor.request(BROKER.status, {})) as BrokerStatus;
    expect(status.sessions).toHaveLength(1);
    expect(status.server.openDocuments).toBe(0);
    expect(await ask(survivor, 'test/echo', 1)).toBe(1);
  });

  it('of one front end do not keep another one waiting', async () => {
    await using world = await insideBroker();
    const greedy = await Promise.all([1, 2, 3, 4, 5].map(() => attached(world.record)));
    const held = greedy.flatMap((channel) =>
      Array.from({ length: 30 }, () => ask(channel, 'test/hang').catch(() => undefined)),
    );
    await until(() => world.host.running >= 32, { what: 'a full house' });
    using modest = await attached(world.record);
    expect(await ask(modest, 'test/echo', 'in')).toBe('in');
    for (const channel of greedy) channel.close('enough');
    await Promise.all(held);
  });

  it('give up in the queue when their time is over', async () => {
    await using world = await insideBroker();
    using channel = await attached(world.record);
    const held = Array.from({ length: 8 }, () => ask(channel, 'test/hang').catch(() => undefined));
    await until(() => world.host.running === 8, { what: 'a full lane' });
    const bounds = { idempotent: true, whenReady: false, timeoutMs: 1 };
    const params = { method: 'test/echo', params: 1, documents: [], ...bounds };
    await expect(channel.request(BROKER.request, params)).rejects.toSatisfy(kindOf('timeout'));
    channel.close('done');
    await Promise.all(held);
  });

  it('over the cap are refused at once', async () => {
    await using world = await insideBroker();
    using channel = await attached(world.record);
    const calls = Array.from({ length: 8 + 512 + 1 }, () => ask(channel, 'test/hang'));
    const refused = await Promise.race(
      calls.map((call) => call.catch((error: unknown) => failureOf(error)?.kind)),
    );
    expect(refused).toBe('overloaded');
    channel.close('done');
    await Promise.allSettled(calls);
  });

  it('see a change of state before the answer that follows from it', async () => {
    await using world = await insideBroker();
    using channel = await attached(world.record);
    const states: ServerState[] = [];
    channel.onNotification(({ method, params }) => {
      if (method === 'state') states.push((params as { state: ServerState }).state);
    });
    const state: ServerState = { kind: 'degraded', reason: 'test' };
    await ask(channel, 'test/state', state);
    expect(states).toEqual([state]);
  });
});

describe('status', () => {
  it('tells what there is to know, and a look does not make a session', async () => {
    await using world = await insideBroker();
    using looker = await connected(world.record);
    const before = (await looker.request(BROKER.status, {})) as BrokerStatus;
    expect(before.sessions).toEqual([]);
    expect(before.idleExitInMs).toBeGreaterThan(0);
    using session = await attached(world.record);
    await ask(session, 'test/echo', 1);
    await ask(session, 'test/nothing').catch(() => undefined);
    const status = (await looker.request(BROKER.status, {})) as BrokerStatus;
    expect(status).toMatchObject({
      pid: process.pid,
      generation: world.record.generation,
      root: world.workspace.root,
      language: 'memory',
      command: 'memory --stdio',
      socketPath: world.record.socketPath,
      state: { kind: 'ready' },
      draining: false,
      idleExitInMs: null,
      server: { instance: 1, crashes: 0 },
      requests: { total: 2, failed: 1 },
    });
    expect(status.sessions).toEqual([{ id: expect.any(Number), pid: process.pid, pending: 0 }]);
    expect(status.memory.treeRssBytes).toBeGreaterThan(0);
  });
});
