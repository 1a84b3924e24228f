/** Several symbols in one call: what became of each, in one budget. */
import { describe, expect, it } from 'vitest';
import { fakeSession, SAMPLE } from './fake-session.ts';

const JSON_OUTPUT = { args: ['--output', 'json'] };

describe('several symbols', () => {
  it('are answered under their names, as each alone would be', async () => {
    await using session = await fakeSession();
    const [stop, log] = await Promise.all(
      ['Client.stop', 'Client.log'].map(async (symbol) =>
        (await session.ask('find_references', { symbol })).replace(/\nnext: .*$/, ''),
      ),
    );
    expect(await session.ask('find_references', { symbols: ['Client.stop', 'Client.log'] })).toBe(
      `== Client.stop\n${stop}\n== Client.log\n${log}`,
    );
    const inspected = await session.ask('inspect_symbol', { symbols: ['Client.stop', 'Server'] });
    expect(inspected).toMatch(/^== Client\.stop\nstop\(\) \{.*\n== Server\nexport class Server/);
    const called = await session.ask('find_callers', { symbols: ['Client.log'], direction: 'incoming' });
    expect(called).toMatch(/^== Client\.log\n/);
  });

  it('share the entries of one call, and each says what it left out', async () => {
    await using session = await fakeSession(SAMPLE, JSON_OUTPUT);
    const names = ['Client.stop', 'Client.log', 'Client', 'Server', 'Stoppable', 'shared'];
    const { json } = await session.call('find_references', { symbols: names, tests: 'show', limit: 6 });
    const { several } = json as {
      several: { symbol: string; total: number; truncated: boolean; data: unknown[] }[];
    };
    expect(several.map(({ symbol }) => symbol)).toEqual(names);
    expect(several[0]).toMatchObject({ total: 6, truncated: true });
    expect(several[0]?.data).toHaveLength(5);
  });

  it('keep the answers of the others when one is not to be found, and the call is not complete then', async () => {
    await using session = await fakeSession(SAMPLE, JSON_OUTPUT);
    const { raw, isError } = await session.call('find_references', { symbols: ['Client.stop', 'Nowhere'] });
    expect(isError).toBe(false);
    expect(raw.structuredContent).toMatchObject({
      status: 'incomplete',
      complete: false,
      reason: expect.stringMatching(/^INCOMPLETE: Nowhere: /),
      data: {
        several: [
          { symbol: 'Client.stop', status: 'ok' },
          { symbol: 'Nowhere', status: 'error', error_code: 'invalid_input' },
        ],
      },
    });
  });

  it('fail together when none can be found, or when one place is named as well', async () => {
    await using session = await fakeSession();
    const nowhere = await session.call('inspect_symbol', { symbols: ['Nowhere', 'Neither'] });
    expect(nowhere).toMatchObject({ isError: true, text: expect.stringContaining('Nowhere') });
    const both = await session.call('inspect_symbol', { symbols: ['Client'], symbol: 'Server' });
    expect(both).toMatchObject({ isError: true, text: expect.stringContaining('Pass symbols alone') });
  });
});
