/** What may be called succeeded or passed, in an answer and by the exit code of a shell's call. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

/** One call from a shell; how long something took is never asserted. */
function called(workspace: Workspace, tool: string, ...args: readonly string[]) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [BUILT_PROGRAM, '--daemon', 'never', 'call', tool, ...args],
    { cwd: workspace.root, env: workspace.env(), encoding: 'utf8', timeout: 50_000 },
  );
  return {
    code: status,
    lines: stdout
      .trimEnd()
      .replace(/\b\d+(\.\d+)? s\b/g, 'n s')
      .split('\n'),
  };
}

const TESTS = `
//- package.json
{ "name": "sample", "scripts": { "build": "node build.mjs" } }
//- build.mjs
//- good.test.mjs
import test from 'node:test';
test('works', () => {});
//- bad.test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';
test('one', () => assert.fail('the table is missing'));
test('two', () => assert.fail('the table is missing'));
test('three', () => assert.fail('the table is missing'));
test('four', () => assert.fail('the chair is missing'));
`;

describe('agent-lsp call', () => {
  it('ends with 1 after a build or tests that failed, and with 0 after those that did not', async () => {
    await using workspace = createWorkspace(TESTS);
    expect(called(workspace, 'run_build')).toMatchObject({ code: 0 });
    expect(called(workspace, 'run_tests', '--path', 'good.test.mjs')).toMatchObject({ code: 0 });
    const failed = called(workspace, 'run_tests');
    expect(failed.lines[0]).toBe('4 of 5 tests failed in n s: node --test --test-reporter=tap');
    expect(failed.code).toBe(1);
    workspace.write('build.mjs', 'process.exit(3)');
    expect(called(workspace, 'run_build')).toEqual({
      code: 1,
      lines: ['build failed (exit code 3) in n s: npm run build --silent'],
    });
  });
});

describe('failures with the same message', () => {
  it('are one with their number and the other places', async () => {
    await using workspace = createWorkspace(TESTS);
    const { lines } = called(workspace, 'run_tests', '--path', 'bad.test.mjs');
    expect(lines).toEqual([
      '4 of 4 tests failed in n s: node --test --test-reporter=tap bad.test.mjs',
      '3 x: bad.test.mjs:3:26 one  the table is missing',
      '    also bad.test.mjs:4:26 two, bad.test.mjs:5:28 three',
      'bad.test.mjs:6:27 four  the chair is missing',
    ]);
  });
});

describe('the next step after tests', () => {
  it('is the failing file alone, unless that is what was run', async () => {
    await using workspace = createWorkspace(TESTS);
    expect(called(workspace, 'run_tests').lines.at(-1)).toBe('next: run_tests path:"bad.test.mjs" runs less');
    expect(called(workspace, 'run_tests', '--path', 'bad.test.mjs').lines.join('\n')).not.toContain('next:');
  });
});

describe('a test script that calls others', () => {
  const ROOT =
    '//- package.json\n{ "name": "all", "private": true, "scripts": { "test": "node run.mjs" } }\n';

  it('has passed nothing when its output shows no test', async () => {
    await using workspace = createWorkspace(`${ROOT}//- run.mjs\nconsole.log('No projects matched');\n`);
    expect(called(workspace, 'run_tests')).toEqual({
      code: 1,
      lines: [
        'INCOMPLETE: whether any tests ran cannot be told from the output of npm test --silent',
        'no failure seen, exit code 0 in n s: npm test --silent',
        'last output:',
        '    No projects matched',
        'note: the output of this runner is not understood',
      ],
    });
  });

  it('has passed what the runners that it called have counted', async () => {
    await using workspace = createWorkspace(`
    ${ROOT}
    //- run.mjs
    console.log('a:test:       Tests  3 passed | 1 skipped (4)');
    console.log('b:test: Tests:       2 skipped, 12 passed, 14 total');
    console.log('b:test: Test Suites: 3 passed, 3 total');
    console.log('  7 passing (12ms)');
    `);
    const { code, lines } = called(workspace, 'run_tests');
    expect(lines[0]).toBe('22 tests passed in n s: npm test --silent');
    expect(code).toBe(0);
  });
});
