/** What hooks do without a language server, or with one that does not answer. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { fakeServer } from '../support/fake-server.ts';
import { CLIENT_FORMS, clientForm, type HookRunResult, runHookCommand } from '../support/hook-inputs.ts';
import { runProgram } from '../support/real-session.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';
import { SAMPLE, writeFakeConfig } from './fake-session.ts';

const SILENT = { code: 0, out: '', err: '' };
const form = clientForm('claude');
const at = ({ root }: Workspace, session = 's1') => ({ root, session });
const edit = ({ root }: Workspace) => ({
  file: path.join(root, 'src/client.fake'),
  before: 'a',
  after: 'this.log();',
});
/** What is kept between the hooks of sessions. */
const kept = ({ stateDir }: Workspace) =>
  readdirSync(stateDir).includes('hooks') ? readdirSync(path.join(stateDir, 'hooks')) : [];

describe('a hook', () => {
  it.each([
    {
      what: 'no JSON',
      args: ['post-edit'],
      input: '{"tool_name":',
      problem: /^agent-lsp hook: post-edit: standard input is not JSON \(.*\)\n$/,
    },
    {
      what: 'JSON that is no object',
      args: ['turn-end'],
      input: '[1]',
      problem: /^agent-lsp hook: turn-end: standard input is JSON, but no object\n$/,
    },
    {
      what: 'an event that is none',
      args: ['post-edits'],
      input: '{}',
      problem: /^agent-lsp hook: there is no event "post-edits", did you mean post-edit\?\n$/,
    },
    {
      what: 'a client that is none',
      args: ['post-edit', '--client', 'x'],
      input: '{}',
      problem: /^agent-lsp hook: there is no client "x"; one of claude, .*\n$/,
    },
    {
      what: 'an option that is none',
      args: ['post-edit', '--fast'],
      input: '{}',
      problem: /^agent-lsp hook: Unknown option '--fast'.*\n$/,
    },
    {
      what: 'no such configuration',
      args: ['post-edit', '--config', '/none.json'],
      input: '{}',
      problem: /^agent-lsp hook: post-edit: \/none\.json does not exist\..*\n$/,
    },
  ])('says in one line what is wrong with $what, and stops no agent', async ({ args, input, problem }) => {
    await using workspace = createWorkspace(SAMPLE);
    const { code, out, err } = await runHookCommand(workspace, args, input);
    expect({ code, out: out.trim() }).toEqual({ code: 0, out: '' });
    expect(err).toMatch(problem);
  });

  it('answers with JSON alone to a client that reads nothing else, whatever is wrong', async () => {
    await using workspace = createWorkspace(SAMPLE);
    const broken = await runHookCommand(workspace, ['post-edit', '--client', 'gemini'], '{"x');
    expect(JSON.parse(broken.out)).toEqual({});
    const [_, ...others] = CLIENT_FORMS.filter(({ name }) => name === 'gemini' || name === 'cursor');
    for (const other of [clientForm('gemini'), ...others]) {
      const { out } = await runHookCommand(
        workspace,
        ['post-edit'],
        other.edited(at(workspace), edit(workspace)),
      );
      expect(JSON.parse(out)).toEqual({});
    }
  });

  it('shows its help, and is followed with options before it as well', async () => {
    await using workspace = createWorkspace(SAMPLE);
    expect(await runProgram(workspace, 'hook', '--help')).toMatch(
      /session-start, pre-search, post-edit, turn-end/,
    );
    await runProgram(workspace, '--root', workspace.root, 'hook', 'post-edit', 'src/client.fake');
    expect(kept(workspace)).toHaveLength(1);
  });

  it.each([
    {
      what: 'of a subagent, by what the client says',
      env: {},
      args: [],
      more: { agent_id: 'a1', agent_type: 'Explore' },
    },
    { what: 'of a subagent, by a variable', env: { AGENT_LSP_SUBAGENT: '1' }, args: [], more: {} },
    { what: 'of a subagent, by the command line', env: {}, args: ['--subagent'], more: {} },
  ])('keeps and says nothing $what', async ({ env, args, more }) => {
    await using workspace = createWorkspace(SAMPLE);
    const input = { ...form.edited(at(workspace), edit(workspace)), ...more };
    expect(await runHookCommand(workspace, ['post-edit', ...args], input, env)).toEqual(SILENT);
    expect(
      await runHookCommand(
        workspace,
        ['turn-end', ...args],
        { ...form.turnEnded(at(workspace)), ...more },
        env,
      ),
    ).toEqual(SILENT);
    expect(kept(workspace)).toEqual([]);
  });

  it.each([
    { by: 'its mode', env: { AGENT_LSP_HOOK_MODE: 'disabled' }, args: [] },
    { by: 'its switch', env: { AGENT_LSP_HOOK_ENABLED: 'false' }, args: [] },
    { by: 'the switch of the whole module', env: { AGENT_LSP_LSP_ENABLED: '0' }, args: [] },
    { by: 'the command line', env: {}, args: ['--mode', 'disabled'] },
  ])('that is off by $by says nothing, and lets go of what the session holds', async ({ env, args }) => {
    await using workspace = createWorkspace(SAMPLE);
    const edited = form.edited(at(workspace), edit(workspace));
    await runHookCommand(workspace, ['post-edit'], edited);
    expect(kept(workspace)).toHaveLength(1);
    expect(await runHookCommand(workspace, ['post-edit', ...args], edited, env)).toEqual(SILENT);
    expect(kept(workspace)).toEqual([]);
    expect(await runHookCommand(workspace, ['turn-end'], form.turnEnded(at(workspace)))).toEqual(SILENT);
  });

  it('lets go of what a session holds at its end, also when it is off', async () => {
    await using workspace = createWorkspace(SAMPLE);
    for (const session of ['one', 'two'])
      await runHookCommand(workspace, ['post-edit'], form.edited(at(workspace, session), edit(workspace)));
    const end = { session_id: 'one', cwd: workspace.root, hook_event_name: 'SessionEnd', reason: 'exit' };
    const off = { AGENT_LSP_HOOK_ENABLED: 'false' };
    expect(await runHookCommand(workspace, ['session-end'], end, off)).toEqual(SILENT);
    expect(kept(workspace)).toHaveLength(1);
    expect(await runHookCommand(workspace, ['session-end'], { ...end, session_id: 'two' })).toEqual(SILENT);
    expect(kept(workspace)).toEqual([]);
  });

  it('forgets the edits of a turn that was broken off', async () => {
    await using workspace = createWorkspace(SAMPLE);
    const cursor = clientForm('cursor');
    await runHookCommand(workspace, ['post-edit'], cursor.edited(at(workspace), edit(workspace)));
    const aborted = { ...cursor.turnEnded(at(workspace)), status: 'aborted' };
    expect((await runHookCommand(workspace, ['turn-end'], aborted)).out).toBe('{}\n');
    expect((await runHookCommand(workspace, ['turn-end'], cursor.turnEnded(at(workspace)))).out).toBe('{}\n');
  });

  it.each(CLIENT_FORMS)(
    'reminds an agent of $name once in a session that a name can be asked for, and lets the search pass',
    async (client) => {
      await using workspace = createWorkspace(SAMPLE);
      const search = (session: string, pattern: string) =>
        runHookCommand(workspace, ['pre-search'], client.searched(at(workspace, session), pattern));
      const said = ({ code, out, err }: HookRunResult) => {
        expect({ code, err }).toEqual({ code: 0, err: '' });
        return out === '' ? undefined : client.told('pre-search', JSON.parse(out));
      };
      expect(said(await search('s1', 'not a name'))).toBeUndefined();
      expect(said(await search('s1', 'loadConfig'))).toMatch(
        /^agent-lsp: loadConfig can be asked for by name\. find_references/,
      );
      expect(said(await search('s1', 'loadConfig'))).toBeUndefined();
      expect(said(await search('s2', 'class Order'))).toMatch(/^agent-lsp: Order can be asked for/);
    },
  );
});

