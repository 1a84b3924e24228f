/** Large results, front ends that do not read, and bytes that are no messages. */
import { describe, expect, it } from 'vitest';
import { BROKER } from '../../../src/shared/rendezvous/broker-methods.ts';
import { insideBroker } from '../../support/broker-inside.ts';
import { closed, rawClient } from '../../support/broker-raw-client.ts';
import { ask, attached, connected } from '../../support/broker-world.ts';
import { until } from '../../support/events.ts';
import { FakeClock } from '../../support/fake-clock.ts';

describe('large results and slow readers', () => {
  it('a result of 100 MB arrives whole', async () => {
    await using world = await insideBroker();
    using channel = await attached(world.record);
    const bytes = 100 * 1024 * 1024;
    expect(((await ask(channel, 'test/big', { bytes })) as string).length).toBe(bytes);
  });

  it('a front end that stops reading is hung up on after a while; meanwhile another one is served', async () => {
    const clock = new FakeClock();
    await using world = await insideBroker({ clock });
    using other = await attached(world.record);
    using slow = await rawClient(world.record);
    slow.socket.pause();
    for (let id = 1; id <= 40; id++) slow.request(id, 'test/big', { bytes: 20 * 1024 * 1024 });
    // One answer is under way and eight are held back; for the other calls nothing is computed.
    await until(() => world.host.started === 9, { what: 'a full lane' });
    expect(await ask(other, 'test/echo', 'served')).toBe('served');
    await clock.advance(9000);
    expect(world.host.released).toEqual([]);
    await clock.advance(3000);
    expect(world.host.released).toHaveLength(1);
    expect(await ask(other, 'test/echo', 'still served')).toBe('still served');
    expect(world.host.started).toBe(11);
  });

  it('a front end that stalls with little unread is given more time', async () => {
    const clock = new FakeClock();
    await using world = await insideBroker({ clock });
    using slow = await rawClient(world.record);
    slow.socket.pause();
    const timers = clock.pending;
    slow.request(1, 'test/big', { bytes: 20 * 1024 * 1024 });
    await until(() => clock.pending > timers, { what: 'the stall to be watched' });
    await clock.advance(29_000);
    expect(world.host.released).toEqual([]);
    await clock.advance(3000);
    expect(world.host.released).toHaveLength(1);
  });

  it('a front end that asks for much at once gets all of it', async () => {
    await using world = await insideBroker();
    using channel = await attached(world.record);
    const bytes = 20 * 1024 * 1024;
    const answers = await Promise.all(Array.from({ length: 16 }, () => ask(channel, 'test/big', { bytes })));
    expect(answers.map((answer) => (answer as string).length)).toEqual(
      Array.from({ length: 16 }, () => bytes),
    );
  });

  it('a front end that reads again goes on as if nothing had been', async () => {
    await using world = await insideBroker();
    using slow = await rawClient(world.record);
    slow.socket.pause();
    slow.request(1, 'test/big', { bytes: 20 * 1024 * 1024 });
    await until(() => world.host.started === 1, { what: 'the call to have run' });
    slow.request(2, 'test/echo', 'second');
    slow.socket.resume();
    expect(((await slow.answer(1)).result as string).length).toBe(20 * 1024 * 1024);
    expect((await slow.answer(2)).result).toBe('second');
  });

  it('a front end that did not read for a while is told that it missed events, once, and gets the newest state', async () => {
    await using world = await insideBroker();
    using slow = await rawClient(world.record);
    slow.send({ id: 'watch', method: 'watch', params: {} });
    await slow.answer('watch');
    slow.socket.pause();
    slow.request(1, 'test/big', { bytes: 20 * 1024 * 1024 });
    await until(() => world.host.started === 1, { what: 'the call to have run' });
    const pressed = () => slow.received.length;
    const before = pressed();
    for (let count = 0; count < 50; count++) world.host.emit({ kind: 'files-changed', files: [] });
    slow.socket.resume();
    await slow.answer(1);
    const events = () => slow.received.slice(before).filter(({ method }) => method === 'event');
    await until(() => events().length > 0, { what: 'an event' });
    expect(events()).toMatchObject([{ params: { event: { kind: 'missed' } } }]);
    world.host.emit({ kind: 'files-changed', files: [] });
    await until(() => events().length > 1, { what: 'the next event' });
    expect(events()[1]).toMatchObject({ params: { event: { kind: 'files-changed' } } });
  });

  it('events are refused to whoever has not attached, and end with the connection', async () => {
    await using world = await insideBroker();
    using greeted = await connected(world.record);
    await expect(greeted.request(BROKER.watch, {})).rejects.toThrow('not attached');
    const watching = await attached(world.record);
    await watching.request(BROKER.watch, {});
    await watching.request(BROKER.watch, {});
    expect(world.host.eventListeners).toBe(1);
    watching.close('test');
    await until(() => world.host.eventListeners === 0, { what: 'the listener to be let go' });
  });

  it.each([
    { what: 'a header without a length', bytes: 'Content-Type: x\r\n\r\n{}' },
    { what: 'a negative length', bytes: 'Content-Length: -5\r\n\r\n{}' },
    { what: 'a length beyond the cap', bytes: 'Content-Length: 999999999999\r\n\r\n' },
    { what: 'something that is not JSON', bytes: 'Content-Length: 3\r\n\r\n{{{' },
    { what: 'half a message', bytes: 'Content-Length: 300\r\n\r\n{"json' },
  ])('$what ends that connection and nothing else', async ({ bytes }) => {
    await using world = await insideBroker();
    using other = await attached(world.record);
    using bad = await rawClient(world.record);
    bad.socket.end(bytes);
    await closed(bad.socket);
    await until(() => world.host.released.length === 1, { what: 'the session to be released' });
    expect(await other.request(BROKER.ping, {})).toBeNull();
  });
});
