import { describe, expect, it } from 'vitest';
import { gate } from '../support/events.ts';
import { isAlive, untilDead } from '../support/processes.ts';
import { fakeSession } from './fake-session.ts';

/** Tools that run programs of the workspace, or look beyond its roots. */
const REACHING = [
  'get_cross_repo_references',
  'execute_command',
  'run_build',
  'run_tests',
  'start_lsp',
  'add_workspace_folder',
];

describe('the MCP server', () => {
  it('serves the 2026 protocol and the older handshake alike', async () => {
    for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
      await using session = await fakeSession(undefined, { client: { versionNegotiation: { mode } } });
      const { client } = session.frontEnd;
      expect(client.getServerVersion()).toMatchObject({ name: 'agent-lsp' });
      expect(client.getInstructions()).toContain('every occurrence of the name is accounted for');
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name)).toContain('find_references');
      expect(await session.ask('inspect_symbol', { symbol: 'Client.stop' })).toContain('src/client.fake:2:3');
    }
  });

  it('answers a plain call without the SDK, and as the SDK would', async () => {
    for (const format of ['text', 'json']) {
      await using session = await fakeSession(undefined, { env: { AGENT_LSP_OUTPUT_FORMAT: format } });
      const { client } = session.frontEnd;
      for (const [name, args] of [
        ['inspect_symbol', { symbol: 'Client.stop' }],
        ['list_symbols', { file_path: 'gone.fake' }],
      ] as const) {
        const plain = await client.callTool({ name, arguments: args });
        // Metadata of its own makes a call one for the SDK.
        const bySdk = await client.callTool({ name, arguments: args, _meta: { 'test/trace': 'x' } });
        expect(plain).toEqual(bySdk);
      }
      expect(await client.listTools()).toEqual(await client.listTools({ _meta: { 'test/trace': 'x' } }));
      expect(await client.ping()).toEqual({});
    }
  });

  it('lists tools with strict schemas and hints derived from their effect', async () => {
    await using session = await fakeSession();
    const { tools } = await session.frontEnd.client.listTools();
    for (const tool of tools) {
      expect(tool.inputSchema).toMatchObject({ type: 'object', properties: {} });
      expect(tool.annotations?.openWorldHint, tool.name).toBe(REACHING.includes(tool.name));
    }
    const named = (name: string) => tools.find((tool) => tool.name === name);
    expect(named('find_references')?.annotations?.readOnlyHint).toBe(true);
    expect(named('start_lsp')?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
      idempotentHint: true,
    });
    expect(named('go_to_definition')?.inputSchema.properties).toMatchObject({
      line: { type: 'integer', description: '1-based' },
    });
  });

  it('writes text without structured content, unless JSON is asked for', async () => {
    await using session = await fakeSession();
    const { raw } = await session.call('find_references', { symbol: 'Client.stop' });
    expect(raw.structuredContent).toBeUndefined();
    const refused = await session.call('find_references', {});
    expect(refused.raw.structuredContent).toBeUndefined();
    await using asJson = await fakeSession(undefined, { env: { AGENT_LSP_OUTPUT_FORMAT: 'json' } });
    const failed = await asJson.call('list_symbols', { file_path: 'gone.fake' });
    expect(failed.raw.structuredContent).toMatchObject({ status: 'error', error_code: 'no_such_file' });
  });

  it('declares the shape of its data to clients that take data, and to no others', async () => {
    await using asText = await fakeSession();
    const { tools: plain } = await asText.frontEnd.client.listTools();
    expect(plain.every(({ outputSchema }) => outputSchema === undefined)).toBe(true);
    await using asJson = await fakeSession(undefined, { args: ['--output', 'json'] });
    const { tools } = await asJson.frontEnd.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(plain.map(({ name }) => name));
    const schemaOf = (wanted: string) => tools.find(({ name }) => name === wanted)?.outputSchema;
    expect(schemaOf('go_to_definition')).toMatchObject({
      properties: { status: { type: 'string' }, data: { type: 'array', items: { type: 'object' } } },
      required: ['status'],
    });
    // Data that has another form for several symbols is not described.
    expect(schemaOf('find_references')?.properties).not.toHaveProperty('data');
    // The client checks the answer against the schema it was given.
    const { json } = await asJson.call('find_references', { file_path: 'src/client.fake', symbol: 'log' });
    expect(json).toHaveLength(1);
    const failed = await asJson.call('find_references', { file_path: 'gone.fake', line: 1 });
    expect(failed.isError).toBe(true);
  });

  it('logs its start, the servers it uses, calls and its end under fixed names', async () => {
    const session = await fakeSession(undefined, { args: ['--log-level', 'debug'] });
    await using _ = session;
    const events: unknown[] = [];
    session.frontEnd.client.setNotificationHandler('notifications/message', ({ params }) => {
      events.push((params.data as { event?: unknown }).event);
    });
    await session.ask('list_symbols', { file_path: 'src/use.fake' });
    await session.frontEnd.close();
    expect(session.frontEnd.stderr()).toMatch(/agent-lsp debug session started version="/);
    expect(events).toEqual(expect.arrayContaining(['server in use', 'server shook hands', 'tool call']));
    expect(session.frontEnd.stderr()).toContain('agent-lsp debug session ended code=0');
  });

  it('names the request in each line about a call, whichever way the call came', async () => {
    await using session = await fakeSession(undefined, { args: ['--log-level', 'debug'] });
    const { client } = session.frontEnd;
    const entries: Record<string, unknown>[] = [];
    client.setNotificationHandler('notifications/message', ({ params }) => {
      entries.push(params.data as Record<string, unknown>);
    });
    const request = { name: 'list_symbols', arguments: { file_path: 'src/use.fake' } };
    const ways = [
      request,
      request,
      { ...request, _meta: { 'test/trace': 'x' } },
      { ...request, arguments: {} },
    ];
    await Promise.all(ways.map((way) => client.callTool(way)));
    const idsOf = (event: string) =>
      entries.flatMap((entry) => (entry.event === event ? [entry.request] : [])).sort();
    expect(new Set(idsOf('tool call begun')).size).toBe(ways.length);
    expect(idsOf('tool call')).toEqual(idsOf('tool call begun'));
    const failed = entries.filter(({ error }) => error !== undefined);
    expect(failed).toMatchObject([{ event: 'tool call', tool: 'list_symbols', error: 'invalid-input' }]);
  });

  it('offers a small set of tools on request, and nothing else of it can be called', async () => {
    await using session = await fakeSession(undefined, { args: ['--tools', 'core'] });
    const { tools } = await session.frontEnd.client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['find_references', 'list_symbols', 'get_diagnostics']));
    expect(names).not.toContain('set_log_level');
    await expect(session.call('set_log_level', { level: 'debug' })).rejects.toThrow(
      'there is no tool "set_log_level" in this set of tools. Call activate_tools with profile full, if it is listed, or start agent-lsp with --tools full.',
    );
    expect(await session.ask('find_symbol', { query: 'stop' })).toContain('method stop');
  });

  it('carries a cancellation down to the language server', async () => {
    await using session = await fakeSession(undefined, {
      scenario: { rules: [{ on: 'textDocument/hover', do: { never: true } }] },
    });
    const controller = new AbortController();
    const call = session.call('inspect_symbol', { symbol: 'Client.stop' }, { signal: controller.signal });
    const rejected = expect(call).rejects.toThrow();
    const { journal } = session.server;
    const asked = await journal.waitFor(['received', 'textDocument/hover']);
    controller.abort();
    await rejected;
    const cancelled = await journal.waitFor(['received', '$/cancelRequest']);
    expect(cancelled.message?.params).toEqual({ id: asked.message?.id });
    expect(await session.ask('list_symbols', { file_path: 'src/use.fake' })).toContain('again');
  });

  it('ends a call at its deadline with the state of the server', async () => {
    await using session = await fakeSession(undefined, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '1500' },
      scenario: { rules: [{ on: 'textDocument/hover', do: { never: true } }] },
    });
    const { text, isError } = await session.call('inspect_symbol', { symbol: 'Client.stop' });
    expect(isError).toBe(true);
    expect(text).toMatch(/took longer than [\d.]+ s \(server: .*ready.*\)\. Call again/);
    await session.server.journal.waitFor(['received', '$/cancelRequest']);
  });

  it('tells a waiting client that the server is indexing', async () => {
    await using session = await fakeSession();
    const { server, workspace } = session;
    const [reported, done] = [gate(workspace.scratch, 'reported'), gate(workspace.scratch, 'done')];
    server.rewrite({
      rules: [
        {
          on: 'initialized',
          do: [
            { progress: { token: 'i', begin: 'Indexing', percentage: 10 } },
            { gate: reported.path },
            { progress: { token: 'i', report: 60 } },
            { gate: done.path },
            { progress: { token: 'i', end: true } },
          ],
        },
      ],
    });
    const heard: { progress: number; message?: string | undefined }[] = [];
    const answer = session.call(
      'find_references',
      { symbol: 'Client.stop' },
      {
        onProgress: (progress) => {
          heard.push(progress);
          if (progress.message?.includes('10 %')) reported.open();
          if (progress.message?.includes('60 %')) done.open();
        },
      },
    );
    expect((await answer).text).toMatch(/^6 references/);
    expect(heard.map(({ message }) => message).join('\n')).toMatch(
      /fake: indexing .*10 %[\s\S]*fake: indexing .*60 %/,
    );
    const counts = heard.map(({ progress }) => progress);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  it('answers other calls while one waits', async () => {
    await using session = await fakeSession(undefined, {
      scenario: { rules: [{ on: 'textDocument/hover', do: { never: true } }] },
    });
    const controller = new AbortController();
    const waiting = session.call('inspect_symbol', { symbol: 'Client.stop' }, { signal: controller.signal });
    const rejected = expect(waiting).rejects.toThrow();
    await session.server.journal.waitFor(['received', 'textDocument/hover']);
    expect(await session.ask('list_symbols', { file_path: 'src/use.fake' })).toContain('again');
    controller.abort();
    await rejected;
  });

  it('starts one server however many calls come first', async () => {
    await using session = await fakeSession();
    const calls = Array.from({ length: 8 }, () => session.ask('list_symbols', { file_path: 'src/use.fake' }));
    expect(new Set(await Promise.all(calls)).size).toBe(1);
    expect(session.server.journal.received('initialize')).toHaveLength(1);
  });

  it('leaves when its input ends, and takes the server with it', async () => {
    await using session = await fakeSession();
    await session.ask('list_symbols', { file_path: 'src/use.fake' });
    const [start] = session.server.journal.entries();
    expect(isAlive(start?.pid ?? 0)).toBe(true);
    expect(await session.frontEnd.close()).toMatchObject({ code: 0 });
    await untilDead(start?.pid ?? 0);
    expect(session.server.journal.received('shutdown')).toHaveLength(1);
    expect(session.frontEnd.strayOutput).toEqual([]);
    await session.workspace.expectNothingLeft();
  });

  it('leaves in time when the server ignores every request to end', async () => {
    await using session = await fakeSession(undefined, {
      scenario: { stubborn: ['shutdown', 'exit', 'SIGTERM', 'stdin'] },
    });
    await session.ask('list_symbols', { file_path: 'src/use.fake' });
    expect(await session.frontEnd.close(6_000)).toMatchObject({ code: 0 });
    await session.workspace.expectNothingLeft();
  });

  it('leaves on a signal as it does at the end of its input', async () => {
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
      ['SIGHUP', 129],
    ] as const) {
      await using session = await fakeSession();
      await session.ask('list_symbols', { file_path: 'src/use.fake' });
      process.kill(session.frontEnd.pid, signal);
      expect(await session.frontEnd.exited).toMatchObject({ code });
      await session.workspace.expectNothingLeft();
    }
  });
});