describe('a hook that runs before a tool', () => {
  it('keeps the reminder for later where its client has no place for it', async () => {
    await using workspace = createWorkspace(SAMPLE);
    const cursor = clientForm('cursor');
    const after = cursor.searched(at(workspace), 'loadConfig');
    const before = { ...after, hook_event_name: 'preToolUse', tool_output: undefined };
    expect((await runHookCommand(workspace, ['pre-search'], before)).out).toBe('{}\n');
    const { out } = await runHookCommand(workspace, ['pre-search'], after);
    expect(cursor.told('pre-search', JSON.parse(out))).toMatch(/^agent-lsp: loadConfig can be asked for/);
  });
});

describe('a hook whose server does not answer in time', () => {
  it('says what was not looked at, and looks again at the end of the turn', async () => {
    await using workspace = createWorkspace(SAMPLE);
    const gate = path.join(workspace.scratch, 'open');
    const server = fakeServer(workspace.scratch, { rules: [{ on: 'initialize', do: { gate } }] });
    const config = ['--config', writeFakeConfig(workspace, server), '--timeout', '2'];
    const changed = { ...edit(workspace), before: 'stop();', after: 'this.log();' };
    const now = await runHookCommand(
      workspace,
      ['post-edit', '--mode', 'edit_write', ...config],
      form.edited(at(workspace), changed),
    );
    expect(now).toMatchObject({ code: 0, err: '' });
    expect(form.told('post-edit', JSON.parse(now.out))).toMatch(
      /^agent-lsp: not looked at: src\/client\.fake \(.+\)$/,
    );
    expect(kept(workspace)).toHaveLength(1);
    // Nobody is given another turn because a server was slow: the person is told.
    const end = await runHookCommand(workspace, ['turn-end', ...config], form.turnEnded(at(workspace)));
    expect(form.told('turn-end', JSON.parse(end.out))).toBeUndefined();
    expect(JSON.parse(end.out)).toEqual({
      systemMessage: expect.stringMatching(/not looked at: src\/client\.fake/),
    });
    await runProgram(workspace, 'daemon-stop', '--all', '--now');
    await workspace.expectNothingLeft();
  });

  it('says once in a session that a server is missing', async () => {
    await using workspace = createWorkspace('//- a.zig\nconst x = 1;\n');
    const changed = {
      file: path.join(workspace.root, 'a.zig'),
      before: 'const y = 1;',
      after: 'const x = 1;',
    };
    const hook = () =>
      runHookCommand(workspace, ['post-edit', '--mode', 'edit_write'], form.edited(at(workspace), changed), {
        PATH: path.dirname(process.execPath),
      });
    const first = await hook();
    expect(form.told('post-edit', JSON.parse(first.out))).toMatch(
      /not looked at: a\.zig \(zls, the language server for zig, was not found/,
    );
    expect(await hook()).toEqual(SILENT);
  });
});
