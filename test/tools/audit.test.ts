/** The record of calls, as a session over MCP leaves it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { WRITING_TOOLS } from '../support/writing-tools.ts';
import { type FakeSession, fakeSession } from './fake-session.ts';

const FILE = 'src/use.fake';

function records(file: string): Record<string, unknown>[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** Ends the session and reads what it has left. */
async function recordsOf(
  { frontEnd, workspace }: FakeSession,
  file = path.join(workspace.stateDir, 'audit.jsonl'),
) {
  await frontEnd.close();
  return records(file);
}

describe('the audit', () => {
  it('has every call with its files and its outcome, those too that failed or were refused', async () => {
    await using session = await fakeSession(undefined, {
      config: { permissions: { deny: ['find_references'] } },
    });
    await session.ask('list_symbols', { file_path: FILE });
    await session.call('list_symbols', { file_path: 'gone.fake' });
    await session.call('find_references', { symbol: 'Client.stop' });
    await expect(session.call('no_such_tool', {})).rejects.toThrow('there is no tool');
    const all = await recordsOf(session);
    const files = [session.workspace.file(FILE)];
    expect(all).toMatchObject([
      { tool: 'list_symbols', files, success: true },
      { tool: 'list_symbols', success: false, error_message: expect.stringContaining('does not exist') },
      {
        tool: 'find_references',
        files: [],
        success: false,
        error_message: expect.stringContaining('denied'),
      },
      { tool: 'no_such_tool', success: false, error_message: expect.stringContaining('there is no tool') },
    ]);
    for (const { timestamp, duration_ms } of all) {
      expect(new Date(String(timestamp)).toISOString()).toBe(timestamp);
      expect(duration_ms).toEqual(expect.any(Number));
    }
    const file = path.join(session.workspace.stateDir, 'audit.jsonl');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('has what was edited, and what that did to the diagnostics, while the session still runs', async () => {
    await using session = await fakeSession(undefined, {
      ...WRITING_TOOLS,
      args: ['--audit-log', 'own.jsonl'],
    });
    const args = { file_path: FILE, text: 'x'.repeat(300) };
    await session.ask('append_text', args);
    const own = session.workspace.file('own.jsonl');
    const [record] = await until(() => records(own).length > 0 && records(own), { what: 'a record' });
    const file = session.workspace.file(FILE);
    expect(record).toMatchObject({
      tool: 'append_text',
      files: [file],
      edit_summary: {
        mode: 'text-match',
        file_path: file,
        new_text_preview: 'x'.repeat(200),
        apply: true,
      },
      diagnostics_before: { error_count: 2, warning_count: 0, files_checked: [file] },
      diagnostics_after: { error_count: 1, warning_count: 3, files_checked: [file] },
      net_delta: { errors: -1, warnings: 3 },
      success: true,
    });
    await session.ask('append_text', { ...args, dry_run: true });
    expect(await recordsOf(session, own)).toMatchObject([{}, { edit_summary: { apply: false } }]);
  });

  it('is one file for several sessions', async () => {
    await using first = await fakeSession();
    const file = path.join(first.workspace.scratch, 'shared.jsonl');
    const args = ['--audit-log', file];
    await using second = await fakeSession(undefined, { args });
    await using third = await fakeSession(undefined, { args });
    const ask = (session: FakeSession) => session.ask('list_symbols', { file_path: FILE });
    await Promise.all(Array.from({ length: 50 }, () => [ask(second), ask(third)]).flat());
    await second.frontEnd.close();
    expect(await recordsOf(third, file)).toHaveLength(100);
  });

  it('can be switched off', async () => {
    await using session = await fakeSession(undefined, { env: { AGENT_LSP_AUDIT_LOG: 'off' } });
    await session.ask('list_symbols', { file_path: FILE });
    expect(await recordsOf(session)).toEqual([]);
  });

  it('that cannot be written is said once and disturbs nobody', async () => {
    await using session = await fakeSession(undefined, { args: ['--audit-log', `${FILE}/audit.jsonl`] });
    for (let count = 0; count < 3; count++) {
      expect(await session.ask('list_symbols', { file_path: FILE })).toContain('again');
      await until(() => session.frontEnd.stderr().includes('not recorded any more'), { what: 'the warning' });
    }
    await session.frontEnd.close();
    expect(session.frontEnd.stderr().match(/calls are not recorded any more/g)).toHaveLength(1);
  });
});
