/**
 * The design of pyright-mcp from top to bottom, over MCP with the real pyright: each describe is a section of it.
 * Where agent-lsp departs from it, the test says so and shows what holds instead.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { type FrontEnd, startFrontEnd } from '../support/mcp-client.ts';
import { descendantsOf, isAlive, untilDead } from '../support/processes.ts';
import { describeWith } from '../support/requirements.ts';
import { checkerThat, endlessChecker } from '../support/stand-in-checker.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const FILES = `
//- pyproject.toml
[project]
name = "shop"
[tool.pyright]
pythonVersion = "3.12"
exclude = ["generated"]
//- src/prices.py
"""Prices."""


def add(x: int, y: int) -> int:
    """Add two integers."""
    return x + y


class Cart:
    """What is bought."""

    def total(self) -> int:
        return add(1, 2)
//- src/main.py
from prices import Cart, add

cart = Cart()
print(cart.total(), add(1, 2))
cart.
//- src/with_errors.py
def half(count: int) -> int:
    return count / 2

half("ten")
//- src/valid.py
def twice(count: int) -> int:
    return count * 2
//- src/modern.py
type Name = str
//- src/größe und mehr.py
größe = abs(-1)
//- generated/made.py
number: int = "a"
`;

type Args = Readonly<Record<string, unknown>>;
interface Success {
  readonly status: 'success';
  readonly summary: string;
  readonly data: Readonly<Record<string, unknown>>;
}

let workspace: Workspace;
let frontEnd: FrontEnd;

beforeAll(async () => {
  workspace = createWorkspace(FILES);
  frontEnd = await startFrontEnd({ workspace, args: ['--tools', 'pyright', '--daemon', 'never'] });
});
afterAll(async () => {
  await frontEnd.close();
  await workspace.expectNothingLeft();
  await workspace[Symbol.asyncDispose]();
});

async function success(tool: string, args: Args = {}, from = frontEnd): Promise<Success> {
  const { json, isError, text } = await from.call(tool, args);
  expect({ isError, text }).toMatchObject({ isError: false });
  expect(json).toMatchObject({ status: 'success', summary: expect.any(String), data: expect.any(Object) });
  return json as Success;
}

async function error(tool: string, args: Args = {}, from = frontEnd): Promise<unknown> {
  const { json, isError } = await from.call(tool, args);
  expect(isError).toBe(true);
  expect(json).toMatchObject({
    status: 'error',
    error_code: expect.any(String),
    message: expect.any(String),
    recoverable: expect.any(Boolean),
    details: expect.any(Object),
  });
  return json;
}

const at = (file: string, line: number, column: number) => ({ file: workspace.file(file), line, column });
const ADD_USED = () => at('src/main.py', 4, 21);

/** A further session in the same workspace, with settings and variables of its own. */
async function another(options: {
  config?: object;
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
}) {
  const config = workspace.write(`${workspace.scratch}/config.json`, JSON.stringify(options.config ?? {}));
  return startFrontEnd({
    workspace,
    args: ['--tools', 'pyright', '--daemon', 'never', '--config', config, ...(options.args ?? [])],
    ...(options.env === undefined ? {} : { env: options.env }),
  });
}

describe('2.2 Component Overview', () => {
  it('checks types by the command line without a language server, which starts with the first question', async () => {
    const before = await success('health_check');
    expect(before.data).toMatchObject({ lsp_status: 'not_initialized', lsp_pool: { size: 0 } });
    await success('check_types', { path: workspace.file('src/valid.py') });
    expect((await success('health_check')).data).toMatchObject({ lsp_status: 'not_initialized' });
    await success('get_hover', ADD_USED());
    const lsp_pool = { size: 1, max_size: 3, workspaces: [{ root: workspace.root }] };
    expect((await success('health_check')).data).toMatchObject({ lsp_status: 'running', lsp_pool });
    // What is asked about one file is answered before all files were found.
    const isReady = async () =>
      JSON.stringify((await success('health_check')).data).includes('"state":"ready"');
    await until(isReady, { what: 'pyright to be ready' });
  });
});

