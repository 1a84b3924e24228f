/** A front end that writes its messages by hand, for what a well-behaved one never does. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { DaemonRecord } from '../../src/shared/rendezvous/daemon-record.ts';
import { dial } from '../../src/shared/rendezvous/endpoint.ts';
import { FrameReader, FrameWriter } from '../../src/shared/wire/frame-stream.ts';
import { classify } from '../../src/shared/wire/messages.ts';
import { partsText } from '../../src/shared/wire/parts.ts';
import { HELLO } from './broker-world.ts';
import { until } from './events.ts';

export async function rawClient(record: DaemonRecord) {
  const dialled = await dial(record.socketPath, 10_000);
  if (dialled.kind !== 'connected') throw new Error(dialled.kind);
  const { socket } = dialled;
  const writer = new FrameWriter(socket);
  const received: { id?: unknown; method?: string; result?: unknown; error?: { code: number } }[] = [];
  new FrameReader(socket, { maxBodyBytes: 1e9, oversize: 'refuse' }).listen((message) => {
    const wire = classify(message);
    if (wire.kind === 'raw-response')
      received.push({
        id: wire.message.raw.id,
        result: JSON.parse(partsText(wire.message.raw.result.parts)),
      });
    else received.push(message as object);
  });
  const send = (message: object) => writer.send({ jsonrpc: '2.0', ...message } as never);
  const answer = (id: unknown) =>
    until(() => received.find((each) => each.id === id && each.method === undefined), {
      what: `an answer to ${String(id)}`,
    });
  send({ id: 'hello', method: 'hello', params: { ...HELLO, token: record.token } });
  await answer('hello');
  send({ id: 'attach', method: 'attach', params: {} });
  await answer('attach');
  const request = (id: unknown, method: string, params: unknown = null) =>
    send({ id, method: 'request', params: { method, params, documents: [], idempotent: true } });
  return { socket, send, answer, request, received, [Symbol.dispose]: () => void socket.destroy() };
}

export async function closed(socket: Socket): Promise<void> {
  if (!socket.destroyed) await once(socket, 'close');
}
