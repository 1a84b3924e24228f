/** The extensions that come with the package, over MCP with real servers, against the compiler's own tree and pytest. */
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript5';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { type FrontEnd, startFrontEnd } from '../support/mcp-client.ts';
import { requirement } from '../support/requirements.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

/** `any` as everything that it can be. */
const ANYS = `import { any as every } from './names';
export function f(x: any, cb: (a: any) => any): Record<string, any> { return x as any; }
export type Q<T> = T extends any ? any : never;
export type Lists = [string, any, number] | Map<string, any[]> | any;
const cast = <any>f;
// any comment, "any"
const text = 'any' + \`\${cast as any} any \${\`{any} \${[{ a: cast as any }]}\`} any\`;
interface Keys { any: string; any2?: any; any(): void; readonly list: readonly any[] }
declare const expectation: { any(of: unknown): void };
expectation.any(String);
enum Words { string, any, more }
let untyped: any;
function isAny(value: unknown): value is any { return true; }
class Box<T = any> { constructor(private readonly any: T, readonly other: any = 1) {} }
export { every, text, Words, untyped, isAny, Box };
export type { Keys };
`;
const NAMES = `export const any = (n: number) => n;
export const used = [any(1), any];
export const given = { any, used: any };
export const typed: any = any;
`;
const PAGE = `declare const left: any, right: string;
export const page = <p>any of them, is there any left? (any, {left} any {right}) any</p>;
export type Rest = [string, ...any[]];
export const over = (...parts: any) => <b title="any">{left as any}</b>;
`;
const INFERRED = `export function implicit(a, b: number) { return a + b; }\n`;

const TYPESCRIPT = `
//- tsconfig.json
{
  "extends": "./missing.json",
  "compilerOptions": { "strct": true, "noEmit": true, "strict": true },
  "include": ["src"],
  "references": [{ "path": "./packages/lib" }]
}
//- packages/lib/tsconfig.json
{ "compilerOptions": { "composite": true, "baseUrl": "." }, "include": ["*.ts"] }
//- packages/lib/index.ts
export const lib = 1;
//- old/node_modules/typescript/package.json
{ "name": "typescript", "version": "5.9.3" }
//- old/tsconfig.json
{ "compilerOptions": { "baseUrl": "." }, "include": ["*.ts"] }
//- old/index.ts
export const old = 1;
//- loose.ts
export const loose = 1;
//- src/anys.ts
${ANYS}//- src/names.ts
${NAMES}//- src/page.tsx
${PAGE}//- src/inferred.ts
${INFERRED}`;

