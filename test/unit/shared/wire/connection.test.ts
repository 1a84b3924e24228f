/** JSON-RPC between two ends: every request gets exactly one end, and nothing that arrives can break the process. */
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ResponseError } from 'vscode-languageserver-protocol';
import { FailureError, failureOf } from '../../../../src/shared/base/failure.ts';
import { Connection, type ConnectionHandlers } from '../../../../src/shared/wire/connection.ts';
import { FrameReader, FrameWriter, RAW_FROM_BYTES } from '../../../../src/shared/wire/frame-stream.ts';
import { partsText } from '../../../../src/shared/wire/parts.ts';
import { RawJson } from '../../../../src/shared/wire/raw-json.ts';

const silent: ConnectionHandlers = { request: () => null, notification: () => {}, closed: () => {} };

function open(
  handlers: Partial<ConnectionHandlers> = {},
  options: { maxBodyBytes?: number; oversize?: 'skip' | 'refuse' } = {},
) {
  const input = new PassThrough();
  const output = new PassThrough();
  const reader = new FrameReader(input, {
    maxBodyBytes: options.maxBodyBytes ?? 1e9,
    oversize: options.oversize ?? 'refuse',
  });
  const connection = new Connection(reader, new FrameWriter(output), { ...silent, ...handlers });
  const feed = (body: string) => input.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  return { connection, input, output, feed };
}

function pair(left: Partial<ConnectionHandlers>, right: Partial<ConnectionHandlers>) {
  const [toRight, toLeft] = [new PassThrough(), new PassThrough()];
  const options = { maxBodyBytes: 1e9, oversize: 'refuse' } as const;
  return {
    left: new Connection(new FrameReader(toLeft, options), new FrameWriter(toRight), { ...silent, ...left }),
    right: new Connection(new FrameReader(toRight, options), new FrameWriter(toLeft), {
      ...silent,
      ...right,
    }),
  };
}

async function failureKind(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => failureOf(error)?.kind ?? String(error),
  );
}

describe('connection', () => {
  it('answers requests of both sides at the same time', async () => {
    const { left, right } = pair(
      { request: (method) => `left ${method}` },
      { request: (method) => `right ${method}` },
    );
    expect(await Promise.all([left.request('a', {}), right.request('b', {})])).toEqual(['right a', 'left b']);
  });

  it('carries failures and error codes through unchanged', async () => {
    const { left } = pair(
      {},
      {
        request: (method) =>
          Promise.reject(method === 'plain' ? new Error('bad') : new FailureError({ kind: 'draining' })),
      },
    );
    await expect(left.request('plain', {})).rejects.toMatchObject({ code: -32603, message: 'bad' });
    expect(await failureKind(left.request('drain', {}))).toBe('draining');
  });

  it('leaves the error of a server its own, whatever its data looks like', async () => {
    const { left } = pair(
      {},
      {
        request: () => {
          throw new ResponseError(-32001, 'no', { failure: { kind: 'draining' } });
        },
      },
    );
    const error: unknown = await left.request('x', {}).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ResponseError);
    expect(failureOf(error)).toBeUndefined();
  });

  it('sends a cancel, ends the call at once and drops the late answer', async () => {
    const aborted: boolean[] = [];
    const { left } = pair(
      {},
      {
        request: (_method, _params, signal) =>
          new Promise((resolve) =>
            signal.addEventListener('abort', () => {
              aborted.push(true);
              resolve('late');
            }),
          ),
      },
    );
    const controller = new AbortController();
    const call = left.request('slow', {}, { signal: controller.signal });
    controller.abort();
    expect(await failureKind(call)).toBe('cancelled');
    expect(
      await left.request('x', {}, { signal: AbortSignal.abort() }).catch((error) => failureOf(error)?.kind),
    ).toBe('cancelled');
    expect(left.pendingCount).toBe(0);
    await new Promise((resolve) => setImmediate(resolve));
    expect(aborted).toEqual([true]);
  });

  it('tells number and string ids apart when the other side uses both', async () => {
    const { feed, output } = open({ request: (method) => method });
    feed('{"jsonrpc":"2.0","id":1,"method":"number"}');
    feed('{"jsonrpc":"2.0","id":"1","method":"string"}');
    await new Promise((resolve) => setImmediate(resolve));
    const sent = String(output.read());
    expect(sent).toContain('{"jsonrpc":"2.0","id":1,"result":"number"}');
    expect(sent).toContain('{"jsonrpc":"2.0","id":"1","result":"string"}');
  });

  it('ignores answers that nobody asked for, and a second answer to the same id', async () => {
    const { connection, feed } = open();
    feed('{"jsonrpc":"2.0","id":99,"result":"whose?"}');
    const call = connection.request('a', {});
    feed('{"jsonrpc":"2.0","id":1,"result":"first"}');
    feed('{"jsonrpc":"2.0","id":1,"result":"second"}');
    expect(await call).toBe('first');
    expect(connection.closed).toBe(false);
  });

  it.each([
    { what: 'a negative length', bytes: 'Content-Length: -1\r\n\r\n' },
    { what: 'text that is no frame', bytes: 'Listening on port 3000\r\n\r\n' },
    { what: 'invalid JSON', bytes: 'Content-Length: 3\r\n\r\n{a}' },
    { what: 'a number', bytes: 'Content-Length: 1\r\n\r\n7' },
    { what: 'an object that is no message', bytes: 'Content-Length: 2\r\n\r\n{}' },
  ])('ends this connection, and only it, on $what', async ({ bytes }) => {
    const reasons: string[] = [];
    const { connection, input } = open({ closed: (reason) => reasons.push(reason) });
    const pending = [connection.request('a', {}), connection.request('b', {})].map(failureKind);
    input.write(bytes);
    expect(await Promise.all(pending)).toEqual(['connection-lost', 'connection-lost']);
    expect(reasons).toHaveLength(1);
    expect(await failureKind(connection.request('later', {}))).toBe('connection-lost');
  });

  it('settles everything when the stream ends inside a message', async () => {
    const { connection, input } = open();
    const pending = failureKind(connection.request('a', {}));
    input.end('Content-Length: 100\r\n\r\n{"jsonrpc"');
    expect(await pending).toBe('connection-lost');
  });

  it('survives deep nesting and lone surrogates', async () => {
    const seen: unknown[] = [];
    const { feed, connection } = open({ notification: (_method, params) => seen.push(params) });
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
    feed(`{"jsonrpc":"2.0","method":"deep","params":${deep}}`);
    feed('{"jsonrpc":"2.0","method":"odd","params":"\\ud800"}');
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toHaveLength(2);
    expect(connection.closed).toBe(false);
  });

  it('fails only the one call whose result exceeds the cap', async () => {
    const { connection, feed } = open({}, { maxBodyBytes: 1000, oversize: 'skip' });
    const [big, idLast, small] = [1, 2, 3].map((n) => connection.request(`call${n}`, {}));
    feed(`{"jsonrpc":"2.0","id":1,"result":"${'x'.repeat(5000)}"}`);
    feed(`{"jsonrpc":"2.0","result":"${'x'.repeat(5000)}","id":2}`);
    feed('{"jsonrpc":"2.0","id":3,"result":"ok"}');
    expect(await failureKind(big as Promise<unknown>)).toBe('result-too-large');
    expect(await failureKind(idLast as Promise<unknown>)).toBe('result-too-large');
    expect(await small).toBe('ok');
  });
});

