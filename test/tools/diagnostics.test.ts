import { describe, expect, it } from 'vitest';
import { gate } from '../support/events.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';
import { fakeSession } from './fake-session.ts';

const TROUBLED = `
//- bad.fake
fine
ERROR one
  WARN two
//- good.fake
fine
`;

describe('get_diagnostics', () => {
  it('counts first, with the proof of freshness', async () => {
    await using session = await fakeSession(TROUBLED, { scenario: { diagnostics: { profile: 'pull' } } });
    const text = await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    expect(text.split('\n')[0]).toBe('bad.fake: 1 error, 1 warning; fresh (pull, fake-lsp)');
    expect(text).toContain('  E 2:1 fake-error ERROR one\n  W 3:3 fake-warning WARN two');
    expect(await session.ask('get_diagnostics', { file_path: 'good.fake' })).toBe(
      'good.fake: clean; fresh (pull, fake-lsp)',
    );
  });

  it('names the version when the server publishes with one', async () => {
    await using session = await fakeSession(TROUBLED, {
      scenario: { diagnostics: { profile: 'versioned' } },
    });
    await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    // Only now can it be told from one that says the same version always.
    session.workspace.write('bad.fake', 'ERROR one\n');
    const text = await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    expect(text).toMatch(/^bad\.fake: 1 error; fresh \(version \d+, fake-lsp\)/);
  });

  it('sees what was written to disk since the last call', async () => {
    await using session = await fakeSession(TROUBLED, { scenario: { diagnostics: { profile: 'pull' } } });
    expect(await session.ask('get_diagnostics', { file_path: 'good.fake' })).toContain('clean');
    session.workspace.write('good.fake', 'ERROR now\n');
    expect(await session.ask('get_diagnostics', { file_path: 'good.fake' })).toContain('1 error');
  });

  it('says TIMEOUT first and never "clean" when the server does not report', async () => {
    await using session = await fakeSession(TROUBLED, {
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '2500' },
      scenario: { diagnostics: { profile: 'none' } },
    });
    const { text, isError } = await session.call('get_diagnostics', { file_path: 'bad.fake' });
    expect(isError).toBe(false);
    expect(text).toMatch(
      /^TIMEOUT: fake-lsp did not report on bad\.fake within [\d.]+ s; nothing is known, this is not "clean"; call again$/,
    );
  });

  it('shows what was last known as STALE, with its age, when nothing comes for the new text', async () => {
    await using session = await fakeSession(TROUBLED, { env: { AGENT_LSP_CALL_TIMEOUT_MS: '4000' } });
    const { scratch } = session.workspace;
    session.server.rewrite({ diagnostics: { profile: 'versioned', gate: `${scratch}/{version}.gate` } });
    gate(scratch, '1').open();
    expect(await session.ask('get_diagnostics', { file_path: 'bad.fake' })).toContain('1 error, 1 warning');
    session.workspace.write('bad.fake', 'fine\n');
    const text = await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    expect(text).toMatch(
      /^TIMEOUT: fake-lsp did not report on bad\.fake within [\d.]+ s; STALE, from [\d.]+ s ago: 1 error, 1 warning; call again\n {2}E 2:1 /,
    );
    expect(text).not.toContain('next: ');
  });

  it('lists only errors when asked to, and says what it left out', async () => {
    await using session = await fakeSession(TROUBLED, { scenario: { diagnostics: { profile: 'pull' } } });
    const text = await session.ask('get_diagnostics', { file_path: 'bad.fake', severity: 'error' });
    expect(text).not.toMatch(/^ {2}W/m);
    expect(text).toContain('1 of lower severity not listed');
  });

  it('covers all open files when none is named', async () => {
    await using session = await fakeSession(TROUBLED, { scenario: { diagnostics: { profile: 'pull' } } });
    expect(await session.ask('get_diagnostics')).toMatch(
      /^No file is open in this session, so nothing was checked/,
    );
    await session.ask('open_document', { file_path: 'bad.fake' });
    await session.ask('open_document', { file_path: 'good.fake' });
    const text = await session.ask('get_diagnostics');
    expect(text).toContain('bad.fake: 1 error, 1 warning');
    expect(text).toContain('good.fake: clean');
  });

  it('answers for many files at once, each with its own state, and what is uncertain first', async () => {
    await using session = await fakeSession(TROUBLED, { scenario: { diagnostics: { profile: 'pull' } } });
    const files = ['good.fake', 'bad.fake', 'gone.fake', '/etc/passwd', 'bad.fake', './good.fake'];
    const text = await session.ask('get_diagnostics', { files });
    expect(text).toBe(
      [
        `MISSING: gone.fake: ${session.workspace.file('gone.fake')} does not exist. Check the path; relative paths start at the root.`,
        `FAILED: /etc/passwd: /etc/passwd is outside the workspace roots (${session.workspace.root}). Use a path inside them, or start agent-lsp with -r <directory> or AGENT_LSP_ALLOWED_PATHS.`,
        'good.fake: clean; fresh (pull, fake-lsp)',
        'bad.fake: 1 error, 1 warning; fresh (pull, fake-lsp)',
        '  E 2:1 fake-error ERROR one',
        '  W 3:3 fake-warning WARN two',
      ].join('\n'),
    );
  });

  it('takes up to 64 files, with one line for all that are clean', async () => {
    const names = Array.from({ length: 64 }, (_, index) => `f${index}.fake`);
    const text = names.map((name) => `//- ${name}\n${name === 'f7.fake' ? 'ERROR x' : 'fine'}\n`).join('');
    await using session = await fakeSession(text, { scenario: { diagnostics: { profile: 'pull' } } });
    const lines = (await session.ask('get_diagnostics', { files: names })).split('\n');
    const clean = names.filter((name) => name !== 'f7.fake');
    expect(lines).toEqual([
      'f7.fake: 1 error; fresh (pull, fake-lsp)',
      '  E 1:1 fake-error ERROR x',
      `clean; fresh (pull, fake-lsp): ${clean.join(', ')}`,
      'next: suggest_fixes f7.fake:1:1',
    ]);
    const refused = await session.call('get_diagnostics', { files: [...names, 'bad.fake'] });
    expect(refused).toMatchObject({
      isError: true,
      text: 'files must have at most 64 entries, got 65. Shorten files.',
    });
  });

  it('gives programs the state and the proof of each file, and null for what is not known', async () => {
    await using session = await fakeSession(TROUBLED, {
      args: ['--output', 'json'],
      env: { AGENT_LSP_CALL_TIMEOUT_MS: '4000' },
      scenario: {
        diagnostics: { profile: 'pull' },
        rules: [
          { on: 'textDocument/diagnostic', file: 'good.fake', do: { never: true } },
          { on: 'textDocument/diagnostic', file: 'odd.fake', do: { error: { code: 3, message: 'odd' } } },
        ],
      },
    });
    session.workspace.write('odd.fake', 'fine\n');
    const [bad, good, gone, odd] = ['bad.fake', 'good.fake', 'gone.fake', 'odd.fake'].map(
      session.workspace.file,
    );
    const { json, raw } = await session.call('get_diagnostics', { files: [bad, good, gone, odd] });
    expect(json).toEqual({
      [bad ?? '']: [expect.objectContaining({ line: 2 }), expect.objectContaining({ line: 3 })],
      [good ?? '']: null,
      [gone ?? '']: null,
      [odd ?? '']: null,
    });
    expect(raw.structuredContent).toMatchObject({
      status: 'incomplete',
      complete: false,
      fresh: false,
      reason: expect.stringMatching(/^TIMEOUT: fake-lsp did not report on good\.fake within /),
      files: [
        { file: bad, status: 'fresh', basis: 'exact', proof: 'pull', errors: 1, warnings: 1 },
        { file: good, status: 'timeout' },
        { file: gone, status: 'missing', error_code: 'no_such_file' },
        { file: odd, status: 'failed', error_code: 'server_error' },
      ],
    });
  });

  it('lists only what is new since a baseline, and what is gone, wherever the lines went', async () => {
    await using session = await fakeSession(TROUBLED, { scenario: { diagnostics: { profile: 'pull' } } });
    const first = await session.ask('get_diagnostics', {
      files: ['bad.fake', 'good.fake'],
      baseline: true,
    });
    expect(first).toBe(
      'baseline b1: 1 error, 1 warning, in 2 files\nnext: after the change, get_diagnostics since:"b1" lists what is new',
    );
    session.workspace.write('bad.fake', 'a line more\nfine\nERROR one\nERROR three\n');
    expect(await session.ask('get_diagnostics', { since: 'b1', baseline: true })).toBe(
      [
        'since b1: 1 new error, 1 before; 0 new warnings, 1 gone, 1 before, in 2 files',
        'bad.fake: 1 new error, 1 before; 0 new warnings, 1 gone, 1 before since b1; fresh (pull, fake-lsp)',
        '  E 4:1 fake-error ERROR three',
        '  gone: W fake-warning WARN two',
        'good.fake: 0 new errors since b1; fresh (pull, fake-lsp)',
        'baseline b2: 2 errors, in 2 files',
        'next: suggest_fixes bad.fake:4:1',
      ].join('\n'),
    );
    expect(await session.ask('get_diagnostics', { file_path: 'bad.fake', since: 'b2' })).toBe(
      'bad.fake: 0 new errors, 2 before since b2; fresh (pull, fake-lsp)',
    );
    const unknown = await session.call('get_diagnostics', { since: 'b9' });
    expect(unknown.isError).toBe(true);
    expect(unknown.text).toBe('there is no baseline "b9". Baselines are: b1, b2.');
  });

  it('takes a baseline of many findings in a line, and names the files that are not in it', async () => {
    const many = `//- many.fake\n${'ERROR again\n'.repeat(90)}//- a.fake\nWARN\n//- b.fake\nfine\n//- c.fake\nERROR\n`;
    await using session = await fakeSession(many, {
      scenario: { diagnostics: { profile: 'pull' } },
      args: ['--output', 'json'],
    });
    const files = ['many.fake', 'a.fake', 'b.fake', 'c.fake', 'missing.fake'];
    const { raw, json } = await session.call('get_diagnostics', { files, baseline: true });
    expect(json).toEqual({ [session.workspace.file('missing.fake')]: null });
    expect(raw.structuredContent).toMatchObject({
      baseline: 'b1',
      baseline_counts: { errors: 91, warnings: 1, files: 4 },
      files: [{ status: 'missing' }],
      fresh: false,
    });
    expect(JSON.stringify(raw).length).toBeLessThan(2_000);
  });

  it('tells what is as it was in one line, and counts over all files', async () => {
    const many = ['a', 'b', 'c', 'd'].map((name) => `//- ${name}.fake\nERROR one\nERROR two\n`).join('');
    await using session = await fakeSession(many, { scenario: { diagnostics: { profile: 'pull' } } });
    const files = ['a.fake', 'b.fake', 'c.fake', 'd.fake'];
    expect(
      await session.ask('get_diagnostics', { files: [...files, 'missing.fake'], baseline: true }),
    ).toMatch(
      /^MISSING: missing\.fake: .*\nnot in the baseline: this file\nbaseline b1: 8 errors, in 4 files\n/,
    );
    session.workspace.write('a.fake', 'ERROR one\n');
    expect(await session.ask('get_diagnostics', { since: 'b1' })).toBe(
      [
        'since b1: 0 new errors, 1 gone, 8 before, in 4 files',
        'a.fake: 0 new errors, 1 gone, 2 before since b1; fresh (pull, fake-lsp)',
        '  gone: E fake-error ERROR two',
        'nothing new or gone since b1; fresh (pull, fake-lsp): b.fake, c.fake, d.fake',
      ].join('\n'),
    );
  });

  it('cuts a long list and goes on with the cursor', async () => {
    const text = `//- many.fake\n${Array.from({ length: 5 }, (_, index) => `ERROR ${index}`).join('\n')}\n`;
    await using session = await fakeSession(text, { scenario: { diagnostics: { profile: 'pull' } } });
    const first = await session.ask('get_diagnostics', { file_path: 'many.fake', limit: 2 });
    expect(first).toMatch(
      /ERROR 0\n.*ERROR 1\n3 more diagnostics not shown; pass cursor:"2"\nnext: suggest_fixes many.fake:1:1$/,
    );
    const rest = await session.ask('get_diagnostics', { file_path: 'many.fake', cursor: '2' });
    expect(rest).toMatch(
      /ERROR 2\n.*ERROR 3\n.*ERROR 4\n2 earlier diagnostics not shown\nnext: suggest_fixes many.fake:3:1$/,
    );
  });

  it('groups by symbol, what is in none last', async () => {
    const text = '//- a.fake\nERROR top\nclass A {\n  stop() {\n    ERROR deep\n  }\n}\n';
    await using session = await fakeSession(text, { scenario: { diagnostics: { profile: 'pull' } } });
    expect(await session.ask('get_diagnostics', { file_path: 'a.fake', group_by: 'symbol' })).toBe(
      [
        'a.fake: 2 errors; fresh (pull, fake-lsp)',
        '  A.stop method 3',
        '    E 4:5 fake-error ERROR deep',
        '  in no symbol',
        '    E 1:1 fake-error ERROR top',
        'next: suggest_fixes a.fake:1:1',
      ].join('\n'),
    );
    session.server.rewrite({
      diagnostics: { profile: 'pull' },
      rules: [{ on: 'textDocument/documentSymbol', do: { error: { code: -32603, message: 'no' } } }],
    });
    await session.ask('restart_lsp_server');
    expect(await session.ask('get_diagnostics', { file_path: 'a.fake', group_by: 'symbol' })).toMatch(
      /^a\.fake: 2 errors.*\n {2}E 1:1 .*\n {2}E 4:5 .*\nnote: not grouped by symbol: no\nnext: suggest_fixes a.fake:1:1$/,
    );
    const refused = await session.call('get_diagnostics', { group_by: 'symbol' });
    expect(refused).toMatchObject({ isError: true, text: 'group_by needs one file. Pass file_path alone.' });
  });

  it('groups by symbol in JSON', async () => {
    const text = '//- a.fake\nfunction f() {\n  ERROR here\n}\n';
    await using session = await fakeSession(text, {
      args: ['--output', 'json'],
      scenario: { diagnostics: { profile: 'pull' } },
    });
    const grouped = await session.call('get_diagnostics', { file_path: 'a.fake', group_by: 'symbol' });
    expect(grouped.raw.structuredContent).toMatchObject({
      symbols: [{ name: 'f', kind: 'function', line: 1, diagnostics: [{ line: 2 }] }],
      ungrouped: [],
    });
    const flat = await session.call('get_diagnostics', { file_path: 'a.fake' });
    expect(grouped.json).toEqual(flat.json);
    expect(flat.json).toMatchObject({ [session.workspace.file('a.fake')]: [{ line: 2, severity: 1 }] });
    expect(flat.raw.structuredContent).toMatchObject({ fresh: true });
  });

  it('reports TypeScript errors as the compiler writes them', async () => {
    await using workspace = createWorkspace(`
    //- tsconfig.json
    {"compilerOptions": {"strict": true}}
    //- a.ts
    export const wrong: number = 'text';
    `);
    await using frontEnd = await startFrontEnd({ workspace, args: ['--daemon', 'never'] });
    const { text } = await frontEnd.call('get_diagnostics', { file_path: 'a.ts' });
    expect(text).toMatch(
      /^a\.ts: 1 error; fresh \(pull, [\w-]+\)\n {2}E 1:14 TS2322 Type 'string' is not assignable/,
    );
    await frontEnd.close();
    await workspace.expectNothingLeft();
  });
});
