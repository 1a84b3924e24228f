/** Sessions from their first request to their end, with the SDK's transports and a clock that is moved by hand. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { HTTP_LIMITS, type HttpLimits } from '../../../../src/frontend/http/limits.ts';
import type { SessionBounds } from '../../../../src/frontend/http/session-bounds.ts';
import { HttpSessions } from '../../../../src/frontend/http/sessions.ts';
import { ClientConnection } from '../../../../src/frontend/mcp/client-connection.ts';
import { SessionLog } from '../../../../src/frontend/mcp/session-log.ts';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import { fieldOf } from '../../../../src/shared/base/unknown-value.ts';
import { FakeClock } from '../../../support/fake-clock.ts';

const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'al-')));
mkdirSync(path.join(base, 'inner'));
afterAll(() => rmSync(base, { recursive: true }));

const BOUNDS: SessionBounds = {
  roots: [absolutePath(base)],
  permission: 'write',
  isSubagent: false,
  tools: 'core',
};
const SESSION_MS = 30 * 60_000;
const ACCEPT = 'application/json, text/event-stream';

let clock: FakeClock;
let lines: string[];

beforeEach(() => {
  clock = new FakeClock();
  lines = [];
});

function open(limits: Partial<HttpLimits> = {}): HttpSessions {
  const log = () => new SessionLog((line) => void lines.push(line), 'info');
  return new HttpSessions({
    bounds: BOUNDS,
    limits: { ...HTTP_LIMITS, ...limits },
    timeoutMs: SESSION_MS,
    log: log(),
    clock,
    connect: ({ bounds: { roots, permission, tools } }) =>
      new ClientConnection({
        options: { roots, permission, tools },
        entryScript: path.resolve('src/main.ts'),
        log: log(),
        profile: tools,
        onOpened: () => {},
        onCalled: () => {},
      }),
  });
}

interface Asked {
  readonly method?: 'POST' | 'GET' | 'DELETE';
  readonly headers?: Record<string, string>;
  readonly principal?: string;
  readonly signal?: AbortSignal;
}

function ask(
  sessions: HttpSessions,
  body: unknown,
  { method = 'POST', headers = {}, principal = 'one', signal }: Asked = {},
): Promise<Response> {
  const all = { Accept: ACCEPT, 'Content-Type': 'application/json', ...headers };
  const request = new Request('http://localhost/mcp', {
    method,
    headers: all,
    ...(signal ? { signal } : {}),
    ...(method === 'POST' ? { body: JSON.stringify(body) } : {}),
  });
  return sessions.serve(request, method === 'POST' ? body : undefined, principal);
}

const hello = (name = 'tests', id: number | string = 0) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name, version: '1' } },
});

const newer = (method: string, meta: object = {}, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
      ...meta,
    },
  },
});

const NEWER = { 'Mcp-Protocol-Version': '2026-07-28', 'Mcp-Method': 'server/discover' };

/** An older session, whose handshake has been read to its end. */
async function begin(sessions: HttpSessions, asked: Asked = {}): Promise<Record<string, string>> {
  const response = await ask(sessions, hello(), asked);
  expect(await response.text()).toContain('serverInfo');
  return { 'Mcp-Session-Id': response.headers.get('Mcp-Session-Id') ?? '' };
}

const ping = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'ping' });
const errorIn = (body: unknown) => fieldOf(fieldOf(body, 'error'), 'message');
const statusOf = async (asked: Promise<Response>) => {
  const response = await asked;
  await response.body?.cancel();
  return response.status;
};
const ended = () => lines.flatMap((line) => /http session ended.*reason="([^"]*)"/.exec(line)?.[1] ?? []);