describe('the extension for TypeScript', () => {
  let workspace: Workspace;
  let frontEnd: FrontEnd;

  beforeAll(async () => {
    workspace = createWorkspace(TYPESCRIPT);
    frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never', '--output', 'json'] });
  });
  afterAll(async () => {
    await frontEnd.close();
    await workspace.expectNothingLeft();
    await workspace[Symbol.asyncDispose]();
  });

  it('finds each any that the compiler reads as the type, and no name of that kind', async () => {
    const { json } = await frontEnd.call('typescript_any_usage', {});
    const { uses, count } = json as { uses: { file: string; line: number; column: number }[]; count: number };
    const expected = ['src/anys.ts', 'src/names.ts', 'src/page.tsx'].flatMap((file) =>
      anyKeywords(file, workspace.read(file)).map((place) => `${workspace.file(file)}:${place}`),
    );
    expect(uses.map(({ file, line, column }) => `${file}:${line}:${column}`)).toEqual(expected);
    expect(count).toBe(expected.length);
    expect(expected.length).toBeGreaterThan(18);
  });

  it('says what is inferred as any in a single file, and that it looks for that nowhere else', async () => {
    const one = await frontEnd.call('typescript_any_usage', { path: 'src/inferred.ts' });
    expect(one.json).toMatchObject({
      count: 1,
      uses: [
        {
          line: 1,
          column: 26,
          kind: 'inferred',
          text: expect.stringContaining("implicitly has an 'any' type"),
        },
      ],
    });
    expect(one.text).not.toContain('only what is written');
    const few = await frontEnd.call('typescript_any_usage', { limit: 2 });
    expect(few.text).toContain('only what is written');
    expect((few.json as { uses: unknown[] }).uses).toHaveLength(2);
  });

  it('says what the compiler has against each configuration, which of it an older one takes, and what none includes', async () => {
    const { json } = await frontEnd.call('typescript_tsconfig', {});
    const { problems, files_of_no_project } = json as {
      problems: { config: string; line?: number; code: string; only_in_version_7: boolean }[];
      files_of_no_project: string[];
    };
    const said = problems.map(({ config, line, code, only_in_version_7: isNewer }) =>
      [path.relative(workspace.root, config), line ?? '', code, isNewer ? 'only in 7' : ''].join(' ').trim(),
    );
    expect(said.sort()).toEqual([
      'old/tsconfig.json 1 TS5102 only in 7',
      'packages/lib/tsconfig.json 1 TS5102',
      'tsconfig.json  TS5083',
      'tsconfig.json 3 TS5023',
    ]);
    expect(files_of_no_project).toEqual([workspace.file('loose.ts')]);
    expect(readdirSync(workspace.file('packages/lib')).sort()).toEqual(['index.ts', 'tsconfig.json']);
  });

  it('has its projects as a resource, which tells of changes, and a prompt that names its tools', async () => {
    const { client } = frontEnd;
    const uri = 'lsp-typescript://projects';
    const { resources } = await client.listResources();
    expect(resources.map((resource) => resource.uri)).toContain(uri);
    const updates: string[] = [];
    client.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void updates.push(params.uri),
    );
    await client.subscribeResource({ uri });
    // The watch is set up behind the answer: the file is written until it is noticed.
    await until(
      () => {
        workspace.write('tsconfig.base.json', '{}\n');
        return updates.includes(uri);
      },
      { what: 'an update' },
    );
    await client.unsubscribeResource({ uri });
    const [contents] = (await client.readResource({ uri })).contents;
    expect(contents).toMatchObject({ text: expect.stringMatching(/^4 problems in 4 tsconfig files/) });
    const { messages } = await client.getPrompt({
      name: 'typescript_remove_any',
      arguments: { file: 'src/anys.ts' },
    });
    expect(JSON.stringify(messages)).toContain('typescript_any_usage with path src/anys.ts');
  });
});

const PYTHON = `
//- pyproject.toml
[project]
name = "bakery"
version = "0"
//- bakery.py
def bake(count: int) -> int:
    return count
def half(count: int) -> int:
    return count / 2
def label(count: int) -> str:
    return count
def shout() -> None:
    print(undefined_name)
//- tests/test_bakery.py
import unittest
import pytest
from bakery import bake

def test_bakes_none(): assert bake(0) == 0
async def test_bakes_later(): pass
def helper(): pass

class TestOven:
    def test_heats(self): pass
    def heats(self): pass
    class TestDoor:
        def test_opens(self): pass

class Counting(unittest.TestCase):
    def test_counts(self): self.assertEqual(bake(1), 1)
    def checks(self): pass

class Oven:
    def test_is_none(self): pass
//- tests/oven_test.py
def test_oven_heats(): pass
//- tests/helpers.py
def test_looks_like_one(): pass
`;

