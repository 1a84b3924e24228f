/** Builds and tests through MCP, with runners that are always there: npm scripts and Node's own test runner. */
import { chmodSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { type FrontEnd, startFrontEnd } from '../support/mcp-client.ts';
import { isAlive, untilDead } from '../support/processes.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

interface World extends AsyncDisposable {
  readonly workspace: Workspace;
  readonly frontEnd: FrontEnd;
}

async function world(text: string, ...args: readonly string[]): Promise<World> {
  const workspace = createWorkspace(text);
  const frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never', ...args] });
  return {
    workspace,
    frontEnd,
    [Symbol.asyncDispose]: async () => {
      await frontEnd[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

/** How long something took is never asserted. */
function timeless(text: string): string {
  return text.replace(/\b\d+(\.\d+)? s\b/g, 'n s');
}

const NODE_TESTS = `
//- package.json
{ "name": "sample", "scripts": { "test": "node --test", "build": "node build.mjs" } }
//- build.mjs
console.error('src/a.c:3:5: warning: unused');
console.error('src/a.c:1:2: error: broken');
console.log('make: *** [Makefile:101: all] Error 1');
process.exit(1);
//- src/a.c
int broken;
//- test/sum.test.mjs
import assert from 'node:assert/strict';
import test from 'node:test';
test('adds', () => {});
test('is off', () => {
  assert.equal(1 + 1, 3);
});
`;

describe('run_tests', () => {
  it('says first how many failed, then each with its place', async () => {
    await using session = await world(NODE_TESTS);
    const { text, isError } = await session.frontEnd.call('run_tests');
    expect(isError).toBe(false);
    expect(timeless(text)).toBe(
      [
        '1 of 2 tests failed in n s: npm test --silent',
        'test/sum.test.mjs:5:10 is off  Expected values to be strictly equal:',
        '    2 !== 3',
      ].join('\n'),
    );
  });

  it('gives the same as data, with absolute files', async () => {
    await using session = await world(NODE_TESTS, '--output', 'json');
    const { json } = await session.frontEnd.call('run_tests');
    expect(json).toMatchObject({
      passed: false,
      command: 'npm test --silent',
      total: 2,
      failures: [
        {
          file: session.workspace.file('test/sum.test.mjs'),
          line: 5,
          column: 10,
          test_name: 'is off',
          message: 'Expected values to be strictly equal:\n\n2 !== 3',
        },
      ],
      raw: expect.stringContaining('not ok 2 - is off'),
    });
  });

  it('passes when all tests do, and says where it ran', async () => {
    await using session = await world(`
    //- web/package.json
    { "name": "web" }
    //- web/a.test.mjs
    import test from 'node:test';
    test('works', () => {});
    test.skip('later', () => {});
    `);
    const { text } = await session.frontEnd.call('run_tests', { path: 'web' });
    expect(timeless(text)).toBe('1 test passed, 1 skipped in n s: node --test --test-reporter=tap (in web)');
  });

  it('never calls it passed when no tests ran', async () => {
    await using session = await world(
      '//- package.json\n{ "name": "empty" }\n//- lib/a.js\nlet a;\n',
      '--output',
      'json',
    );
    const { json, isError } = await session.frontEnd.call('run_tests');
    expect(isError).toBe(false);
    expect(json).toMatchObject({ passed: false, total: 0, failures: [] });
    const part = await session.frontEnd.call('run_tests', { path: 'lib' });
    expect(part.text).toContain('\nNext step: leave path out to run all tests');
  });

  it('shows the end of the output where it cannot be understood', async () => {
    await using session = await world(`
    //- package.json
    { "name": "own", "scripts": { "test": "node own.mjs" } }
    //- own.mjs
    console.log('strange words');
    process.exitCode = 3;
    `);
    const { text } = await session.frontEnd.call('run_tests');
    expect(timeless(text)).toBe(
      [
        'tests failed (exit code 3) in n s: npm test --silent',
        'last output:',
        '    strange words',
        'note: the output of this runner is not understood',
      ].join('\n'),
    );
  });
});

describe('run_build', () => {
  it('lists errors before warnings, and a failing build is an answer', async () => {
    await using session = await world(NODE_TESTS);
    const { text, isError } = await session.frontEnd.call('run_build');
    expect(isError).toBe(false);
    expect(timeless(text)).toBe(
      [
        'build failed: 1 error, 1 warning in n s: npm run build --silent',
        'src/a.c:1:2 error: broken',
        'src/a.c:3:5 warning: unused',
      ].join('\n'),
    );
  });

  it('is bounded however much is printed, and counts what it cut', async () => {
    await using session = await world(
      `
      //- package.json
      { "name": "loud", "scripts": { "build": "node loud.mjs" } }
      //- loud.mjs
      import { writeSync } from 'node:fs';
      for (let i = 0; i < 200; i++) writeSync(1, 'x'.repeat(99) + '\\n' + 'y'.repeat(300_000) + '\\n');
      writeSync(1, 'loud.mjs:1:1: error: at the end\\n');
      process.exitCode = 1;
      `,
      '--output',
      'json',
    );
    const { json } = await session.frontEnd.call('run_build');
    const data = json as { raw: string; errors: unknown[] };
    expect(data.errors).toEqual([
      {
        file: session.workspace.file('loud.mjs'),
        line: 1,
        column: 1,
        message: 'at the end',
        severity: 'error',
      },
    ]);
    expect(data.raw).toMatch(/^\[\d{7,} characters before this were cut\]\n/);
    expect(data.raw.length).toBeLessThan(20_000);
  });

  it('tells what it is at while it runs', async () => {
    await using session = await world(
      '//- package.json\n{ "name": "slow", "scripts": { "build": "node slow.mjs" } }\n',
    );
    const { workspace, frontEnd } = session;
    const seenIt = path.join(workspace.scratch, 'seen');
    workspace.write(
      'slow.mjs',
      `import { existsSync } from 'node:fs';
       console.log('compiling part one');
       setInterval(() => existsSync(${JSON.stringify(seenIt)}) && process.exit(), 20);`,
    );
    const seen: string[] = [];
    const onProgress = ({ message = '' }) => {
      seen.push(message);
      if (message === 'compiling part one') workspace.write(seenIt, '');
    };
    const { text } = await frontEnd.call('run_build', {}, { onProgress });
    expect(text).toMatch(/^build succeeded in /);
    expect(seen[0]).toBe('npm run build in .');
  });
});

/** A build that never ends and does not leave when it is asked to, with a child that has left its process group. */
function endless(workspace: Workspace): string {
  const pids = path.join(workspace.scratch, 'pids');
  workspace.write('package.json', '{ "name": "endless", "scripts": { "build": "node endless.mjs" } }');
  workspace.write(
    'endless.mjs',
    `import { spawn } from 'node:child_process';
     import { renameSync, writeFileSync } from 'node:fs';
     const idle = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)";
     const children = [false, true].map((detached) => spawn(process.execPath, ['-e', idle], { detached, stdio: 'inherit' }));
     process.on('SIGTERM', () => {});
     setInterval(() => {}, 1000);
     writeFileSync(${JSON.stringify(`${pids}.new`)}, [process.pid, ...children.map(({ pid }) => pid)].join(' '));
     renameSync(${JSON.stringify(`${pids}.new`)}, ${JSON.stringify(pids)});
     console.log('working for ever');`,
  );
  return pids;
}

async function pidsIn(file: string): Promise<readonly number[]> {
  await until(() => existsSync(file), { what: 'the build to run', timeoutMs: 30_000 });
  return readFileSync(file, 'utf8').split(' ').map(Number);
}

describe('a build that does not end', () => {
  it('is stopped at its time limit with all its processes, and is no success', async () => {
    await using session = await world('', '--output', 'json');
    const file = endless(session.workspace);
    const { json, raw, text } = await session.frontEnd.call('run_build', { timeout_seconds: 8 });
    expect(json).toMatchObject({ success: false, errors: [], raw: 'working for ever' });
    expect(raw.structuredContent).toMatchObject({ status: 'incomplete', complete: false });
    expect(text).toMatch(/TIMEOUT: the build was stopped after \d/);
    for (const pid of await pidsIn(file)) expect([pid, isAlive(pid)]).toEqual([pid, false]);
  });

  it('says TIMEOUT first in text', async () => {
    await using session = await world('');
    endless(session.workspace);
    const { text } = await session.frontEnd.call('run_build', { timeout_seconds: 1 });
    expect(text).toMatch(/^TIMEOUT: /);
    expect(text).not.toMatch(/succeeded|failed:/);
  });

  it('is ended with all its processes when the call is cancelled', async () => {
    await using session = await world('');
    const file = endless(session.workspace);
    const cancel = new AbortController();
    const call = session.frontEnd.call('run_build', {}, { signal: cancel.signal, timeoutMs: 60_000 });
    call.catch(() => {});
    const pids = await pidsIn(file);
    expect(pids).toHaveLength(3);
    cancel.abort();
    await expect(call).rejects.toThrow();
    for (const pid of pids) await untilDead(pid);
    expect((await session.frontEnd.call('get_tests_for_file', { file_path: 'endless.mjs' })).isError).toBe(
      false,
    );
  });

  it('does not outlive a front end that is killed', async () => {
    await using session = await world('');
    const file = endless(session.workspace);
    session.frontEnd.call('run_build', {}, { timeoutMs: 60_000 }).catch(() => {});
    const [leader = 0, child = 0] = await pidsIn(file);
    await session.frontEnd.kill9();
    await untilDead(leader);
    await untilDead(child);
  });
});

describe('what cannot be run is refused with the way out', () => {
  it('no project, naming those below', async () => {
    await using session = await world(`
    //- web/package.json
    { "name": "web", "scripts": { "build": "true" } }
    //- notes.txt
    nothing
    `);
    const { text, isError } = await session.frontEnd.call('run_build');
    expect(isError).toBe(true);
    expect(text).toMatch(
      /^nothing to build in .*: looked for go\.mod, .* and \d+ others\. Pass path of a project below it: web\.$/,
    );
  });

  it('a language without a runner', async () => {
    await using session = await world(NODE_TESTS);
    const { text, isError } = await session.frontEnd.call('run_build', { language: 'yaml' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^how to build yaml is not known\. Languages are: cpp, csharp, /);
  });

  it('a runner that is not installed', async () => {
    await using session = await world(
      '//- package.json\n{ "name": "a", "devDependencies": { "vitest": "4" } }\n',
      '--output',
      'json',
    );
    const { text, isError, raw } = await session.frontEnd.call('run_tests');
    expect(isError).toBe(true);
    expect(text).toBe(
      `vitest (in node_modules), needed for vitest in ${session.workspace.root}, was not found. Make it available: npm install --save-dev vitest.`,
    );
    expect(raw.structuredContent).toMatchObject({ error_code: 'program_missing' });
  });

  it('a workspace_dir that is a file, and paths that do not exist or lie outside', async () => {
    await using session = await world(NODE_TESTS);
    const refused = async (args: Readonly<Record<string, unknown>>) => {
      const { text, isError } = await session.frontEnd.call('run_build', args);
      expect(isError).toBe(true);
      return text;
    };
    expect(await refused({ workspace_dir: 'build.mjs' })).toContain(
      'build.mjs is not a directory. Pass it as path',
    );
    expect(await refused({ workspace_dir: 'gone' })).toContain('gone does not exist');
    expect(await refused({ path: 'gone.ts' })).toContain('gone.ts does not exist');
    expect(await refused({ path: '../..' })).toContain('outside the workspace roots');
    expect(await refused({ timeout_seconds: 4_000 })).toContain('timeout_seconds must be <= 1800');
  });

  it('a CMake project that was not configured', async () => {
    await using session = await world('//- CMakeLists.txt\nproject(a C)\n');
    const fake = session.workspace.write(`${session.workspace.scratch}/bin/cmake`, '#!/bin/sh\n');
    chmodSync(fake, 0o755);
    await using frontEnd = await startFrontEnd({
      workspace: session.workspace,
      args: ['--daemon', 'never'],
      env: { PATH: path.dirname(fake) },
    });
    const { text, isError } = await frontEnd.call('run_build');
    expect(isError).toBe(true);
    expect(text).toMatch(
      / is not configured: no CMakeCache\.txt in build, .*\. Run: cmake -S .* -B .*build\.$/,
    );
    expect(readdirSync(session.workspace.root)).toEqual(['CMakeLists.txt']);
  });
});

describe('get_tests_for_file', () => {
  it('finds tests beside a file and in a tree that mirrors its own', async () => {
    await using session = await world(`
    //- package.json
    { "name": "sample" }
    //- src/net/client.ts
    export {};
    //- src/net/client.spec.ts
    export {};
    //- test/net/client.test.ts
    export {};
    //- test/other/client.test.ts
    export {};
    //- node_modules/dep/client.test.ts
    export {};
    `);
    const { text } = await session.frontEnd.call('get_tests_for_file', { file_path: 'src/net/client.ts' });
    expect(text).toBe(
      [
        '2 test files of src/net/client.ts (by name and place)',
        'src/net/client.spec.ts',
        'test/net/client.test.ts',
        'next: run_tests path:"src/net/client.spec.ts"',
      ].join('\n'),
    );
  });

  it('follows the conventions of each language', async () => {
    await using session = await world(
      `
      //- go/go.mod
      module m
      //- go/a.go
      package m
      //- go/b_test.go
      package m
      //- java/pom.xml
      <project/>
      //- java/src/main/java/org/Client.java
      class Client {}
      //- java/src/test/java/org/ClientTest.java
      class ClientTest {}
      //- py/pyproject.toml
      //- py/pkg/client.py
      x = 1
      //- py/tests/test_client.py
      x = 1
      //- rs/Cargo.toml
      [package]
      //- rs/src/own.rs
      #[cfg(test)]
      mod tests {}
      //- rs/src/plain.rs
      fn f() {}
      //- net/App/App.csproj
      <Project/>
      //- net/App/Client.cs
      class Client {}
      `,
      '--output',
      'json',
    );
    const testsOf = async (file: string) => {
      const { json } = await session.frontEnd.call('get_tests_for_file', { file_path: file });
      const { source_file, test_files } = json as { source_file: string; test_files: string[] };
      expect(source_file).toBe(session.workspace.file(file));
      return test_files.map((test) => path.relative(session.workspace.root, test));
    };
    expect(await testsOf('go/a.go')).toEqual(['go/b_test.go']);
    expect(await testsOf('java/src/main/java/org/Client.java')).toEqual([
      'java/src/test/java/org/ClientTest.java',
    ]);
    expect(await testsOf('py/pkg/client.py')).toEqual(['py/tests/test_client.py']);
    expect(await testsOf('rs/src/own.rs')).toEqual(['rs/src/own.rs']);
    expect(await testsOf('rs/src/plain.rs')).toEqual([]);
    expect(await testsOf('net/App/Client.cs')).toEqual([]);
    expect(await testsOf('go/b_test.go')).toEqual(['go/b_test.go']);
  });

  it('finds the near one among many of its name, and says how many it does not list', async () => {
    const packages = Array.from({ length: 60 }, (_, index) => `p${index + 1}`);
    await using session = await world(
      ['//- package.json', '{ "name": "sample" }', '//- far/client.ts', 'export {};']
        .concat(packages.flatMap((name) => [`//- a/${name}/client.test.ts`, 'export {};']))
        .concat(['//- z/src/client.ts', 'export {};', '//- z/test/client.test.ts', 'export {};'])
        .join('\n'),
    );
    const testsOf = async (file_path: string) =>
      (await session.frontEnd.call('get_tests_for_file', { file_path })).text.split('\n');
    expect(await testsOf('z/src/client.ts')).toContain('z/test/client.test.ts');
    const far = await testsOf('far/client.ts');
    expect(far[0]).toBe('INCOMPLETE: 11 more tests of that name are not listed');
    expect(far.filter((line) => line.endsWith('client.test.ts'))).toHaveLength(50);
  });

  it('says what was looked for when there is none, and refuses what is no file', async () => {
    await using session = await world(NODE_TESTS);
    const { text } = await session.frontEnd.call('get_tests_for_file', { file_path: 'build.mjs' });
    expect(text).toBe(
      [
        'No test file of build.mjs by name (conventions of typescript)',
        'next: find_references shows tests that use it under other names',
      ].join('\n'),
    );
    const refused = await session.frontEnd.call('get_tests_for_file', { file_path: 'test' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain('test is a directory');
  });
});