describe('3. Position Indexing Convention', () => {
  it('counts lines and columns from 1, in and out', async () => {
    const { data } = await success('go_to_definition', ADD_USED());
    expect(data).toEqual({ definitions: [at('src/prices.py', 4, 5)] });
  });

  it.each([
    { name: 'line', place: { line: 0, column: 1 } },
    { name: 'column', place: { line: 1, column: 0 } },
  ])('refuses a $name of 0', async ({ name, place }) => {
    expect(await error('get_hover', { file: workspace.file('src/main.py'), ...place })).toMatchObject({
      error_code: 'validation_error',
      message: expect.stringContaining(`${name} must be >= 1, got 0`),
      recoverable: false,
    });
  });

  it('refuses a place that is not in the file', async () => {
    expect(await error('get_hover', at('src/valid.py', 99, 1))).toMatchObject({
      error_code: 'validation_error',
    });
  });
});

describe('4.2 Path/URI Utilities', () => {
  it('takes files whose names need quoting in an address', async () => {
    const { data } = await success('get_hover', at('src/größe und mehr.py', 1, 1));
    expect(data).toMatchObject({ symbol: 'größe', type: 'int' });
    const checked = await success('check_types', { path: workspace.file('src/größe und mehr.py') });
    expect(checked.data).toMatchObject({ files_analyzed: 1, error_count: 0 });
  });
});

describe('4.3 Pyright Command Builder', () => {
  it('obeys the argument before the configuration, and that before what is detected', async () => {
    workspace.write('.python-version', '3.9\n');
    const path = workspace.file('src/modern.py');
    // The file needs 3.12, which the configuration says.
    expect((await success('check_types', { path })).data).toMatchObject({ error_count: 0 });
    expect((await success('check_types', { path, python_version: '3.11' })).data).toMatchObject({
      error_count: 1,
    });
    workspace.write('loose/.python-version', '3.9\n');
    workspace.remove('.python-version');
  });
});

describe('4.4 Input Validation', () => {
  it('allows only paths of the workspace (departure: also where no path is named)', async () => {
    expect(await error('check_types', { path: '/etc/hosts' })).toMatchObject({
      error_code: 'path_not_allowed',
      message: `Path not in allowed workspace: /etc/hosts\nAllowed paths: ${workspace.root}`,
      recoverable: false,
    });
    expect(await error('get_hover', { file: '/etc/hosts', line: 1, column: 1 })).toMatchObject({
      error_code: 'path_not_allowed',
    });
  });

  it('does not follow a link out of the workspace', async () => {
    symlinkSync(workspace.scratch, workspace.file('way-out'));
    expect(await error('check_types', { path: workspace.file('way-out') })).toMatchObject({
      error_code: 'path_not_allowed',
    });
    workspace.remove('way-out');
  });

  it('takes relative paths as well (departure: absolute ones are not required)', async () => {
    const { data } = await success('get_hover', { file: 'src/main.py', line: 4, column: 21 });
    expect(data).toMatchObject({ symbol: 'add' });
  });

  it.each(['3', '3.11.2', 'three', '3.x'])('refuses the Python version %s', async (python_version) => {
    expect(
      await error('check_types', { path: workspace.file('src/valid.py'), python_version }),
    ).toMatchObject({
      error_code: 'validation_error',
      message: `Invalid Python version format: ${python_version}. Expected format: '3.10', '3.11', etc.`,
      recoverable: false,
    });
  });
});

