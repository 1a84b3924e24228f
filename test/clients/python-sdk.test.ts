/** A client made with the official Python SDK, and the converter with which Gemini's SDK reads lists of tools. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { fetchedPython } from '../support/fetched.ts';
import { startHttp, TOKEN } from '../support/http-front-end.ts';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';

const run = promisify(execFile);
const CLIENT = path.resolve(import.meta.dirname, '../fixtures/python-client/client.py');
const PACKAGES = ['mcp==2.3.0', 'google-genai==3.3.0'];
const SOURCE = '//- a.ts\nexport function shared(): number {\n  return 1;\n}\n';
const REPORT = {
  tools: expect.arrayContaining(['find_references', 'did_change_watched_files']),
  text: expect.stringContaining('shared'),
  prompts: 26,
  prompt: expect.stringMatching(/^symbol: shared\n\n# Explore a symbol\n/),
  refused: [],
};

describe('a client made with the Python SDK', () => {
  it('lists the tools, checks what they answer, and hands all of them on to Gemini', async (context) => {
    const python = await fetchedPython(context, 'python-client', PACKAGES);
    await using workspace = createWorkspace(SOURCE);
    for (const output of ['text', 'json']) {
      const server = [process.execPath, BUILT_PROGRAM, '--daemon', 'never', '--output', output];
      const options = { cwd: workspace.scratch, env: workspace.env(), timeout: 120_000 };
      const { stdout } = await run(python, [CLIENT, workspace.root, ...server], options);
      expect(JSON.parse(stdout), output).toEqual(REPORT);
    }
    await workspace.expectNothingLeft();
  });

  it('does so over HTTP, by the older protocol and by the one that it finds', async (context) => {
    const python = await fetchedPython(context, 'python-client', PACKAGES);
    await using workspace = createWorkspace(SOURCE);
    await using http = await startHttp({ workspace, args: ['--daemon', 'never'] });
    for (const [mode, protocol] of [
      ['legacy', '2025-11-25'],
      ['auto', '2026-07-28'],
    ] as const) {
      const env = workspace.env({ AGENT_LSP_TOKEN: TOKEN });
      const options = { cwd: workspace.scratch, env, timeout: 120_000 };
      const { stdout } = await run(python, [CLIENT, http.url.href, mode], options);
      expect(JSON.parse(stdout)).toEqual({ protocol, ...REPORT });
    }
    expect(await http.stop()).toEqual({ code: 0, signal: null });
    await workspace.expectNothingLeft();
  });
});
