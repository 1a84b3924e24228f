/** Messages that well-meant clients get wrong, or that only some of them send, as lines to the built program. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { LOG_LEVEL_META_KEY } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { fakeServer } from '../support/fake-server.ts';
import { BUILT_PROGRAM, startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';
import { fakeSession, SAMPLE, writeFakeConfig } from './fake-session.ts';

const HANDSHAKE = {
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: { roots: {} },
    clientInfo: { name: 'raw', version: '1' },
  },
};

class Lines implements AsyncDisposable {
  readonly #workspace: Workspace;
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  readonly #heard: unknown[] = [];

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#child = spawn(process.execPath, [BUILT_PROGRAM, '--daemon', 'never'], {
      cwd: workspace.root,
      env: workspace.env(),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#lines = createInterface({ input: this.#child.stdout });
    this.#lines.on('line', (line) => void this.#heard.push(JSON.parse(line)));
  }

  send(...messages: readonly (object | string)[]): void {
    for (const message of messages)
      this.#child.stdin.write(
        `${typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })}\n`,
      );
  }

  /** The first message that fits, of those that came and of those to come. */
  async heard(part: object): Promise<unknown> {
    const fits = (message: unknown) =>
      Object.entries(part).every(([name, value]) => Object(message)[name] === value);
    while (!this.#heard.some(fits)) await new Promise((resolve) => this.#lines.once('line', resolve));
    return this.#heard.find(fits);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    await new Promise((resolve) => this.#child.once('exit', resolve));
    await this.#workspace[Symbol.asyncDispose]();
  }
}

describe('messages of clients', () => {
  it('that cannot be read are answered so, and the next is served', async () => {
    await using lines = new Lines(createWorkspace());
    lines.send(HANDSHAKE, '{"jsonrpc": "2.0", "id": 7, "method"', '[1, 2]');
    expect(await lines.heard({ id: 1 })).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
    expect(await lines.heard({ id: null })).toMatchObject({
      error: { code: -32_700, message: expect.stringMatching(/^this line is not JSON \(/) },
    });
    lines.send({ id: 2, method: 'ping' });
    expect(await lines.heard({ id: 2 })).toMatchObject({ result: {} });
  });

  it('that are no objects are refused as requests', async () => {
    await using lines = new Lines(createWorkspace());
    lines.send('[{"jsonrpc":"2.0","id":3,"method":"ping"}]');
    expect(await lines.heard({ id: null })).toMatchObject({ error: { code: -32_600 } });
  });

  it('that ask what the server is are answered before a protocol is chosen, and any can be', async () => {
    await using lines = new Lines(createWorkspace());
    lines.send({ id: 1, method: 'server/discover' });
    expect(await lines.heard({ id: 1 })).toMatchObject({
      result: { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    });
    lines.send({ ...HANDSHAKE, id: 2 });
    expect(await lines.heard({ id: 2 })).toMatchObject({ result: { protocolVersion: '2025-06-18' } });
  });

  it('are asked for roots with parameters, which some clients cannot do without', async () => {
    await using lines = new Lines(createWorkspace());
    lines.send(HANDSHAKE, { method: 'notifications/initialized' });
    expect(await lines.heard({ method: 'roots/list' })).toMatchObject({ params: {} });
  });
});

describe('a tool that is not there', () => {
  it.each(['legacy', { pin: '2026-07-28' }] as const)(
    'is an error of the request, with what was meant (%j)',
    async (mode) => {
      await using session = await fakeSession(undefined, { client: { versionNegotiation: { mode } } });
      const { client } = session.frontEnd;
      for (const _meta of [{}, { 'test/trace': 'x' }]) {
        await expect(client.callTool({ name: 'find_refrences', arguments: {}, _meta })).rejects.toMatchObject(
          {
            code: -32_602,
            message: expect.stringContaining(
              'there is no tool "find_refrences", did you mean find_references? tools/list has all tools.',
            ),
          },
        );
      }
      expect(await session.ask('list_symbols', { file_path: 'src/use.fake' })).toContain('again');
    },
  );
});

describe('a client of the newer protocol', () => {
  it('hears what is logged while its call runs, at the level that the call asks for', async () => {
    await using session = await fakeSession(undefined, {
      client: { versionNegotiation: { mode: { pin: '2026-07-28' } } },
    });
    const { client } = session.frontEnd;
    const heard: unknown[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params));
    const call = (level?: string) =>
      client.callTool({
        name: 'list_symbols',
        arguments: { file_path: 'src/use.fake' },
        ...(level === undefined ? {} : { _meta: { [LOG_LEVEL_META_KEY]: level } }),
      });
    await call();
    await call('error');
    expect(heard).toEqual([]);
    await call('debug');
    expect(heard).toContainEqual({
      level: 'debug',
      logger: 'agent-lsp',
      data: expect.objectContaining({ event: 'tool call', tool: 'list_symbols' }),
    });
  });
});

describe('progress', () => {
  it('does not call a server that is up for others "not started"', async () => {
    await using workspace = createWorkspace(SAMPLE);
    const config = writeFakeConfig(workspace, fakeServer(workspace.scratch));
    const args = ['--config', config, '--daemon', 'always'];
    await using first = await startFrontEnd({ workspace, args });
    await first.call('find_references', { symbol: 'Client.stop' });
    await using second = await startFrontEnd({ workspace, args });
    const heard: (string | undefined)[] = [];
    const { isError } = await second.call(
      'find_references',
      { symbol: 'Client.stop' },
      { onProgress: ({ message }) => void heard.push(message) },
    );
    expect(isError).toBe(false);
    expect(heard.join('\n')).not.toContain('not started');
  });
});
