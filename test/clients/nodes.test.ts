/** The program under every version of Node that people run it with: it does its work, and standard error stays empty. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, type TestContext } from 'vitest';
import { fetchedNode } from '../support/fetched.ts';
import { startHttp } from '../support/http-front-end.ts';
import { BUILT_PROGRAM, startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';

const run = promisify(execFile);

const SOURCES = `
//- tsconfig.json
{ "compilerOptions": { "strict": true } }
//- a.ts
export function shared(): number {
  return 1;
}
//- b.py
def counted() -> int:
    return 1
`;

const COMMANDS: readonly (readonly [args: string, says: RegExp])[] = [
  ['--version', /^\d+\.\d+\.\d+\n$/],
  ['--help', /call <tool>/],
  ['doctor', /typescript/],
  ['daemon-status', /shared servers/],
  ['call find_references --symbol shared', /a\.ts/],
  ['call list_symbols --file_path b.py --daemon never', /function counted/],
  ['daemon-stop --all', /stopped/],
];

describe.each(['20', '22', '24'])('Node %s', (version) => {
  it('runs every kind of command without a word on standard error', async (context: TestContext) => {
    const node = await fetchedNode(context, version);
    await using workspace = createWorkspace(SOURCES);
    for (const [args, says] of COMMANDS) {
      const options = { cwd: workspace.root, env: workspace.env(), timeout: 120_000 };
      const { stdout, stderr } = await run(node, [BUILT_PROGRAM, ...args.split(' ')], options);
      expect(stdout, args).toMatch(says);
      expect(withoutSlowness(stderr), args).toBe('');
    }
    await workspace.expectNothingLeft();
  });

  it('serves a session from its handshake to its end without a word on standard error', async (context) => {
    const node = await fetchedNode(context, version);
    await using workspace = createWorkspace(SOURCES);
    await using frontEnd = await startFrontEnd({ workspace, node, args: ['--daemon', 'never'] });
    expect((await frontEnd.client.listTools()).tools.length).toBeGreaterThan(10);
    expect((await frontEnd.call('find_references', { symbol: 'shared' })).text).toContain('a.ts');
    expect((await frontEnd.call('get_diagnostics', { files: ['a.ts', 'b.py'] })).isError).toBe(false);
    expect(await frontEnd.close()).toEqual({ code: 0, signal: null });
    expect(withoutSlowness(frontEnd.stderr())).toBe('');
    expect(frontEnd.strayOutput).toEqual([]);
    await workspace.expectNothingLeft();
  });

  it('serves both protocols over HTTP without a word that is not its own', async (context) => {
    const node = await fetchedNode(context, version);
    await using workspace = createWorkspace(SOURCES);
    await using http = await startHttp({
      workspace,
      node,
      args: ['--daemon', 'never', '--log-level', 'warn'],
    });
    for (const options of [{}, { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const]) {
      await using session = await http.connect(options);
      expect((await session.client.listTools()).tools.length).toBeGreaterThan(10);
      expect(await session.call('find_references', { symbol: 'shared' })).toContain('a.ts');
    }
    expect(await http.stop()).toEqual({ code: 0, signal: null });
    expect(withoutSlowness(http.stderr()).split('\n')).toEqual([
      expect.stringContaining('agent-lsp: MCP at '),
      '',
    ]);
    await workspace.expectNothingLeft();
  });

  it('imports the package as a library, which leaves nothing behind', async (context) => {
    const node = await fetchedNode(context, version);
    await using workspace = createWorkspace(SOURCES);
    const library = JSON.stringify(pathToFileURL(path.join(path.dirname(BUILT_PROGRAM), 'library.js')).href);
    const script = `import(${library}).then(async ({ openSession }) => {
      const session = await openSession({ daemon: 'never' });
      console.log((await session.tools.find_references({ symbol: 'shared', include_declaration: true })).total);
      await session.close();
    });`;
    const options = { cwd: workspace.root, env: workspace.env(), timeout: 120_000 };
    expect(await run(node, ['-e', script], options)).toEqual({ stdout: '1\n', stderr: '' });
    await workspace.expectNothingLeft();
  });
});

/** How long a call took is no matter of Node: a machine with other work may take longer than a session finds right. */
function withoutSlowness(stderr: string): string {
  return stderr.replace(/^agent-lsp warn tool call tool="\w+" ms=\d+\n/gm, '');
}
