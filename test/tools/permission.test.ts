/** What a connection may do to files, over MCP: levels, rules, subagents, and asking the user in both protocols. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ElicitRequest, ElicitResult } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { WRITING_TOOLS } from '../support/writing-tools.ts';
import { type FakeSession, type FakeSessionOptions, fakeSession } from './fake-session.ts';

const FILE = 'src/use.fake';
const APPEND = { file_path: FILE, text: '// more\n' };

function writingSession(options: FakeSessionOptions = {}): Promise<FakeSession> {
  return fakeSession(undefined, { ...WRITING_TOOLS, ...options });
}

async function listedNames({ frontEnd }: FakeSession): Promise<string[]> {
  return (await frontEnd.client.listTools()).tools.map(({ name }) => name);
}

/** A call's whole time in the sessions in which the user takes longer than that. */
const CALL_MS = 1_000;

/** Client options of either protocol for a user who answers in turn, and the questions that he saw. */
function user(mode: 'legacy' | '2026-07-28', ...answers: ElicitResult['action'][]) {
  const asked: ElicitRequest['params'][] = [];
  const options: FakeSessionOptions = {
    client: {
      capabilities: { elicitation: {} },
      versionNegotiation: { mode: mode === 'legacy' ? mode : { pin: mode } },
    },
  };
  const attach = ({ frontEnd }: FakeSession, thinkingMs = 0) =>
    frontEnd.client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params);
      await delay(thinkingMs);
      return { action: answers.shift() ?? 'cancel' };
    });
  return { asked, options, attach };
}

describe('the permission of a connection', () => {
  it('lets tools write when nothing else is said', async () => {
    await using session = await writingSession();
    const before = session.workspace.read(FILE);
    expect(await session.ask('append_text', APPEND)).toBe('appended');
    expect(session.workspace.read(FILE)).toBe(`${before}// more\n`);
    const shown = await session.ask('append_text', { ...APPEND, dry_run: true });
    expect(shown).toBe('would append "// more\\n"\nnext: Call again with dry_run: false to apply it.');
    expect(await session.ask('wipe_file', { file_path: FILE })).toBe('wiped');
  });

  it('shows what would be written to whoever may only read, and refuses what cannot be shown', async () => {
    await using session = await writingSession({ env: { AGENT_LSP_PERMISSION: 'read' } });
    const before = session.workspace.read(FILE);
    const why =
      'This is a preview only: this session may only read. Propose the change to the user; agent-lsp --permission ask or write applies it.';
    expect(await session.ask('append_text', APPEND)).toBe(`would append "// more\\n"\nnext: ${why}`);
    expect(await session.ask('append_text', { ...APPEND, dry_run: false })).toBe(
      `would append "// more\\n"\nnote: Nothing was written. ${why}`,
    );
    const refused = await session.call('wipe_file', { file_path: FILE });
    expect(refused).toMatchObject({
      isError: true,
      text: 'wipe_file changes files, and this session may only read (permission: read). Propose the change to the user; agent-lsp --permission ask or write allows it.',
    });
    expect(session.workspace.read(FILE)).toBe(before);
    const { tools } = await session.frontEnd.client.listTools();
    expect(tools.find(({ name }) => name === 'append_text')?.annotations?.readOnlyHint).toBe(true);
    expect(tools.map(({ name }) => name)).not.toContain('wipe_file');
    expect(await session.ask('find_symbol', { query: 'stop' })).toContain('method stop');
  });

  it('gives a subagent nothing that writes or concerns others, whatever else is said', async () => {
    await using session = await writingSession({
      args: ['--permission', 'write', '--subagent'],
      config: { permission: 'write', permissions: { allow: ['*', 'wipe_file', 'restart_lsp_server'] } },
    });
    const before = session.workspace.read(FILE);
    expect(await session.ask('append_text', { ...APPEND, dry_run: false })).toContain(
      'Nothing was written. This is a preview only: a subagent may not change files.',
    );
    for (const tool of ['wipe_file', 'restart_lsp_server']) {
      const { isError, text } = await session.call(tool, {});
      expect({ isError, text }).toEqual({
        isError: true,
        text: `${tool} is not allowed for a subagent. Leave it to the agent that sent you: report what should be done.`,
      });
      expect(await listedNames(session)).not.toContain(tool);
    }
    expect(session.workspace.read(FILE)).toBe(before);
    expect(await session.ask('list_symbols', { file_path: FILE })).toContain('again');
  });

  it('neither lists nor runs what is denied', async () => {
    await using session = await fakeSession(undefined, {
      config: { permissions: { deny: ['find_*', 'set_log_level'], allow: ['find_symbol'] } },
    });
    const names = await listedNames(session);
    expect(names).toContain('find_symbol');
    expect(names).not.toContain('find_references');
    expect(await session.ask('find_symbol', { query: 'stop' })).toContain('method stop');
    // Also when the arguments are wrong: what they should be is of no use.
    expect((await session.call('find_references', { no: 'sense' })).text).toBe(
      'find_references is denied by the configuration (permissions.deny: "find_*"). Do without it, or ask the user to change that.',
    );
    // What is denied is not suggested either.
    await expect(session.call('set_log_leve')).rejects.toThrow(
      /there is no tool "set_log_leve"\. tools\/list has all tools\.$/,
    );
  });

  it('says which rule fits no tool', async () => {
    await using session = await fakeSession(undefined, {
      config: { permissions: { deny: ['restart_lsp_sever'] } },
    });
    const { isError, text } = await session.call('list_symbols', { file_path: FILE });
    expect(isError).toBe(true);
    expect(text).toBe(
      'permissions.deny: no tool is called "restart_lsp_sever" (did you mean "restart_lsp_server"?). Correct the configuration file; agent-lsp call --help lists the tools.',
    );
  });
});