describe('5.1.1 Configuration Module', () => {
  it('opens further paths by PYRIGHT_MCP_ALLOWED_PATHS, and shows what holds', async () => {
    const file = workspace.write(`${workspace.scratch}/beside/other.py`, 'number: int = "a"\n');
    await using session = await another({
      env: {
        PYRIGHT_MCP_ALLOWED_PATHS: path.dirname(file),
        PYRIGHT_MCP_CLI_TIMEOUT: '25',
        PYRIGHT_MCP_LSP_TIMEOUT: '120',
        PYRIGHT_MCP_LSP_POOL_SIZE: '2',
        PYRIGHT_MCP_LOG_LEVEL: 'ERROR',
      },
    });
    expect((await success('check_types', { path: file }, session)).data).toMatchObject({ error_count: 1 });
    expect((await success('health_check', {}, session)).data).toMatchObject({
      lsp_pool: { max_size: 2 },
      config: {
        allowed_paths: [workspace.root, path.dirname(file)],
        cli_timeout: 25,
        lsp_timeout: 120,
        log_mode: 'stderr',
        log_level: 'ERROR',
      },
    });
  });

  it('asks the server that PYRIGHT_MCP_LSP_COMMAND names', async () => {
    await using session = await another({ env: { PYRIGHT_MCP_LSP_COMMAND: '/no/such/langserver' } });
    expect(await error('get_hover', ADD_USED(), session)).toMatchObject({
      error_code: 'not_found',
      message: expect.stringContaining('/no/such/langserver'),
    });
  });
});

describeWith('python3', '5.2 Project Detection Module', ({ python3 }) => {
  it('finds the virtual environment of the project and its packages', async () => {
    const ask = (script: string) => execFileSync(python3, ['-c', script], { encoding: 'utf8' }).trim();
    const version = ask('import sys; print("%d.%d" % sys.version_info[:2])');
    mkdirSync(workspace.file('app/.venv/bin'), { recursive: true });
    symlinkSync(ask('import sys; print(sys.executable)'), workspace.file('app/.venv/bin/python'));
    workspace.write('app/.venv/pyvenv.cfg', `home = /nowhere\nversion = ${version}.0\n`);
    workspace.write(`app/.venv/lib/python${version}/site-packages/helper/__init__.py`, 'answer: int = 42\n');
    workspace.write('app/pyproject.toml', '[project]\nname = "app"\n');
    workspace.write('app/uses.py', 'from helper import answer\nreveal_type(answer)\n');
    const { data } = await success('check_types', { path: workspace.file('app/uses.py') });
    expect(data).toMatchObject({
      error_count: 0,
      diagnostics: [{ message: expect.stringContaining('int') }],
    });
    workspace.remove('app');
  });
});

describe('5.2 Project Detection Module, without a project', () => {
  it('goes on with the defaults of pyright', async () => {
    const file = workspace.write(`${workspace.scratch}/bare/alone.py`, 'number: int = "a"\n');
    await using session = await another({ env: { PYRIGHT_MCP_ALLOWED_PATHS: path.dirname(file) } });
    expect((await success('check_types', { path: file }, session)).data).toMatchObject({ error_count: 1 });
  });
});

describe('5.4 Pyright CLI Runner', () => {
  it('checks a directory: counts, and each diagnostic with its place, severity, message and rule', async () => {
    const { summary, data } = await success('check_types', { path: workspace.file('src') });
    expect(summary).toMatch(/^Analyzed 6 files in \d+\.\d\ds\. Found 3 error\(s\)\.$/);
    expect(data).toMatchObject({ files_analyzed: 6, time_sec: expect.any(Number) });
    expect(data.diagnostics).toContainEqual({
      file: workspace.file('src/with_errors.py'),
      location: '2:12',
      severity: 'error',
      message: expect.stringContaining('"float" is not assignable'),
      rule: 'reportReturnType',
    });
  });

  it('calls nothing checked that the configuration excludes', async () => {
    expect(await error('check_types', { path: workspace.file('generated') })).toMatchObject({
      error_code: 'invalid_path',
      message: expect.stringContaining('were not checked'),
    });
    const { data, ...rest } = await success('check_types', { path: workspace.root });
    expect(data).toMatchObject({ files_analyzed: 6 });
    expect(rest).toMatchObject({ complete: false, reason: expect.stringContaining('1 of 7 Python files') });
  });
});

describe('5.6 Document Lifecycle Management', () => {
  it('sees what was written to a file since it was asked about', async () => {
    const file = workspace.write('src/changing.py', 'value = abs(-1)\n');
    expect((await success('get_hover', { file, line: 1, column: 1 })).data).toMatchObject({ type: 'int' });
    workspace.write('src/changing.py', 'value = str(1)\n');
    expect((await success('get_hover', { file, line: 1, column: 1 })).data).toMatchObject({ type: 'str' });
    workspace.remove('src/changing.py');
  });
});

