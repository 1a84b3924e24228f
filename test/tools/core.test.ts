/** The small set of tools stands alone: it advises nothing that it does not have, and applies what it shows. */
import { describe, expect, it } from 'vitest';
import { tools } from '../../src/frontend/features/registry.ts';
import { type FakeSession, fakeSession } from './fake-session.ts';

const FILE = 'src/client.fake';

const CALLS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['explore_symbol', { symbol: 'Client.stop' }],
  ['list_symbols', { file_path: FILE }],
  ['list_symbols', { file_path: 'gone.fake' }],
  ['find_symbol', { query: 'stop' }],
  ['find_symbol', { query: 'nothing_like_it' }],
  ['go_to_definition', { symbol: 'Client.stop' }],
  ['go_to_definition', { symbol: 'nothing_like_it' }],
  ['find_references', { symbol: 'Client.stop' }],
  ['find_callers', { symbol: 'Client.stop' }],
  ['get_symbol_source', { symbol: 'Client' }],
  ['get_diagnostics', { file_path: FILE }],
  ['rename_symbol', { file_path: FILE, symbol: 'log', new_name: 'write', dry_run: true }],
  ['apply_edit', { edit_id: 'e99' }],
  ['run_build', {}],
  ['run_tests', {}],
];

async function unlistedNames({ frontEnd }: FakeSession): Promise<readonly string[]> {
  const { tools: listed } = await frontEnd.client.listTools();
  return tools.map(({ name }) => name).filter((name) => !listed.some((tool) => tool.name === name));
}

describe('--tools core', () => {
  it('advises only what it lists, whatever is asked', async () => {
    await using session = await fakeSession(undefined, { args: ['--tools', 'core'] });
    const unlisted = (await unlistedNames(session)).filter((name) => name.includes('_'));
    expect(unlisted.length).toBeGreaterThan(30);
    for (const name of unlisted) expect(session.frontEnd.client.getInstructions()).not.toContain(name);
    for (const [tool, args] of CALLS) {
      const { text } = await session.call(tool, args);
      const advised = text.split('\n').filter((line) => /^next: /.test(line) || !text.includes('\n'));
      for (const name of unlisted) expect(advised.join('\n'), tool).not.toMatch(new RegExp(`\\b${name}\\b`));
    }
  });

  it('applies the edit that it has shown', async () => {
    await using session = await fakeSession(undefined, { args: ['--tools', 'core'] });
    const shown = await session.ask('apply_edit', {
      file_path: FILE,
      old_text: 'this.log();',
      new_text: 'this.stop();',
      dry_run: true,
    });
    const id = /edit_id (e\d+)/.exec(shown)?.[1];
    expect(shown).toContain(`next: apply_edit with edit_id ${id} applies it`);
    await session.ask('apply_edit', { edit_id: id });
    expect(session.workspace.read(FILE)).toContain('this.stop();');
  });

  it('has a rename, diagnostics since a baseline, builds and tests', async () => {
    await using session = await fakeSession(undefined, { args: ['--tools', 'core'] });
    const { tools: listed } = await session.frontEnd.client.listTools();
    expect(listed.map(({ name }) => name).sort()).toEqual([
      'activate_tools',
      'apply_edit',
      'explore_symbol',
      'find_callers',
      'find_references',
      'find_symbol',
      'get_diagnostics',
      'get_symbol_source',
      'go_to_definition',
      'list_symbols',
      'rename_symbol',
      'run_build',
      'run_tests',
    ]);
    const diagnostics = listed.find(({ name }) => name === 'get_diagnostics');
    expect(diagnostics?.inputSchema.properties).toMatchObject({ baseline: {}, since: {} });
  });
});
