/** A client made with the official Go SDK, which tells its roots. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fetchedGoClient } from '../support/fetched.ts';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';

const run = promisify(execFile);

describe('a client made with the Go SDK', () => {
  it('is asked for its roots, lists the tools and calls one, whether it takes text or data', async (context) => {
    const client = await fetchedGoClient(context);
    await using workspace = createWorkspace('//- a.ts\nexport function shared(): number {\n  return 1;\n}\n');
    for (const output of ['text', 'json']) {
      const server = [process.execPath, BUILT_PROGRAM, '--daemon', 'never', '--output', output];
      const call = ['list_symbols', JSON.stringify({ file_path: 'a.ts' })];
      const options = { cwd: workspace.scratch, env: workspace.env(), timeout: 120_000 };
      const { stdout } = await run(client, [workspace.root, ...call, ...server], options);
      const report: unknown = JSON.parse(stdout);
      expect(report, output).toMatchObject({
        tools: expect.arrayContaining(['find_references']),
        text: expect.stringContaining('shared'),
        isError: false,
      });
    }
    await workspace.expectNothingLeft();
  });
});