describe('5.8 Tools Layer', () => {
  it('answers with a discriminated union, as JSON in the text and as structured content', async () => {
    const { raw, json, text } = await frontEnd.call('check_types', {
      path: workspace.file('src/with_errors.py'),
    });
    expect(json).toMatchObject({
      status: 'success',
      summary: expect.stringMatching(/^Analyzed 1 file in \d+\.\d\ds\. Found 2 error\(s\)\.$/),
      data: { error_count: 2, warning_count: 0 },
    });
    expect(raw.structuredContent).toEqual(json);
    expect(JSON.parse(text)).toEqual(json);
  });

  it('says of a missing path that it was not found', async () => {
    const path = workspace.file('src/missing.py');
    expect(await error('check_types', { path })).toMatchObject({
      error_code: 'not_found',
      message: `Path not found: ${path}`,
      details: { path },
    });
    expect(await error('go_to_definition', { file: path, line: 1, column: 1 })).toMatchObject({
      error_code: 'not_found',
      message: `File not found: ${path}`,
    });
  });

  it('shows symbol, type and documentation on hover, and nulls where there is nothing', async () => {
    expect((await success('get_hover', ADD_USED())).data).toEqual({
      symbol: 'add',
      type: '(x: int, y: int) -> int',
      documentation: 'Add two integers.',
    });
    expect((await success('get_hover', at('src/main.py', 2, 1))).data).toEqual({
      symbol: null,
      type: null,
      documentation: null,
    });
  });

  it('lists definitions, and none where there is none', async () => {
    expect((await success('go_to_definition', at('src/main.py', 2, 1))).data).toEqual({ definitions: [] });
  });

  it('refuses a directory where a file is meant', async () => {
    expect(await error('get_hover', { file: workspace.file('src'), line: 1, column: 1 })).toMatchObject({
      error_code: 'invalid_path',
    });
  });
});

describe('5.9 Health Check Tool', () => {
  it('tells version, server, configuration without secrets, and uptime', async () => {
    const { data } = await success('health_check');
    expect(data).toMatchObject({
      pyright_version: expect.stringMatching(/^1\.\d/),
      pyright_available: true,
      lsp_status: 'running',
      config: {
        allowed_paths: [workspace.root],
        cli_timeout: 30,
        lsp_timeout: expect.any(Number),
        log_mode: 'stderr',
        log_level: 'INFO',
      },
      uptime_seconds: expect.any(Number),
      request_count: expect.any(Number),
    });
  });

  it('is taken away by PYRIGHT_MCP_ENABLE_HEALTH_CHECK=false', async () => {
    await using session = await another({ env: { PYRIGHT_MCP_ENABLE_HEALTH_CHECK: 'false' } });
    expect((await session.client.listTools()).tools.map(({ name }) => name)).not.toContain('health_check');
    expect((await session.call('health_check')).isError).toBe(true);
  });
});

describe('6.3 Cancellation Support', () => {
  it('ends the command line with all its processes', async () => {
    const endless = endlessChecker(workspace);
    await using session = await another({ config: { check_types: { command: endless.command } } });
    const cancel = new AbortController();
    const call = session.call('check_types', { path: 'src/valid.py' }, { signal: cancel.signal });
    call.catch(() => {});
    const pids = await endless.pids();
    expect(pids.every(isAlive)).toBe(true);
    cancel.abort();
    await expect(call).rejects.toThrow();
    for (const pid of pids) await untilDead(pid);
  });
});

