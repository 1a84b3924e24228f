/** The program in a working directory that was deleted while its client was there. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';

const GONE = 'agent-lsp: the working directory does not exist any more; start it in another one\n';

describe('in a directory that is gone', () => {
  it.each([
    { command: 'hook post-edit', code: 0, problem: /^agent-lsp hook: post-edit: .+\n$/ },
    { command: 'doctor', code: 1, problem: GONE },
    { command: 'call find_symbol query=x', code: 1, problem: GONE },
  ])('$command says so in one line and ends with $code', async ({ command, code, problem }) => {
    await using workspace = createWorkspace();
    const gone = path.join(workspace.scratch, 'gone');
    const script = `mkdir '${gone}' && cd '${gone}' && rmdir '${gone}' && exec "$@"`;
    const words = [process.execPath, BUILT_PROGRAM, ...command.split(' ')];
    const env = { ...process.env, AGENT_LSP_STATE_DIR: workspace.stateDir };
    const ended = await new Promise<{ code: unknown; err: string }>((resolve) => {
      const child = execFile('sh', ['-c', script, 'sh', ...words], { env }, (error, _, err) =>
        resolve({ code: error?.code ?? 0, err }),
      );
      child.stdin?.end('{}');
    });
    expect(ended.code).toBe(code);
    expect(ended.err).toMatch(problem);
  });
});
