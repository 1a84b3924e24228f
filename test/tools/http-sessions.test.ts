/** Sessions of one process: each has its own permission, roots and state, over servers that all of them share. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldOf } from '../../src/shared/base/unknown-value.ts';
import { until } from '../support/events.ts';
import { fakeServer } from '../support/fake-server.ts';
import { type HttpClientOptions, type HttpFrontEnd, startHttp, TOKEN } from '../support/http-front-end.ts';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { processesOfTest } from '../support/processes.ts';
import { createWorkspace } from '../support/workspace.ts';
import { SAMPLE, writeFakeConfig } from './fake-session.ts';

const OTHER_TOKEN = 'other-token-76cf12';
const NEWER: HttpClientOptions = { versionNegotiation: { mode: { pin: '2026-07-28' } } };
const ERAS = [
  { era: 'older', options: {} },
  { era: 'newer', options: NEWER },
] as const;

const workspace = createWorkspace(`${SAMPLE}
//- ../opened/shared.fake
function shared() {
}
`);
const server = fakeServer(workspace.scratch);
const config = writeFakeConfig(workspace, server);
let http: HttpFrontEnd;

beforeAll(async () => {
  http = await startHttp({
    workspace,
    args: ['--config', config, '--permission', 'ask'],
    env: { AGENT_LSP_TOKEN: `${TOKEN},${OTHER_TOKEN}`, AGENT_LSP_ALLOWED_PATHS: workspace.file('../opened') },
  });
});

afterAll(async () => {
  await http?.[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

let names = 0;
/** A session of its own, also with the newer protocol. */
const begin = (options: HttpClientOptions = {}, headers: Record<string, string> = {}) =>
  http.connect({
    name: `client-${++names}`,
    ...options,
    headers: { 'Agent-Lsp-Session': `session-${names}`, ...headers },
  });

function status(): string {
  const { stdout } = spawnSync(process.execPath, [BUILT_PROGRAM, 'daemon-status', '--config', config], {
    cwd: workspace.root,
    env: workspace.env(),
    encoding: 'utf8',
  });
  return stdout;
}

const OUTLINE = { file_path: 'src/use.fake' };

describe.each(ERAS)('a session of the $era protocol', ({ options }) => {
  it('has the permission that the process gives, or the less that it asks for', async () => {
    const agreed: string[] = [];
    const asking: HttpClientOptions = {
      ...options,
      capabilities: { elicitation: {} },
      prepare: (client) =>
        client.setRequestHandler('elicitation/create', async ({ params }) => {
          agreed.push(params.message);
          return { action: 'decline' };
        }),
    };
    await using writer = await begin(asking);
    await using reader = await begin(asking, { 'Agent-Lsp-Permission': 'read' });
    const edit = {
      file_path: 'src/use.fake',
      old_text: 'const client',
      new_text: 'const other',
      dry_run: false,
    };
    const before = workspace.read('src/use.fake');
    expect(await reader.call('apply_edit', edit)).toContain('this session may only read');
    expect(agreed).toEqual([]);
    expect(await writer.call('apply_edit', edit)).toContain('the user did not agree');
    expect(agreed).toHaveLength(1);
    expect(workspace.read('src/use.fake')).toBe(before);
    const toolsOf = async ({ client }: typeof reader) =>
      (await client.listTools()).tools.map(({ name }) => name);
    expect(await toolsOf(writer)).toContain('run_build');
    expect(await toolsOf(reader)).not.toContain('run_build');
    await expect(begin(options, { 'Agent-Lsp-Permission': 'write' })).rejects.toThrow(
      /permission write is more than this server gives \(ask\)|403/,
    );
  });

  it('asks for less in its first request as well as by headers', async () => {
    const own = { experimental: { 'agent-lsp': { permission: 'read', roots: [workspace.file('test')] } } };
    await using session = await begin({ ...options, capabilities: own });
    expect(await session.call('run_build')).toContain('permission: read');
    expect(await session.call('list_symbols', OUTLINE)).toMatch(/outside|does not exist/);
    expect(await session.call('list_symbols', { file_path: workspace.file('src/use.fake') })).toContain(
      'outside',
    );
    expect(await session.call('list_symbols', { file_path: 'client.test.fake' })).toContain(
      'client.test.fake',
    );
  });

  it('has its own roots, wherever others are', async () => {
    await using all = await begin(options);
    await using part = await begin(options, { 'Agent-Lsp-Roots': workspace.file('src') });
    const opened = { file_path: workspace.file('../opened/shared.fake') };
    expect(await all.call('list_symbols', { file_path: 'test/client.test.fake' })).not.toContain('outside');
    expect(await all.call('list_symbols', opened)).toContain('shared');
    for (const file_path of [
      workspace.file('test/client.test.fake'),
      '../test/client.test.fake',
      opened.file_path,
    ])
      expect(await part.call('list_symbols', { file_path })).toContain('outside the workspace roots');
    expect(await part.call('list_symbols', { file_path: 'use.fake' })).toContain('function again');
    for (const session of [all, part])
      expect(await session.call('add_workspace_folder', { path: workspace.scratch })).toContain(
        'is outside of the roots that this session was started with',
      );
  });

  it('has its own phases, baselines, held edits and simulations', async () => {
    await using one = await begin(options);
    await using other = await begin(options);
    await one.call('activate_skill', { skill_name: 'lsp-safe-edit', mode: 'block' });
    expect(await one.call('get_skill_phase')).toContain('of lsp-safe-edit (block)');
    expect(await other.call('get_skill_phase')).toContain('no skill is active');
    await one.call('deactivate_skill');
    const kept = await one.call('get_diagnostics', { ...OUTLINE, baseline: true });
    const since = /since:"?([^\s"]+)/.exec(kept)?.[1] ?? '';
    expect(since, kept).not.toBe('');
    expect(await one.call('get_diagnostics', { ...OUTLINE, since })).not.toContain('no baseline');
    expect(await other.call('get_diagnostics', { ...OUTLINE, since })).toContain('there is no baseline');
    const shown = await one.call('rename_symbol', { symbol: 'again', new_name: 'anew', dry_run: true });
    const edit_id = /edit_id (\w+)/.exec(shown)?.[1] ?? '';
    expect(edit_id, shown).not.toBe('');
    expect(await other.call('apply_edit', { edit_id })).toContain(`there is no edit_id "${edit_id}"`);
    expect(workspace.read('src/use.fake')).toContain('function again');
    const begun = await one.call('create_simulation_session', { workspace_root: '.', language: 'fake' });
    const session_id = /session_id:?\s*"?([\w-]+)/.exec(begun)?.[1] ?? '';
    expect(session_id, begun).not.toBe('');
    const text = { session_id, file_path: 'src/use.fake', old_text: 'const client', new_text: 'const other' };
    expect(await other.call('simulate_edit', text)).toContain('there is no session');
  });
});

