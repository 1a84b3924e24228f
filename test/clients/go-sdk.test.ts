/** A client made with the official Go SDK, which tells its roots. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, type TestContext } from 'vitest';
import { fetchedGoClient } from '../support/fetched.ts';
import { startHttp, TOKEN } from '../support/http-front-end.ts';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';

const run = promisify(execFile);
const SOURCE = '//- a.ts\nexport function shared(): number {\n  return 1;\n}\n';
const CALL = ['list_symbols', JSON.stringify({ file_path: 'a.ts' })];

describe('a client made with the Go SDK', () => {
  it('is asked for its roots, lists the tools and calls one, whether it takes text or data', async (context) => {
    const client = await fetchedGoClient(context);
    await using workspace = createWorkspace(SOURCE);
    for (const output of ['text', 'json']) {
      const server = [process.execPath, BUILT_PROGRAM, '--daemon', 'never', '--output', output];
      const options = { cwd: workspace.scratch, env: workspace.env(), timeout: 120_000 };
      const { stdout } = await run(client, [workspace.root, ...CALL, ...server], options);
      const report: unknown = JSON.parse(stdout);
      expect(report, output).toMatchObject({
        tools: expect.arrayContaining(['find_references']),
        text: expect.stringContaining('shared'),
        isError: false,
      });
    }
    await workspace.expectNothingLeft();
  });

  it('does so over HTTP, by either protocol', async (context: TestContext) => {
    const client = await fetchedGoClient(context);
    await using workspace = createWorkspace(SOURCE);
    await using http = await startHttp({ workspace, args: ['--daemon', 'never'] });
    for (const protocol of ['2025-11-25', '2026-07-28']) {
      const env = workspace.env({ AGENT_LSP_TOKEN: TOKEN });
      const options = { cwd: workspace.scratch, env, timeout: 120_000 };
      const { stdout } = await run(client, [workspace.root, ...CALL, http.url.href, protocol], options);
      expect(JSON.parse(stdout)).toEqual({
        protocol,
        tools: expect.arrayContaining(['find_references']),
        text: expect.stringContaining('shared'),
        isError: false,
      });
    }
    expect(await http.stop()).toEqual({ code: 0, signal: null });
    await workspace.expectNothingLeft();
  });
});
