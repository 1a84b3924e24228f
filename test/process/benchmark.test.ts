/** The benchmark itself, at its smallest: that it measures side by side and knows its bars. Times are not judged here. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createWorkspace } from '../support/workspace.ts';

const project = path.resolve(import.meta.dirname, '../..');

it.each([
  ['calls', ['warm inspect_symbol', 'list_symbols']],
  ['start', ['front end: spawn to initialize', 'front end: spawn to tools/list']],
  [
    'sessions',
    ['second session: spawn to complete find_references', 'second session: spawn to inspect_symbol'],
  ],
])(
  'the benchmark compares %s with a raw client, against bars',
  { timeout: 240_000 },
  async (part, wanted) => {
    await using workspace = createWorkspace();
    const out = workspace.file('rows.json');
    const args = ['--only', part, '--workspace', 'typescript', '--rounds', '1', '--calls', '2', '--out', out];
    const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/bench.ts', ...args], {
      cwd: project,
      env: { ...process.env, TMPDIR: workspace.scratch },
      stdio: 'ignore',
    });
    // A missed bar ends it with 1, which says nothing about the code on a busy machine.
    const [code] = (await once(child, 'exit')) as [number];
    expect([0, 1]).toContain(code);
    const { rows } = JSON.parse(readFileSync(out, 'utf8')) as {
      rows: { what: string; figure: number; bar?: { value: number } }[];
    };
    for (const what of wanted) {
      const row = rows.find((one) => one.what.startsWith(what));
      expect(row?.figure).toEqual(expect.any(Number));
      expect(row?.bar?.value).toBeGreaterThan(0);
    }
  },
);