describe('all sessions', () => {
  it('share one server, and are named by the log, the audit and daemon-status until they end', async () => {
    const session = await begin({ name: 'named-client' });
    const other = await http.connect({ ...NEWER, name: 'other-client', token: OTHER_TOKEN });
    for (const each of [session, other])
      expect(await each.call('list_symbols', OUTLINE)).toContain('function again');
    const started = server.journal
      .received('initialize')
      .map(({ message }) => fieldOf(message?.params, 'rootUri'));
    expect(started.filter((root) => String(root) === pathToFileURL(workspace.root).href)).toHaveLength(1);
    const named =
      /session begun session="([0-9a-f]{8})" client="named-client 1\.0\.0" permission="ask" roots=\[.*\]/;
    const name = named.exec(http.stderr())?.[1];
    expect(status()).toContain(
      `session http ${name} (named-client 1.0.0) of pid ${http.pid}, 0 calls running`,
    );
    expect(status()).toMatch(/session http [0-9a-f]{8} \(other-client 1\.0\.0\) of pid/);
    await session.transport.terminateSession();
    await session[Symbol.asyncDispose]();
    await until(() => !status().includes('named-client'), { what: 'the end of the session', seen: status });
    expect(http.stderr()).toContain(`http session ended session="${name}" reason="its client ended it"`);
    const audit = () => readFileSync(path.join(workspace.stateDir, 'audit.jsonl'), 'utf8');
    await until(() => audit().includes(`"client":"http ${name} (named-client 1.0.0)"`), {
      what: 'the audit',
      seen: audit,
    });
    expect(status()).toContain('other-client');
    const ended = await http.fetch('/mcp', { method: 'DELETE', headers: { 'Agent-Lsp-Session': 'unknown' } });
    expect(ended.status).toBe(404);
  });

  it('are of the principal that began them, and of no other token', async () => {
    await using session = await begin();
    const id = { 'Mcp-Session-Id': session.transport.sessionId ?? '' };
    const by = async (token: string) => {
      const headers = {
        ...id,
        Authorization: `Bearer ${token}`,
        Accept: 'text/event-stream',
        'Last-Event-Id': '1',
      };
      return (await http.fetch('/mcp', { headers })).status;
    };
    expect([await by(OTHER_TOKEN), await by(TOKEN), await by('none')]).toEqual([404, 200, 401]);
    const ended = await http.fetch('/mcp', {
      method: 'DELETE',
      headers: { ...id, Authorization: `Bearer ${OTHER_TOKEN}` },
    });
    expect(ended.status).toBe(404);
    expect(await session.call('list_symbols', OUTLINE)).toContain('function again');
  });

  it('edit one file at the same time, and each change is whole or refused', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `let line_${index} = old;`);
    workspace.write('src/many.fake', `${lines.join('\n')}\n`);
    await using shared = await startHttp({ workspace, args: ['--config', config, '--permission', 'write'] });
    const sessions = await Promise.all(
      lines.map((_, index) => shared.connect({ ...(index % 2 ? NEWER : {}), name: `writer-${index}` })),
    );
    const answers = await Promise.all(
      sessions.map((session, index) =>
        session.call('apply_edit', {
          file_path: 'src/many.fake',
          old_text: `line_${index} = old`,
          new_text: `line_${index} = new`,
          dry_run: false,
        }),
      ),
    );
    const text = workspace.read('src/many.fake');
    const changed = lines.map((_, index) => text.includes(`line_${index} = new;`));
    expect(
      answers.map((answer) => /: changed \d/.test(answer)),
      answers.join('\n'),
    ).toEqual(changed);
    expect(changed).toContain(true);
    expect(text.split('\n')).toHaveLength(lines.length + 1);
    for (const session of sessions) await session[Symbol.asyncDispose]();
  });

  it('say nothing of tokens in what is kept of them', async () => {
    mkdirSync(path.join(workspace.stateDir, 'logs'), { recursive: true });
    await using session = await begin({ token: OTHER_TOKEN });
    await session.call('health_check');
    const said = [
      http.stderr(),
      status(),
      readFileSync(path.join(workspace.stateDir, 'audit.jsonl'), 'utf8'),
      ...(await Promise.all(
        ['get_server_capabilities', 'detect_lsp_servers'].map((tool) => session.call(tool)),
      )),
    ].join('\n');
    expect(said).toContain('client-');
    for (const secret of [TOKEN, OTHER_TOKEN]) expect(said).not.toContain(secret);
    // What is started from here inherits its environment.
    for (const { pid } of processesOfTest(workspace.testId))
      if (pid !== http.pid) expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain(TOKEN);
  });
});
