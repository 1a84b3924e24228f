/** Several build systems in one root, with the real tools: none of them speaks for the others. */
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RealSession, type RealWorld, realWorld } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';

const SOURCES = `
//- tsconfig.json
{ "compilerOptions": { "strict": true, "types": [], "skipLibCheck": true }, "include": ["web/sum.ts"] }
//- package.json
{ "name": "both", "type": "module", "devDependencies": { "vitest": "*" } }
//- pyproject.toml
[project]
name = "both"
//- web/sum.ts
export const sum = (a: number, b: number): number => a + b;
//- web/sum.test.ts
import { expect, it } from 'vitest';
import { sum } from './sum';
it('adds', () => expect(sum(1, 2)).toBe(3));
//- service/calc.py
def add(a: int, b: int) -> int:
    return a + b
//- tests/test_calc.py
import unittest

class CalcTest(unittest.TestCase):
    def test_adds(self):
        self.assertEqual(1 + 2, 3)
`;

interface Run {
  readonly command: string;
  readonly succeeded: boolean;
}
interface Answer {
  readonly success?: boolean;
  readonly passed?: boolean;
  readonly total?: number;
  readonly errors?: readonly { readonly file?: string }[];
  readonly failures?: readonly { readonly test_name: string; readonly count?: number }[];
  readonly runs?: readonly Run[];
  readonly not_run?: readonly { readonly name: string; readonly reason: string }[];
}

let world: RealWorld;
let session: RealSession;

beforeAll(async () => {
  world = realWorld(SOURCES);
  const modules = path.resolve(import.meta.dirname, '../../node_modules');
  mkdirSync(world.workspace.file('node_modules'));
  for (const name of ['vitest', 'typescript'])
    symlinkSync(path.join(modules, name), world.workspace.file(`node_modules/${name}`));
  session = await world.session('--daemon', 'never');
}, 60_000);

afterAll(async () => {
  await world.end();
  await world[Symbol.asyncDispose]();
});

const asked = async (tool: string, args: Readonly<Record<string, unknown>> = {}) =>
  (await session.frontEnd.call(tool, args, { timeoutMs: 100_000 })).json as Answer;
const outcomes = ({ runs = [] }: Answer) =>
  runs.map(({ command, succeeded }) => `${command.split(' ')[0]} ${succeeded}`);

describeWith('python3', 'a root of TypeScript and Python', () => {
  it('is built by both, and has succeeded only when both have', async () => {
    const good = await asked('run_build');
    expect(good).toMatchObject({ success: true, errors: [] });
    expect(outcomes(good)).toEqual(['pyright true', 'tsc true']);
    world.edit('web/sum.ts', '): number', '): string');
    const bad = await asked('run_build');
    expect(bad.success).toBe(false);
    expect(outcomes(bad)).toEqual(['pyright true', 'tsc false']);
    expect(bad.errors?.map(({ file = '' }) => path.basename(file))).toEqual(['sum.ts']);
    expect(await asked('run_build', { language: 'python' })).toMatchObject({ success: true });
    expect(await asked('run_build', { path: 'service/calc.py' })).toMatchObject({ success: true });
    world.edit('web/sum.ts', '): string', '): number');
  }, 120_000);

  it('is tested by both, and the first line has both', async () => {
    const good = await asked('run_tests');
    expect(good).toMatchObject({ passed: true, total: 2, failures: [] });
    world.edit('tests/test_calc.py', '3)', '4)');
    const bad = await asked('run_tests');
    expect(bad).toMatchObject({ passed: false, total: 2 });
    expect(outcomes(bad).map((each) => each.split(' ')[1])).toEqual(['false', 'true']);
    world.edit('tests/test_calc.py', '4)', '3)');
  }, 120_000);

  it('has not passed when one of them cannot be run, which is named first', async () => {
    world.workspace.remove('node_modules/vitest');
    const { json, text, raw } = await session.frontEnd.call('run_tests');
    const answer = json as Answer;
    expect(answer).toMatchObject({ passed: false, total: 1, failures: [] });
    expect(answer.not_run?.map(({ name }) => name)).toEqual(['vitest']);
    expect(raw.structuredContent).toMatchObject({ status: 'incomplete', complete: false });
    expect(text).toContain('INCOMPLETE: vitest was not run: vitest (in node_modules), needed for vitest in ');
    symlinkSync(
      path.resolve(import.meta.dirname, '../../node_modules/vitest'),
      world.workspace.file('node_modules/vitest'),
    );
  }, 60_000);
});

describe('a Python project without sources', () => {
  it('is said to be one: that nothing is wrong in no file is no promise', async () => {
    world.workspace.write('empty/pyproject.toml', '[project]\nname = "empty"\n');
    const { text } = await session.frontEnd.call('run_build', { path: 'empty' });
    expect(text).toContain('pyright found no Python file to check');
  }, 60_000);
});

describe('one set-up that fails for many files', () => {
  it('is told once, with the number of files', async () => {
    world.workspace.write(
      'vitest.config.ts',
      "export default { test: { setupFiles: ['./setup.ts'], include: ['web/**/*.test.ts'] } };",
    );
    world.workspace.write('setup.ts', "throw new Error('no database');");
    for (const name of ['b', 'c', 'd'])
      world.workspace.write(`web/${name}.test.ts`, world.workspace.read('web/sum.test.ts'));
    const { failures = [] } = await asked('run_tests', { language: 'typescript' });
    expect(failures.map(({ test_name, count }) => `${count} ${test_name}`)).toEqual(['4 [file]']);
  }, 60_000);
});
