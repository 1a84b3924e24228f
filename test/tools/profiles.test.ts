/**
 * The smaller sets of tools, each with every tool that it lists: no answer names a tool that is not there, whatever is
 * asked and however the server is, and no façade changes or runs anything, whatever the session may do.
 */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/frontend/features/registry.ts';
import { LSP_ACTIONS, PRIVILEGED_ACTIONS } from '../../src/shared/config/lsp-actions.ts';
import type { Scenario } from '../support/fake-server.ts';
import { type FakeSession, type FakeSessionOptions, fakeSession, SAMPLE } from './fake-session.ts';

type Call = Readonly<Record<string, unknown>>;

const FILE = 'src/client.fake';
const GONE = 'gone.fake';
const FILES = `${SAMPLE}//- Makefile
all:
	@touch ran
//- src/messy.fake
const   one = ERROR 1;  
//- shop.py
one: int = 1
`;

/** In the terms of each set: a place of the name, places that are wrong in one way each, and what has no name. */
const POSITIONS = {
  ours: [
    { symbol: 'Client.stop' },
    { symbol: 'stop' },
    { symbol: 'nothing_like_it' },
    { file_path: FILE, line: 2, column: 3 },
    { file_path: FILE, line: 7, column: 1 },
    { file_path: FILE, line: 9_999 },
    { file_path: GONE, line: 1 },
    { file_path: '/etc/passwd', line: 1 },
    { file_path: 'notes.xyz', line: 1 },
    {},
  ],
  lsp: [
    { file: FILE, line: 2, column: 3 },
    { file: FILE, query: 'stop' },
    { file: FILE, query: 'nothing_like_it' },
    { file: FILE, line: 7, column: 1 },
    { file: FILE, line: 9_999, column: 1 },
    { file: GONE, line: 1, column: 1 },
    { file: '/etc/passwd', line: 1, column: 1 },
    {},
  ],
  lsp6: [
    { path: FILE, line: 2, character: 2 },
    { path: FILE, line: 7, character: 0 },
    { path: FILE, line: 9_999, character: 0 },
    { path: GONE, line: 1, character: 0 },
    { path: '/etc/passwd', line: 1, character: 0 },
    {},
  ],
  pyright: [
    { file: FILE, line: 2, column: 3 },
    { file: FILE, line: 7, column: 1 },
    { file: FILE, line: 9_999, column: 1 },
    { file: GONE, line: 1, column: 1 },
    { file: '/etc/passwd', line: 1, column: 1 },
    {},
  ],
} as const satisfies Readonly<Record<string, readonly Call[]>>;

const withAll = (calls: readonly Call[], more: Call): readonly Call[] =>
  calls.map((call) => ({ ...call, ...more }));
const { ours } = POSITIONS;

const CORE: Readonly<Record<string, readonly Call[]>> = {
  explore_symbol: ours,
  list_symbols: [
    { file_path: FILE },
    { file_path: 'src' },
    { file_path: GONE },
    { file_path: FILE, name: 'zzz' },
  ],
  find_symbol: [{ symbol: 'stop' }, { symbol: 'nothing_like_it' }],
  get_symbol_source: [...ours, { symbols: ['Client.stop', 'Nowhere'] }],
  go_to_definition: ours,
  find_references: [
    ...ours,
    { symbols: ['Client.stop', 'Nowhere'] },
    { symbol: 'Client.stop', kind: 'write' },
  ],
  find_callers: [...ours, { symbols: ['Client.stop', 'Nowhere'] }],
  get_diagnostics: [
    { file_path: 'src/messy.fake' },
    { file_path: 'src' },
    { files: [FILE, GONE] },
    { file_path: FILE, baseline: true },
    { file_path: FILE, since: 'd99' },
    {},
  ],
  rename_symbol: [
    ...withAll(ours, { new_name: 'halt', dry_run: true }),
    { symbol: 'Client.stop', new_name: '1 2', dry_run: true },
  ],
  apply_edit: [
    { file_path: FILE, old_text: 'this.log();', new_text: 'this.stop();', dry_run: true },
    { file_path: FILE, old_text: 'not there', new_text: 'x', dry_run: true },
    { edit_id: 'e99' },
    { undo: 'e99' },
  ],
  run_build: [{}, { path: GONE }],
  run_tests: [{}, { path: GONE }],
  activate_tools: [{ profile: 'core' }, { profile: 'none' }],
};

const LSP: Readonly<Record<string, readonly Call[]>> = {
  lsp: LSP_ACTIONS.flatMap((action) => [
    ...withAll(POSITIONS.lsp, { action, newName: 'halt' }),
    { action, files: [FILE, GONE, '/etc/passwd'] },
    { action, server: 'nothing' },
  ]),
};

const { lsp6 } = POSITIONS;
const LSP6: Readonly<Record<string, readonly Call[]>> = {
  lsp_definition: lsp6,
  lsp_references: lsp6,
  lsp_hover: lsp6,
  lsp_symbols: [{ query: 'stop' }, { query: 'nothing_like_it' }, {}],
  lsp_document_symbols: [{ path: FILE }, { path: GONE }, { path: 'notes.xyz' }],
  lsp_rename: withAll(lsp6, { new_name: 'halt' }),
};

