/**
 * `npm run demo`: the main job on sample workspaces, through a real MCP client. Two sessions, one after the other, ask
 * the same things; the second finds the servers warm. Everything it starts is stopped, everything it writes is removed.
 */
import { spawnSync } from 'node:child_process';
import { BUILT_PROGRAM, startFrontEnd } from '../test/support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../test/support/workspace.ts';

interface Question {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

interface Asked {
  readonly question: Question;
  readonly text: string;
  readonly ms: number;
}

const SAMPLES = [
  {
    fixture: 'typescript',
    questions: [
      { tool: 'find_references', args: { file_path: 'src/inventory.ts', symbol: 'Inventory.take' } },
      { tool: 'inspect_symbol', args: { file_path: 'src/checkout.ts', position_pattern: '@@format' } },
      {
        tool: 'go_to_implementation',
        args: { file_path: 'src/storage/repository.ts', symbol: 'Repository' },
      },
      { tool: 'get_diagnostics', args: { file_path: 'src/broken.ts' } },
    ],
  },
  {
    fixture: 'python',
    questions: [
      { tool: 'find_references', args: { file_path: 'corner_shop/inventory.py', symbol: 'Inventory.take' } },
      {
        tool: 'inspect_symbol',
        args: { file_path: 'corner_shop/checkout.py', position_pattern: '@@format_money(' },
      },
      { tool: 'list_symbols', args: { file_path: 'corner_shop/order.py' } },
      { tool: 'get_diagnostics', args: { file_path: 'corner_shop/broken.py' } },
    ],
  },
] as const satisfies readonly { fixture: 'typescript' | 'python'; questions: readonly Question[] }[];

const say = (text = '') => process.stdout.write(`${text}\n`);

for (const { fixture, questions } of SAMPLES) {
  await using workspace = createWorkspace('', { fixture });
  say(`== ${fixture}: first session, nothing is running yet`);
  const first = await session(workspace, questions);
  for (const { question, text } of first) {
    say(`\n> ${question.tool} ${JSON.stringify(question.args)}`);
    say(text);
  }
  const second = await session(workspace, questions);
  say(`\n== ${fixture}: second session, a new process with the same questions`);
  for (const [index, { question, ms }] of second.entries()) {
    const before = first[index]?.ms ?? Number.NaN;
    say(`${question.tool.padEnd(22)} first ${milliseconds(before)}   second ${milliseconds(ms)}`);
  }
  if (second.some(({ text }, index) => text !== first[index]?.text))
    throw new Error('the second session answered differently');
  say('\n$ agent-lsp daemon-status');
  say(command(workspace, 'daemon-status'));
  say('$ agent-lsp daemon-stop --all');
  say(command(workspace, 'daemon-stop', '--all'));
  await workspace.expectNothingLeft();
}
say('Nothing is left running.');

async function session(workspace: Workspace, questions: readonly Question[]): Promise<Asked[]> {
  await using frontEnd = await startFrontEnd({ workspace });
  const asked: Asked[] = [];
  for (const question of questions) {
    const began = performance.now();
    const { text, isError } = await frontEnd.call(question.tool, question.args);
    if (isError) throw new Error(`${question.tool}: ${text}`);
    asked.push({ question, text, ms: performance.now() - began });
  }
  return asked;
}

function command(workspace: Workspace, ...args: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [BUILT_PROGRAM, ...args], {
    cwd: workspace.root,
    env: workspace.env(),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`agent-lsp ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(0).padStart(6)} ms`;
}