describe('a session of the older protocol', () => {
  it('begins with initialize, has an id that cannot be guessed, and answers by it', async () => {
    const sessions = open();
    const [first, second] = [await begin(sessions), await begin(sessions)];
    expect(first['Mcp-Session-Id']).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(first).not.toEqual(second);
    const response = await ask(sessions, ping(1), { headers: first });
    expect(await response.text()).toContain('"result":{}');
    expect(await statusOf(ask(sessions, ping(1)))).toBe(400);
    expect(await statusOf(ask(sessions, undefined, { method: 'GET' }))).toBe(400);
    await sessions.close();
    expect(ended()).toEqual(['the server stops', 'the server stops']);
  });

  it('is nobody else’s, whether guessed, used up or known', async () => {
    const sessions = open();
    const [mine, used] = [await begin(sessions), await begin(sessions)];
    expect(await statusOf(ask(sessions, undefined, { method: 'DELETE', headers: used }))).toBe(200);
    expect(ended()).toEqual(['its client ended it']);
    const guesses = [
      '',
      '0',
      'null',
      '__proto__',
      'constructor',
      'x'.repeat(10_000),
      `${mine['Mcp-Session-Id']}0`,
    ];
    for (const method of ['POST', 'GET', 'DELETE'] as const) {
      for (const id of [...guesses, used['Mcp-Session-Id'] ?? ''])
        expect(
          await statusOf(ask(sessions, ping(1), { method, headers: { 'Mcp-Session-Id': id } })),
          `${method} ${id.slice(0, 50)}`,
        ).toBe(404);
      const stolen = await ask(sessions, ping(1), { method, headers: mine, principal: 'another' });
      const unknown = await ask(sessions, ping(1), { method, headers: used });
      expect([stolen.status, await stolen.text()]).toEqual([404, await unknown.text()]);
    }
    expect(await statusOf(ask(sessions, ping(2), { headers: mine }))).toBe(200);
    await sessions.close();
  });

  it('is not found under what identifies one of the newer protocol', async () => {
    const sessions = open();
    expect(await statusOf(ask(sessions, newer('server/discover'), { headers: NEWER }))).toBe(200);
    const key = JSON.stringify(['one', { client: 'tests 1' }, BOUNDS]);
    for (const id of [key, `who ${key}`])
      expect(await statusOf(ask(sessions, ping(1), { headers: { 'Mcp-Session-Id': id } }))).toBe(404);
    await sessions.close();
  });

  it('ends after its time without a request, and not before', async () => {
    const sessions = open();
    const headers = await begin(sessions);
    await clock.advance(SESSION_MS - 1);
    expect(await statusOf(ask(sessions, ping(1), { headers }))).toBe(200);
    await clock.advance(SESSION_MS - 1);
    expect(sessions.all).toHaveLength(1);
    await clock.advance(1);
    expect([sessions.all.length, ended()]).toEqual([0, ['it was silent']]);
    expect(await statusOf(ask(sessions, ping(2), { headers }))).toBe(404);
    expect(clock.pending).toBe(0);
  });

  it('lives as long as its stream for news, and a grace time longer', async () => {
    const sessions = open();
    const headers = await begin(sessions);
    const gone = new AbortController();
    const listening = { method: 'GET', headers, signal: gone.signal } as const;
    expect((await ask(sessions, undefined, listening)).status).toBe(200);
    await clock.advance(10 * SESSION_MS);
    expect(sessions.all).toHaveLength(1);
    gone.abort();
    await clock.advance(HTTP_LIMITS.graceMs - 1);
    const again = new AbortController();
    expect((await ask(sessions, undefined, { ...listening, signal: again.signal })).status).toBe(200);
    await clock.advance(SESSION_MS);
    again.abort();
    await clock.advance(HTTP_LIMITS.graceMs - 1);
    expect(sessions.all).toHaveLength(1);
    await clock.advance(1);
    expect([sessions.all.length, ended()]).toEqual([0, ['its stream has ended']]);
  });

  it('has its full time again when its client asks something without that stream', async () => {
    const sessions = open();
    const headers = await begin(sessions);
    const gone = new AbortController();
    await ask(sessions, undefined, { method: 'GET', headers, signal: gone.signal });
    gone.abort();
    expect(await statusOf(ask(sessions, ping(1), { headers }))).toBe(200);
    await clock.advance(SESSION_MS - 1);
    expect(sessions.all).toHaveLength(1);
    await sessions.close();
  });

  it('leaves nothing behind when it does not begin', async () => {
    const sessions = open();
    const refused = await ask(sessions, hello(), { headers: { Accept: 'application/json' } });
    expect([refused.status, sessions.all.length]).toEqual([406, 0]);
    expect(await statusOf(ask(sessions, [hello(), ping(1)]))).toBe(400);
    expect(sessions.all).toHaveLength(0);
  });

  it('refuses an id that is under way, because the answers could not be told apart', async () => {
    const sessions = open();
    const headers = await begin(sessions);
    expect(await statusOf(ask(sessions, [ping(1), ping(1)], { headers }))).toBe(400);
    expect(await statusOf(ask(sessions, [ping(1), ping('1')], { headers }))).toBe(200);
    await sessions.close();
  });
});

