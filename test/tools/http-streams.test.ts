/** Connections that break, clients that cancel or do not read, and the end of the process, while calls are running. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Gate, gate, until } from '../support/events.ts';
import { fakeServer } from '../support/fake-server.ts';
import { connectHttp, type HttpFrontEnd, startHttp, TOKEN } from '../support/http-front-end.ts';
import { type RawConnection, rawConnection } from '../support/raw-http.ts';
import { startRelay } from '../support/relay.ts';
import { createWorkspace } from '../support/workspace.ts';
import { SAMPLE, writeFakeConfig } from './fake-session.ts';

const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };

const workspace = createWorkspace(SAMPLE);
const server = fakeServer(workspace.scratch);
const args = ['--config', writeFakeConfig(workspace, server), '--daemon', 'never'];
let http: HttpFrontEnd;
let gates = 0;
/** Hovers wait for it. */
let answer: Gate;

beforeAll(async () => {
  http = await startHttp({ workspace, args });
});

beforeEach(() => {
  answer = gate(workspace.scratch, `answer-${++gates}`);
  server.rewrite({ rules: [{ on: 'textDocument/hover', do: { gate: answer.path } }] });
});

afterAll(async () => {
  await http?.[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

async function begin({ fetch } = http): Promise<Record<string, string>> {
  const clientInfo = { name: 'streams', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const hello = { jsonrpc: '2.0', id: 'hello', method: 'initialize', params };
  const response = await fetch('/mcp', { method: 'POST', headers: HEADERS, body: JSON.stringify(hello) });
  await response.text();
  const session = { 'Mcp-Session-Id': response.headers.get('Mcp-Session-Id') ?? '' };
  await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session, fetch);
  return session;
}

function post(message: object, session: Record<string, string>, fetch = http.fetch): Promise<Response> {
  const headers = { ...HEADERS, 'Mcp-Protocol-Version': '2025-11-25', ...session };
  return fetch('/mcp', { method: 'POST', headers, body: JSON.stringify(message) });
}

const hover = (id: number | string) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'inspect_symbol', arguments: { symbol: 'Client.stop' } },
});

/** A call on a connection that can be cut. */
async function callOn(session: Record<string, string>, message: object): Promise<RawConnection> {
  const connection = await rawConnection(http.port);
  const headers = {
    ...HEADERS,
    ...session,
    Host: 'localhost',
    Authorization: `Bearer ${TOKEN}`,
    'Mcp-Protocol-Version': '2025-11-25',
    'Content-Length': String(JSON.stringify(message).length),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  connection.send(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${JSON.stringify(message)}`);
  return connection;
}

const resume = (session: Record<string, string>, last: string) =>
  http.fetch('/mcp', { headers: { ...session, Accept: 'text/event-stream', 'Last-Event-Id': last } });

const asked = () => server.journal.received('textDocument/hover').length;
const idIn = (text: string) => /^id: (\d+)/m.exec(text)?.[1] ?? '';

describe('a client whose connection breaks in the middle of an answer', () => {
  it('comes back with the id of the last event and gets what it missed, as often as it likes', async () => {
    const session = await begin();
    const before = asked();
    using broken = await callOn(session, hover('slow'));
    const id = idIn(await broken.has('\ndata: '));
    await until(() => asked() > before, { what: 'the question to the server' });
    broken.socket.destroy();
    await broken.closed;
    const early = await resume(session, id);
    expect(early.status).toBe(200);
    await early.body?.cancel();
    answer.open();
    for (let time = 1; time <= 2; time++) {
      const text = await (await resume(session, id)).text();
      expect(text).toContain('"id":"slow"');
      expect(text).toContain('stop');
    }
    expect(asked()).toBe(before + 1);
  });

  it('does so by itself where it is made with the SDK, and its user notices nothing', async () => {
    await using relay = await startRelay(http.port);
    await using session = await connectHttp(new URL(`http://127.0.0.1:${relay.port}/mcp`));
    const before = asked();
    const call = session.call('inspect_symbol', { symbol: 'Client.stop' });
    await until(() => asked() > before, { what: 'the question to the server' });
    relay.cut();
    answer.open();
    expect(await call).toContain('stop');
    expect(asked()).toBe(before + 1);
  });

  it('is told when that is not known any more, and gets nothing of another session', async () => {
    const [mine, other] = [await begin(), await begin()];
    answer.open();
    const own = await (await post(hover(1), mine)).text();
    expect(own).toContain('"id":1');
    for (const id of ['999', 'x', '-1', `${idIn(own)}0000`]) {
      const response = await resume(mine, id);
      expect([response.status, await response.text()]).toEqual([
        400,
        expect.stringContaining('send the request again'),
      ]);
    }
    const theirs = await resume(other, '1');
    const text = await theirs.text();
    expect(text).toContain('"id":"hello"');
    expect(text).not.toContain('"id":1');
  });

  it('of the newer protocol is not answered any more, and its call is cancelled', async () => {
    const before = server.journal.received('$/cancelRequest').length;
    const asking = asked();
    const gone = new AbortController();
    await using session = await http.connect({ versionNegotiation: { mode: { pin: '2026-07-28' } } });
    const call = session.client.callTool(
      { name: 'inspect_symbol', arguments: { symbol: 'Client.stop' } },
      { signal: gone.signal },
    );
    await until(() => asked() > asking, { what: 'the question to the server' });
    gone.abort();
    await expect(call).rejects.toThrow();
    await until(() => server.journal.received('$/cancelRequest').length > before, {
      what: 'the cancellation',
    });
  });
});

