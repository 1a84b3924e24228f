/** Clients of one process over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fakeServer } from '../support/fake-server.ts';
import { type HttpClientOptions, type HttpFrontEnd, startHttp } from '../support/http-front-end.ts';
import { createWorkspace } from '../support/workspace.ts';
import { SAMPLE, writeFakeConfig } from './fake-session.ts';

const OLDER: HttpClientOptions = {};
const NEWER: HttpClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const ERAS = [
  ['older', OLDER],
  ['newer', NEWER],
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
  it.each(ERAS)('list the tools, call one and are asked for their roots (%s)', async (_, options) => {
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
