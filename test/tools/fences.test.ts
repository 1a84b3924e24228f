/**
 * Every tool under every permission, over MCP: what becomes of a call follows from the effect of the tool, and what was
 * refused or declined has left no trace in the world.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { ElicitResult } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Effect } from '../../src/frontend/access/effect.ts';
import { tools } from '../../src/frontend/features/registry.ts';
import type { Tool } from '../../src/frontend/tools/define-tool.ts';
import { Eavesdropper } from '../support/eavesdropper.ts';
import type { ToolAnswer } from '../support/mcp-client.ts';
import { type FakeSession, type FakeSessionOptions, fakeSession } from './fake-session.ts';

const FILES = `
//- src/client.fake
export class Client {
  stop() {
    this.log();
  }
  log() {
  }
}
//- src/use.fake
const client = new Client();
function again() {
  client.log();
}
//- src/messy.fake
const   one = 1;  
//- make/Makefile
all:
	@touch ran
//- checks/package.json
{ "name": "checks", "type": "module", "scripts": { "test": "node --test" } }
//- checks/sum.test.js
import { test } from 'node:test';
import { writeFileSync } from 'node:fs';
test('leaves a trace', () => writeFileSync('ran', ''));
//- ../beside/more.fake
function more() {
}
//- ../consumer/uses.fake
function uses() {
}
`;

/** The files that tools below write to. */
const WRITTEN = ['src/client.fake', 'src/use.fake', 'src/messy.fake', 'src/moved.fake'];
const STOP = { file_path: 'src/client.fake', symbol: 'Client.stop' };
const STOP_PATH = { file_path: 'src/client.fake', symbol_path: 'Client.stop' };
const EDIT = { file_path: 'src/messy.fake', old_text: 'one', new_text: 'two' };

type Args = Readonly<Record<string, unknown>>;

/** A call of each tool that writes which does write if it may. */
const WRITING: Readonly<Record<string, Args>> = {
  apply_edit: EDIT,
  safe_apply_edit: EDIT,
  safe_edit: EDIT,
  commit_session: { apply: true },
  rename_symbol: { ...STOP, new_name: 'halt' },
  move_file: { file_path: 'src/messy.fake', new_path: 'src/moved.fake' },
  format_document: { file_path: 'src/messy.fake' },
  format_range: { file_path: 'src/messy.fake', start_line: 1, end_line: 1 },
  replace_symbol_body: { ...STOP_PATH, new_body: 'this.log();\nthis.log();' },
  insert_after_symbol: { ...STOP_PATH, code: 'close() {\n}' },
  insert_before_symbol: { ...STOP_PATH, code: 'open() {\n}' },
  safe_delete_symbol: { file_path: 'src/use.fake', symbol_path: 'again' },
};

interface World {
  readonly session: FakeSession;
  readonly listener: Eavesdropper;
}

/** A call of each tool that reaches beyond the files of the roots, and how to tell that it has. */
const REACHING: Readonly<
  Record<string, { args(world: World): Args; hasReached(world: World): boolean | Promise<boolean> }>
> = {
  run_build: {
    args: () => ({ workspace_dir: 'make' }),
    hasReached: ({ session }) => existsSync(session.workspace.file('make/ran')),
  },
  run_tests: {
    args: () => ({ workspace_dir: 'checks' }),
    hasReached: ({ session }) => existsSync(session.workspace.file('checks/ran')),
  },
  execute_command: {
    args: () => ({ command: 'fake.run', file_path: 'src/use.fake' }),
    hasReached: ({ session }) => session.server.journal.received('workspace/executeCommand').length > 0,
  },
  add_workspace_folder: {
    args: () => ({ path: '../beside' }),
    hasReached: ({ session }) => canRead(session, '../beside/more.fake'),
  },
  get_cross_repo_references: {
    args: () => ({ symbol_file: STOP.file_path, symbol: STOP.symbol, consumer_roots: ['../consumer'] }),
    hasReached: ({ session }) => canRead(session, '../consumer/uses.fake'),
  },
  start_lsp: {
    args: ({ listener }) => ({ language_id: 'go', connect: `127.0.0.1:${listener.port}` }),
    hasReached: ({ listener }) => listener.heard !== '',
  },
};

async function canRead({ call, workspace }: FakeSession, file: string): Promise<boolean> {
  return !(await call('list_symbols', { file_path: workspace.file(file) })).isError;
}

const PERMISSIONS = ['read', 'subagent', 'ask: nobody there', 'ask: no', 'ask: yes', 'write'] as const;
type PermissionCase = (typeof PERMISSIONS)[number];

