/**
 * The document that `--tools lsp` is made after, from top to bottom, over MCP with real servers. Each test has the name
 * of a section. What only a server that misbehaves can show is in test/tools/profile-lsp.test.ts.
 */
import { symlinkSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { LSP_ACTIONS } from '../../src/shared/config/lsp-actions.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { runProgram } from '../support/real-session.ts';
import { describeWith } from '../support/requirements.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const FILES = `
//- package.json
{ "name": "shop", "private": true, "type": "module" }
//- tsconfig.json
{ "compilerOptions": { "strict": true, "module": "nodenext", "noEmit": true }, "include": ["src"] }
//- src/index.ts
import { add } from './math.js';

export function main(): number {
  return add(1, 2);
}
//- src/math.ts
/** Adds two numbers. */
export function add(first: number, second: number): number {
  return first + second;
}
//- src/bad.ts
import { add } from './math.js';
export const wrong: string = add(1, 2);
function unused() {}
//- notes.xyz
words
//- shop.py
def price(amount: int) -> int:
    return amount * 2


print(price(3))
wrong: str = price(4)
`;

interface Answer {
  readonly text: string;
  readonly isError: boolean;
  /** All of the structured part. */
  readonly structured: Readonly<Record<string, unknown>>;
  readonly details: Readonly<Record<string, unknown>>;
}

interface World extends AsyncDisposable {
  readonly workspace: Workspace;
  lsp(args: Readonly<Record<string, unknown>>): Promise<Answer>;
  uri(file: string): string;
}

interface Wishes {
  readonly config?: object;
  readonly args?: readonly string[];
  readonly files?: string;
}

const MUTATING = { config: { lsp: { tool: { allowMutatingActions: true } } } };

async function world({ config = {}, args = [], files = FILES }: Wishes = {}): Promise<World> {
  const workspace = createWorkspace(files);
  const file = workspace.write(`${workspace.scratch}/config.json`, JSON.stringify(config));
  const frontEnd = await startFrontEnd({
    workspace,
    args: ['--tools', 'lsp', '--config', file, '--daemon', 'never', ...args],
  });
  return {
    workspace,
    uri: (name) => pathToFileURL(workspace.file(name)).href,
    lsp: async (call) => {
      const { text, isError, raw } = await frontEnd.call('lsp', call);
      const structured = raw.structuredContent as Answer['structured'];
      return { text, isError, structured, details: structured.details as Answer['details'] };
    },
    [Symbol.asyncDispose]: async () => {
      await frontEnd[Symbol.asyncDispose]();
      await workspace[Symbol.asyncDispose]();
    },
  };
}

function range(line: number, from: number, to: number) {
  return { start: { line, character: from }, end: { line, character: to } };
}

/** In the order of the document; each begins with what it shows. */
describe('seed 001', () => {
  it('Public tool list: one tool, `lsp`, and its input schema', async () => {
    await using workspace = createWorkspace(FILES);
    await using frontEnd = await startFrontEnd({ workspace, args: ['--tools', 'lsp'] });
    const { tools } = await frontEnd.client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['lsp']);
    const { properties = {}, required } = tools[0]?.inputSchema ?? {};
    expect(required).toEqual(['action']);
    expect(properties.action).toMatchObject({ enum: LSP_ACTIONS });
    expect(properties.severity).toMatchObject({ enum: ['all', 'error', 'warning', 'info', 'hint'] });
    expect(properties.files).toMatchObject({ type: 'array', items: { type: 'string' } });
    const names = 'action file files line column endLine endColumn query newName severity server';
    expect(Object.keys(properties)).toEqual(names.split(' '));
  });

  it('Required fields and Tool failure: what each action lacks, in fixed words and with INVALID_INPUT', async () => {
    await using seed = await world(MUTATING);
    const positioned = ['definition', 'references', 'hover', 'signature', 'rename', 'codeAction'];
    const file = 'src/index.ts';
    const tooMany = Array.from({ length: 65 }, (_, index) => `src/${index}.ts`);
    const cases: readonly (readonly [object, string])[] = [
      ...[...positioned, 'symbols', 'diagnostics'].map(
        (action) => [{ action, newName: 'x' }, `Action "${action}" requires a file path.`] as const,
      ),
      ...positioned.flatMap((action) => {
        const message = `Action "${action}" requires line/column or a query matching a symbol.`;
        const call = { action, file, newName: 'x' };
        return [
          [call, message] as const,
          [{ ...call, line: 1 }, message] as const,
          [{ ...call, query: 'noSuchThing' }, message] as const,
        ];
      }),
      [{ action: 'rename', file, query: 'main' }, 'Action "rename" requires newName.'],
      [{ action: 'workspace-diagnostics' }, 'Action "workspace-diagnostics" requires files.'],
      [
        { action: 'workspace-diagnostics', files: tooMany },
        'Action "workspace-diagnostics" accepts at most 64 files.',
      ],
    ];
    for (const [call, message] of cases) {
      const { text, isError, structured } = await seed.lsp({ ...call });
      expect(isError, text).toBe(true);
      expect(text.split('\n')[0]).toBe(message);
      expect(structured).toMatchObject({
        status: 'error',
        code: 'INVALID_INPUT',
        error_code: 'invalid_input',
      });
    }
    expect(await seed.lsp({ action: 'delete' })).toMatchObject({ isError: true });
    expect(await seed.lsp({ action: 'hover', file, line: 0, column: 1 })).toMatchObject({ isError: true });
  });

  it('servers: adapter ids, and nothing is started', async () => {
    await using seed = await world();
    const { text, details } = await seed.lsp({ action: 'servers' });
    const ids = 'dart typescript vue svelte pyright gopls kotlin swift rust-analyzer clangd'.split(' ');
    expect(details.servers).toEqual(expect.arrayContaining(ids));
    expect(text).toMatch(/^action: servers\n/);
    expect(text.split('\n').slice(1)).toEqual(details.servers);
    const status = JSON.parse(await runProgram(seed.workspace, 'daemon-status', '--json'));
    expect(status.filter(({ kind }: { kind: string }) => kind === 'running')).toEqual([]);
  });

  it('definition: LSP locations, total and truncated, by position and by query', async () => {
    await using seed = await world();
    const add = {
      results: [{ uri: seed.uri('src/math.ts'), range: range(1, 16, 19) }],
      total: 1,
      truncated: false,
    };
    const byPlace = await seed.lsp({ action: 'definition', file: 'src/index.ts', line: 4, column: 10 });
    expect(byPlace).toMatchObject({ isError: false, details: add, structured: { complete: true } });
    expect(byPlace.text).toMatch(/^action: definition\n1 definition of add .*\nsrc\/math\.ts:2:17/);
    const byQuery = await seed.lsp({ action: 'definition', file: 'src/index.ts', query: 'add' });
    expect(byQuery.details).toMatchObject(add);
    const python = await seed.lsp({ action: 'definition', file: 'shop.py', line: 5, column: 7 });
    expect(python.details).toMatchObject({ results: [{ uri: seed.uri('shop.py'), range: range(0, 4, 9) }] });
  });

  it('references: LSP locations, total and truncated', async () => {
    await using seed = await world();
    const { text, details } = await seed.lsp({ action: 'references', file: 'src/math.ts', query: 'add' });
    expect(text).toMatch(/^action: references\n5 references to add /);
    expect(details).toMatchObject({ total: 5, truncated: false });
    expect(details.results).toEqual(
      expect.arrayContaining([
        { uri: seed.uri('src/math.ts'), range: range(1, 16, 19) },
        { uri: seed.uri('src/index.ts'), range: range(3, 9, 12) },
      ]),
    );
  });

  it('hover: an LSP Hover or null', async () => {
    await using seed = await world();
    const found = await seed.lsp({ action: 'hover', file: 'src/index.ts', line: 4, column: 10 });
    expect(found.details).toMatchObject({
      contents: {
        kind: 'markdown',
        value: expect.stringContaining('add(first: number, second: number): number'),
      },
    });
    expect(found.text).toMatch(/^action: hover\n.*add\(first: number.*\nAdds two numbers\.$/s);
    const none = await seed.lsp({ action: 'hover', file: 'src/index.ts', line: 2, column: 1 });
    expect(none).toMatchObject({ isError: false, details: null, structured: { details: null } });
    expect(none.text).toMatch(/^action: hover\nNo hover information available\.\n/);
  });

  it('signature: an LSP SignatureHelp or null', async () => {
    await using seed = await world();
    const found = await seed.lsp({ action: 'signature', file: 'src/index.ts', line: 4, column: 17 });
    expect(found.details).toMatchObject({
      signatures: [
        {
          label: 'add(first: number, second: number): number',
          parameters: [{ label: 'first: number' }, { label: 'second: number' }],
        },
      ],
      activeSignature: 0,
      activeParameter: 1,
    });
    expect(found.text).toMatch(/^action: signature\nadd\(/);
    for (const place of [{ line: 2, column: 1 }, { query: 'main' }]) {
      const none = await seed.lsp({ action: 'signature', file: 'src/index.ts', ...place });
      expect(none).toMatchObject({ isError: false, details: null });
      expect(none.text).toMatch(/^action: signature\nNo signature help available\.\n/);
    }
  });

  it('symbols: lines of one document, filtered by query', async () => {
    await using seed = await world();
    const all = await seed.lsp({ action: 'symbols', file: 'src/bad.ts' });
    expect(all.details).toMatchObject({ truncated: false, total: 3 });
    expect(all.details.lines).toEqual(['variable add 1:10', 'variable wrong 2:14', 'function unused 3:10']);
    const some = await seed.lsp({ action: 'symbols', file: 'src/bad.ts', query: 'USED' });
    expect(some.details).toMatchObject({ lines: ['function unused 3:10'], total: 1, truncated: false });
    const none = await seed.lsp({ action: 'symbols', file: 'src/bad.ts', query: 'main' });
    expect(none).toMatchObject({ isError: false, details: { lines: [], total: 0 } });
    expect(none.text).toMatch(/^action: symbols\nNo symbols found\.\n/);
  });

  it('diagnostics: LSP diagnostics of one file, with those of a severity and worse', async () => {
    await using seed = await world();
    const at = (severity?: string) =>
      seed.lsp({ action: 'diagnostics', file: 'src/bad.ts', ...(severity ? { severity } : {}) });
    const all = await at();
    expect(all.isError).toBe(false);
    const [first, second] = all.text.split('\n');
    expect([first, second]).toEqual(['action: diagnostics', 'fresh (exact, pull, typescript-go)']);
    const error = { range: range(1, 13, 18), severity: 1, code: 'TS2322', message: expect.any(String) };
    expect(all.details).toMatchObject({
      diagnostics: [error, { severity: 4, code: 'TS6133' }],
      diagnosticsTotal: 2,
      diagnosticsTruncated: false,
      receivedResponse: true,
      fresh: true,
    });
    for (const severity of ['error', 'warning', 'info'])
      expect((await at(severity)).details).toMatchObject({ diagnostics: [error], diagnosticsTotal: 1 });
    expect((await at('hint')).details).toMatchObject({ diagnosticsTotal: 2 });
    const clean = await seed.lsp({ action: 'diagnostics', file: 'src/math.ts' });
    expect(clean.text).toMatch(/\nNo diagnostics\.$/);
    expect(clean.details).toMatchObject({ diagnostics: [], diagnosticsTotal: 0, receivedResponse: true });
    const python = await seed.lsp({ action: 'diagnostics', file: 'shop.py', severity: 'error' });
    expect(python.details).toMatchObject({ diagnostics: [{ severity: 1, source: 'Pyright' }] });
  });

  it('workspace-diagnostics: an item for each file that was named', async () => {
    await using seed = await world();
    const files = ['src/math.ts', 'src/bad.ts', 'shop.py', 'src/none.ts', 'notes.xyz'];
    const { isError, text, details } = await seed.lsp({
      action: 'workspace-diagnostics',
      files,
      severity: 'error',
    });
    expect(isError).toBe(false);
    expect(details).toMatchObject({
      items: [
        { file: 'src/math.ts', status: 'ok', diagnostics: [], diagnosticsTotal: 0 },
        { file: 'src/bad.ts', status: 'ok', diagnostics: [{ code: 'TS2322' }], diagnosticsTotal: 1 },
        { file: 'shop.py', status: 'ok', diagnosticsTotal: 1 },
        { file: 'src/none.ts', status: 'error', error: 'File not found', diagnostics: [] },
        { file: 'notes.xyz', status: 'unsupported', error: expect.stringContaining('no language server') },
      ],
      total: 5,
      truncated: false,
    });
    expect(text).toMatch(/^src\/math\.ts: ok; fresh .*\nNo diagnostics\.$/m);
    expect(text).toMatch(/^src\/none\.ts: error: File not found$/m);
    expect(text).toMatch(/^notes\.xyz: unsupported: Unsupported: /m);
    const allowed = await seed.lsp({
      action: 'workspace-diagnostics',
      files: Array.from({ length: 64 }, (_, index) => `src/${index}.ts`),
    });
    expect(allowed).toMatchObject({ isError: false, details: { total: 64 } });
  });

  it('rename: an LSP WorkspaceEdit that nobody has applied', async () => {
    await using seed = await world(MUTATING);
    const before = seed.workspace.read('src/math.ts');
    const { isError, text, structured, details } = await seed.lsp({
      action: 'rename',
      file: 'src/index.ts',
      query: 'add',
      newName: 'sum',
    });
    expect(isError, text).toBe(false);
    expect(text).toMatch(/^action: rename\n.*5 places in 3 files; edit_id e1$/m);
    expect(structured.edit_id).toBe('e1');
    const changes = details.changes as Record<string, unknown>;
    expect(changes[seed.uri('src/math.ts')]).toEqual([{ range: range(1, 16, 19), newText: 'sum' }]);
    expect(changes[seed.uri('src/index.ts')]).toHaveLength(2);
    expect(changes[seed.uri('src/bad.ts')]).toHaveLength(2);
    expect(seed.workspace.read('src/math.ts')).toBe(before);
  });

  it('codeAction: a list that nobody has executed', async () => {
    await using seed = await world({
      ...MUTATING,
      files: `${FILES}//- src/lost.ts\nexport const total = add(1, 2);\n`,
    });
    const place = { file: 'src/lost.ts', line: 1, column: 22 };
    const { isError, text, details } = await seed.lsp({
      action: 'codeAction',
      ...place,
      endLine: 1,
      endColumn: 25,
    });
    expect(isError, text).toBe(false);
    expect(details).toMatchObject({
      actions: expect.arrayContaining([
        expect.objectContaining({
          title: expect.stringMatching(/import from "\.\/math\.js"/i),
          kind: 'quickfix',
          edit: { changes: { [seed.uri('src/lost.ts')]: expect.any(Array) } },
        }),
      ]),
      truncated: false,
    });
    expect(details.total).toBe((details.actions as unknown[]).length);
    expect(seed.workspace.read('src/lost.ts')).toBe('export const total = add(1, 2);\n');
    const none = await seed.lsp({ action: 'codeAction', file: 'src/math.ts', line: 4, column: 1 });
    expect(none).toMatchObject({ isError: false, details: { actions: [], total: 0, truncated: false } });
    expect(none.text).toMatch(/No code actions available\./);
  });

  it('restart: one server or all, counted, and an unknown one is LSP_SERVER_NOT_FOUND', async () => {
    await using seed = await world(MUTATING);
    const hovers = async (file: string) =>
      expect(await seed.lsp({ action: 'hover', file, line: 1, column: 5 })).toMatchObject({ isError: false });
    await hovers('shop.py');
    await hovers('src/bad.ts');
    expect((await seed.lsp({ action: 'restart', server: 'pyright' })).details).toEqual({
      restarted: true,
      server: 'pyright',
      restartedCount: 1,
    });
    expect((await seed.lsp({ action: 'restart' })).details).toEqual({
      restarted: true,
      server: 'all',
      restartedCount: 2,
    });
    const { text, isError, structured } = await seed.lsp({ action: 'restart', server: 'nothing' });
    expect(isError).toBe(true);
    expect(text.split('\n')[0]).toBe('Unknown server "nothing".');
    expect(structured).toMatchObject({ code: 'LSP_SERVER_NOT_FOUND', error_code: 'unknown_language' });
  });

  it('Path and workspace behavior: relative and absolute inside, a failure outside, nothing where there is no file', async () => {
    await using seed = await world();
    const { workspace } = seed;
    const absolute = await seed.lsp({ action: 'symbols', file: workspace.file('src/math.ts') });
    expect(absolute.details).toEqual((await seed.lsp({ action: 'symbols', file: 'src/math.ts' })).details);
    symlinkSync('/etc/passwd', workspace.file('src/link.ts'));
    for (const file of ['/etc/passwd', '../outside.ts', 'src/link.ts'])
      for (const call of [
        { action: 'hover', file, line: 1, column: 1 },
        { action: 'symbols', file },
        { action: 'diagnostics', file },
        { action: 'workspace-diagnostics', files: ['src/math.ts', file] },
      ]) {
        const { text, isError, structured } = await seed.lsp(call);
        expect(isError, text).toBe(true);
        expect(text.split('\n')[0]).toBe(`LSP file access outside workspace is not allowed: ${file}`);
        expect(structured).toMatchObject({ code: 'INVALID_INPUT', error_code: 'outside_roots' });
      }
    const file = 'src/none.ts';
    const diagnostics = await seed.lsp({ action: 'diagnostics', file });
    expect(diagnostics).toMatchObject({
      isError: false,
      details: { unsupported: true, error: 'File not found', diagnostics: [], receivedResponse: false },
    });
    expect(diagnostics.text).toMatch(/^action: diagnostics\nUnsupported: File not found/);
    const empty = {
      definition: 'definitions found',
      references: 'references found',
      symbols: 'symbols found',
    };
    for (const [action, nothing] of Object.entries(empty)) {
      const { text, isError, structured } = await seed.lsp({ action, file, line: 1, column: 1 });
      expect(isError).toBe(false);
      expect(text).toMatch(new RegExp(`^action: ${action}\nNo ${nothing}\\.\nFile not found: `));
      // Nothing was looked at, which is not the same as nothing found.
      expect(structured).toMatchObject({ complete: false, error: 'File not found', details: { total: 0 } });
    }
  });

  it('Diagnostics are not tool failure: what no server is for is an answer', async () => {
    await using seed = await world({ config: { servers: [{ language_id: 'python', disabled: true }] } });
    for (const file of ['notes.xyz', 'shop.py'])
      for (const action of ['diagnostics', 'symbols']) {
        const { text, isError, structured } = await seed.lsp({ action, file });
        expect(isError, text).toBe(false);
        expect(text).toMatch(new RegExp(`^action: ${action}\nUnsupported: `));
        expect(structured).toMatchObject({
          complete: false,
          unsupported: true,
          details: { unsupported: true },
        });
      }
  });

  it('Configuration: privileged actions are off unless allowed, and the tool can be switched off', async () => {
    await using seed = await world();
    const place = { file: 'src/index.ts', query: 'main', newName: 'run' };
    for (const action of ['rename', 'codeAction', 'restart']) {
      const { text, isError, structured } = await seed.lsp({ action, ...place });
      expect(isError).toBe(true);
      expect(text.split('\n')[0]).toBe(
        `Action "${action}" is disabled: lsp.tool.allowMutatingActions is false.`,
      );
      expect(structured).toMatchObject({ code: 'LSP_ACTION_NOT_ALLOWED', error_code: 'not_permitted' });
    }
    for (const config of [{ lsp: { enabled: false } }, { lsp: { tool: { enabled: false } } }]) {
      await using workspace = createWorkspace(FILES);
      const file = workspace.write(`${workspace.scratch}/config.json`, JSON.stringify(config));
      await using off = await startFrontEnd({ workspace, args: ['--tools', 'lsp', '--config', file] });
      expect((await off.client.listTools()).tools).toEqual([]);
    }
  });

  it('Configuration: subagents have the readonly-safe actions, or those that are named, and never privileged ones', async () => {
    const everything = { ...MUTATING.config, subagents: { allowedLspActions: LSP_ACTIONS } };
    const few = { subagents: { allowedLspActions: ['hover', 'servers'] } };
    const place = { file: 'src/index.ts', query: 'main', newName: 'run', files: ['src/math.ts'] };
    const privileged = ['rename', 'codeAction', 'restart'];
    const cases: readonly { config: object; refused: readonly string[] }[] = [
      { config: {}, refused: privileged },
      { config: everything, refused: privileged },
      { config: few, refused: LSP_ACTIONS.filter((action) => action !== 'hover' && action !== 'servers') },
    ];
    for (const { config, refused } of cases) {
      await using seed = await world({ config, args: ['--subagent'] });
      for (const action of LSP_ACTIONS) {
        const { text, isError, structured } = await seed.lsp({ action, ...place });
        expect(isError, text).toBe(refused.includes(action));
        if (!isError) continue;
        expect(text.split('\n')[0]).toBe(`LSP action "${action}" is not allowed for this subagent process.`);
        expect(structured).toMatchObject({ code: 'LSP_ACTION_NOT_ALLOWED' });
      }
    }
  });

  it('Diagnostics hook: its settings are read and shown', async () => {
    await using seed = await world({ config: { lsp: { hook: { enabled: false, mode: 'disabled' } } } });
    const config = `${seed.workspace.scratch}/config.json`;
    const status = JSON.parse(await runProgram(seed.workspace, '--config', config, 'lsp-status', '--json'));
    expect(status).toMatchObject({ hook: { enabled: false, mode: 'disabled' } });
  });
});

