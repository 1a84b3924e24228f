import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { fakeServer } from '../support/fake-server.ts';
import { BUILT_PROGRAM } from '../support/mcp-client.ts';
import { createWorkspace, type Workspace } from '../support/workspace.ts';
import { SAMPLE, writeFakeConfig } from './fake-session.ts';

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

function run(
  workspace: Workspace,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BUILT_PROGRAM, ...args], {
    cwd: workspace.root,
    env: { ...workspace.env(), ...environment },
    encoding: 'utf8',
    input: '',
    timeout: 50_000,
  });
  return { code: status, out: stdout, err: stderr };
}

function fakeWorkspace(): { workspace: Workspace; common: readonly string[] } {
  const workspace = createWorkspace(SAMPLE);
  const config = writeFakeConfig(workspace, fakeServer(workspace.scratch));
  return { workspace, common: ['--config', config, '--daemon', 'never'] };
}

describe('agent-lsp on the command line', () => {
  it('tells its version and how to use it', async () => {
    await using workspace = createWorkspace();
    expect(run(workspace, ['--version'])).toMatchObject({
      code: 0,
      out: `${packageJson.version}\n`,
      err: '',
    });
    const help = run(workspace, ['--help']);
    expect(help.code).toBe(0);
    for (const word of [
      'call <tool>',
      'daemon-status',
      'daemon-stop',
      'daemon-restart',
      'daemon-logs',
      'doctor',
      'kept [action]',
      'skills [action]',
      '--root',
    ])
      expect(help.out).toContain(word);
    expect(help.out).not.toContain('daemon-broker');
    expect(help.out).not.toContain('undefined');
  });

  it('takes a choice that looks like a number', async () => {
    await using workspace = createWorkspace();
    expect(run(workspace, ['daemon-status', '--typescript', '7'])).toMatchObject({ code: 0, err: '' });
    expect(run(workspace, ['daemon-status', '--typescript', '8'])).toMatchObject({ code: 2 });
  });

  it('waits for a server that is slow: nobody could ask again', async () => {
    await using workspace = createWorkspace('//- a.fake\nfunction alpha\nalpha\n');
    const slow = fakeServer(workspace.scratch, {
      rules: [{ on: 'textDocument/references', do: { wait: 1_500 } }],
    });
    const config = writeFakeConfig(workspace, slow);
    const question = ['find_references', '--file_path', 'a.fake', '--symbol', 'alpha'];
    const env = { AGENT_LSP_PATIENCE_MS: '1' };
    const found = run(workspace, ['call', '--config', config, '--daemon', 'never', ...question], env);
    expect(found.out).toMatch(/^1 reference to alpha .* complete/);
  });

  it('tells the parameters of a tool', async () => {
    await using workspace = createWorkspace();
    const help = run(workspace, ['call', 'rename_symbol', '--help']);
    expect(help).toMatchObject({ code: 0, err: '' });
    expect(help.out).toContain('Renames a symbol');
    expect(help.out).toMatch(/--new_name .*\[string\] \[required\]/);
    expect(help.out).toMatch(/--dry_run .*\[boolean\]/);
    // Those of the command itself are not the tool's.
    expect(help.out).not.toContain('--idle-timeout');
    expect(run(workspace, ['call', 'find_references', '-h']).out).toMatch(
      /--tests .*choices: "fold", "show"/,
    );
    expect(run(workspace, ['call', '--help']).out).toContain('call <tool> [input..]');
  });

  it('says in one line what it did not understand, with exit code 2', async () => {
    await using workspace = createWorkspace();
    for (const [args, text] of [
      [['--dameon', 'never'], 'unknown option --dameon'],
      [['--daemon', 'sometimes'], 'Choices: "auto", "always", "never"'],
      [['go'], '"go" names no server'],
      [['klingon:kls'], 'unknown language "klingon"'],
      [['cal', 'find_symbol'], 'there is no command cal, did you mean call?'],
      [['daemon-sttus'], 'there is no command daemon-sttus, did you mean daemon-status?'],
      [['call', 'open_sesame'], 'there is no tool open_sesame; agent-lsp call --help'],
      [['call', 'find_refrences'], 'there is no tool find_refrences, did you mean find_references?'],
      [['call', 'list_symbols'], 'list_symbols: file_path is required'],
      [['call', 'list_symbols', '{"file_path"'], 'not valid JSON'],
      [['call', 'list_symbols', 'a.ts'], '"a.ts" is no parameter'],
      [['call'], 'Not enough'],
      [['daemon-stop'], 'pass --root-dir and --language, or --all'],
    ] as const) {
      const { code, out, err } = run(workspace, args);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err).toContain(text);
      expect(err.trimEnd()).not.toContain('\n');
    }
  });
});

