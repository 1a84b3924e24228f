/** Paths that lead out of the roots, in every argument of every tool and in every resource, as they come over HTTP. */
import { readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Tool } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fieldOf } from '../../src/shared/base/unknown-value.ts';
import { fakeServer } from '../support/fake-server.ts';
import { type HttpClient, type HttpFrontEnd, startHttp } from '../support/http-front-end.ts';
import { createWorkspace } from '../support/workspace.ts';
import { writeFakeConfig } from './fake-session.ts';

const SECRET = 'sesame5e1f';
const workspace = createWorkspace(`
//- src/use.fake
function key() {
}
key();
//- ../secret/keys.fake
function key() {
}
const ${SECRET} = key();
//- ../secret/Makefile
all:
	@touch ran
//- ../work-else/keys.fake
const ${SECRET} = 1;
`);
const server = fakeServer(workspace.scratch);
const outside = [workspace.file('../secret'), workspace.file('../work-else')];
let http: HttpFrontEnd;
let session: HttpClient;
let tools: readonly Tool[];
let simulation: string;

beforeAll(async () => {
  symlinkSync(workspace.file('../secret'), workspace.file('linked'));
  symlinkSync(workspace.file('../secret/keys.fake'), workspace.file('innocent.fake'));
  symlinkSync('/', workspace.file('src/disk'));
  const config = writeFakeConfig(workspace, server);
  http = await startHttp({ workspace, args: ['--config', config, '--daemon', 'never', '--tools', 'full'] });
  session = await http.connect();
  ({ tools } = await session.client.listTools());
  const begun = await session.call('create_simulation_session', { language: 'fake' });
  simulation = /session_id:?\s*"?([\w-]+)/.exec(begun)?.[1] ?? '';
  expect(await session.call('list_symbols', { file_path: 'src/use.fake' })).toContain('function key');
});

afterAll(async () => {
  await session?.[Symbol.asyncDispose]();
  await http?.[Symbol.asyncDispose]();
  await workspace[Symbol.asyncDispose]();
});

/** All of them lead to what is outside of the root, for whoever follows them. */
const hostile = (): readonly string[] => {
  const secret = workspace.file('../secret/keys.fake');
  return [
    secret,
    path.dirname(secret),
    '..',
    '../secret/keys.fake',
    'src/../../secret/keys.fake',
    './src/.././/../secret/./keys.fake',
    `${workspace.root}/../secret/keys.fake`,
    `${workspace.root}-else/keys.fake`,
    'linked/keys.fake',
    'linked',
    'innocent.fake',
    'src/disk/etc/passwd',
    '/etc/passwd',
    '/proc/self/environ',
    '/proc/self/root/etc/passwd',
    '//etc/passwd',
    '/',
    pathToFileURL(secret).href,
    `file://localhost${secret}`,
    `${pathToFileURL(workspace.root).href}/%2e%2e/secret/keys.fake`,
    `${pathToFileURL(workspace.root).href}/..%2fsecret%2fkeys.fake`,
    'FILE:///etc/passwd',
  ];
};

/** Names of nothing: they are not to be taken for something else. */
const odd = (): readonly string[] => [
  '',
  ' ',
  '\0',
  'src/use.fake\0/../../secret/keys.fake',
  '%2e%2e/secret/keys.fake',
  '..%c0%af..%c0%afsecret/keys.fake',
  '..\\secret\\keys.fake',
  '\uff0e\uff0e/secret/keys.fake',
  '~/secret',
  '$HOME',
  'http://localhost/secret',
  'file://elsewhere.example/etc/passwd',
  '../'.repeat(2_000),
  'x'.repeat(10_000),
];

const FILLING: Readonly<Record<string, unknown>> = {
  file_path: 'src/use.fake',
  path: 'src/use.fake',
  new_path: 'src/moved.fake',
  symbol_file: 'src/use.fake',
  changed_files: ['src/use.fake'],
  consumer_roots: ['src'],
  symbol: 'key',
  new_name: 'lock',
  old_text: 'function key',
  new_text: 'function lock',
  new_body: 'function lock() {\n}',
  code: 'function lock() {\n}',
  command: 'c1',
  dry_run: false,
};

interface PathArgument {
  readonly tool: string;
  readonly name: string;
  with(value: string): Record<string, unknown>;
}

/** Found by their names, so that new tools are looked at as well. */
function pathArguments({ name: tool, inputSchema }: Tool): readonly PathArgument[] {
  const properties = Object.entries(inputSchema.properties ?? {});
  const has = (name: string) => properties.some(([known]) => known === name);
  const filling: Record<string, unknown> = {};
  for (const name of inputSchema.required ?? []) filling[name] = FILLING[name];
  if (has('line') && !inputSchema.required?.includes('symbol'))
    Object.assign(filling, { line: 1, column: 10 });
  else if (has('symbol')) filling.symbol = 'key';
  if (has('start_line') && !has('old_text'))
    Object.assign(filling, { start_line: 1, start_column: 1, end_line: 1, end_column: 5 });
  if (has('old_text')) Object.assign(filling, { old_text: FILLING.old_text, new_text: FILLING.new_text });
  if (has('dry_run')) filling.dry_run = false;
  if (has('session_id')) filling.session_id = simulation;
  const nested: Record<string, (value: string) => unknown> = {
    changes: (value) => [{ path: value, type: 2 }],
    edits: (value) => [{ file_path: value, old_text: FILLING.old_text, new_text: FILLING.new_text }],
    workspace_edit: (value) => ({
      changes: {
        [value]: [
          { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, newText: 'x' },
        ],
      },
    }),
  };
  return properties
    .filter(([name]) => /path|file|root|dir|folder/.test(name) || name in nested)
    .filter(([name]) => !/pattern|profile/.test(name))
    .map(([name, schema]) => ({
      tool,
      name,
      with: (value) => {
        const { old_text: _, new_text: __, ...rest } = filling;
        const of = nested[name]?.(value) ?? (fieldOf(schema, 'type') === 'array' ? [value] : value);
        return { ...(name === 'workspace_edit' ? rest : filling), [name]: of };
      },
    }));
}