/** `shown`: it ran and wrote nothing; `refused` and `declined`: it did not. */
type Fate = 'done' | 'asked, then done' | 'shown' | 'refused' | 'declined' | 'declined and shown';

const SHOWN_OR_DONE: Readonly<Record<PermissionCase, Fate>> = {
  read: 'shown',
  subagent: 'shown',
  'ask: nobody there': 'shown',
  'ask: no': 'declined and shown',
  'ask: yes': 'asked, then done',
  write: 'done',
};

const REFUSED_OR_DONE: Readonly<Record<PermissionCase, Fate>> = {
  read: 'refused',
  subagent: 'refused',
  'ask: nobody there': 'refused',
  'ask: no': 'declined',
  'ask: yes': 'asked, then done',
  write: 'done',
};

const ALWAYS = Object.fromEntries(PERMISSIONS.map((each) => [each, 'done'])) as Record<PermissionCase, Fate>;

const FATES: Readonly<Record<Effect, Readonly<Record<PermissionCase, Fate>>>> = {
  read: ALWAYS,
  preview: ALWAYS,
  write: SHOWN_OR_DONE,
  execute: REFUSED_OR_DONE,
  expand: REFUSED_OR_DONE,
};

const REFUSALS: Readonly<Partial<Record<PermissionCase, RegExp>>> = {
  read: /and this session may only read \(permission: read\)\. .+; agent-lsp --permission ask or write allows it\.$/,
  subagent:
    /is not allowed for a subagent\. Leave it to the agent that sent you: report what should be done\.$/,
  'ask: nobody there':
    /needs the user's consent, and this client cannot ask for it\. Propose it to the user; agent-lsp --permission write or a rule that allows the tool needs no asking\.$/,
  'ask: no':
    /^the user did not agree to .*; nothing was done\. Ask what to do instead before trying again\.$/,
};

const A_REFUSAL = new RegExp(
  Object.values(REFUSALS)
    .map(({ source }) => source)
    .join('|'),
);

function optionsFor(permission: PermissionCase, asked: string[]): FakeSessionOptions {
  if (permission === 'subagent') return { args: ['--subagent'] };
  const [level = '', answer] = permission.split(': ');
  const action: ElicitResult['action'] = answer === 'yes' ? 'accept' : 'decline';
  if (answer === undefined || answer === 'nobody there') return { args: ['--permission', level] };
  return {
    args: ['--permission', level],
    client: { capabilities: { elicitation: {} } },
    prepare: (client) =>
      client.setRequestHandler('elicitation/create', async ({ params }) => {
        asked.push(params.message);
        return { action };
      }),
  };
}

const nameOf = ({ name }: Tool) => name;
const reaching = tools.filter(({ effect, beyond }) => beyond || effect === 'execute' || effect === 'expand');
const writing = tools.filter(({ effect }) => effect === 'write');
const looking = tools.filter((tool) => !writing.includes(tool) && !reaching.includes(tool));

it('has a call for every tool that does more than look', () => {
  expect(Object.keys(REACHING).sort()).toEqual(reaching.map(nameOf).sort());
  expect(Object.keys(WRITING).sort()).toEqual(writing.map(nameOf).sort());
});