describe('7.1 Error Categories', () => {
  it.each([
    {
      what: 'is not installed',
      error_code: 'not_found',
      checker: ['no-such-pyright'],
      message: /no-such-pyright.*npm install/,
    },
    {
      what: 'prints what cannot be read',
      error_code: 'parse_error',
      checker: 'console.log("hello")',
      message: /cannot be read/,
    },
    {
      what: 'fails',
      error_code: 'execution_error',
      checker: 'console.error("no memory"); process.exitCode = 2',
      message: /no memory/,
    },
    {
      what: 'takes too long',
      error_code: 'timeout',
      checker: 'setInterval(() => {}, 1000)',
      message: /longer than 1 s/,
    },
  ])('a checker that $what is $error_code', async ({ error_code, checker, message }) => {
    const command = typeof checker === 'string' ? checkerThat(workspace, checker) : checker;
    await using session = await another({ config: { check_types: { command, timeout_seconds: 1 } } });
    const answer = await error('check_types', { path: workspace.file('src/valid.py') }, session);
    expect(answer).toMatchObject({ error_code, message: expect.stringMatching(message) });
  });
});

describe('7.3 LSP Recovery Strategy', () => {
  it('starts a server that was killed again with the next question', async () => {
    await success('get_hover', ADD_USED());
    const servers = descendantsOf(frontEnd.pid).filter(({ command }) => command.includes('langserver'));
    expect(servers.length).toBeGreaterThan(0);
    for (const { pid } of servers) process.kill(pid, 'SIGKILL');
    for (const { pid } of servers) await untilDead(pid);
    expect((await success('get_hover', ADD_USED())).data).toMatchObject({ symbol: 'add' });
  });
});

describe('8.2 Logging Strategy', () => {
  it('keeps a file for people in the state directory, current.log leading to it (departure: in its `logs`)', async () => {
    const { logs } = await loggedSession('both');
    expect(logs).toMatch(/^\d{4}-\S+Z agent-lsp info log file begun version="/m);
    for (const event of ['server in use', 'session ended']) expect(logs).toContain(event);
  });

  it('has JSON lines on standard error, from the first to the last', async () => {
    const { stderr } = await loggedSession('stderr');
    expect(stderr.length).toBeGreaterThan(1);
    for (const line of stderr)
      expect(JSON.parse(line)).toMatchObject({
        timestamp: expect.stringMatching(/^\d{4}-/),
        level: expect.stringMatching(/^(debug|info|warn|error)$/),
        logger: 'agent-lsp',
        event: expect.any(String),
      });
  });

  it('has only errors on standard error where the file is instead of it', async () => {
    const { stderr } = await loggedSession('file');
    expect(stderr.map((line) => JSON.parse(line).level).filter((level) => level !== 'error')).toEqual([]);
  });

  it('Critical Logging Points: each event with its fields, those of one request under its id (departure: calls at DEBUG)', async () => {
    const { logs } = await loggedSession('file', { AGENT_LSP_LOG_FORMAT: 'json' });
    const entries: Record<string, unknown>[] = logs
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const named = (event: string) => entries.filter((entry) => entry.event === event);
    expect(named('log file begun')).toMatchObject([
      { level: 'info', version: expect.any(String), node: process.version, mode: 'file' },
    ]);
    const [hover, check, missing] = named('tool call begun');
    expect(hover).toMatchObject({ level: 'debug', tool: 'get_hover', args: ADD_USED() });
    expect(new Set([hover, check, missing].map((entry) => entry?.request)).size).toBe(3);
    const of = (event: string, begun: object | undefined) =>
      named(event).filter(({ request }) => request === Reflect.get(begun ?? {}, 'request'));
    expect(of('tool call', hover)).toMatchObject([{ tool: 'get_hover', ms: expect.any(Number) }]);
    expect(of('checker started', check)).toMatchObject([
      { level: 'debug', command: expect.stringContaining('--outputjson'), cwd: workspace.root },
    ]);
    expect(of('checker ended', check)).toMatchObject([{ kind: 'exited' }]);
    expect(of('tool call', missing)).toMatchObject([{ tool: 'get_hover', error: 'no-such-file' }]);
    expect(named('session ended')).toMatchObject([{ uptime_s: expect.any(Number), calls: 3 }]);
  });

  /** What a session of three calls has logged, of which the last fails. */
  async function loggedSession(mode: string, env: Readonly<Record<string, string>> = {}) {
    const level = { PYRIGHT_MCP_LOG_MODE: mode, PYRIGHT_MCP_LOG_LEVEL: 'DEBUG' };
    const args = mode === 'stderr' ? ['--log-level', 'debug'] : [];
    const session = await another({ args, env: { ...level, ...env } });
    await success('get_hover', ADD_USED(), session);
    await success('check_types', { path: workspace.file('src/valid.py') }, session);
    await error('get_hover', { ...ADD_USED(), file: workspace.file('gone.py') }, session);
    await session.close();
    const file = path.join(workspace.stateDir, 'logs', 'current.log');
    return {
      stderr: session
        .stderr()
        .trimEnd()
        .split('\n')
        .filter((line) => line !== ''),
      logs: mode === 'stderr' ? '' : readFileSync(file, 'utf8'),
    };
  }
});

describe('11.3 File System Access', () => {
  it('lists no tool that writes', async () => {
    const { tools } = await frontEnd.client.listTools();
    expect(tools).toHaveLength(7);
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true });
  });
});

