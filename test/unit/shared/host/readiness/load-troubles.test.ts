/** What servers say when they could not load something, in their own words as they were seen or stand in their sources. */
import { describe, expect, it } from 'vitest';
import { loadRulesOf } from '../../../../../src/shared/host/protocol/load-rules.ts';
import { LoadTroubles } from '../../../../../src/shared/host/readiness/load-troubles.ts';

const troubles = (server: string) => new LoadTroubles(loadRulesOf(server));

const CHECK =
  'cargo check failed to start: Cargo watcher failed, the command produced no valid metadata (exit code: ExitStatus(unix_wait_status(25856))):\nerror: failed to get `private` as a dependency of package `app v0.1.0 (/w/app)`';
const METADATA =
  "Failed to read Cargo metadata with dependencies for `/w/Cargo.toml`: `cargo metadata` exited with an error: error: failed to get `private` as a dependency of package `app v0.1.0 (/w/app)`\n\nCaused by:\n  failed to load source for dependency `private`\n\nCaused by:\n  unable to update https://example.invalid/private.git\n\nCaused by:\n  can't checkout from 'https://example.invalid/private.git': you are in the offline mode (--offline)";

describe('rust-analyzer', () => {
  const rust = (health: string, message: string | null) => {
    const found = troubles('rust-analyzer');
    found.status({ health, message, quiescent: true });
    return found.reason;
  };

  it('is told of in one line with its victim, its cause and the next step', () => {
    expect(rust('warning', `${CHECK}\n\n${METADATA}`)).toBe(
      "cargo could not load `/w/Cargo.toml` with its dependencies: failed to get `private` as a dependency of package `app v0.1.0 (/w/app)` Caused by: failed to load source for dependency `private` Caused by: unable to update … can't checkout from 'https://example.invalid/private.git': you are in the offline mode (--offline); make `cargo metadata` work there (network, credentials), or search the text as well",
    );
  });

  it.each([
    {
      health: 'error',
      message: 'Failed to load workspaces.',
      reason: 'cargo could not load the workspace; ',
    },
    {
      health: 'warning',
      message: 'Failed to discover workspace.\nConsider adding the `Cargo.toml`',
      reason: 'it found no Cargo.toml',
    },
    {
      health: 'warning',
      message: 'Failed to run build scripts of some packages.\n\nPlease refer to the logs',
      reason: 'Failed to run build scripts of some packages, so that what these make',
    },
    {
      health: 'warning',
      message: "Workspace `/w/Cargo.toml` has sysroot errors: can't load standard library",
      reason: 'Workspace `/w/Cargo.toml` has sysroot errors',
    },
    { health: 'warning', message: 'something that no rule knows', reason: 'something that no rule knows' },
    { health: 'error', message: '', reason: 'it reports an error' },
  ])('is degraded by $health: $message', ({ health, message, reason }) => {
    expect(rust(health, message)).toContain(reason);
  });

  it('is not degraded by a check that does not start, and no longer by what is over', () => {
    expect(rust('warning', CHECK)).toBeUndefined();
    const found = troubles('rust-analyzer');
    found.status({ health: 'warning', message: METADATA, quiescent: true });
    found.status({ health: 'ok', message: null, quiescent: true });
    expect(found.reason).toBeUndefined();
  });
});

