import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import { RecentEvents } from '../../../../src/frontend/http/event-store.ts';

const message = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: text });

async function replayed(events: RecentEvents, after: string): Promise<readonly string[]> {
  const seen: string[] = [];
  await events.replayEventsAfter(after, {
    send: async (id, sent) => void seen.push(`${id} ${'method' in sent ? sent.method : '?'}`),
  });
  return seen;
}

describe('recent events', () => {
  it('gives what came after an event on the same stream, and forgets the oldest', async () => {
    const events = new RecentEvents({ keptEvents: 4, keptBytes: 10_000 });
    const ids: string[] = [];
    for (const [stream, text] of [
      ['a', 'one'],
      ['a', 'two'],
      ['b', 'other'],
      ['a', 'three'],
      ['a', 'four'],
    ] as const)
      ids.push(await events.storeEvent(stream, message(text)));
    expect(events.streamOf(ids[0] ?? '')).toBeUndefined();
    expect(events.streamOf(ids[2] ?? '')).toBe('b');
    await expect(replayed(events, ids[0] ?? '')).rejects.toThrow('not known any more');
    expect(await replayed(events, ids[1] ?? '')).toEqual([`${ids[3]} three`, `${ids[4]} four`]);
    expect(await replayed(events, ids[2] ?? '')).toEqual([]);
  });

  it('leaves out the event that only opens a stream', async () => {
    const events = new RecentEvents({ keptEvents: 9, keptBytes: 10_000 });
    const first = await events.storeEvent('a', {} as JSONRPCMessage);
    await events.storeEvent('a', {} as JSONRPCMessage);
    await events.storeEvent('a', message('answer'));
    expect(await replayed(events, first)).toEqual(['3 answer']);
  });

  it('keeps the newest however large it is, and not much beside it', async () => {
    const events = new RecentEvents({ keptEvents: 9, keptBytes: 500 });
    const small = await events.storeEvent('a', message('small'));
    const large = await events.storeEvent('a', message('x'.repeat(5_000)));
    expect([events.streamOf(small), events.streamOf(large)]).toEqual([undefined, 'a']);
  });

  it('keeps what opened the stream of a call that still runs, whatever others are sent meanwhile', async () => {
    const events = new RecentEvents({ keptEvents: 9, keptBytes: 500 });
    const slow = await events.storeEvent('slow', {} as JSONRPCMessage);
    const other = await events.storeEvent('other', {} as JSONRPCMessage);
    for (const text of ['1', '2', '3']) await events.storeEvent('other', message(text.repeat(300)));
    // An id whose stream has lost something is not known any more: nothing is left out in silence.
    expect(events.streamOf(other)).toBeUndefined();
    await events.storeEvent('slow', message('answer'));
    expect(await replayed(events, slow)).toEqual(['6 answer']);
  });

  it('knows no ids but its own', async () => {
    const events = new RecentEvents({ keptEvents: 9, keptBytes: 500 });
    expect(
      ['', '0', '1', '-1', '1e3', 'constructor', '9'.repeat(30)].filter(
        (id) => events.streamOf(id) !== undefined,
      ),
    ).toEqual([]);
  });
});
