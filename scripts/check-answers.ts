/**
 * What answers cost an agent: typical questions to the real TypeScript server on a fixed workspace, counted in tokens
 * and held to the budgets of the models that the texts follow.
 */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type FrontEnd, startFrontEnd } from '../test/support/mcp-client.ts';
import { tokensIn } from '../test/support/tokens.ts';
import { createWorkspace, type Workspace } from '../test/support/workspace.ts';
import { type CheckResult, runWhenMain } from './lib/report.ts';

interface Question {
  readonly what: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly budget: number;
  /** The part of the answer that the budget is for; all of it if not said. */
  part?(text: string): string;
}

const QUESTIONS: readonly Question[] = [
  {
    what: '20 references',
    tool: 'find_references',
    args: { file_path: 'src/twenty.ts', symbol: 'twenty' },
    budget: 310,
  },
  {
    what: '20 references in as many functions',
    tool: 'find_references',
    args: { file_path: 'src/spread.ts', symbol: 'spread' },
    budget: 310,
  },
  {
    what: 'their accounting',
    tool: 'find_references',
    args: { file_path: 'src/spread.ts', symbol: 'spread' },
    budget: 15,
    part: (text) => /; \d+ of \d+ occurrences accounted for[^;]*/.exec(text)?.[0] ?? text,
  },
  {
    what: 'hover',
    tool: 'inspect_symbol',
    args: { file_path: 'src/order.ts', symbol: 'Order.total' },
    budget: 120,
  },
  {
    what: 'one diagnostic',
    tool: 'get_diagnostics',
    args: { file_path: 'src/broken.ts' },
    budget: 25,
    part: (text) => text.split('\n')[1] ?? '',
  },
  { what: 'a clean file', tool: 'get_diagnostics', args: { file_path: 'src/order.ts' }, budget: 15 },
  {
    what: 'impact of a file',
    tool: 'blast_radius',
    args: { changed_files: ['src/order.ts'] },
    budget: 400,
  },
  {
    what: 'all about a symbol',
    tool: 'explore_symbol',
    args: { file_path: 'src/order.ts', symbol: 'Order.total' },
    budget: 600,
  },
];

export async function checkAnswers(root: string): Promise<CheckResult> {
  // The built program is what agents talk to; building takes a second.
  const build = spawnSync(process.execPath, [join(root, 'scripts/build.mjs')], { encoding: 'utf8' });
  if (build.status !== 0) return { problems: [{ file: 'scripts/build.mjs', message: build.stderr.trim() }] };
  await using workspace = createWorkspace('', { fixture: 'typescript' });
  useTwentyTimes(workspace);
  useInManyFunctions(workspace);
  await using frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never'] });
  const counts = [];
  for (const question of QUESTIONS) {
    const text = await ask(frontEnd, question);
    // The name of a temporary directory costs more or fewer tokens by chance.
    counts.push({ ...question, tokens: tokensIn(text.replaceAll(workspace.root, '/home/me/project')) });
  }
  await frontEnd.close();
  return {
    problems: counts
      .filter(({ tokens, budget }) => tokens > budget)
      .map(({ what, tool, tokens, budget }) => ({
        file: 'scripts/check-answers.ts',
        message: `${what}: ${tool} answers with ${tokens} tokens (budget ${budget})`,
      })),
    notes: [counts.map(({ what, tokens, budget }) => `${what} ${tokens} of ${budget}`).join(', ')],
  };
}

async function ask(frontEnd: FrontEnd, { tool, args, part = (text) => text }: Question): Promise<string> {
  const { text, isError } = await frontEnd.call(tool, args);
  if (isError) throw new Error(`${tool}: ${text}`);
  return part(text);
}

/** A function that four files import and use twice in each of two functions, as a typical helper is used. */
function useTwentyTimes(workspace: Workspace): void {
  workspace.write(
    'src/twenty.ts',
    'export function twenty(value: number): number {\n  return value * 20;\n}\n',
  );
  for (const name of ['cart', 'invoice', 'ledger', 'report']) {
    const uses = ['first', 'second'].map(
      (part) =>
        `export function ${part}Total(value: number): number {\n  if (value < 0) return twenty(-value);\n  return twenty(value) + 1;\n}\n`,
    );
    workspace.write(`src/${name}.ts`, `import { twenty } from './twenty.js';\n\n${uses.join('\n')}`);
  }
}

/** The dearer way to be used twenty times: five files import it, and three functions of each use it once. */
function useInManyFunctions(workspace: Workspace): void {
  workspace.write('src/spread.ts', 'export function spread(value: number): number {\n  return value;\n}\n');
  const uses = (names: readonly string[]) =>
    [
      `if (value < 0) throw new Error(String(spread(value)));\n  return value;`,
      'const total = spread(value) + 1;\n  return total;',
      'return spread(value) * value;',
    ].map((body, index) => `export function ${names[index]}(value: number): number {\n  ${body}\n}\n`);
  const files = {
    'billing/bill': ['billTotal', 'addPosition', 'printBill'],
    'billing/entries': ['openEntries', 'bookEntry', 'closeEntries'],
    'orders/basket': ['addToBasket', 'removeFromBasket', 'basketSum'],
    'orders/payment': ['startPayment', 'confirmPayment', 'cancelPayment'],
    'orders/returns': ['acceptReturn', 'refuseReturn', 'returnSum'],
  };
  for (const [name, functions] of Object.entries(files))
    workspace.write(
      `src/${name}.ts`,
      `import { spread } from '../spread.js';\n\n${uses(functions).join('\n')}`,
    );
}

await runWhenMain(import.meta.url, 'answers', checkAnswers);
