/**
 * Real servers, and the engines behind them, killed at random moments while calls run: every call ends with the whole
 * answer or says what happened, and the next one is whole again. Never an empty list.
 */
import { describe, expect, it } from 'vitest';
import { argsFor, type ColdLayout, judgeReferences, makeColdWorkspace } from '../support/cold-workspaces.ts';
import { until } from '../support/events.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { processesOfTest } from '../support/processes.ts';
import { runProgram } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

interface Victim {
  readonly layout: ColdLayout;
  /** The command line of what is killed. */
  readonly process: RegExp;
  readonly args?: readonly string[];
}

/** One kill right after the start, one somewhere in a call, one between two calls. Each costs a cold start. */
const MOMENTS = ['at once', 'during', 'between'] as const;

async function killAtRandom({ layout, process: pattern, args = [] }: Victim): Promise<void> {
  await using workspace = createWorkspace();
  const made = makeColdWorkspace(layout, workspace.root);
  const frontEnd = await startFrontEnd({ workspace, args: [...argsFor(layout), ...args] });
  const question = { file_path: made.file, symbol: made.symbol, limit: 1 };
  const ask = () => frontEnd.call('find_references', question);
  for (const moment of MOMENTS) {
    const asked = moment === 'between' ? undefined : ask();
    const pause = moment === 'during' ? Math.random() * 1500 : 0;
    await new Promise((resolve) => setTimeout(resolve, pause));
    await kill(workspace, pattern);
    const { text, isError } = await (asked ?? ask());
    if (isError) expect(text).toMatch(/crash|died|killed|exited/);
    else expect(judgeReferences(made, text), `${moment}: ${text}`).not.toBe('partial');
    const next = await ask();
    expect(next.isError, next.text).toBe(false);
    expect(judgeReferences(made, next.text), next.text).toBe('complete');
  }
  await frontEnd.close();
  await runProgram(workspace, 'daemon-stop', '--all', '--now');
  await workspace.expectNothingLeft();
}

async function kill(workspace: Workspace, pattern: RegExp): Promise<void> {
  const { pid } = await until(
    () => processesOfTest(workspace.testId).find(({ command }) => pattern.test(command)),
    { what: `a process like ${pattern}`, timeoutMs: 20_000 },
  );
  process.kill(pid, 'SIGKILL');
}

describe('killed at random moments', { timeout: 180_000 }, () => {
  it('tsserver behind typescript-language-server is replaced together with it', async () => {
    await killAtRandom({ layout: 'typescript-5 one project', process: /tsserver\.js/ });
  });

  it('tsserver behind a shared typescript-language-server is replaced together with it', async () => {
    await killAtRandom({
      layout: 'typescript-5 one project',
      process: /tsserver\.js/,
      args: ['--daemon', 'always'],
    });
  });

  it('typescript-language-server itself is replaced', async () => {
    await killAtRandom({
      layout: 'typescript-5 one project',
      process: /typescript-language-server.*--stdio/,
    });
  });

  it('tsserver takes no problem with it while it looks for problems', async () => {
    await using workspace = createWorkspace();
    makeColdWorkspace('typescript-5 one project', workspace.root);
    workspace.write('src/broken.ts', "export const count: number = 'text';\n");
    const frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never'] });
    for (const moment of ['during', 'between'] as const) {
      const ask = () => frontEnd.call('get_diagnostics', { file_path: 'src/broken.ts' });
      const asked = moment === 'during' ? ask() : undefined;
      await kill(workspace, /tsserver\.js/);
      const { text } = await (asked ?? ask());
      expect(text).toMatch(/2322|STALE|INCOMPLETE|restarted|crashed|died/);
      expect((await ask()).text).toMatch(/2322/);
    }
    await frontEnd.close();
    await workspace.expectNothingLeft();
  });

  it('the native compiler of TypeScript 7 is replaced', async () => {
    await killAtRandom({ layout: 'typescript-7 unconnected projects', process: /tsc --lsp/ });
  });

  it('pyright is replaced', async () => {
    await killAtRandom({ layout: 'pyright one project', process: /pyright.*langserver/ });
  });
});

describeWith(['gopls', 'go'], 'gopls, killed at random moments', () => {
  it('is replaced', { timeout: 180_000 }, async () => {
    await killAtRandom({ layout: 'gopls one module', process: /gopls/ });
  });
});
