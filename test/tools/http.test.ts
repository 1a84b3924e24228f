/** The server as clients of both protocols and those who may not come in see it. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeServer } from '../support/fake-server.ts';
import { type HttpClientOptions, type HttpFrontEnd, startHttp, TOKEN } from '../support/http-front-end.ts';
import { rawConnection } from '../support/raw-http.ts';
import { createWorkspace } from '../support/workspace.ts';
import { SAMPLE, writeFakeConfig } from './fake-session.ts';

const OLDER: HttpClientOptions = {};
const NEWER: HttpClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const ERAS = [
  { era: 'older', options: OLDER },
  { era: 'newer', options: NEWER },
] as const;

const workspace = createWorkspace(SAMPLE);
const server = fakeServer(workspace.scratch);
let http: HttpFrontEnd;

beforeAll(async () => {
  http = await startHttp({ workspace, args: ['--config', writeFakeConfig(workspace, server)] });
});

afterAll(async () => {
  await http?.[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

describe('clients of both protocols', () => {
  it.each(ERAS)('list the tools, call one and are asked for their roots ($era)', async ({ options }) => {
    let asked = 0;
    await using session = await http.connect({
      ...options,
      capabilities: { roots: {} },
      prepare: (client) =>
        client.setRequestHandler('roots/list', async () => {
          asked += 1;
          return { roots: [] };
        }),
    });
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('find_references');
    expect(await session.call('list_symbols', { file_path: 'src/use.fake' })).toContain('function again');
    expect(asked).toBe(1);
  });
});

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
const HELLO = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tests', version: '1' } },
};

const post = (body: unknown, headers: Record<string, string> = {}, path = '/mcp') =>
  http.fetch(path, {
    method: 'POST',
    headers: { ...JSON_HEADERS, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('the endpoint', () => {
  it.each(['/mcp', '/'])('answers at %s on a stream of events', async (path) => {
    const response = await post(HELLO, {}, path);
    expect([response.status, response.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
    expect(response.headers.get('Mcp-Session-Id')).toMatch(/^[0-9a-f-]{36}$/);
    const text = await response.text();
    expect(text).toMatch(/^id: \d+\nretry: \d+\ndata: \n\nevent: message\nid: \d+\ndata: \{/);
    expect(text).toContain('"protocolVersion":"2025-11-25"');
  });

  it('tells without a token whether it is well, and nothing else', async () => {
    const response = await fetch(new URL('/health', http.url));
    expect([response.status, await response.text()]).toEqual([200, '{"status":"ok"}']);
    for (const path of ['/mcp', '/', '/health/', '/healthz', '/health%2f', '/HEALTH', '/metrics', '/.env'])
      expect((await fetch(new URL(path, http.url))).status, path).toBe(401);
  });

  it('lets nobody in without the token, and says the same to all', async () => {
    const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
    const wrong = [
      {},
      bearer(''),
      bearer('wrong'),
      bearer(TOKEN.slice(0, -1)),
      bearer(`${TOKEN}0`),
      bearer(TOKEN.toUpperCase()),
      bearer(`${TOKEN},${TOKEN}`),
      bearer('x'.repeat(12_000)),
      // Node sends such characters as single bytes.
      bearer('t\u00f6ken-\u00e9\u00ff'),
      { Authorization: `Basic ${Buffer.from(`user:${TOKEN}`).toString('base64')}` },
      { Authorization: TOKEN },
      { Authorization: `Token ${TOKEN}` },
      { 'X-Api-Key': TOKEN },
      { Cookie: `Authorization=Bearer ${TOKEN}` },
    ];
    for (const headers of wrong)
      for (const method of ['POST', 'GET', 'DELETE', 'PUT', 'OPTIONS']) {
        const response = await fetch(`${http.url}?token=${TOKEN}&access_token=${TOKEN}`, {
          method,
          headers: headers as Record<string, string>,
          ...(method === 'POST' ? { body: JSON.stringify(HELLO) } : {}),
        });
        expect([response.status, await response.text()], JSON.stringify(headers).slice(0, 80)).toEqual([
          401,
          '{"error":"unauthorized"}',
        ]);
      }
    using unicode = await rawConnection(http.port);
    unicode.send(
      `GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${Buffer.from('t\u{1f511}').toString('latin1')}\r\n\r\n`,
    );
    expect(await unicode.closed).toMatch(/^HTTP\/1\.1 401 /);
    using long = await rawConnection(http.port);
    long.send(`GET /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${'x'.repeat(100_000)}\r\n\r\n`);
    expect(await long.closed).toMatch(/^HTTP\/1\.1 431 /);
    expect(http.stderr()).not.toContain(TOKEN);
  });

  it('is asked under its own names only, by pages as well', async () => {
    const ask = async (headers: readonly string[]) => {
      using connection = await rawConnection(http.port);
      connection.send(
        `GET /mcp HTTP/1.1\r\n${[`Authorization: Bearer ${TOKEN}`, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`,
      );
      return Number(/^HTTP\/1\.1 (\d+)/.exec(await connection.closed)?.[1]);
    };
    const rebound = [
      'evil.example',
      'localhost.evil.example',
      '127.0.0.1.nip.io',
      `evil.example:${http.port}`,
      '10.0.0.1',
      'a@localhost',
    ];
    for (const host of rebound) expect(await ask([`Host: ${host}`]), host).toBe(403);
    for (const origin of [
      'https://evil.example',
      'null',
      'file://',
      `http://localhost:${http.port}@evil.example`,
      'http://127.0.0.1.nip.io',
    ])
      expect(await ask(['Host: localhost', `Origin: ${origin}`]), origin).toBe(403);
    expect(await ask(['Host: localhost', 'Host: evil.example'])).toBeGreaterThanOrEqual(400);
    for (const host of ['localhost', `127.0.0.1:${http.port}`, '[::1]'])
      expect(await ask([`Host: ${host}`, 'Origin: http://localhost:6274']), host).toBe(400);
  });

  it('sends the same headers with every answer', async () => {
    const initialized = await post(HELLO);
    const session = { 'Mcp-Session-Id': initialized.headers.get('Mcp-Session-Id') ?? '' };
    const answers = [
      [200, initialized],
      [200, await post({ jsonrpc: '2.0', id: 2, method: 'ping' }, session)],
      [202, await post({ jsonrpc: '2.0', method: 'notifications/initialized' }, session)],
      [200, await http.fetch('/mcp', { headers: { ...session, Accept: 'text/event-stream' } })],
      [409, await http.fetch('/mcp', { headers: { ...session, Accept: 'text/event-stream' } })],
      [400, await post('{"jsonrpc"')],
      [400, await post('7')],
      [400, await post([])],
      [401, await fetch(http.url)],
      [403, await http.fetch('/mcp', { headers: { Origin: 'http://evil.example' } })],
      [403, await post(HELLO, { 'Agent-Lsp-Roots': '/' })],
      [404, await http.fetch('/other')],
      [404, await post({ jsonrpc: '2.0', id: 2, method: 'ping' }, { 'Mcp-Session-Id': 'guessed' })],
      [405, await http.fetch('/mcp', { method: 'PUT' })],
      [406, await post(HELLO, { Accept: 'text/html' })],
      [413, await post('x'.repeat(5 * 1024 * 1024))],
      [415, await post(HELLO, { 'Content-Type': 'text/plain' })],
      [200, await http.fetch('/health')],
      [200, await http.fetch('/mcp', { method: 'DELETE', headers: session })],
    ] as const;
    for (const [status, response] of answers) {
      await response.body?.cancel();
      const { headers } = response;
      expect([response.status, headers.get('X-Content-Type-Options')]).toEqual([status, 'nosniff']);
      expect(headers.get('Cache-Control'), String(status)).toMatch(/^no-store(, no-transform)?$/);
    }
  });

  it('reads bodies of 4 MB and no more, whatever is in them', async () => {
    const most = 4 * 1024 * 1024;
    const padded = (length: number) => JSON.stringify(HELLO).padEnd(length, ' ');
    expect((await post(padded(most))).status).toBe(200);
    expect((await post(padded(most + 1))).status).toBe(413);
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${TOKEN}\r\nContent-Type: application/json\r\n`;
    // It is not waited for when its length is said.
    using said = await rawConnection(http.port);
    said.send(`${head}Content-Length: ${most + 1}\r\n\r\n`);
    expect(await said.closed).toMatch(/^HTTP\/1\.1 413 /);
    using chunked = await rawConnection(http.port);
    const piece = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
    chunked.send(`${head}Transfer-Encoding: chunked\r\n\r\n${piece.repeat(5)}`);
    await chunked.has('HTTP/1.1 413 ');
    // What would be too deep for anything that follows it downwards.
    const deep = 1_900_000;
    const nested = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_symbols","arguments":{"file_path":${'['.repeat(deep)}${']'.repeat(deep)}}}}`;
    const odd = await post(nested);
    await odd.text();
    expect(odd.status).toBeGreaterThanOrEqual(400);
    expect((await fetch(new URL('/health', http.url))).status).toBe(200);
  });

  it('is not hurt by thousands of connections on which nothing comes', async () => {
    const idle = [];
    for (let count = 0; count < 3_000; count++) idle.push(await rawConnection(http.port));
    await using session = await http.connect();
    expect(await session.call('list_symbols', { file_path: 'src/use.fake' })).toContain('function again');
    expect((await fetch(new URL('/health', http.url))).status).toBe(200);
    // Of strangers the latest stay for a while.
    expect(idle.filter(({ isClosed }) => !isClosed()).length).toBeLessThanOrEqual(1_024);
    for (const connection of idle) connection[Symbol.dispose]();
  });
});