describe('a client that cancels', () => {
  it('has its stream ended, and its session is at rest', async () => {
    const session = await begin();
    const before = asked();
    const running = await post(hover('slow'), session);
    await until(() => asked() > before, { what: 'the question to the server' });
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'slow' } };
    expect((await post(cancel, session)).status).toBe(202);
    expect(await running.text()).toContain('"error":{"code":-32800,"message":"cancelled"}');
    // The same id can be used again.
    answer.open();
    expect(await (await post(hover('slow'), session)).text()).toContain('"result"');
  });
});

describe('a client that does not read', () => {
  it('costs the others nothing, and can ask again', async () => {
    const [slow, quick] = [await begin(), await begin()];
    const list = (id: number) => ({ jsonrpc: '2.0', id, method: 'tools/list', params: {} });
    const stuck: RawConnection[] = [];
    for (let id = 0; id < 40; id++) {
      const connection = await callOn(slow, list(id));
      connection.socket.pause();
      stuck.push(connection);
    }
    for (let id = 0; id < 10; id++)
      expect(await (await post(list(id), quick)).text()).toContain('find_references');
    for (const connection of stuck) connection[Symbol.dispose]();
    await until(async () => (await post(list(99), slow)).status === 200, { what: 'the slow session' });
  });
});

describe('a process that is asked to end', () => {
  it('lets a running call finish, tells probes of it, and takes nothing new', async () => {
    await using leaving = await startHttp({ workspace, args });
    const session = await begin(leaving);
    const before = asked();
    const running = await post(hover('slow'), session, leaving.fetch);
    await until(() => asked() > before, { what: 'the question to the server' });
    const stopped = leaving.stop();
    const health = await until(
      async () => {
        const response = await leaving.fetch('/health');
        return response.status === 503 && response;
      },
      { what: 'the drain' },
    );
    expect(await health.json()).toEqual({ status: 'draining' });
    const refused = await post(hover('new'), session, leaving.fetch);
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining('shutting down')]);
    answer.open();
    expect(await running.text()).toContain('"id":"slow"');
    expect(await stopped).toEqual({ code: 0, signal: null });
    await expect(leaving.fetch('/health')).rejects.toThrow();
  });

  it('waits five seconds for it and no longer', async () => {
    await using leaving = await startHttp({ workspace, args });
    const session = await begin(leaving);
    const before = asked();
    await post(hover('slow'), session, leaving.fetch);
    await until(() => asked() > before, { what: 'the question to the server' });
    const since = performance.now();
    expect(await leaving.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - since).toBeGreaterThan(4_900);
    expect(leaving.stderr()).toContain('http draining sessions=1');
  });

  it('ends at once when nothing runs, also with streams open, and at the second signal', async () => {
    await using leaving = await startHttp({ workspace, args });
    const session = await begin(leaving);
    const stream = await leaving.fetch('/mcp', { headers: { ...session, Accept: 'text/event-stream' } });
    const quiet = performance.now();
    expect(await leaving.stop()).toEqual({ code: 0, signal: null });
    expect(performance.now() - quiet).toBeLessThan(4_900);
    await stream.text().catch(() => '');
    await using insisted = await startHttp({ workspace, args });
    const other = await begin(insisted);
    const before = asked();
    await post(hover('slow'), other, insisted.fetch);
    await until(() => asked() > before, { what: 'the question to the server' });
    void insisted.stop();
    await until(() => insisted.stderr().includes('draining'), { what: 'the drain' });
    expect((await insisted.stop()).code).toBe(143);
  });
});
