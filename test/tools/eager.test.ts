/** Servers that are started before anybody asks. */
import { describe, expect, it } from 'vitest';
import { until } from '../support/events.ts';
import { fakeSession, SAMPLE } from './fake-session.ts';

describe('an eager session', () => {
  it.each([
    { by: 'the command line', args: ['--eager'], env: {} },
    { by: 'a variable', args: [], env: { AGENT_LSP_EAGER: 'true' } },
  ])('starts the servers of its root without a call, asked by $by', async ({ args, env }) => {
    await using session = await fakeSession(SAMPLE, { args, env });
    await until(() => session.server.journal.received('initialized').length > 0, {
      what: 'the server',
      watch: session.workspace.scratch,
    });
    await session.ask('list_symbols', { file_path: 'src/client.fake' });
    expect(session.server.journal.received('initialize')).toHaveLength(1);
  });

  it('starts nothing before the first call otherwise', async () => {
    await using session = await fakeSession();
    await session.frontEnd.client.listTools();
    await session.frontEnd.client.ping();
    expect(session.server.journal.received('initialize')).toEqual([]);
  });
});
