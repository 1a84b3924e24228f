/** A server that is stopped to give its memory back: whoever asks next gets a new one, and nobody is interrupted. */
import { describe, expect, it } from 'vitest';
import { pathToUri } from '../../src/shared/base/paths.ts';
import type { ServerState } from '../../src/shared/link/server-link.ts';
import { gate } from '../support/events.ts';
import { hostWorld } from '../support/host.ts';
import { isAlive } from '../support/processes.ts';

const STUBBORN = { stubborn: ['shutdown', 'exit', 'SIGTERM', 'stdin'] } as const;

describe('a server that is put to sleep', () => {
  it('says so, is no crash, and is started by the next call with what its users hold', async () => {
    await using world = hostWorld();
    const { host, server, workspace } = world;
    const file = workspace.file('a.fake');
    await host.openDocument('user', file);
    const states: ServerState[] = [];
    using _states = host.onState((state) => states.push(state));
    expect(host.sleep('memory budget')).toBe(true);
    expect(host.state).toEqual({ kind: 'idle', asleep: 'memory budget' });
    expect(host.sleep('once more')).toBe(false);
    // The disk goes on meanwhile.
    workspace.write('a.fake', 'function omega\n');
    const symbols = await host.request('textDocument/documentSymbol', {
      textDocument: { uri: pathToUri(file) },
    });
    expect(symbols).toMatchObject([{ name: 'omega' }]);
    expect(await host.whenSettled()).toMatchObject({ kind: 'ready' });
    expect(states.map(({ kind }) => kind).slice(0, 2)).toEqual(['idle', 'starting']);
    expect(host.counters).toMatchObject({ instance: 2, crashes: 0 });
    expect(server.journal.received('shutdown')).toHaveLength(1);
    expect(server.journal.violations()).toEqual([]);
  });

  it('is left alone while a call or an evaluation is under way, and before its handshake', async () => {
    await using world = hostWorld({
      scenario: ({ scratch }) => ({
        rules: [{ on: 'fake/echo', do: { gate: gate(scratch, 'held').path } }],
      }),
    });
    const { host, server, workspace } = world;
    expect(host.sleep('not started')).toBe(false);
    const starting = host.facts();
    expect(host.sleep('starting')).toBe(false);
    await starting;
    const call = host.request('fake/echo', 1);
    await server.journal.waitFor(['received', 'fake/echo']);
    const evaluation = host.evaluate({ overlay: [], requests: [], diagnosticsFor: [] });
    expect(host.sleep('a call is running')).toBe(false);
    gate(workspace.scratch, 'held').open();
    expect(await call).toBe(1);
    await evaluation;
    expect(host.sleep('nobody is left')).toBe(true);
    expect(server.journal.received('initialize')).toHaveLength(1);
  });

  it('is not there beside the next one, however long it takes to leave', async () => {
    await using world = hostWorld({ scenario: STUBBORN });
    const { host } = world;
    const pid = ((await host.request('fake/state', {})) as { pid: number }).pid;
    expect(host.sleep('memory budget')).toBe(true);
    const next = (await host.request('fake/state', {})) as { pid: number };
    expect(next.pid).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
  });

  it('has gone when the host has stopped, and is not started by those who still wait', async () => {
    await using world = hostWorld({ scenario: STUBBORN });
    const { host, server } = world;
    const pid = ((await host.request('fake/state', {})) as { pid: number }).pid;
    expect(host.sleep('memory budget')).toBe(true);
    const late = host.request('fake/echo', 1).catch(() => 'refused');
    await host.stop();
    expect(isAlive(pid)).toBe(false);
    expect(await late).toBe('refused');
    expect(server.journal.received('initialize')).toHaveLength(1);
  });
});
