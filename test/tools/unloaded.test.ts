/** A server that could not load a part of the workspace says nothing of what it lacks, so that the answer has to. */
import { expect, it } from 'vitest';
import { type FakeSession, fakeSession, SAMPLE } from './fake-session.ts';

const METADATA =
  'Failed to read Cargo metadata with dependencies for `/w/Cargo.toml`: `cargo metadata` exited with an error: error: failed to get `private`';
const REASON =
  'is degraded: cargo could not load `/w/Cargo.toml` with its dependencies: failed to get `private`; make `cargo metadata` work there (network, credentials), or search the text as well';

const status = (health: string, message: string | null) => ({
  send: { method: 'experimental/serverStatus', params: { health, quiescent: true, message } },
});

/** A crate that nobody loaded: every search finds nothing, and says so without hesitation. */
function degraded(message = METADATA, args: readonly string[] = []): Promise<FakeSession> {
  return fakeSession(SAMPLE, {
    args,
    as: 'rust-analyzer',
    scenario: {
      rules: [
        { on: 'initialized', do: status('warning', message) },
        { on: 'workspace/symbol', do: [status('ok', null), { reply: true }] },
      ],
    },
  });
}

const LOG = { file_path: 'src/client.fake', symbol: 'Client.log' };

it.each([
  { tool: 'find_references', args: LOG },
  { tool: 'find_callers', args: LOG },
  { tool: 'go_to_implementation', args: { file_path: 'src/client.fake', symbol: 'Stoppable' } },
  { tool: 'type_hierarchy', args: { file_path: 'src/client.fake', symbol: 'Stoppable' } },
])('$tool is INCOMPLETE with the reason and the next step', async ({ tool, args }) => {
  await using session = await degraded();
  const answer = await session.ask(tool, args);
  expect(answer.split('\n')[0]).toBe(`INCOMPLETE: fake-lsp ${REASON}`);
  expect(answer.split(REASON)).toHaveLength(2);
  expect(answer).not.toMatch(/[^n]complete;/);
});

it('does not take what a server says about waiting for a time to ask again', async () => {
  await using session = await degraded(`${METADATA}, retry in 5 s`, ['--output', 'json']);
  const { raw } = await session.call('find_references', LOG);
  expect(raw.structuredContent).toMatchObject({
    status: 'incomplete',
    reason: expect.stringContaining('retry in 5 s'),
  });
  expect(raw.structuredContent).not.toHaveProperty('retry_after_ms');
});

it('does not delete what another crate may use', async () => {
  await using session = await degraded();
  const before = session.workspace.read('src/client.fake');
  const answer = await session.call('safe_delete_symbol', {
    file_path: 'src/client.fake',
    symbol_path: 'Server',
  });
  expect(answer.isError).toBe(true);
  expect(answer.text).toContain(
    `Server was not deleted, because not all of its uses are known: fake-lsp ${REASON}. Call again when they are`,
  );
  expect(session.workspace.read('src/client.fake')).toBe(before);
});

it('shows a rename and does not write it', async () => {
  await using session = await degraded();
  const before = session.workspace.read('src/client.fake');
  const answer = await session.ask('rename_symbol', { ...LOG, new_name: 'note', dry_run: false });
  expect(answer).toContain(`INCOMPLETE: fake-lsp ${REASON}`);
  expect(answer).toContain('note: shown first: not all of its places are known');
  expect(session.workspace.read('src/client.fake')).toBe(before);
});

it('is whole again when the server is', async () => {
  await using session = await degraded();
  expect(await session.ask('find_references', LOG)).toContain('INCOMPLETE');
  await session.ask('find_symbol', { query: 'Client' });
  expect(await session.ask('find_references', LOG)).toMatch(/fake-lsp ready, complete;/);
  const answer = await session.ask('safe_delete_symbol', {
    file_path: 'src/client.fake',
    symbol_path: 'Server',
    dry_run: false,
  });
  expect(answer).toContain('nothing else uses it by name');
  expect(session.workspace.read('src/client.fake')).not.toContain('Server');
});
