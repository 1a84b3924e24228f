/**
 * The first question to a server that has just been started, on workspaces of 500 files: the answer names every use, or
 * says first that it does not. `scripts/cold.ts` does the same many times.
 */
import { describe, expect, it } from 'vitest';
import { argsFor, type ColdLayout, judgeReferences, makeColdWorkspace } from '../support/cold-workspaces.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { runProgram } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';
import { createWorkspace } from '../support/workspace.ts';

const MODES = { direct: ['--daemon', 'never'], daemon: ['--daemon', 'always'] } as const;

async function firstAnswer(layout: ColdLayout, mode: keyof typeof MODES): Promise<string> {
  await using workspace = createWorkspace();
  const made = makeColdWorkspace(layout, workspace.root);
  const frontEnd = await startFrontEnd({ workspace, args: [...MODES[mode], ...argsFor(layout)] });
  const { text, isError } = await frontEnd.call('find_references', {
    file_path: made.file,
    symbol: made.symbol,
    limit: 1,
  });
  await frontEnd.close();
  await runProgram(workspace, 'daemon-stop', '--all', '--now');
  await workspace.expectNothingLeft();
  return isError ? `failed: ${text}` : `${judgeReferences(made, text)}: ${text}`;
}

const BOTH = ['direct', 'daemon'] as const;

/** Both modes share all but the way to the server, so that one layout per server is asked in both. */
function coldStarts(
  layout: ColdLayout,
  expected: 'complete' | 'incomplete',
  modes: readonly (keyof typeof MODES)[] = ['daemon'],
): void {
  const title = `${layout}, %s: is ${expected}, and says so`;
  it.each(modes)(title, { timeout: 120_000 }, async (mode) => {
    expect(await firstAnswer(layout, mode)).toMatch(new RegExp(`^${expected}: `));
  });
}

describe('the first find_references after a cold start', () => {
  coldStarts('typescript-7 one project', 'complete', BOTH);
  coldStarts('typescript-7 project references', 'complete');
  coldStarts('typescript-7 unconnected projects', 'complete');
  coldStarts('typescript-7 linked packages', 'complete');
  coldStarts('typescript-7 files of no project', 'incomplete');
  coldStarts('typescript-7 no project at all', 'incomplete');
  coldStarts('typescript-5 one project', 'complete', BOTH);
  coldStarts('typescript-5 unconnected projects', 'complete');
  coldStarts('typescript-5 files of no project', 'incomplete');
  coldStarts('pyright one project', 'complete', BOTH);
  coldStarts('pyright files left out', 'complete');

  it('is complete for a name inside a function, however many other files use the same word', async () => {
    await using workspace = createWorkspace('//- package.json\n{ "name": "loose" }\n');
    for (let index = 0; index < 100; index++)
      workspace.write(`m${index}.js`, `export function f${index}(amount) {\n  return amount + 1;\n}\n`);
    const frontEnd = await startFrontEnd({ workspace, args: MODES.direct });
    const place = { file_path: 'm1.js', line: 2, column: 10 };
    expect((await frontEnd.call('find_references', place)).text).toMatch(
      /^1 reference to amount .* complete;/,
    );
    await frontEnd.close();
    await workspace.expectNothingLeft();
  });
});

describeWith(['gopls', 'go'], 'the first find_references of gopls', () => {
  coldStarts('gopls one module', 'complete', BOTH);
  coldStarts('gopls files left out', 'incomplete');
});

describeWith('rust-analyzer', 'the first find_references of rust-analyzer', () => {
  coldStarts('rust-analyzer one crate', 'complete', BOTH);
});

describeWith('clangd', 'the first find_references of clangd', () => {
  coldStarts('clangd with a list of files', 'complete', BOTH);
  coldStarts('clangd files left out', 'incomplete');
  coldStarts('clangd without a list of files', 'incomplete');
});