/** Names and texts of all that no tool may touch. */
function treesOutside(): string {
  return outside
    .flatMap((directory) =>
      readdirSync(directory).map((name) => `${name}: ${readFileSync(path.join(directory, name), 'utf8')}`),
    )
    .join('\n');
}

const LEAKS = new RegExp(`${SECRET}|root:x?:0:|HOME=`);

/** Without the SDK's client, which lists more requests than Node likes. */
async function rpc(method: string, params: object): Promise<unknown> {
  const response = await http.fetch('/mcp', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'Mcp-Session-Id': session.transport.sessionId ?? '',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: `paths-${++asked}`, method, params }),
  });
  const [data] = (await response.text()).match(/(?<=^data: )\{.*$/gm)?.slice(-1) ?? [];
  const answer: unknown = JSON.parse(data ?? '{}');
  const error = fieldOf(fieldOf(answer, 'error'), 'message');
  if (error !== undefined) throw new Error(String(error));
  return fieldOf(answer, 'result');
}

let asked = 0;

async function answerTo(
  tool: string,
  args: Record<string, unknown>,
): Promise<{ text: string; isError: boolean }> {
  try {
    const result = await rpc('tools/call', { name: tool, arguments: args });
    return { text: JSON.stringify(result), isError: fieldOf(result, 'isError') === true };
  } catch (error) {
    return { text: String(error), isError: true };
  }
}

describe('paths over HTTP', () => {
  it('that lead out of the roots are refused by every tool that takes one', async () => {
    const before = treesOutside();
    const all = tools.flatMap(pathArguments);
    expect(new Set(all.map(({ tool }) => tool)).size).toBeGreaterThan(50);
    let tried = 0;
    const accepted: string[] = [];
    for (const argument of all)
      await Promise.all(
        hostile().map(async (value) => {
          const { text, isError } = await answerTo(argument.tool, argument.with(value));
          tried += 1;
          expect(text, `${argument.tool} ${argument.name} ${value}`).not.toMatch(LEAKS);
          const isRefused = isError || text.includes('"FAILED: ');
          if (!isRefused) accepted.push(`${argument.tool} ${argument.name} ${value}: ${text.slice(0, 150)}`);
        }),
      );
    expect(accepted).toEqual([]);
    expect(tried).toBeGreaterThan(1_000);
    expect(treesOutside()).toBe(before);
    expect(readFileSync(server.journal.file, 'utf8')).not.toContain(SECRET);
    expect(await session.call('list_symbols', { file_path: 'src/use.fake' })).toContain('function key');
  });

  it('that are none are refused, and the process stays well', async () => {
    const before = treesOutside();
    for (const argument of tools.flatMap(pathArguments))
      await Promise.all(
        odd().map(async (value) => {
          const args = argument.with(value);
          const shown = 'dry_run' in args ? { ...args, dry_run: true } : args;
          const { text } = await answerTo(argument.tool, shown);
          expect(text, `${argument.tool} ${argument.name} ${value.slice(0, 40)}`).not.toMatch(LEAKS);
        }),
      );
    expect(treesOutside()).toBe(before);
    expect(http.stderr()).not.toMatch(/uncaught|unhandled/);
    expect(await session.call('list_symbols', { file_path: 'src/use.fake' })).toContain('function key');
  });

  it('lead nowhere in the addresses of resources and subscriptions either', async () => {
    const { resourceTemplates } = await session.client.listResourceTemplates();
    const before = treesOutside();
    let tried = 0;
    for (const { uriTemplate } of resourceTemplates)
      for (const value of [...hostile(), ...odd()].filter((each) => each !== '/')) {
        const written = value.replace(/^file:\/\//i, '').replace(/^\//, '');
        for (const part of [written, encodeURIComponent(value), `x/../${written}`]) {
          const uri = uriTemplate
            .replace(/\{\+?(?:filePath|skill)\}/, part)
            .replace(/\{\?.*\}/, '?line=1&column=1');
          const text = await rpc('resources/read', { uri }).then(JSON.stringify, String);
          expect(text, uri.slice(0, 200)).not.toMatch(LEAKS);
          if (hostile().includes(value)) expect(text, uri).toMatch(/Error/);
          tried += 1;
        }
      }
    expect(tried).toBeGreaterThan(200);
    await expect(
      session.client.subscribeResource({ uri: `lsp-diagnostics://${workspace.file('../secret/keys.fake')}` }),
    ).rejects.toThrow();
    expect(treesOutside()).toBe(before);
  });

  it('lead no session beyond its roots that asks for others', async () => {
    let refused = 0;
    for (const value of [...hostile(), ...odd()]) {
      if (/^src|^linked|^innocent|^\.|\.\.\//.test(value) === false && !/[^\x20-\x7e]/.test(value)) {
        const response = await http.fetch('/mcp', {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            Accept: 'application/json, text/event-stream',
            'Agent-Lsp-Roots': value.slice(0, 4_000),
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'initialize',
            params: {
              protocolVersion: '2025-11-25',
              capabilities: {},
              clientInfo: { name: 'x', version: '1' },
            },
          }),
        });
        await response.text();
        expect(response.status, value.slice(0, 100)).toBe(403);
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(10);
  });
});