const { pyright } = POSITIONS;
const PYRIGHT: Readonly<Record<string, readonly Call[]>> = {
  check_types: [
    { path: 'shop.py' },
    { path: GONE },
    { path: FILE },
    { path: 'shop.py', python_version: '3' },
  ],
  get_hover: pyright,
  go_to_definition: pyright,
  get_completions: pyright,
  find_references: pyright,
  get_signature: pyright,
  health_check: [{}],
};

const SETS: readonly {
  readonly profile: string;
  readonly calls: Readonly<Record<string, readonly Call[]>>;
}[] = [
  { profile: 'core', calls: CORE },
  { profile: 'lsp', calls: LSP },
  { profile: 'lsp6', calls: LSP6 },
  { profile: 'pyright', calls: PYRIGHT },
];
const FACADES = SETS.filter(({ profile }) => profile !== 'core');

const SERVERS: readonly { readonly state: string; readonly scenario: Scenario }[] = [
  { state: 'is ready', scenario: {} },
  {
    state: 'is indexing',
    scenario: {
      rules: [{ on: 'initialized', do: { progress: { token: 'index', begin: 'Indexing', percentage: 41 } } }],
    },
  },
  { state: 'cannot start', scenario: { rules: [{ on: 'initialize', do: { crash: 1 } }] } },
  {
    state: 'can hardly anything',
    scenario: {
      capabilities: {
        referencesProvider: null,
        renameProvider: null,
        callHierarchyProvider: null,
        workspaceSymbolProvider: null,
        codeActionProvider: null,
        signatureHelpProvider: null,
        completionProvider: null,
      },
    },
  },
];

const config = { lsp: { tool: { allowMutatingActions: true } } };

function open(profile: string, more: FakeSessionOptions = {}): Promise<FakeSession> {
  const args = ['--tools', profile, ...(more.args ?? [])];
  return fakeSession(FILES, { config, env: { AGENT_LSP_CALL_TIMEOUT_MS: '3000' }, ...more, args });
}

interface Said {
  readonly call: string;
  readonly text: string;
}

/** All at once: some wait for their time limit. What ends servers comes last. */
async function answersTo(
  session: FakeSession,
  calls: Readonly<Record<string, readonly Call[]>>,
): Promise<readonly Said[]> {
  const all = Object.entries(calls).flatMap(([tool, each]) => each.map((args) => ({ tool, args })));
  const said = ({ tool, args }: (typeof all)[number]) =>
    session.call(tool, args).then(({ text }): Said => ({ call: `${tool} ${JSON.stringify(args)}`, text }));
  const isLast = ({ args }: (typeof all)[number]) => args.action === 'restart';
  const first = await Promise.all(all.filter((call) => !isLast(call)).map(said));
  return [...first, ...(await Promise.all(all.filter(isLast).map(said)))];
}

describe.each(SETS)('--tools $profile', ({ profile, calls }) => {
  it('has every one of its tools called here', async () => {
    await using session = await open(profile);
    const { tools: listed } = await session.frontEnd.client.listTools();
    expect(listed.map(({ name }) => name).sort()).toEqual(Object.keys(calls).sort());
  });

  it.each(SERVERS)('names no tool that it does not list, where the server $state', async ({ scenario }) => {
    await using session = await open(profile, { scenario });
    const unlisted = tools.map(({ name }) => name).filter((name) => name.includes('_') && !(name in calls));
    const wrong = (await answersTo(session, calls)).flatMap(({ call, text }) => {
      const named = unlisted.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
      return named.length === 0 ? [] : [`${call}: ${named.join(', ')} in ${text}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe.each(FACADES)('--tools $profile', ({ profile, calls }) => {
  it.each(['read', 'ask', 'write', 'subagent'])(
    'changes and runs nothing with permission %s',
    async (permission) => {
      const args = permission === 'subagent' ? ['--subagent'] : ['--permission', permission];
      const asked: string[] = [];
      await using session = await open(profile, {
        args,
        client: { capabilities: { elicitation: {} } },
        prepare: (client) =>
          client.setRequestHandler('elicitation/create', async ({ params }) => {
            asked.push(params.message);
            return { action: 'accept' };
          }),
      });
      const { workspace, server, frontEnd } = session;
      const files = [FILE, 'src/use.fake', 'src/messy.fake', 'shop.py'];
      const before = files.map((file) => workspace.read(file));
      await answersTo(session, calls);
      expect(files.map((file) => workspace.read(file))).toEqual(before);
      expect(existsSync(workspace.file('ran'))).toBe(false);
      expect(server.journal.received('workspace/executeCommand')).toEqual([]);
      // The rename of these six asks for consent before it shows anything.
      expect(asked.length > 0).toBe(profile === 'lsp6');
      const { tools: listed } = await frontEnd.client.listTools();
      for (const { name, annotations } of listed)
        expect([name, annotations]).toEqual([name, expect.objectContaining({ openWorldHint: false })]);
    },
  );
});

it('the actions of lsp that a subagent must not have do nothing for it, whatever its settings say', async () => {
  await using session = await open('lsp', {
    args: ['--subagent'],
    config: { ...config, subagents: { allowedLspActions: [...LSP_ACTIONS] } },
  });
  await session.ask('lsp', { action: 'symbols', file: FILE });
  for (const action of PRIVILEGED_ACTIONS)
    expect(
      await session.call('lsp', { action, file: FILE, line: 2, column: 3, newName: 'halt' }),
    ).toMatchObject({
      isError: true,
      text: expect.stringContaining(`LSP action "${action}" is not allowed for this subagent process.`),
    });
  expect(session.server.journal.received('initialize')).toHaveLength(1);
});
