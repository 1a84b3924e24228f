/** Connections of clients that dawdle, flood or do not read, with limits that are short and otherwise those of the program. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { HTTP_LIMITS, type HttpLimits } from '../../../../src/frontend/http/limits.ts';
import { type Handle, type HttpListener, listen } from '../../../../src/frontend/http/listener.ts';
import { silentLog } from '../../../../src/shared/base/log.ts';
import { until } from '../../../support/events.ts';
import { rawConnection } from '../../../support/raw-http.ts';

const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const HEADERS = 'X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\n';

const open: HttpListener[] = [];
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close();
});

async function start(limits: Partial<HttpLimits>, handle: Handle = answer): Promise<number> {
  const options = { address: '127.0.0.1', port: 0, log: silentLog, limits: { ...HTTP_LIMITS, ...limits } };
  const listener = await listen(options, handle);
  open.push(listener);
  return listener.port;
}

const answer: Handle = (_request, response) => {
  response.end('answer');
  return 'admitted';
};

/** Answers when it is told to. */
function patient() {
  const asked: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];
  const handle: Handle = (request, response) => {
    asked.push({ request, response });
    return 'admitted';
  };
  return { asked, handle };
}

describe('limits', () => {
  it('are those that users are promised', () => {
    expect(HTTP_LIMITS).toMatchObject({
      headersMs: 10_000,
      requestMs: 30_000,
      idleMs: 120_000,
      stallMs: 60_000,
      bodyBytes: 4_194_304,
      drainMs: 5_000,
    });
  });
});

describe('a connection', () => {
  it('whose headers do not come in time gets an answer and is closed', async () => {
    const port = await start({ headersMs: 150 });
    using silent = await rawConnection(port);
    using slow = await rawConnection(port);
    slow.send('POST / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    const trickle = setInterval(() => slow.send('a'), 20);
    expect(await slow.closed).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    clearInterval(trickle);
    expect(slow.received()).toContain(HEADERS);
    await silent.closed;
  });

  it('whose body does not come in time is closed, whoever sends it', async () => {
    const { asked, handle } = patient();
    const port = await start({ headersMs: 100, requestMs: 200 }, handle);
    using slow = await rawConnection(port);
    slow.send('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{');
    await until(() => asked.length > 0, { what: 'the request' });
    const trickle = setInterval(() => slow.send(' '), 20);
    expect(await slow.closed).toMatch(/^HTTP\/1\.1 408 /);
    clearInterval(trickle);
  });

  it('waits for a tool however long that works, and is closed when nothing is asked any more', async () => {
    const { asked, handle } = patient();
    const port = await start({ idleMs: 150, stallMs: 100, requestMs: 200, headersMs: 100 }, handle);
    using waiting = await rawConnection(port);
    using idle = await rawConnection(port);
    for (const { send } of [waiting, idle]) send(GET);
    await until(() => asked.length === 2, { what: 'both requests' });
    asked.find(({ request }) => request.socket.remotePort === idle.socket.localPort)?.response.end('soon');
    expect(await idle.closed).toContain('soon');
    // By now the other one has been silent for longer than any limit.
    expect(waiting.isClosed()).toBe(false);
    for (const { response } of asked) response.end('late');
    expect(await waiting.closed).toContain('late');
  });

  it('of a client that reads nothing is closed, and one that reads slowly gets all', async () => {
    const bytes = 32 * 1024 * 1024;
    const port = await start({ stallMs: 300 }, (_request, response) => {
      response.end(Buffer.alloc(bytes, 'x'));
      return 'admitted';
    });
    using stuck = await rawConnection(port);
    stuck.socket.pause();
    stuck.send(GET);
    using slow = await rawConnection(port);
    let got = 0;
    slow.socket.on('data', (chunk) => {
      got += chunk.length;
      slow.socket.pause();
      setTimeout(() => slow.socket.resume(), 1);
    });
    slow.send(GET);
    await until(() => got >= bytes, { what: 'all of the answer', seen: () => `${got} bytes` });
    expect(slow.isClosed()).toBe(false);
    // Its system may still have some of it, and then hears of the end.
    stuck.socket.resume();
    expect((await stuck.closed).length).toBeLessThan(bytes);
  });

  it('of a stranger gives way to later ones, and that of a client does not', async () => {
    const port = await start({ strangers: 3 }, (request, response) => {
      response.end('answer');
      return request.headers.authorization === undefined ? 'refused' : 'admitted';
    });
    using client = await rawConnection(port);
    client.send(GET.replace('\r\n\r\n', '\r\nAuthorization: yes\r\n\r\n'));
    await client.has('answer');
    const strangers = [];
    for (let count = 0; count < 5; count++) strangers.push(await rawConnection(port));
    await Promise.all(strangers.slice(0, 2).map(({ closed }) => closed));
    expect(strangers.map(({ isClosed }) => isClosed())).toEqual([true, true, false, false, false]);
    client.send(GET.replace('\r\n\r\n', '\r\nAuthorization: yes\r\n\r\n'));
    await until(() => client.received().split('answer').length === 3, { what: 'the second answer' });
    for (const stranger of strangers) stranger[Symbol.dispose]();
  });

  it.each([
    {
      what: 'with headers that are too long',
      text: `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      status: 431,
    },
    { what: 'that is none of HTTP', text: 'hello\r\n\r\n', status: 400 },
    { what: 'without a host', text: 'GET / HTTP/1.1\r\n\r\n', status: 400 },
    {
      what: 'with two lengths',
      text: 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      status: 400,
    },
    {
      what: 'with a length and chunks',
      text: 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      status: 400,
    },
  ])('$what is refused and closed', async ({ text, status }) => {
    const port = await start({});
    using odd = await rawConnection(port);
    odd.send(text);
    expect(await odd.closed).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});