describe.each(PERMISSIONS)('permission %s', (permission) => {
  const asked: string[] = [];
  let session: FakeSession;
  let listener: Eavesdropper;
  const contents = () =>
    WRITTEN.map((file) => (existsSync(session.workspace.file(file)) ? session.workspace.read(file) : ''));

  beforeAll(async () => {
    listener = await Eavesdropper.on('127.0.0.1');
    session = await fakeSession(FILES, optionsFor(permission, asked));
  });
  afterAll(async () => {
    await session[Symbol.asyncDispose]();
    await listener[Symbol.asyncDispose]();
  });

  it.each(looking)('looks with $name unasked', async (tool) => {
    const isRefused = tool.isPrivileged && permission === 'subagent';
    const { text } = await session.call(tool.name, {});
    if (isRefused) expect(text).toMatch(REFUSALS.subagent ?? '');
    else expect(text).not.toMatch(A_REFUSAL);
    expect(asked).toEqual([]);
  });

  it.each(writing)('shows or writes with $name', async (tool) => {
    const fate = FATES.write[permission];
    const before = contents();
    const { text, isError } = await written(session, tool);
    const after = contents();
    for (const [index, file] of WRITTEN.entries())
      if (before[index] !== after[index]) restore(session, file, before[index] ?? '');
    expect(isError, text).toBe(false);
    const isDone = fate === 'done' || fate === 'asked, then done';
    expect(JSON.stringify(after) !== JSON.stringify(before), text).toBe(isDone);
    const questions = asked.splice(0);
    expect(questions.length > 0, text).toBe(fate === 'asked, then done' || fate === 'declined and shown');
    for (const question of questions) expect(question).toMatch(/^agent-lsp: may \w+ change \d files?\?\n/);
  });

  it.each(reaching)('is fenced in with $name', async (tool) => {
    const { name } = tool;
    const fate = FATES[tool.beyond?.effect ?? tool.effect][permission];
    const world = { session, listener };
    const call = REACHING[name];
    if (!call) throw new Error(`no call of ${name}`);
    expect(await call.hasReached(world)).toBe(false);
    const { text, isError } = await session.call(name, call.args(world));
    const isDone = fate === 'done' || fate === 'asked, then done';
    expect(await call.hasReached(world), text).toBe(isDone);
    const questions = asked.splice(0);
    expect(questions).toEqual(
      fate === 'declined' || fate === 'asked, then done'
        ? [expect.stringMatching(new RegExp(`^agent-lsp: may ${name} do this\\?\\n.+$`))]
        : [],
    );
    if (isDone) return expect(text).not.toMatch(A_REFUSAL);
    expect(isError).toBe(true);
    expect(text).toMatch(REFUSALS[permission] ?? '');
    // One line, which says what to do next.
    expect(text).not.toContain('\n');
  });

  it('lists what can be had, with hints that are true', async () => {
    const { tools: listed } = await session.frontEnd.client.listTools();
    const canReach = permission !== 'read' && permission !== 'subagent';
    for (const tool of tools) {
      const hints = listed.find(({ name }) => name === tool.name)?.annotations;
      const alwaysReaches = reaching.includes(tool) && tool.beyond === undefined;
      const isOffered = (canReach || !alwaysReaches) && !(tool.isPrivileged && permission === 'subagent');
      expect(hints !== undefined, tool.name).toBe(isOffered);
      if (!hints) continue;
      const runsPrograms = tool.effect === 'execute';
      const acts = canReach && (tool.effect === 'write' || reaching.includes(tool));
      expect(hints.openWorldHint, tool.name).toBe(canReach && reaching.includes(tool));
      expect(hints.readOnlyHint, tool.name).toBe(!acts && !tool.changesSession);
      expect(hints.destructiveHint === true, tool.name).toBe(
        acts && (tool.effect === 'write' || runsPrograms),
      );
    }
  });

  it('records what was refused, asked for and done beyond the roots', async () => {
    await session.frontEnd.close();
    const lines = readFileSync(`${session.workspace.stateDir}/audit.jsonl`, 'utf8').trimEnd().split('\n');
    const records = lines.map((line) => JSON.parse(line));
    const consent = {
      read: 'refused',
      subagent: 'refused',
      'ask: nobody there': 'cannot-ask',
      'ask: no': 'declined',
      'ask: yes': 'accepted',
      write: 'allowed',
    }[permission];
    for (const { name, effect, beyond } of reaching) {
      const record = records.findLast(({ tool }) => tool === name);
      expect(record?.access, name).toMatchObject({ effect: beyond?.effect ?? effect, consent });
      if (consent !== 'refused') expect(record.access.what, name).toMatch(/./);
    }
  });
});

/** What cannot be told to write at once where the user decides is shown first, and applied by its id. */
async function written(session: FakeSession, tool: Tool): Promise<ToolAnswer> {
  const args = await writingArgs(session, tool);
  const answer = await session.call(tool.name, args);
  const editId = /\bedit_id (e\d+) applies it/.exec(answer.text)?.[1];
  if ('dry_run' in args || editId === undefined) return answer;
  return session.call('apply_edit', { edit_id: editId, dry_run: false });
}

async function writingArgs({ call }: FakeSession, { name, input }: Tool): Promise<Args> {
  const args = { ...WRITING[name], ...('dry_run' in input.shape ? { dry_run: false } : {}) };
  if (!('session_id' in input.shape)) return args;
  const { text } = await call('create_simulation_session', { language: 'fake' });
  const session_id = /\b[0-9a-f]{32}\b/.exec(text)?.[0];
  await call('simulate_edit', { ...EDIT, session_id });
  return { ...args, session_id };
}

function restore({ workspace }: FakeSession, file: string, text: string): void {
  if (text === '') workspace.remove(file);
  else workspace.write(file, text);
}