describe('the extension for Python', () => {
  let workspace: Workspace;
  let frontEnd: FrontEnd;

  beforeAll(async () => {
    workspace = createWorkspace(PYTHON);
    frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never', '--output', 'json'] });
  });
  afterAll(async () => {
    await frontEnd.close();
    await workspace.expectNothingLeft();
    await workspace[Symbol.asyncDispose]();
  });

  const idsFor = async (args: Readonly<Record<string, unknown>>) => {
    const { json } = await frontEnd.call('python_find_tests', args);
    return (json as { tests: { id: string }[] }).tests.map(({ id }) => id).sort();
  };

  it('finds tests by words of their ids, without what only looks like one', async () => {
    expect(await idsFor({})).toEqual([
      'tests/oven_test.py::test_oven_heats',
      'tests/test_bakery.py::Counting::test_counts',
      'tests/test_bakery.py::TestOven::TestDoor::test_opens',
      'tests/test_bakery.py::TestOven::test_heats',
      'tests/test_bakery.py::test_bakes_later',
      'tests/test_bakery.py::test_bakes_none',
    ]);
    expect(await idsFor({ query: 'OVEN heats' })).toEqual([
      'tests/oven_test.py::test_oven_heats',
      'tests/test_bakery.py::TestOven::test_heats',
    ]);
    expect(await idsFor({ query: 'no_such_thing' })).toEqual([]);
  });

  const pytest = requirement('pytest');
  const without = pytest.kind === 'missing' ? ` (skipped: ${pytest.reason})` : '';
  it.skipIf(without !== '')(`names the tests that pytest collects${without}`, async () => {
    const collected = execFileSync(
      'python3',
      ['-m', 'pytest', '--collect-only', '-q', '-p', 'no:cacheprovider'],
      {
        cwd: workspace.root,
        encoding: 'utf8',
        env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: workspace.root },
      },
    );
    const ids = collected.split('\n').filter((line) => line.includes('::'));
    expect(await idsFor({})).toEqual(ids.sort());
  });

  it('goes by the names that the configuration of pytest gives to tests', async () => {
    await using other = createWorkspace(`
//- pytest.ini
[pytest]
python_files = check_*.py
    more_*.py
python_functions = check_ *_checks
python_classes = Describe
//- check_one.py
def check_one(): pass
def test_one(): pass
class DescribeTwo:
    def two_checks(self): pass
//- more_three.py
def check_three(): pass
//- test_four.py
def check_four(): pass
`);
    await using own = await startFrontEnd({ workspace: other, args: ['--daemon', 'never'] });
    const { text } = await own.call('python_find_tests', {});
    expect(text).toMatch(/^3 tests in 2 test files \(check_\*\.py, more_\*\.py, pytest\.ini\)/);
    expect(text).toMatch(
      /check_one\.py::check_one {2}:1\ncheck_one\.py::DescribeTwo::two_checks {2}:4\nmore_three\.py::check_three/,
    );
  });

  it('counts type errors by rule, and lists those of one', async () => {
    const { json, text } = await frontEnd.call('python_check_types', { path: 'bakery.py' });
    expect(json).toEqual({
      rules: [
        { rule: 'reportReturnType', errors: 2, warnings: 0, files: [{ file: 'bakery.py', count: 2 }] },
        { rule: 'reportUndefinedVariable', errors: 1, warnings: 0, files: [{ file: 'bakery.py', count: 1 }] },
      ],
    });
    expect(text).toContain('Next step: python_check_types path:bakery.py rule:reportReturnType');
    const rule = await frontEnd.call('python_check_types', { path: 'bakery.py', rule: 'reportReturnType' });
    expect(rule.json).toMatchObject({ error_count: 2, diagnostics: [{ line: 4 }, { line: 6 }] });
    const none = await frontEnd.call('python_check_types', { path: 'bakery.py', rule: 'reportReturnTyp' });
    expect(none.text).toMatch(/did you mean reportReturnType/);
    expect(none.isError).toBe(true);
  });

  it('has its tests as a resource, and a prompt that names its tools', async () => {
    const { client } = frontEnd;
    const [contents] = (await client.readResource({ uri: 'lsp-python://tests' })).contents;
    expect(contents).toMatchObject({ text: expect.stringMatching(/^6 tests in 2 test files/) });
    const { messages } = await client.getPrompt({
      name: 'python_fix_types',
      arguments: { path: 'bakery.py' },
    });
    expect(JSON.stringify(messages)).toContain('python_check_types with path bakery.py');
  });
});

/** `line:column` of the keyword, as the compiler's own tree has it. */
function anyKeywords(file: string, text: string): readonly string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, false);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) {
      const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
      found.push(`${line + 1}:${character + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}