describe('raw relay', () => {
  const items = JSON.stringify(
    Array.from({ length: 4000 }, (_, index) => ({ index, text: `"}é😀,"id":${index}}` })),
  );

  it.each([
    { what: 'id first', answer: (id: number) => `{"jsonrpc":"2.0","id":${id},"result":${items}}` },
    { what: 'alphabetical', answer: (id: number) => `{"id":${id},"jsonrpc":"2.0","result":${items}}` },
    { what: 'result first', answer: (id: number) => `{"jsonrpc":"2.0","result":${items},"id":${id}}` },
    {
      what: 'with blanks',
      answer: (id: number) => ` { "jsonrpc" : "2.0" , "id" : ${id} , "result" : ${items} } `,
    },
  ])('keeps a large result as its own bytes: $what', async ({ answer }) => {
    const { connection, feed } = open();
    const raw = connection.request('big', {}, { raw: true });
    feed(answer(1));
    const result = await raw;
    expect(result).toBeInstanceOf(RawJson);
    expect(partsText((result as RawJson).parts).trim()).toBe(items);
    const parsed = connection.request('big', {});
    feed(answer(2));
    expect(await parsed).toEqual(JSON.parse(items));
  });

  it.each([1, 100, 257, 65_536])(
    'keeps it in whatever pieces it arrives, such as of %i bytes',
    async (size) => {
      const { connection, input } = open();
      const first = connection.request('big', {}, { raw: true });
      const second = connection.request('small', {});
      const [large, small] = [
        `{"jsonrpc":"2.0","id":1,"result":${items}}`,
        '{"jsonrpc":"2.0","id":2,"result":5}',
      ];
      const frames = [large, small].map(
        (body) => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
      const bytes = Buffer.from(frames.join(''));
      for (let at = 0; at < bytes.length; at += size) input.write(bytes.subarray(at, at + size));
      expect(partsText(((await first) as RawJson).parts)).toBe(items);
      expect(await second).toBe(5);
    },
  );

  it('splices the id of the asker into the bytes', async () => {
    const bytes = Buffer.from(items);
    expect(bytes.length).toBeGreaterThan(RAW_FROM_BYTES);
    const { left } = pair({}, { request: () => new RawJson([bytes]) });
    expect(await left.request('first', {})).toEqual(JSON.parse(items));
    const relayed = await left.request('second', {}, { raw: true });
    expect(Buffer.concat((relayed as RawJson).parts).equals(bytes)).toBe(true);
  });

  it('parses a large answer whose members come in another order', async () => {
    const { connection, feed } = open();
    const call = connection.request('big', {}, { raw: true });
    feed(`{"result":${items},"id":1,"jsonrpc":"2.0"}`);
    expect(await call).toEqual(JSON.parse(items));
  });

  it('passes a large error on as an error', async () => {
    const { connection, feed } = open();
    const call = connection.request('big', {}, { raw: true });
    feed(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32803, message: 'x'.repeat(100_000) } }));
    await expect(call).rejects.toMatchObject({ code: -32803 });
  });
});