describe('gopls', () => {
  const FAILED =
    '2026/11/18 04:44:52 initial workspace load failed: packages.Load error: err: exit status 1: stderr: go: cannot load module gone listed in go.work file: open gone/go.mod: no such file or directory\n\n';
  const loaded = (query: string) =>
    `2026/11/18 04:44:59 go/packages.Load #4\n\tview_id="2"\n\tsnapshot=0\n\tdirectory=/w\n\tquery=[${query}]\n\tpackages=3\n\tduration=47.346181ms\n`;

  it('lasts until the whole workspace was loaded, not a file of it', () => {
    const found = troubles('gopls');
    found.line(FAILED);
    const reason =
      'go could not load the workspace: go: cannot load module gone listed in go.work file: open gone/go.mod: no such file or directory; make `go list ./...` work there, or search the text as well';
    expect(found.reason).toBe(reason);
    found.line(loaded('file=/w/a/a.go'));
    expect(found.reason).toBe(reason);
    found.line(loaded('/w/a/... /w/b/... builtin'));
    expect(found.reason).toBeUndefined();
  });

  it('is told without what was downloaded before', () => {
    const found = troubles('gopls');
    const downloads = ['a.example/b v1.0.0', 'c.example/d v0.2.0'].map((each) => `go: downloading ${each}\n`);
    const message = `${downloads.join('')}go: updates to go.mod needed; to update it:\n\tgo mod tidy`;
    found.progress('1', { kind: 'begin', title: 'Error loading workspace', message });
    expect(found.reason).toContain(
      'workspace: go: updates to go.mod needed; to update it: go mod tidy; make `go list',
    );
    found.progress('1', { kind: 'report', message: downloads.join('') });
    expect(found.reason).toContain('go: downloading a.example/b v1.0.0');
  });

  it('takes a progress called error for a trouble, not for work', () => {
    const found = troubles('gopls');
    expect(found.progress('1', { kind: 'begin', title: 'Setting up workspace', message: 'x' })).toBe(false);
    expect(found.progress('2', { kind: 'begin', title: 'Error loading workspace', message: 'no go' })).toBe(
      true,
    );
    expect(found.reason).toContain('go could not load the workspace: no go;');
    expect(found.progress('2', { kind: 'report', message: 'other' })).toBe(true);
    expect(found.reason).toContain('other');
    expect(found.progress('2', { kind: 'end', message: 'Done.' })).toBe(true);
    expect(found.reason).toBeUndefined();
  });

  it('believes what it publishes about go.mod and files of no package, file by file', () => {
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const found = troubles('gopls');
    const publish = (uri: string, ...diagnostics: { source: string; severity: 1 | 2; message: string }[]) =>
      found.published({ uri, diagnostics: diagnostics.map((each) => ({ range, ...each })) });
    publish('file:///w/go.mod', { source: 'go mod tidy', severity: 2, message: 'x is not used' });
    publish('file:///w/a.go', { source: 'compiler', severity: 1, message: 'undefined: x' });
    expect(found.reason).toBeUndefined();
    publish('file:///w/go.mod', {
      source: 'syntax',
      severity: 1,
      message: 'syntax error (unterminated block)',
    });
    publish('file:///w/a.go', { source: 'go list', severity: 2, message: 'initialization failed: x' });
    publish('file:///w/go.mod');
    expect(found.reason).toContain('initialization failed: x');
    publish('file:///w/a.go');
    expect(found.reason).toBeUndefined();
  });
});

describe('pyright', () => {
  it('is degraded by each configuration that it cannot read, until it reads that one again', () => {
    const found = troubles('pyright');
    for (const file of ['/w/pyproject.toml', '/v/pyrightconfig.json'])
      found.line(`Config file "${file}" could not be parsed. Verify that format is correct.`);
    found.line('Found 2 source files');
    expect(found.reason).toBe(
      '/w/pyproject.toml could not be parsed, so that the files and paths it names are unknown; repair it',
    );
    found.line('Loading pyproject.toml file at /w/pyproject.toml');
    expect(found.reason).toContain('/v/pyrightconfig.json could not be parsed');
    found.line('No configuration file found.');
    expect(found.reason).toBeUndefined();
  });

  it('is degraded as long as it finds no source files', () => {
    const found = troubles('basedpyright');
    found.line('No source files found.');
    expect(found.reason).toContain('it found no source files');
    found.line('Found 1 source file');
    expect(found.reason).toBeUndefined();
  });
});

describe('any other server', () => {
  it('is degraded by a status that says so, and by no other word of jdtls', () => {
    const found = troubles('jdtls');
    found.status({ type: 'Error', message: 'Initialization has been cancelled.' });
    expect(found.reason).toBe('Initialization has been cancelled');
    found.status({ type: 'ProjectStatus', message: 'OK' });
    expect(found.reason).toBe('Initialization has been cancelled');
    found.status({ type: 'ServiceReady', message: 'ServiceReady' });
    found.status({ type: 'ProjectStatus', message: 'WARNING' });
    expect(found.reason).toBeUndefined();
  });
});
