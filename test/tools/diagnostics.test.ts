import { describe, expect, it } from 'vitest';
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
    const text = await session.ask('get_diagnostics', { file_path: 'bad.fake' });
    expect(text).toMatch(/^bad\.fake: 1 error, 1 warning; fresh \(version \d+, fake-lsp\)/);
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
      /^TIMEOUT: fake-lsp did not report on bad\.fake within [\d.]+ s; nothing is known, this is not "clean"/,
    );
    expect(text).toMatch(/next: call get_diagnostics again$/);
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

  it('groups by symbol in JSON', async () => {
    const text = '//- a.fake\nfunction f() {\n  ERROR here\n}\n';
    await using session = await fakeSession(text, {
      args: ['--output', 'json'],
      scenario: { diagnostics: { profile: 'pull' } },
    });
    const { json } = await session.call('get_diagnostics', { file_path: 'a.fake', group_by: 'symbol' });
    expect(json).toMatchObject({
      symbols: [{ name: 'f', kind: 'function', line: 1, diagnostics: [{ line: 2 }] }],
      ungrouped: [],
    });
    const flat = await session.call('get_diagnostics', { file_path: 'a.fake' });
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
