/** The inspector of the protocol's makers, on its command line. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fetchedNode, fetchedPackage } from '../support/fetched.ts';
import { startHttp, TOKEN } from '../support/http-front-end.ts';
import { createWorkspace } from '../support/workspace.ts';

const run = promisify(execFile);
const PACKAGE = '@modelcontextprotocol/inspector';
const VERSION = '2.12.0';
const PROGRAM = 'clients/launcher/build/index.js';

describe('mcp-inspector --cli', () => {
  it('lists the tools, calls one and verifies the skills over HTTP', async (context) => {
    // It does not run in the oldest that we run on.
    const node = await fetchedNode(context, '24');
    const program = await fetchedPackage(context, PACKAGE, VERSION, PROGRAM);
    await using workspace = createWorkspace('//- a.ts\nexport function shared(): number {\n  return 1;\n}\n');
    await using http = await startHttp({ workspace, args: ['--daemon', 'never'] });
    const inspect = async (...args: readonly string[]) => {
      const header = `Authorization: Bearer ${TOKEN}`;
      const where = ['--cli', http.url.href, '--transport', 'http', '--header', header];
      const options = { cwd: workspace.scratch, env: workspace.env(), timeout: 120_000 };
      const { stdout } = await run(node, [program, ...where, ...args], {
        ...options,
        maxBuffer: 16 * 1024 * 1024,
      });
      return stdout;
    };
    const { tools } = JSON.parse(await inspect('--method', 'tools/list', '--strict'));
    expect(tools.map(({ name }: { name: string }) => name)).toContain('find_references');
    const call = ['--method', 'tools/call', '--tool-name', 'list_symbols', '--tool-arg', 'file_path=a.ts'];
    expect(await inspect(...call)).toContain('function shared');
    const skills = (await inspect('--method', 'skills/list', '--verify')).trim().split('\n');
    expect(skills.map((line) => JSON.parse(line).outcome)).toEqual(
      Array.from({ length: 24 }, () => 'verified'),
    );
    expect(await http.stop()).toEqual({ code: 0, signal: null });
    await workspace.expectNothingLeft();
  });
});