describe('agent-lsp call', () => {
  it('asks one question and prints the answer', async () => {
    const { workspace, common } = fakeWorkspace();
    await using _gone = workspace;
    const asPairs = run(workspace, [
      ...common,
      'call',
      'find_references',
      '--file_path',
      'src/client.fake',
      '--symbol=Client.stop',
    ]);
    expect(asPairs).toMatchObject({ code: 0, err: '' });
    expect(asPairs.out).toMatch(/^6 references to stop/);
    const asJson = run(workspace, [
      'call',
      'inspect_symbol',
      '{"file_path":"src/client.fake","line":2,"column":3}',
      ...common,
    ]);
    expect(asJson.out).toContain('src/client.fake:2:3');
    await workspace.expectNothingLeft();
  });

  it('exits with 1 when the tool fails', async () => {
    const { workspace, common } = fakeWorkspace();
    await using _gone = workspace;
    const failed = run(workspace, [...common, 'call', 'list_symbols', '--file-path', 'gone.fake']);
    expect(failed.code).toBe(1);
    expect(failed.out).toContain('gone.fake does not exist');
    await workspace.expectNothingLeft();
  });

  it('writes JSON on request', async () => {
    const { workspace, common } = fakeWorkspace();
    await using _gone = workspace;
    const { out } = run(workspace, [
      ...common,
      '--output',
      'json',
      'call',
      'find_symbol',
      '--query',
      'again',
    ]);
    expect(JSON.parse(out.split('\n')[0] ?? '')).toMatchObject([{ name: 'again', line: 3, column: 10 }]);
  });

  it('looks at the roots it was given', async () => {
    const { workspace, common } = fakeWorkspace();
    await using _gone = workspace;
    const args = [...common, '-r', workspace.file('src'), 'call', 'list_symbols', '--file_path'];
    expect(run(workspace, [...args, 'use.fake']).out).toContain('function again');
    expect(run(workspace, [...args, workspace.file('test/client.test.fake')]).out).toContain(
      'outside the workspace roots',
    );
  });
});

describe('agent-lsp doctor', () => {
  it('starts each server that the directory needs', async () => {
    const { workspace, common } = fakeWorkspace();
    await using _gone = workspace;
    const { code, out } = run(workspace, ['doctor', ...common]);
    expect(out).toContain(`OK     state directory ${workspace.stateDir} (private, writable)`);
    expect(out).toMatch(/^OK {5}fake: fake-lsp 1\.0\.0 in [\d.]+ s, all tools work/m);
    expect(out).toContain('Everything that is there works.');
    expect(code).toBe(0);
    await workspace.expectNothingLeft();
  });

  it('exits with 1 when something is broken', async () => {
    await using workspace = createWorkspace(SAMPLE);
    const server = fakeServer(workspace.scratch, {
      rules: [{ on: 'initialize', do: { stderr: 'no licence', crash: 3 } }],
    });
    const { code, out } = run(workspace, ['doctor', '--config', writeFakeConfig(workspace, server)]);
    expect(out).toMatch(/^BROKEN fake: .*no licence/m);
    expect(code).toBe(1);
    await workspace.expectNothingLeft();
  });
});
