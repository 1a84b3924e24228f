/**
 * The plan that `--tools lsp6` is made after, from top to bottom, over MCP with real servers. Each describe has the name
 * of a section; where agent-lsp departs from it, the test says so and shows what holds instead.
 */
import { existsSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { Client, ElicitResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FrontEnd, startFrontEnd } from '../support/mcp-client.ts';
import { descendantsOf, isAlive, untilDead } from '../support/processes.ts';
import { describeWith } from '../support/requirements.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const FILES = `
//- package.json
{ "name": "agent", "private": true, "type": "module" }
//- tsconfig.json
{ "compilerOptions": { "strict": true, "module": "nodenext", "allowJs": true, "noEmit": true }, "include": ["src"] }
//- src/core/agent.ts
/** Runs until the model is done. */
export function agentLoop(turns: number): number {
  return turns;
}
//- src/core/agent.test.ts
import { agentLoop } from './agent.js';
export const tested = agentLoop(1);
//- src/my app/main.ts
import { agentLoop } from '../core/agent.js';
class Chat {
  run() {
    return agentLoop(2) + agentLoop(3);
  }
}
new Chat().run();
//- src/forms/view.tsx
export function inTsx() {}
//- src/forms/plain.js
export function inJs() {}
//- src/forms/view.jsx
export function inJsx() {}
//- src/forms/module.mjs
export function inMjs() {}
//- src/forms/common.cjs
function inCjs() {}
module.exports = { inCjs };
//- main.py
def in_py(count: int) -> int:
    return count


print(in_py(1))
//- types.pyi
def in_pyi() -> int: ...
//- data.csv
a,b
//- play.lua
function in_lua() end
`;

const POSITIONED = ['lsp_definition', 'lsp_references', 'lsp_hover', 'lsp_rename'];
const NAMES = [...POSITIONED.slice(0, 3), 'lsp_symbols', 'lsp_document_symbols', 'lsp_rename'];
const AGENT_LOOP = { path: 'src/core/agent.ts', line: 2, character: 16 };
const EVERY_PLACE = [
  'src/core/agent.test.ts:1:9',
  'src/core/agent.test.ts:2:22',
  'src/core/agent.ts:2:16',
  'src/my app/main.ts:1:9',
  'src/my app/main.ts:4:11',
  'src/my app/main.ts:4:26',
];

type Args = Readonly<Record<string, unknown>>;

let workspace: Workspace;
let frontEnd: FrontEnd;

beforeAll(async () => {
  workspace = createWorkspace(FILES);
  frontEnd = await lsp6();
});
afterAll(async () => {
  await frontEnd.close();
  await workspace.expectNothingLeft();
  await workspace[Symbol.asyncDispose]();
});

interface Wishes {
  readonly config?: object;
  readonly prepare?: (client: Client) => void;
  readonly elicits?: boolean;
}

async function lsp6({ config = {}, prepare, elicits = false }: Wishes = {}): Promise<FrontEnd> {
  const file = workspace.write(`${workspace.scratch}/config.json`, JSON.stringify(config));
  return startFrontEnd({
    workspace,
    args: ['--tools', 'lsp6', '--daemon', 'never', '--config', file],
    ...(prepare ? { prepare } : {}),
    ...(elicits ? { client: { capabilities: { elicitation: {} } } } : {}),
  });
}

/** The text of an answer, which no answer about servers may make a failure. */
async function ask(tool: string, args: Args, from = frontEnd): Promise<string> {
  const { text, isError } = await from.call(tool, args);
  expect({ isError, text }).toMatchObject({ isError: false });
  return text;
}

function serversOf(session: FrontEnd): readonly number[] {
  return descendantsOf(session.pid)
    .filter(({ command }) => /--stdio|gopls|rust-analyzer/.test(command))
    .map(({ pid }) => pid);
}

describe('1. Architecture Overview', () => {
  it('starts a server with the first question about its language, keeps it, and ends it with the session', async () => {
    await using session = await lsp6();
    expect(serversOf(session)).toEqual([]);
    await ask('lsp_definition', AGENT_LOOP, session);
    const first = serversOf(session);
    expect(first.length).toBeGreaterThan(0);
    await ask('lsp_hover', { path: 'src/my app/main.ts', line: 4, character: 11 }, session);
    expect(serversOf(session)).toEqual(first);
    await ask('lsp_hover', { path: 'main.py', line: 1, character: 4 }, session);
    expect(serversOf(session)).toEqual(expect.arrayContaining([...first]));
    const all = serversOf(session);
    expect(all.length).toBeGreaterThan(first.length);
    await session.close();
    for (const pid of all) await untilDead(pid);
  });
});

describe('4. Tool Definitions', () => {
  const position = ['path', 'line', 'character'];
  it.each([
    {
      name: 'lsp_definition',
      description: 'Go to the definition of a symbol. Returns file path and line number.',
      required: position,
    },
    {
      name: 'lsp_references',
      description: 'Find all references to a symbol across the workspace.',
      required: position,
    },
    {
      name: 'lsp_hover',
      description: 'Get type information and documentation for a symbol at a position.',
      required: position,
    },
    {
      name: 'lsp_symbols',
      description: 'Search for symbols (functions, classes, variables) across the workspace by name.',
      required: ['query'],
    },
    {
      name: 'lsp_document_symbols',
      description: 'List all symbols (functions, classes, interfaces) defined in a file.',
      required: ['path'],
    },
    {
      name: 'lsp_rename',
      description: 'Rename a symbol across all files in the workspace. Returns a list of edits to apply.',
      required: [...position, 'new_name'],
    },
  ])('$name: its description and its required parameters', async ({ name, description, required }) => {
    const { tools } = await frontEnd.client.listTools();
    const tool = tools.find((each) => each.name === name);
    expect(tool).toMatchObject({ description, inputSchema: { required } });
    const optional = name === 'lsp_references' ? ['include_declaration'] : [];
    expect(Object.keys(tool?.inputSchema.properties ?? {})).toEqual([...required, ...optional]);
  });

  it('describes each parameter with the base that it counts from', async () => {
    const { tools } = await frontEnd.client.listTools();
    const properties = Object.assign({}, ...tools.map(({ inputSchema }) => inputSchema.properties));
    expect(properties).toMatchObject({
      path: { type: 'string', description: 'File path (relative to cwd)' },
      line: { type: 'integer', description: 'Line number (1-based)' },
      character: { type: 'integer', description: 'Column number (0-based)' },
      include_declaration: {
        type: 'boolean',
        description: 'Include the declaration itself (default: true)',
      },
      query: { type: 'string', description: 'Symbol name or partial name to search for' },
      new_name: { type: 'string', description: 'New name for the symbol' },
    });
  });

  it('lsp_definition: file, line and character', async () => {
    const used = { path: 'src/my app/main.ts', line: 4, character: 11 };
    expect(await ask('lsp_definition', used)).toBe('src/core/agent.ts:2:16');
    expect(await ask('lsp_definition', { path: 'main.py', line: 5, character: 6 })).toBe('main.py:1:4');
  });

  it('lsp_references: with the declaration unless it is not wanted, tests included', async () => {
    expect((await ask('lsp_references', AGENT_LOOP)).split('\n').sort()).toEqual(EVERY_PLACE);
    const uses = await ask('lsp_references', { ...AGENT_LOOP, include_declaration: false });
    expect(uses.split('\n').sort()).toEqual(EVERY_PLACE.filter((place) => !place.endsWith('agent.ts:2:16')));
  });

  it('lsp_hover: type and documentation', async () => {
    const text = await ask('lsp_hover', AGENT_LOOP);
    expect(text).toContain('function agentLoop(turns: number): number');
    expect(text).toContain('Runs until the model is done.');
  });

  it('lsp_symbols: by name or a part of it, also in other languages', async () => {
    expect(await ask('lsp_symbols', { query: 'agentLo' })).toContain(
      'function agentLoop  src/core/agent.ts:2:16',
    );
    expect(await ask('lsp_symbols', { query: 'in_py' })).toContain('function in_py  main.py:1:4');
  });

  it('lsp_document_symbols: all of a file, also those inside of others', async () => {
    expect((await ask('lsp_document_symbols', { path: 'src/my app/main.ts' })).split('\n')).toEqual(
      expect.arrayContaining(['class Chat  src/my app/main.ts:2:6', 'method run  src/my app/main.ts:3:2']),
    );
  });

  it('lsp_rename: a list of the edits, and nothing is written', async () => {
    const before = workspace.read('src/core/agent.ts');
    const [summary, ...rest] = (await ask('lsp_rename', { ...AGENT_LOOP, new_name: 'runTurns' })).split('\n');
    expect(summary).toBe('6 edits in 3 files:');
    expect(rest.slice(0, 6).sort()).toEqual(EVERY_PLACE.map((place) => `${place}: agentLoop -> runTurns`));
    expect(rest).toContain('+export function runTurns(turns: number): number {');
    expect(workspace.read('src/core/agent.ts')).toBe(before);
  });

  it.each(POSITIONED)('%s says which parameter is missing', async (tool) => {
    const { line: _line, ...rest } = { ...AGENT_LOOP, ...(tool === 'lsp_rename' ? { new_name: 'x' } : {}) };
    expect(await frontEnd.call(tool, rest)).toMatchObject({
      isError: true,
      text: expect.stringContaining('line is required'),
    });
  });
});

describe('5. Server Configuration', () => {
  it.each([
    { file: 'src/core/agent.ts', name: 'agentLoop' },
    { file: 'src/forms/view.tsx', name: 'inTsx' },
    { file: 'src/forms/plain.js', name: 'inJs' },
    { file: 'src/forms/view.jsx', name: 'inJsx' },
    { file: 'src/forms/module.mjs', name: 'inMjs' },
    { file: 'src/forms/common.cjs', name: 'inCjs' },
    { file: 'main.py', name: 'in_py' },
    { file: 'types.pyi', name: 'in_pyi' },
  ])('Built-in Defaults: a server for $file', async ({ file, name }) => {
    expect(await ask('lsp_document_symbols', { path: file })).toContain(`function ${name}  ${file}:`);
  });

  it('Auto-Detection Flow: a server that is not there is said to be, with what to do', async () => {
    expect(await ask('lsp_document_symbols', { path: 'play.lua' })).toMatch(
      /^LSP server "lua-language-server" is not available\.\nInstall it with: \S/,
    );
  });
});

describeWith(['gopls', 'go'], '5. Server Configuration, Go', () => {
  it('Built-in Defaults: a server for .go, rooted at go.mod', async () => {
    workspace.write('service/go.mod', 'module service\n\ngo 1.21\n');
    workspace.write('service/main.go', 'package main\n\nfunc main() { price() }\n\nfunc price() {}\n');
    const used = { path: 'service/main.go', line: 3, character: 15 };
    expect(await ask('lsp_definition', used)).toBe('service/main.go:5:5');
  });
});

describeWith(['rust-analyzer', 'cargo'], '5. Server Configuration, Rust', () => {
  it('Built-in Defaults: a server for .rs', async () => {
    workspace.write('engine/Cargo.toml', '[package]\nname = "engine"\nversion = "0.1.0"\nedition = "2021"\n');
    workspace.write('engine/src/lib.rs', 'pub fn price() -> u32 { 1 }\n');
    expect(await ask('lsp_document_symbols', { path: 'engine/src/lib.rs' })).toContain(
      'function price  engine/src/lib.rs:1:7',
    );
  });
});

describe('6. Config Schema Changes', () => {
  it('`lsp.enabled` false: no tool is listed, and none answers', async () => {
    await using session = await lsp6({ config: { lsp: { enabled: false } } });
    expect((await session.client.listTools()).tools).toEqual([]);
    await expect(session.call('lsp_definition', AGENT_LOOP)).rejects.toThrow(/no tool "lsp_definition"/);
  });

  it('`lsp.servers`: another command, arguments and options for a language', async () => {
    const journal = `${workspace.scratch}/wrapped.json`;
    const wrapper = workspace.write(
      `${workspace.scratch}/wrapper.mjs`,
      `import { writeFileSync } from 'node:fs';
       writeFileSync(${JSON.stringify(journal)}, JSON.stringify(process.argv.slice(2)));
       process.exit(1);`,
    );
    const server = { command: process.execPath, args: [wrapper, '--stdio', '--log-level', 'verbose'] };
    const options = { preferences: { includeInlayParameterNameHints: 'none' } };
    const typescript = { ...server, initializationOptions: options };
    await using session = await lsp6({ config: { lsp: { servers: { typescript } } } });
    await ask('lsp_hover', AGENT_LOOP, session);
    expect(JSON.parse(workspace.read(journal))).toEqual(['--stdio', '--log-level', 'verbose']);
  });

  it('`lsp.timeout`: a server that does not answer in time is no failure', async () => {
    const mute = workspace.write(`${workspace.scratch}/mute.mjs`, 'process.stdin.resume();');
    const typescript = { command: process.execPath, args: [mute] };
    await using session = await lsp6({ config: { lsp: { timeout: 700, servers: { typescript } } } });
    const text = await ask('lsp_definition', AGENT_LOOP, session);
    expect(text).toMatch(/^initialize took longer than /);
    expect(text).toContain('search_files({ pattern: "\\\\bagentLoop\\\\b", glob: "*.ts" })');
  });

  it('permissions: lsp_rename asks its user, who may decline, and the others ask nobody', async () => {
    const questions: string[] = [];
    const answers: ElicitResult['action'][] = ['decline', 'accept'];
    await using session = await lsp6({
      elicits: true,
      prepare: (client) =>
        client.setRequestHandler('elicitation/create', ({ params }) => {
          questions.push(params.message);
          return { action: answers.shift() ?? 'cancel' };
        }),
    });
    for (const tool of ['lsp_definition', 'lsp_references', 'lsp_hover'])
      await ask(tool, AGENT_LOOP, session);
    await ask('lsp_symbols', { query: 'agentLoop' }, session);
    await ask('lsp_document_symbols', { path: AGENT_LOOP.path }, session);
    expect(questions).toEqual([]);
    const rename = { ...AGENT_LOOP, new_name: 'runTurns' };
    expect((await session.call('lsp_rename', rename)).isError).toBe(true);
    expect(await ask('lsp_rename', rename, session)).toMatch(/^6 edits in 3 files:/);
    expect(questions).toHaveLength(2);
    expect(questions[0]).toContain('lsp_rename');
  });

  it('permissions: lsp_rename asks nobody where a rule allows it', async () => {
    let questions = 0;
    await using session = await lsp6({
      elicits: true,
      config: { permissions: { allow: ['lsp_rename'] } },
      prepare: (client) =>
        client.setRequestHandler('elicitation/create', () => {
          questions += 1;
          return { action: 'decline' };
        }),
    });
    await ask('lsp_rename', { ...AGENT_LOOP, new_name: 'runTurns' }, session);
    expect(questions).toBe(0);
  });
});

describe('7. Implementation Tasks, Task 1: Protocol Helpers', () => {
  it('takes and gives paths with spaces', async () => {
    expect(await ask('lsp_references', { path: 'src/my app/main.ts', line: 3, character: 2 })).toBe(
      'src/my app/main.ts:3:2\nsrc/my app/main.ts:7:11',
    );
  });

  it('clamps line 0 to the first', async () => {
    const first = { path: 'src/my app/main.ts', line: 0, character: 9 };
    expect(await ask('lsp_definition', first)).toBe('src/core/agent.ts:2:16');
  });

  it('names no place twice, and says when there is none', async () => {
    const lines = (await ask('lsp_references', AGENT_LOOP)).split('\n');
    expect(new Set(lines).size).toBe(lines.length);
    const nowhere = { path: 'src/my app/main.ts', line: 6, character: 0 };
    expect(await ask('lsp_definition', nowhere)).toBe('No results found.');
    expect(await ask('lsp_hover', nowhere)).toBe('No results found.');
    // Before it, that a server still indexes, which is then not the same as nothing.
    expect(await ask('lsp_symbols', { query: 'nowhereToBeFound' })).toMatch(
      /^(INCOMPLETE: .*\n)?No results found\.$/,
    );
  });

  it('takes absolute paths inside the workspace, and none outside of it', async () => {
    const inside = workspace.file(AGENT_LOOP.path);
    expect(await ask('lsp_hover', { ...AGENT_LOOP, path: inside })).toContain('agentLoop');
    symlinkSync('/etc/hosts', workspace.file('way-out.ts'));
    for (const outside of ['/etc/hosts', '../other.ts', 'way-out.ts'])
      expect(await frontEnd.call('lsp_hover', { ...AGENT_LOOP, path: outside })).toMatchObject({
        isError: true,
        text: expect.stringContaining('outside'),
      });
    workspace.remove('way-out.ts');
  });
});

describe('7. Implementation Tasks, Task 3: LspManager', () => {
  it('says where no server is for a kind of file', async () => {
    expect(await ask('lsp_definition', { path: 'data.csv', line: 1, character: 0 })).toBe(
      'No LSP server configured for .csv files',
    );
  });

  it('has one client for the files of a language', async () => {
    const before = serversOf(frontEnd);
    await ask('lsp_definition', AGENT_LOOP);
    await ask('lsp_definition', { path: 'src/forms/plain.js', line: 1, character: 17 });
    expect(serversOf(frontEnd)).toEqual(before);
  });
});

describe('7. Implementation Tasks, Task 4: Tool Executors', () => {
  it('has all six tools, of which none writes', async () => {
    const { tools } = await frontEnd.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(NAMES);
    for (const { annotations } of tools) expect(annotations).toMatchObject({ readOnlyHint: true });
  });
});

describe('7. Implementation Tasks, Tasks 6 and 7: documents as they are on disk', () => {
  it('sees a file that was written since it was asked about, and one that is new', async () => {
    const file = 'src/core/changing.ts';
    workspace.write(file, 'export const before = 1;\n');
    expect(await ask('lsp_document_symbols', { path: file })).toContain('before');
    workspace.write(file, '\nexport const afterwards = 1;\n');
    expect(await ask('lsp_document_symbols', { path: file })).toBe(`variable afterwards  ${file}:2:13`);
    workspace.write('src/core/new.ts', "import { agentLoop } from './agent.js';\nagentLoop(4);\n");
    expect(await ask('lsp_references', AGENT_LOOP)).toContain('src/core/new.ts:2:0');
    workspace.remove('src/core/new.ts');
    workspace.remove(file);
    expect(await ask('lsp_references', AGENT_LOOP)).not.toContain('new.ts');
  });
});

describe('9. Fallback Behavior', () => {
  it('1 and 2. uses the server that runs, and starts it again when it is gone', async () => {
    await ask('lsp_hover', { path: 'main.py', line: 1, character: 4 });
    const servers = serversOf(frontEnd);
    for (const pid of servers) process.kill(pid, 'SIGKILL');
    for (const pid of servers) await untilDead(pid);
    expect(await ask('lsp_hover', { path: 'main.py', line: 1, character: 4 })).toContain('in_py');
    expect(serversOf(frontEnd).filter((pid) => isAlive(pid)).length).toBeGreaterThan(0);
  });

  it('3. names the server, how to install it, and a search that can be copied', async () => {
    const config = { lsp: { servers: { typescript: { command: path.join(workspace.scratch, 'no-such') } } } };
    await using session = await lsp6({ config });
    const lines = (await ask('lsp_references', AGENT_LOOP, session)).split('\n');
    expect(lines).toEqual([
      `LSP server "${path.join(workspace.scratch, 'no-such')}" is not available.`,
      expect.stringMatching(/^Install it with: npm install .*typescript/),
      '',
      'Suggested alternative: Use search_files to find references:',
      '  search_files({ pattern: "\\\\bagentLoop\\\\b", glob: "*.ts" })',
      `or, in a shell: grep -rnw --include='*.ts' -- 'agentLoop' ${workspace.root}`,
    ]);
    expect(await ask('lsp_symbols', { query: 'agentLo' }, session)).toMatch(/agentLo|No results found\./);
  });

  it('4. lists nothing where it is switched off (see 6), and says so of a single language', async () => {
    const config = { servers: [{ language_id: 'python', disabled: true }] };
    await using session = await lsp6({ config });
    const text = await ask('lsp_hover', { path: 'main.py', line: 1, character: 4 }, session);
    expect(text).toMatch(/switched off/);
    expect(text).toContain('search_files({ pattern: "\\\\bin_py\\\\b", glob: "*.py" })');
  });

  it('5. says of an unsupported type that no server is configured', async () => {
    expect(await ask('lsp_document_symbols', { path: 'data.csv' })).toBe(
      'No LSP server configured for .csv files',
    );
  });

  it('a file that is not there is a mistake of the call', async () => {
    expect(existsSync(workspace.file('src/gone.ts'))).toBe(false);
    expect(await frontEnd.call('lsp_hover', { ...AGENT_LOOP, path: 'src/gone.ts' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('does not exist'),
    });
  });
});