describe('a session of the newer protocol', () => {
  it('is one for all requests of a client that asks for the same, and another otherwise', async () => {
    const sessions = open();
    const send = (meta: object = {}, headers = {}, principal = 'one') =>
      statusOf(
        ask(sessions, newer('server/discover', meta), { headers: { ...NEWER, ...headers }, principal }),
      );
    expect(await Promise.all([send(), send(), send()])).toEqual([200, 200, 200]);
    expect(sessions.all).toHaveLength(1);
    await send({ 'agent-lsp/session': 'mine' });
    await send({}, { 'Agent-Lsp-Session': 'mine' });
    expect(sessions.all).toHaveLength(2);
    await send({ 'agent-lsp/permission': 'read' });
    await send({ 'agent-lsp/roots': [`${base}/inner`] });
    await send({}, {}, 'another');
    expect(sessions.all.map(({ options: { bounds } }) => bounds.permission)).toEqual([
      'write',
      'write',
      'read',
      'write',
      'write',
    ]);
    await sessions.close();
  });

  it('does not begin with what is no request of that protocol', async () => {
    const sessions = open();
    const other = { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' };
    for (const [body, headers] of [
      [newer('server/discover', other), { ...NEWER, 'Mcp-Protocol-Version': '2099-01-01' }],
      [newer('server/discover'), { ...NEWER, 'Mcp-Method': 'tools/call' }],
      [ping(1), NEWER],
      [[], NEWER],
    ] as const)
      expect(await statusOf(ask(sessions, body, { headers }))).toBe(400);
    expect([sessions.all.length, clock.pending]).toEqual([0, 0]);
  });

  it('ends by the name that its client gave it, or by silence, never early by a stream', async () => {
    const sessions = open();
    const named = { ...NEWER, 'Agent-Lsp-Session': 'mine' };
    expect(await statusOf(ask(sessions, newer('server/discover'), { headers: named }))).toBe(200);
    const end = (principal: string) =>
      statusOf(ask(sessions, undefined, { method: 'DELETE', headers: named, principal }));
    expect([await end('another'), await end('one'), await end('one')]).toEqual([404, 200, 404]);
    const gone = new AbortController();
    const listening = { ...NEWER, 'Mcp-Method': 'subscriptions/listen' };
    const response = await ask(
      sessions,
      newer('subscriptions/listen', {}, { notifications: { toolsListChanged: true } }),
      { headers: listening, signal: gone.signal },
    );
    expect(response.status).toBe(200);
    await clock.advance(2 * SESSION_MS);
    gone.abort();
    await clock.advance(SESSION_MS - 1);
    expect(sessions.all).toHaveLength(1);
    await clock.advance(1);
    expect(ended()).toEqual(['its client ended it', 'it was silent']);
  });
});

describe('what a session asks for', () => {
  it('is refused with the reason when it is more than there is, and begins nothing', async () => {
    const sessions = open();
    const narrow = { ...NEWER, 'Agent-Lsp-Roots': '/' };
    for (const response of [
      await ask(sessions, hello(), { headers: { 'Agent-Lsp-Roots': '/' } }),
      await ask(sessions, newer('server/discover'), { headers: narrow }),
    ]) {
      expect(response.status).toBe(403);
      expect(errorIn(await response.json())).toContain('is outside of those of this server');
    }
    expect(sessions.all).toHaveLength(0);
  });
});

describe('limits', () => {
  it('give the place of a client that has probably left to one that comes, and refuse otherwise', async () => {
    const sessions = open({ sessions: 2 });
    const [first] = [await begin(sessions), await begin(sessions)];
    const refused = await ask(sessions, hello());
    expect([refused.status, errorIn(await refused.json())]).toEqual([
      503,
      expect.stringContaining('2 sessions are open, which is the most'),
    ]);
    await clock.advance(HTTP_LIMITS.graceMs);
    expect(await statusOf(ask(sessions, ping(1), { headers: first }))).toBe(200);
    await begin(sessions);
    expect(ended()).toEqual(['others need its place']);
    // The one that had been silent for longest is the one that went.
    expect(await statusOf(ask(sessions, ping(2), { headers: first }))).toBe(200);
    await sessions.close();
  });

  it('bound the requests of one session, and let through what ends them', async () => {
    const sessions = open({ requestsInFlight: 2 });
    const headers = await begin(sessions);
    const other = await begin(sessions);
    // Nobody reads these answers, so that they are under way.
    const unread = [await ask(sessions, ping('a'), { headers }), await ask(sessions, ping('b'), { headers })];
    const refused = await ask(sessions, ping('c'), { headers });
    expect([refused.status, refused.headers.get('Retry-After'), await refused.json()]).toEqual([
      429,
      '1',
      {
        jsonrpc: '2.0',
        id: 'c',
        error: {
          code: -32_000,
          message: 'this session has 2 requests under way, which is the most',
        },
      },
    ]);
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'a' } };
    expect(await statusOf(ask(sessions, cancel, { headers }))).toBe(202);
    expect(await statusOf(ask(sessions, ping('c'), { headers: other }))).toBe(200);
    await Promise.all(unread.map((response) => response.text()));
    expect(await statusOf(ask(sessions, ping('c'), { headers }))).toBe(200);
    await sessions.close();
  });
});

describe('leaving', () => {
  it('takes nothing new, waits for answers that are being read, and then ends all', async () => {
    const sessions = open();
    const headers = await begin(sessions);
    await ask(sessions, undefined, { method: 'GET', headers });
    const unread = await ask(sessions, ping(1), { headers });
    sessions.drain();
    expect(await statusOf(ask(sessions, hello()))).toBe(503);
    expect(await statusOf(ask(sessions, ping(2), { headers }))).toBe(503);
    expect(await statusOf(ask(sessions, newer('server/discover'), { headers: NEWER }))).toBe(503);
    // What a running call may wait for.
    const answer = { jsonrpc: '2.0', id: 99, result: {} };
    expect(await statusOf(ask(sessions, answer, { headers }))).toBe(202);
    let isQuiet = false;
    const quiet = sessions.whenQuiet().then(() => {
      isQuiet = true;
    });
    await clock.advance(1);
    expect(isQuiet).toBe(false);
    expect(await unread.text()).toContain('"result"');
    await quiet;
    await sessions.close();
    expect(sessions.all).toHaveLength(0);
  });
});
