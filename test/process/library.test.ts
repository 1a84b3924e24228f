/** The package as a library: what its documents show runs, from the package as it is published, with its own types. */
import { execFile } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type InstalledPackage, installPackage } from '../support/installed-package.ts';
import { sharedServers } from '../support/real-session.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';

const run = promisify(execFile);
const project = path.resolve(import.meta.dirname, '../..');
const modules = path.join(project, 'node_modules');

const SOURCES = `
  //- package.json
  {}
  //- tsconfig.json
  { "compilerOptions": { "strict": true, "module": "nodenext", "noEmit": true }, "include": ["src"] }
  //- src/a.ts
  export class Client {
    stop(): number {
      return 1;
    }
  }
  //- src/b.ts
  import { Client } from './a.js';
  export const stopped: number = new Client().stop();
`;

/** The code of a page, each with the real root in place of the one that it shows. */
function codeOf(page: string, root: string): readonly string[] {
  const text = readFileSync(path.join(project, page), 'utf8');
  return [...text.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) =>
    code.replaceAll('/path/to/project', root),
  );
}

describe('the package as a library', () => {
  let workspace: Workspace;
  let installed: InstalledPackage;

  beforeAll(async () => {
    workspace = createWorkspace(SOURCES);
    installed = await installPackage(workspace.scratch);
    symlinkSync(
      path.join(modules, 'vscode-languageserver-protocol'),
      path.join(workspace.scratch, 'node_modules/vscode-languageserver-protocol'),
    );
  });

  afterAll(async () => {
    await workspace[Symbol.asyncDispose]();
  });

  const write = (name: string, text: string) => {
    const file = path.join(workspace.scratch, name);
    writeFileSync(file, text);
    return file;
  };
  const node = async (...args: readonly string[]) => {
    const { stdout, stderr } = await run(process.execPath, args, {
      cwd: workspace.scratch,
      env: workspace.env(),
    });
    expect(stderr).toBe('');
    return stdout.trim();
  };
  const command = (...args: readonly string[]) =>
    node(path.join(installed.directory, 'dist/agent-lsp.cjs'), ...args);
  const brokers = async () => (await sharedServers(workspace)).map(({ pid }) => pid);

  it('does nothing when it is imported, from ESM and from CommonJS, and prints nothing', async () => {
    const names = 'console.log(Object.keys(library).sort().join())';
    const esm = write('esm.mjs', `import * as library from 'agent-lsp';\n${names}`);
    const cjs = write('cjs.cjs', `import('agent-lsp').then((library) => ${names});`);
    expect(await node(esm)).toBe(NAMES);
    expect(await node(cjs)).toBe(NAMES);
    expect(await brokers()).toEqual([]);
  });

  it('runs every example of its page, the script that renames through the broker that is already warm', async () => {
    const [first = '', script = '', raw = ''] = codeOf('docs/library.md', workspace.root);
    expect(await node(write('first.mjs', first))).toContain(`Client ${workspace.file('src/a.ts')}:1`);
    const warm = await brokers();
    expect(warm).toHaveLength(1);

    const rename = write('rename.mjs', script);
    expect(script.trim().split('\n').length).toBeLessThanOrEqual(25);
    expect(await node(rename, workspace.root, 'Client.stop', 'shutdown')).toBe(
      'Client.stop is now shutdown: 2 places in 2 files.\n0 errors in them.',
    );
    expect(workspace.read('src/b.ts')).toContain('new Client().shutdown()');
    expect(await node(rename, workspace.root, 'Client.stop', 'end')).toMatch(/^invalid-input: .*stop/);
    expect(await brokers()).toEqual(warm);

    expect(await node(write('raw.mjs', raw))).toContain("name: 'Client'");
    const [inReadme = ''] = codeOf('README.md', workspace.root);
    expect(await node(write('readme.mjs', inReadme))).toContain('src/b.ts');
    await command('daemon-stop', '--all');
    await workspace.expectNothingLeft();
  });

  it('throws what could not be done as errors with a kind, and asks whom it is told to', async () => {
    const file = write(
      'refused.mjs',
      `import { openSession } from 'agent-lsp';
       const kind = (call) => call.then(() => 'done', (error) => \`\${error.constructor.name} \${error.kind}: \${error.message}\`);
       const [root] = process.argv.slice(2);
       const open = (options) => openSession({ root, daemon: 'never', ...options });
       console.log(await kind(openSession({ root, config: '/nowhere.json' })));
       const reader = await open({ permission: 'read' });
       console.log(await kind(reader.tools.run_build({})));
       console.log(await kind(reader.tools.list_symbols({ file_path: '/etc/passwd' })));
       console.log(await kind(reader.tools.list_symbols({ file: 'src/a.ts' })));
       console.log(await kind(reader.call('list_symbol', {})));
       await reader.close();
       const questions = [];
       const asked = await open({ permission: 'ask', confirm: (question) => { questions.push(question); return false; } });
       console.log((await asked.tools.rename_symbol({ symbol: 'Client', new_name: 'Other', file_path: 'src/a.ts', dry_run: false })).data.applied);
       console.log(questions.length);
       const cancelled = AbortSignal.abort();
       console.log(await kind(asked.tools.find_symbol({ symbol: 'Client' }, { signal: cancelled })));
       await asked.close();`,
    );
    const lines = (await node(file, workspace.root)).split('\n');
    expect(lines[0]).toMatch(/^AgentLspError no-such-file: \/nowhere\.json/);
    expect(lines[1]).toMatch(/^AgentLspError not-permitted: run_build runs programs/);
    expect(lines[2]).toMatch(/^AgentLspError outside-roots: \/etc\/passwd/);
    expect(lines[3]).toMatch(
      /^AgentLspError invalid-input: unknown parameter "file", did you mean file_path\?/,
    );
    expect(lines[4]).toMatch(
      /^AgentLspError invalid-input: there is no tool list_symbol, did you mean list_symbols\? session/,
    );
    expect(lines[5]).toBe('false');
    expect(lines[6]).toBe('1');
    expect(lines[7]).toMatch(/^AgentLspError cancelled: /);
    expect(workspace.read('src/a.ts')).toContain('class Client');
    await workspace.expectNothingLeft();
  });

  it.each(['nodenext', 'bundler'])(
    'has declarations that stand alone and know every tool, with module resolution %s',
    async (moduleResolution) => {
      write('package.json', '{ "type": "module" }');
      write('consumer.ts', CONSUMER);
      const [, extension = ''] =
        /```ts\n([\s\S]*?)```/.exec(readFileSync(path.join(project, 'docs/extensions.md'), 'utf8')) ?? [];
      write('extension.ts', extension);
      write(
        'tsconfig.json',
        JSON.stringify({
          compilerOptions: {
            strict: true,
            exactOptionalPropertyTypes: true,
            skipLibCheck: false,
            noEmit: true,
            target: 'es2022',
            module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
            moduleResolution,
            types: [],
          },
          files: ['consumer.ts', 'extension.ts'],
        }),
      );
      expect(await node(path.join(modules, 'typescript/bin/tsc'), '-p', workspace.scratch)).toBe('');
      const declared = readFileSync(path.join(installed.directory, 'dist/library.d.ts'), 'utf8');
      const leaks = /from ['"]\.|src\/|\bany\b(?=[;,)>\]|])/.exec(declared)?.[0];
      expect(leaks).toBeUndefined();
    },
  );
});

const NAMES = 'AgentLspError,createHost,defineExtension,extensionTool,openSession';

/** What fits and what does not, as a program would write it. */
const CONSUMER = `
import { AgentLspError, createHost, openSession, type AgentSession, type ToolAnswer, type ToolTypes } from 'agent-lsp';
import { HoverRequest, type Hover } from 'vscode-languageserver-protocol';

declare module 'agent-lsp' {
  interface ToolTypes {
    made_up: { input: { readonly name: string }; data: { readonly found: number } };
  }
}

const session: AgentSession = await openSession({ root: ['.'], permission: 'read', log: (level, event) => void [level, event] });
const outline = await session.tools.list_symbols({ file_path: 'a.ts' });
const named: ToolAnswer<ToolTypes['find_symbol']['data']> = await session.call('find_symbol', { symbol: 'a' });
const lines: (number | undefined)[] = named.data.map(({ line }) => line);
const found: number = (await session.call('made_up', { name: 'a' })).data.found;
// @ts-expect-error -- the tool has no such parameter
await session.tools.list_symbols({ file: 'a.ts' });
// @ts-expect-error -- and this one is required
await session.call('rename_symbol', {});
// @ts-expect-error -- there is no such tool
await session.call('list_symbol', {});
// @ts-expect-error -- nor such a kind of error
if (new AgentLspError('unexpected', '').kind === 'nothing') void outline.text;
const server = await createHost({ root: '.', language: 'go', command: ['gopls'] });
const position = { line: 0, character: 0 };
const hover: Hover | null = await server.request(HoverRequest.type, { textDocument: { uri: 'file:///a.go' }, position });
// @ts-expect-error -- a hover needs a position
await server.request(HoverRequest.type, { textDocument: { uri: 'file:///a.go' } });
await server[Symbol.asyncDispose]();
export { found, hover, lines };
`;