describeWith(['gopls', 'go'], 'seed 001 with gopls', () => {
  it('Known server adapters: gopls', async () => {
    const files =
      '//- go.mod\nmodule shop\n\ngo 1.21\n//- main.go\npackage main\n\nfunc main() { price() }\n\nfunc price() {}\n';
    await using seed = await world({ ...MUTATING, files });
    const found = await seed.lsp({ action: 'definition', file: 'main.go', line: 3, column: 15 });
    expect(found.details).toMatchObject({ results: [{ uri: seed.uri('main.go'), range: range(4, 5, 10) }] });
    expect((await seed.lsp({ action: 'restart', server: 'gopls' })).details).toMatchObject({
      restartedCount: 1,
    });
  });
});

describeWith('clangd', 'seed 001 with clangd', () => {
  it('Known server adapters: clangd', async () => {
    const files =
      '//- compile_flags.txt\n-std=c11\n//- main.c\nstatic int price(void) { return 1; }\nint main(void) { return price(); }\n';
    await using seed = await world({ ...MUTATING, files });
    const found = await seed.lsp({ action: 'definition', file: 'main.c', line: 2, column: 26 });
    expect(found.details).toMatchObject({ results: [{ uri: seed.uri('main.c'), range: range(0, 11, 16) }] });
    expect((await seed.lsp({ action: 'restart', server: 'clangd' })).details).toMatchObject({
      restartedCount: 1,
    });
  });
});
