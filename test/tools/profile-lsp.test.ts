/** `--tools lsp` through MCP: one tool with actions, over the fake server. The real servers have test/real/seed-001.test.ts. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text as textOf } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { pathToUri } from '../../src/shared/base/paths.ts';
import { FACADE_VARIABLES } from '../../src/shared/config/facade-config.ts';
import { LSP_ACTIONS } from '../../src/shared/config/lsp-actions.ts';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { fakeSession, SAMPLE } from './fake-session.ts';

const LSP = { args: ['--tools', 'lsp'] };
const MUTATING = { ...LSP, config: { lsp: { tool: { allowMutatingActions: true } } } };
const AT_STOP = { file: 'src/use.fake', line: 2, column: 9 };
const PULL = { diagnostics: { profile: 'pull' } } as const;
const INDEXING = {
  rules: [{ on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing', percentage: 41 } } }],
};

describe('answers', () => {
  it('begin with the action, say second what is not certain, and have details beside', async () => {
    const env = { AGENT_LSP_CALL_TIMEOUT_MS: '8000' };
    await using session = await fakeSession(SAMPLE, { ...LSP, env, scenario: INDEXING });
    const { text, isError, raw } = await session.call('lsp', { action: 'references', ...AT_STOP });
    expect(isError).toBe(false);
    const [first, second] = text.split('\n');
    expect(first).toBe('action: references');
    expect(second).toMatch(/^INCOMPLETE: fake-lsp is still indexing \(41 %\), retry in \d+ s$/);
    const incomplete = { reason: second, retry_after_ms: expect.any(Number) };
    expect(raw.structuredContent).toMatchObject({
      action: 'references',
      status: 'incomplete',
      complete: false,
      ...incomplete,
      details: { ...incomplete, total: expect.any(Number), truncated: false },
    });
  });

  it('list at most 200 items and count the rest', async () => {
    const uses = Array.from({ length: 250 }, () => 'client.stop();').join('\n');
    await using session = await fakeSession(`${SAMPLE}//- src/many.fake\n${uses}\n`, LSP);
    const { text, raw } = await session.call('lsp', { action: 'references', ...AT_STOP });
    const { details } = structured(raw);
    expect(details).toMatchObject({ total: 257, truncated: true });
    expect(details.results).toHaveLength(200);
    expect(text).toMatch(/^… 57 more not shown$/m);
    expect(text).not.toContain('cursor');
    const many = Array.from({ length: 250 }, (_, index) => `const name${index} = ${index};`).join('\n');
    session.workspace.write('src/names.fake', `${many}\n`);
    const symbols = await session.call('lsp', { action: 'symbols', file: 'src/names.fake' });
    expect(structured(symbols.raw).details).toMatchObject({ total: 250, truncated: true });
    expect(structured(symbols.raw).details.lines).toHaveLength(200);
    expect(symbols.text).toMatch(/^… 50 more not shown$/m);
  });

  it('cut their text at 60,000 characters and say so', async () => {
    const value = Array.from({ length: 9_000 }, (_, index) => `line ${index}`).join('\n');
    await using session = await fakeSession(SAMPLE, {
      ...LSP,
      scenario: { rules: [{ on: 'textDocument/hover', do: { result: { contents: value } } }] },
    });
    const { text } = await session.call('lsp', { action: 'hover', ...AT_STOP });
    expect(text.length).toBeLessThanOrEqual(60_000);
    expect(text).toMatch(/^… cut after \d+ of \d+ characters; ask for something narrower$/m);
  });

  it('show what a query could mean, in the fields of the tool', async () => {
    const twice =
      '//- a.fake\nexport class One {\n  stop() {\n  }\n}\nexport class Two {\n  stop() {\n  }\n}\n';
    await using session = await fakeSession(twice, LSP);
    const { text, isError, raw } = await session.call('lsp', {
      action: 'hover',
      file: 'a.fake',
      query: 'stop',
    });
    expect(isError).toBe(false);
    expect(text).toMatch(
      /^action: hover\nAMBIGUOUS: 2 places .*\n {2}method One\.stop {2}file:"[^"]*a\.fake", line:2, column:3$/m,
    );
    expect(text).not.toMatch(/file_path|symbol:/);
    expect(structured(raw)).toMatchObject({ status: 'ambiguous', complete: false, details: { total: 2 } });
  });

  it('are "Cancelled" when the user cancels', async () => {
    await using session = await fakeSession(SAMPLE, {
      ...LSP,
      scenario: { rules: [{ on: 'textDocument/hover', do: { never: true } }] },
    });
    const { workspace, server } = session;
    const config = `${workspace.scratch}/config.json`;
    const call = JSON.stringify({ action: 'hover', ...AT_STOP });
    const args = ['--tools', 'lsp', '--config', config, '--daemon', 'never', 'call', 'lsp', call];
    const child = spawn(process.execPath, [BUILT_PROGRAM, ...args], {
      cwd: workspace.root,
      env: workspace.env(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [out, ended] = [textOf(child.stdout), once(child, 'exit')];
    await server.journal.waitFor(['received', 'textDocument/hover']);
    child.kill('SIGINT');
    expect(await out).toBe('Cancelled\n');
    expect((await ended)[0]).toBe(0);
  });
});

describe('diagnostics', () => {
  const FILES = '//- bad.fake\nconst one = ERROR 1;\nconst two = WARN 2;\n//- clean.fake\nconst three = 3;\n';

  it('are "No diagnostics." only when the server has answered', async () => {
    const env = { AGENT_LSP_CALL_TIMEOUT_MS: '2500' };
    await using session = await fakeSession(FILES, {
      ...LSP,
      env,
      scenario: { diagnostics: { profile: 'none' } },
    });
    const several = await session.call('lsp', { action: 'workspace-diagnostics', files: ['clean.fake'] });
    expect(several.isError).toBe(false);
    expect(several.text).toContain('clean.fake: timeout: Timeout: LSP server did not respond. Try again.');
    expect(structured(several.raw)).toMatchObject({
      fresh: false,
      complete: false,
      details: {
        items: [{ file: 'clean.fake', status: 'timeout', fresh: false, receivedResponse: false }],
        total: 1,
        truncated: false,
      },
    });
    // By now it is known that this server has nothing to do, which is not an answer either.
    const one = await session.call('lsp', { action: 'diagnostics', file: 'clean.fake' });
    expect(one.text).toMatch(/^action: diagnostics\nfresh \(inferred, idle, fake-lsp\)\nNone reported: /);
    expect(structured(one.raw).details).toMatchObject({ diagnosticsTotal: 0, receivedResponse: false });
    await using answering = await fakeSession(FILES, { ...LSP, scenario: PULL });
    expect(await answering.ask('lsp', { action: 'diagnostics', file: 'clean.fake' })).toBe(
      'action: diagnostics\nfresh (exact, pull, fake-lsp)\nNo diagnostics.',
    );
  });

  it('are an answer also when the call itself has no time left', async () => {
    await using session = await fakeSession(FILES, {
      ...LSP,
      config: { lsp: { timeout: 700 } },
      scenario: { rules: [{ on: 'initialize', do: { never: true } }] },
    });
    for (const args of [
      { action: 'diagnostics', file: 'bad.fake' },
      { action: 'workspace-diagnostics', files: ['bad.fake', 'clean.fake'] },
    ]) {
      const { text, isError, raw } = await session.call('lsp', args);
      expect(isError, text).toBe(false);
      expect(text.split('\n')[0]).toBe(`action: ${args.action}`);
      expect(text).toContain('Timeout: LSP server did not respond. Try again.');
      expect(text).not.toContain('No diagnostics.');
      expect(structured(raw)).toMatchObject({ complete: false, fresh: false });
    }
    const hover = await session.call('lsp', { action: 'hover', file: 'bad.fake', line: 1, column: 7 });
    expect(hover.isError).toBe(true);
    expect(hover.text.split('\n')[0]).toBe('Timeout: LSP server did not respond. Try again.');
    expect(structured(hover.raw)).toMatchObject({ code: 'LSP_TIMEOUT', recoverable: true });
  });

  it('say how many were left out of each file', async () => {
    const many = Array.from({ length: 230 }, () => 'ERROR x').join('\n');
    await using session = await fakeSession(`//- a.fake\n${many}\n//- b.fake\nERROR y\n`, {
      ...LSP,
      scenario: PULL,
    });
    const { text, raw } = await session.call('lsp', {
      action: 'workspace-diagnostics',
      files: ['a.fake', 'b.fake'],
    });
    expect(structured(raw).details.items).toMatchObject([
      { file: 'a.fake', status: 'ok', diagnosticsTotal: 230, diagnosticsTruncated: true },
      { file: 'b.fake', status: 'ok', diagnostics: [], diagnosticsTotal: 1, diagnosticsTruncated: true },
    ]);
    expect(text).not.toContain('No diagnostics.');
    expect(text).toMatch(/^b\.fake: ok; .*\n… 1 more not shown$/m);
  });
});

describe('actions that change something', () => {
  it('give the edit of a rename with its edit_id and write nothing', async () => {
    await using session = await fakeSession(SAMPLE, MUTATING);
    const before = session.workspace.read('src/use.fake');
    const { text, raw } = await session.call('lsp', { action: 'rename', ...AT_STOP, newName: 'halt' });
    expect(text).toMatch(/^action: rename\n/);
    expect(text).toMatch(/edit_id e1\b/);
    expect(text).not.toContain('apply_edit');
    const { details, edit_id } = structured(raw);
    expect(edit_id).toBe('e1');
    const changes = details.changes as Record<string, unknown[]>;
    const uri = Object.keys(changes).find((key) => key.endsWith('/src/use.fake')) ?? '';
    expect(changes[uri]).toHaveLength(5);
    expect(changes[uri]?.[0]).toEqual({
      range: { start: { line: 1, character: 7 }, end: { line: 1, character: 11 } },
      newText: 'halt',
    });
    expect(session.workspace.read('src/use.fake')).toBe(before);
  });

  it('list code actions for a range that ends where it starts, and execute none', async () => {
    await using session = await fakeSession('//- a.fake\nconst one = ERROR 1;\n', MUTATING);
    const { text, raw } = await session.call('lsp', {
      action: 'codeAction',
      file: 'a.fake',
      line: 1,
      column: 13,
    });
    const asked = await session.server.journal.waitFor(['received', 'textDocument/codeAction']);
    expect(asked.message?.params).toMatchObject({
      range: { start: { line: 0, character: 12 }, end: { line: 0, character: 12 } },
    });
    const { details } = structured(raw);
    expect(details).toMatchObject({ total: 4, truncated: false });
    expect(details.actions).toMatchObject([
      {
        title: 'Remove fake-error',
        kind: 'quickfix',
        isPreferred: true,
        diagnostics: [{ severity: 1, code: 'fake-error', range: { start: { line: 0, character: 12 } } }],
        edit: {
          changes: { [pathToUri(session.workspace.file('a.fake'))]: [{ newText: expect.any(String) }] },
        },
        edit_id: 'e1',
      },
      { title: 'Upper-case the line' },
      { title: 'Run it', obstacle: 'takes a command of the server, which this session may not run' },
      { title: 'Extract', disabled: { reason: 'nothing is selected' } },
    ]);
    expect(text).not.toMatch(/apply_edit|execute_command/);
    expect(session.server.journal.received('workspace/executeCommand')).toHaveLength(0);
    expect(session.workspace.read('a.fake')).toBe('const one = ERROR 1;\n');
  });

  it('restart one server or all and count them', async () => {
    await using session = await fakeSession(SAMPLE, MUTATING);
    const restart = async (server?: string) => {
      const args = { action: 'restart', ...(server === undefined ? {} : { server }) };
      return structured((await session.call('lsp', args)).raw).details;
    };
    expect(await restart('fake')).toEqual({ restarted: false, server: 'fake', restartedCount: 0 });
    await session.ask('lsp', { action: 'symbols', file: 'src/use.fake' });
    expect(await restart('fake')).toEqual({ restarted: true, server: 'fake', restartedCount: 1 });
    expect(await restart('gopls')).toEqual({ restarted: false, server: 'gopls', restartedCount: 0 });
    expect(await restart()).toEqual({ restarted: true, server: 'all', restartedCount: 1 });
    expect(session.server.journal.received('initialize')).toHaveLength(3);
  });
});

describe('settings', () => {
  it('can be given by variables, which are stronger than files', async () => {
    const files = { lsp: { tool: { allowMutatingActions: true } }, subagents: { allowLspTools: false } };
    const env = {
      [FACADE_VARIABLES['lsp.tool.allowMutatingActions']]: 'no',
      [FACADE_VARIABLES['subagents.allowLspTools']]: 'yes',
      [FACADE_VARIABLES['subagents.allowedLspActions']]: 'hover, restart',
    };
    await using own = await fakeSession(SAMPLE, { ...LSP, config: files, env });
    expect(await own.call('lsp', { action: 'restart' })).toMatchObject({
      isError: true,
      text: expect.stringMatching(
        /^Action "restart" is disabled: lsp\.tool\.allowMutatingActions is false\.$/m,
      ),
    });
    await using sub = await fakeSession(SAMPLE, { args: [...LSP.args, '--subagent'], config: files, env });
    expect(await sub.ask('lsp', { action: 'hover', ...AT_STOP })).toMatch(/^action: hover\n/);
    for (const action of ['definition', 'restart']) {
      const { text, isError, raw } = await sub.call('lsp', { action, ...AT_STOP });
      expect(isError).toBe(true);
      expect(text.split('\n')[0]).toBe(`LSP action "${action}" is not allowed for this subagent process.`);
      expect(structured(raw)).toMatchObject({ code: 'LSP_ACTION_NOT_ALLOWED', error_code: 'not_permitted' });
    }
  });

  it('that cannot be understood are refused with what is allowed', async () => {
    await using session = await fakeSession(SAMPLE, {
      ...LSP,
      env: { [FACADE_VARIABLES['lsp.hook.mode']]: 'always' },
    });
    const { isError, text } = await session.call('lsp', { action: 'servers' });
    expect(isError).toBe(true);
    expect(text).toMatch(/AGENT_LSP_LSP_HOOK_MODE is "always".*agent_end, edit_write, disabled/);
  });

  it('keep the rules of the tools behind', async () => {
    const config = { permissions: { deny: ['find_references'] } };
    await using session = await fakeSession(SAMPLE, { ...LSP, config });
    expect(await session.call('lsp', { action: 'references', ...AT_STOP })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/is denied by the configuration/),
    });
  });

  it('are shown by agent-lsp lsp-status, which starts nothing', async () => {
    await using session = await fakeSession(SAMPLE, {
      ...LSP,
      config: { lsp: { hook: { mode: 'edit_write' } } },
    });
    const { workspace, server } = session;
    const status = async (...more: string[]) => {
      const args = [BUILT_PROGRAM, '--config', `${workspace.scratch}/config.json`, 'lsp-status', ...more];
      const child = spawn(process.execPath, args, { cwd: workspace.root, env: workspace.env() });
      return textOf(child.stdout);
    };
    const shown = await status();
    expect(shown).toContain('lsp.tool.allowMutatingActions: false');
    expect(shown).toContain('lsp.hook.mode: edit_write');
    expect(shown).toMatch(/^ {2}fake: .*configured/m);
    const data = JSON.parse(await status('--json', '--subagent'));
    expect(data).toMatchObject({
      enabled: true,
      subagent: true,
      tool: { enabled: true, listed: true, allowMutatingActions: false },
      hook: { enabled: true, mode: 'edit_write' },
      actions: { all: LSP_ACTIONS, privileged: ['rename', 'codeAction', 'restart'] },
      subagents: { allowLspTools: true },
    });
    expect(data.actions.allowed).toEqual(data.subagents.allowedLspActions);
    expect(data.servers).toContainEqual(
      expect.objectContaining({ id: 'pyright', language: 'python', installed: true }),
    );
    expect(server.journal.received('initialize')).toHaveLength(0);
  });
});

interface Structured {
  readonly details: Record<string, unknown>;
  readonly [name: string]: unknown;
}

function structured({ structuredContent }: { structuredContent?: unknown }): Structured {
  return structuredContent as Structured;
}
