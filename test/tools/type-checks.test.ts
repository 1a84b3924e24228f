/** check_types through MCP: the embedded pyright over real files, and stand-ins for what the real one does not do. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FrontEnd, startFrontEnd } from '../support/mcp-client.ts';
import { isAlive, untilDead } from '../support/processes.ts';
import { checkerThat, endlessChecker } from '../support/stand-in-checker.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const FILES = `
//- pyproject.toml
[tool.pyright]
include = ["src"]
exclude = ["generated"]
ignore = ["legacy"]
pythonVersion = "3.12"
//- src/wrong.py
def half(count: int) -> int:
    return count / 2
half("ten")
//- src/right.py
def twice(count: int) -> int:
    return count * 2
//- src/modern.py
type Name = str
//- legacy/old.py
number: int = "a"
//- generated/made.py
number: int = "a"
//- web/app.ts
export const x = 1;
//- broken/pyrightconfig.json
{ "include":
//- broken/one.py
number: int = "a"
//- empty/notes.txt
nothing
`;

let workspace: Workspace;
let frontEnd: FrontEnd;

beforeAll(async () => {
  workspace = createWorkspace(FILES);
  frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never'] });
});
afterAll(async () => {
  await frontEnd.close();
  await workspace[Symbol.asyncDispose]();
});

const check = async (args: Readonly<Record<string, unknown>>) => {
  const { text, isError } = await frontEnd.call('check_types', args);
  return { text, isError };
};

describe('check_types', () => {
  it('lists what pyright finds in a file, with the rule of each and what it was checked with', async () => {
    const { text } = await check({ path: 'src/wrong.py' });
    const [first, ...lines] = text.split('\n');
    expect(first).toMatch(
      /^2 errors, no warnings in 1 file \([\d.]+ s\); pyright \d\S+, Python 3\.12 \(pyproject\.toml\), configured by pyproject\.toml; root /,
    );
    expect(lines.slice(0, 2)).toEqual([
      expect.stringMatching(
        /^src\/wrong\.py:2:12 error: Type "float" is not assignable .* \(reportReturnType\)$/,
      ),
      expect.stringMatching(/^src\/wrong\.py:3:6 error: Argument of type .* \(reportArgumentType\)$/),
    ]);
  });

  it('checks a directory as a whole, and says what the configuration leaves out of it', async () => {
    const { text } = await check({ path: workspace.root });
    expect(text).toMatch(
      /^INCOMPLETE: \d+ of \d+ Python files in \S+ were not checked: .* excludes them\n3 errors/,
    );
    expect(text).toContain('note: the configuration suppresses findings in legacy');
  });

  it('obeys the Python version of the call before that of the project', async () => {
    expect((await check({ path: 'src/modern.py' })).text).toMatch(/^no errors, no warnings in 1 file/);
    const older = await check({ path: 'src/modern.py', python_version: '3.11' });
    expect(older.text).toMatch(/^1 error, .* Python 3\.11 \(the call\)/);
    expect(older.text).toMatch(/requires Python 3\.12/);
  });

  it.each([
    {
      what: 'a file that is excluded',
      path: 'generated/made.py',
      expected: /^INCOMPLETE: generated\/made\.py was not checked: .*\nNothing was checked \(0 files/,
    },
    {
      what: 'a directory without Python',
      path: 'empty',
      expected: /^INCOMPLETE: there is no Python file in empty\nNothing was checked/,
    },
    {
      what: 'a file whose findings are suppressed',
      path: 'legacy/old.py',
      expected: /^INCOMPLETE: what pyright finds in this file is suppressed/,
    },
    {
      what: 'a project whose configuration cannot be read',
      path: 'broken/one.py',
      expected:
        /^INCOMPLETE: pyright could not use the project's configuration .*could not be parsed[^\n]*\n1 error/,
    },
  ])('calls nothing clean that was not checked: $what', async ({ path, expected }) => {
    expect((await check({ path })).text).toMatch(expected);
  });

  it.each([
    {
      what: 'a version that is not N.N',
      args: { path: 'src/right.py', python_version: '3' },
      expected: /python_version: must be of the form N\.N/,
    },
    {
      what: 'a version with more to it',
      args: { path: 'src/right.py', python_version: '3.11.2' },
      expected: /must be of the form N\.N/,
    },
    {
      what: 'a path outside the roots',
      args: { path: '/etc/passwd' },
      expected: /outside the workspace roots/,
    },
    { what: 'a path that leads out', args: { path: '../scratch' }, expected: /outside the workspace roots/ },
    { what: 'a file that is not there', args: { path: 'src/missing.py' }, expected: /does not exist/ },
    {
      what: 'a file of another language',
      args: { path: 'web/app.ts' },
      expected: /checks only python so far.*run_build/,
    },
  ])('refuses $what', async ({ args, expected }) => {
    const { text, isError } = await check(args);
    expect(text).toMatch(expected);
    expect(isError).toBe(true);
  });
});

describe('the checker', () => {
  it.each([
    {
      what: 'is not installed',
      command: ['no-such-pyright'],
      expected: /no-such-pyright, needed for check_types, was not found.*npm install/,
    },
  ])('$what, which is said with how to install it', async ({ command, expected }) => {
    await using session = await withChecker(() => ({ command }));
    const { text, isError } = await session.frontEnd.call('check_types', { path: 'a.py' });
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(expected) });
  });

  it.each([
    {
      what: 'prints no report',
      module: 'console.log("hello")',
      expected: /what pyright printed cannot be read \(output: hello\)/,
    },
    {
      what: 'prints half a report',
      module: 'console.log("{\\n \\"version\\":")',
      expected: /cannot be read/,
    },
    { what: 'prints another report', module: 'console.log(\'{"summary":{}}\')', expected: /cannot be read/ },
    {
      what: 'ends with an error',
      module: 'console.error("out of memory"); process.exitCode = 2',
      expected: /pyright failed: it ended with code 2 \(output: out of memory\)/,
    },
  ])('$what, and nothing is called clean', async ({ module, expected }) => {
    await using session = await withChecker((place) => ({ command: checkerThat(place, module) }));
    const { text, isError } = await session.frontEnd.call('check_types', { path: 'a.py' });
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(expected) });
  });

  it('is ended with all its processes when its time is up', async () => {
    let pids: () => Promise<readonly number[]> = async () => [];
    await using session = await withChecker((place) => {
      const endless = endlessChecker(place);
      pids = endless.pids;
      return { command: endless.command, timeout_seconds: 3 };
    });
    const { text, isError } = await session.frontEnd.call('check_types', { path: 'a.py' });
    expect({ isError, text }).toEqual({
      isError: true,
      text: expect.stringMatching(/pyright took longer than 3 s/),
    });
    for (const pid of await pids()) expect([pid, isAlive(pid)]).toEqual([pid, false]);
  });

  it('is ended with all its processes when the call is cancelled', async () => {
    let pids: () => Promise<readonly number[]> = async () => [];
    await using session = await withChecker((place) => {
      const endless = endlessChecker(place);
      pids = endless.pids;
      return { command: endless.command };
    });
    const cancel = new AbortController();
    const call = session.frontEnd.call('check_types', { path: 'a.py' }, { signal: cancel.signal });
    call.catch(() => {});
    const running = await pids();
    expect(running).toHaveLength(2);
    cancel.abort();
    await expect(call).rejects.toThrow();
    for (const pid of running) await untilDead(pid);
  });
});

async function withChecker(settings: (place: Workspace) => Readonly<Record<string, unknown>>) {
  const place = createWorkspace('//- a.py\nnumber = 1\n');
  const config = place.write(
    `${place.scratch}/config.json`,
    JSON.stringify({ check_types: settings(place) }),
  );
  const started = await startFrontEnd({ workspace: place, args: ['--config', config] });
  return {
    frontEnd: started,
    [Symbol.asyncDispose]: async () => {
      await started.close();
      await place.expectNothingLeft();
      await place[Symbol.asyncDispose]();
    },
  };
}
