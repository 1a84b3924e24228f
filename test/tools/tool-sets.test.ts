/** Which tools a client gets: by its name, and by what its agent asks for. */
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { toolsToList } from '../../src/frontend/features/profile-tools.ts';
import { until } from '../support/events.ts';
import { startFrontEnd } from '../support/mcp-client.ts';
import { createWorkspace } from '../support/workspace.ts';
import { fakeSession, SAMPLE } from './fake-session.ts';

const tools = await toolsToList('full');
const ALL = tools.map(({ name }) => name);
const CORE = tools.filter(({ isCore }) => isCore).map(({ name }) => name);

async function namesOf(client: Client): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

describe('the tools of a client', () => {
  it.each([
    { name: 'cursor-vscode', listed: CORE },
    { name: 'windsurf-client', listed: CORE },
    { name: 'claude-code', listed: ALL },
    { name: 'cursory', listed: ALL },
  ])('that is called $name are those that it does not cut', async ({ name, listed }) => {
    await using workspace = createWorkspace();
    for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
      await using frontEnd = await startFrontEnd({
        workspace,
        name,
        client: { versionNegotiation: { mode } },
      });
      expect(await namesOf(frontEnd.client)).toEqual(listed);
    }
  });

  it('are all of them where the user says so, whatever the client is called', async () => {
    await using workspace = createWorkspace();
    await using frontEnd = await startFrontEnd({
      workspace,
      name: 'cursor-vscode',
      args: ['--tools', 'full'],
    });
    expect(await namesOf(frontEnd.client)).toEqual(ALL);
  });

  it('can be others from now on, which the client is told', async () => {
    let told = 0;
    await using session = await fakeSession(SAMPLE, {
      args: ['--tools', 'core'],
      prepare: (client) =>
        client.setNotificationHandler('notifications/tools/list_changed', () => {
          told += 1;
        }),
    });
    const { client } = session.frontEnd;
    await expect(session.call('get_inlay_hints', { file_path: 'src/use.fake' })).rejects.toSatisfy(
      (error) => error instanceof ProtocolError && /activate_tools/.test(error.message),
    );
    expect(await session.ask('activate_tools', { profile: 'full' })).toContain('those of "full"');
    await until(() => told > 0, { what: 'the notification' });
    expect(await namesOf(client)).toEqual(ALL);
    expect((await session.call('get_inlay_hints', { file_path: 'src/use.fake' })).text).not.toBe('');
    await session.ask('activate_tools', { profile: 'core' });
    expect(await namesOf(client)).toEqual(CORE);
  });
});

describe('what a client is told about its tools', () => {
  const EVERY = 'Use these tools rather than text search';
  const OWN = 'line and column from 1';
  it.each([
    { name: 'claude-code', args: [], says: [EVERY, OWN], not: ['activate_tools'] },
    { name: 'cursor-vscode', args: [], says: [EVERY, OWN, 'activate_tools lists all'], not: [] },
    { name: 'claude-code', args: ['--tools', 'lsp6'], says: [EVERY], not: [OWN, 'errors', 'renames'] },
    { name: 'claude-code', args: ['--tools', 'pyright'], says: [EVERY, 'Python'], not: [OWN, 'renames'] },
  ])('as $name with $args is true of them, in both protocols', async ({ name, args, says, not }) => {
    await using workspace = createWorkspace();
    for (const mode of ['legacy', { pin: '2026-07-28' }] as const) {
      const client = { versionNegotiation: { mode } };
      await using frontEnd = await startFrontEnd({ workspace, name, args, client });
      const text = frontEnd.client.getInstructions() ?? '';
      for (const words of says) expect(text).toContain(words);
      for (const words of not) expect(text).not.toContain(words);
    }
  });

  it('holds for all tools where a file may choose them', async () => {
    await using workspace = createWorkspace();
    const file = (text: string) => workspace.write(`${workspace.scratch}/config.json`, text);
    for (const [text, isKnown] of [
      ['{ "tools": "lsp6" }', false],
      ['{ "eager": false }', true],
    ] as const) {
      await using frontEnd = await startFrontEnd({ workspace, args: ['--config', file(text)] });
      const said = frontEnd.client.getInstructions() ?? '';
      expect(said).toContain(EVERY);
      expect(said.includes(OWN)).toBe(isKnown);
    }
  });
});