describe.each(['legacy', '2026-07-28'] as const)('asking the user (%s)', (mode) => {
  it('writes only after an explicit yes, however long the user takes', async () => {
    const { asked, options, attach } = user(mode, 'accept', 'decline', 'cancel', 'decline', 'accept');
    await using session = await writingSession({
      ...options,
      args: ['--permission', 'ask'],
      env: { AGENT_LSP_CALL_TIMEOUT_MS: String(CALL_MS) },
    });
    attach(session, CALL_MS + 500);
    const before = session.workspace.read(FILE);
    expect(await session.ask('append_text', APPEND)).toContain(
      'next: Call again with dry_run: false to apply it; the user will be asked.',
    );
    expect(asked).toEqual([]);
    expect(await session.ask('append_text', { ...APPEND, dry_run: false })).toBe('appended');
    expect(asked[0]?.message).toBe(
      `agent-lsp: may append_text change 1 file?\nappend "// more\\n"\n  ${FILE}`,
    );
    attach(session);
    const after = `${before}// more\n`;
    expect(session.workspace.read(FILE)).toBe(after);
    for (const _declinedThenCancelled of [1, 2])
      expect(await session.ask('append_text', { ...APPEND, dry_run: false })).toContain(
        'note: Nothing was written: the user did not agree.',
      );
    const refused = await session.call('wipe_file', { file_path: FILE });
    expect(refused).toMatchObject({
      isError: true,
      text: 'the user did not agree to wipe_file; nothing was done. Ask what to do instead before trying again.',
    });
    expect(session.workspace.read(FILE)).toBe(after);
    expect(await session.ask('wipe_file', { file_path: FILE })).toBe('wiped');
    expect(asked).toHaveLength(5);
  });

  it('shows what would be written when the client cannot ask', async () => {
    const client = { versionNegotiation: { mode: mode === 'legacy' ? mode : { pin: mode } } } as const;
    await using session = await writingSession({ client, config: { permission: 'ask' } });
    const before = session.workspace.read(FILE);
    const why =
      'This is a preview only: changes need the user’s consent, and this client cannot ask for it. Propose the change to the user; agent-lsp --permission write applies without asking.';
    expect(await session.ask('append_text', APPEND)).toContain(`next: ${why}`);
    expect(await session.ask('append_text', { ...APPEND, dry_run: false })).toContain(
      `note: Nothing was written. ${why}`,
    );
    const refused = await session.call('wipe_file', { file_path: FILE });
    expect(refused.text).toContain(
      "wipe_file needs the user's consent, and this client cannot ask for it. Propose it to the user",
    );
    expect(session.workspace.read(FILE)).toBe(before);
  });

  it('asks for single tools by rule, also for ones that read, and gives up the question with the call', async () => {
    const { asked, options, attach } = user(mode, 'accept', 'accept', 'decline');
    await using session = await fakeSession(undefined, {
      ...options,
      config: { permissions: { ask: ['find_symbol'] } },
    });
    attach(session);
    const request = { name: 'find_symbol', arguments: { query: 'stop' } };
    // Metadata of its own makes a call one for the SDK, in the older protocol as well.
    const bySdk = await session.frontEnd.client.callTool({ ...request, _meta: { 'test/trace': 'x' } });
    expect(await session.frontEnd.client.callTool(request)).toEqual(bySdk);
    expect(bySdk.content).toMatchObject([{ text: expect.stringContaining('method stop') }]);
    expect(asked).toHaveLength(2);
    expect(asked[0]?.message).toBe('agent-lsp: may the tool find_symbol be used now?');
    const { isError, text } = await session.call('find_symbol', { query: 'stop' });
    expect({ isError, text }).toEqual({
      isError: true,
      text: 'the user did not agree to find_symbol; nothing was done. Ask what to do instead before trying again.',
    });
    const controller = new AbortController();
    session.frontEnd.client.setRequestHandler('elicitation/create', async () => {
      controller.abort();
      return { action: 'accept' };
    });
    const call = session.call('find_symbol', { query: 'log' }, { signal: controller.signal });
    await expect(call).rejects.toThrow();
    expect(await session.ask('list_symbols', { file_path: FILE })).toContain('again');
    const asking = session.server.journal.received('workspace/symbol');
    expect(asking.map(({ message }) => message?.params)).not.toContainEqual({ query: 'log' });
  });
});