describe('14.3 Phase 3', () => {
  it('completes with kind, signature and documentation after a trigger character', async () => {
    const { data } = await success('get_completions', { ...at('src/main.py', 5, 6), trigger_character: '.' });
    expect(data.completions).toContainEqual({
      label: 'total',
      kind: 'method',
      detail: expect.stringContaining('def total() -> int'),
      documentation: null,
    });
  });

  it('finds references, with or without the declaration', async () => {
    const { data } = await success('find_references', at('src/prices.py', 4, 5));
    const uses = [at('src/prices.py', 13, 16), at('src/main.py', 1, 26), ADD_USED()];
    expect(data).toMatchObject({ total: 4, truncated: false });
    expect(data.references).toEqual(expect.arrayContaining([at('src/prices.py', 4, 5), ...uses]));
    const without = await success('find_references', {
      ...at('src/prices.py', 4, 5),
      include_declaration: false,
    });
    expect(without.data.references).toEqual(expect.arrayContaining(uses));
    expect(without.data.references).not.toContainEqual(at('src/prices.py', 4, 5));
  });

  it('shows the signature of a call and its active parameter, and none where no call is', async () => {
    const { data } = await success('get_signature', at('src/main.py', 4, 28));
    expect(data).toMatchObject({
      signatures: [{ label: '(x: int, y: int) -> int', active_parameter: 1 }],
      active_signature: 0,
    });
    expect((await success('get_signature', at('src/main.py', 2, 1))).data).toMatchObject({ signatures: [] });
  });

  it('has a server for each workspace', async () => {
    const file = workspace.write(`${workspace.scratch}/second/two.py`, 'value = 1\n');
    workspace.write(`${workspace.scratch}/second/pyproject.toml`, '[project]\nname = "second"\n');
    await using session = await another({ env: { PYRIGHT_MCP_ALLOWED_PATHS: path.dirname(file) } });
    await success('get_hover', ADD_USED(), session);
    await success('get_hover', { file, line: 1, column: 1 }, session);
    expect((await success('health_check', {}, session)).data).toMatchObject({ lsp_pool: { size: 2 } });
  });

  it('counts and times each operation, and its errors', async () => {
    const { metrics } = (await success('health_check')).data as {
      metrics: { operations: Record<string, Record<string, number>> };
    };
    const { check_types: check, get_completions: completions } = metrics.operations;
    expect(check).toMatchObject({ count: expect.any(Number), error_rate: expect.any(Number) });
    expect(check?.error_rate).toBeGreaterThan(0);
    expect(completions).toMatchObject({ count: 1, error_rate: 0 });
    expect(completions?.minimum_ms).toBe(completions?.maximum_ms);
  });

  it('counts nothing with PYRIGHT_MCP_METRICS_ENABLED=false', async () => {
    await using session = await another({ env: { PYRIGHT_MCP_METRICS_ENABLED: 'false' } });
    await success('health_check', {}, session);
    expect((await success('health_check', {}, session)).data).toMatchObject({
      metrics: { enabled: false, operations: {} },
    });
  });
});
