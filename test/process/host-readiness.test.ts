/** When a server's answers can be complete: by its own signals, by its progress, or by asking it; never by waiting. */
import { describe, expect, it } from 'vitest';
import { createHost } from '../../src/shared/host/create-host.ts';
import type { Host } from '../../src/shared/host/host.ts';
import { gate, until } from '../support/events.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { type HostWorld, type HostWorldOptions, hostWorld } from '../support/host.ts';

/** A host that knows which files are of the server's language, so that it can ask about one. */
function worldWithSources(options: HostWorldOptions = {}): HostWorld {
  const world = hostWorld(options);
  const plan = { ...world.host.plan, languageIds: { fake: 'fake' } };
  const host: Host = createHost(plan, options.clock ? { clock: options.clock } : {});
  return {
    ...world,
    host,
    async [Symbol.asyncDispose]() {
      await host.stop();
      await world[Symbol.asyncDispose]();
    },
  };
}

const FOUND = { kind: 'ready', proof: 'found alpha twice' };

describe('a server that says nothing about its index', () => {
  it('is ready when it finds by name, twice, what a file of the workspace declares', async () => {
    await using world = worldWithSources();
    expect(await world.host.whenSettled()).toEqual(FOUND);
    expect(world.server.journal.received('workspace/symbol').length).toBeGreaterThanOrEqual(2);
  });

  it('is not ready as long as it does not find it', async () => {
    await using world = worldWithSources({
      scenario: {
        rules: [1, 2, 3, 4].map((nth) => ({ on: 'workspace/symbol', nth, do: { result: [] } })),
      },
    });
    await world.host.facts();
    const references = world.host.request('workspace/symbol', { query: 'alpha' }, { whenReady: true });
    expect(await references).toHaveLength(1);
    expect(world.host.state).toEqual(FOUND);
    expect(world.server.journal.received('workspace/symbol').length).toBeGreaterThanOrEqual(6);
  });

  it('is not ready as long as its answers differ', async () => {
    await using world = worldWithSources({
      scenario: {
        capabilities: { workspaceSymbolProvider: null },
        rules: [1, 3].map((nth) => ({ on: 'textDocument/documentSymbol', nth, do: { result: [] } })),
      },
    });
    expect(await world.host.whenSettled()).toEqual({ kind: 'ready', proof: 'same outline twice' });
    expect(world.server.journal.received('textDocument/documentSymbol').length).toBeGreaterThanOrEqual(5);
  });

  it('is ready with what it can tell, when it never finds anything by name', async () => {
    await using world = worldWithSources({
      scenario: { rules: [{ on: 'workspace/symbol', do: { result: [] } }] },
    });
    expect(await world.host.whenSettled()).toEqual({ kind: 'ready', proof: 'same outline twice' });
  });

  it('is ready with its first answer to anything, when there is no file to ask about', async () => {
    await using world = hostWorld();
    expect(await world.host.whenSettled()).toEqual({ kind: 'ready', proof: 'first answer' });
  });

  it('does not become ready by time alone', async () => {
    const clock = new FakeClock();
    await using world = hostWorld({
      clock,
      scenario: (workspace) => ({
        rules: [{ on: 'agent-lsp/firstAnswer', do: { gate: `${workspace.scratch}/answer.gate` } }],
      }),
    });
    const facts = world.host.facts();
    await world.server.journal.waitFor(['received', 'agent-lsp/firstAnswer']);
    await clock.advance(10_000);
    await facts;
    expect(world.host.state).toMatchObject({ kind: 'indexing' });
    await clock.advance(60_000);
    expect(world.host.state).toMatchObject({ kind: 'indexing' });
    gate(world.workspace.scratch, 'answer').open();
    await until(() => world.host.state.kind === 'ready', { what: 'readiness by the answer' });
  });

  it('waits for the work that it reports, however soon it answers', async () => {
    await using world = worldWithSources({
      scenario: {
        rules: [
          { on: 'textDocument/didOpen', nth: 1, do: { progress: { token: 't', begin: 'Indexing' } } },
          { on: 'fake/done', do: [{ progress: { token: 't', end: true } }, { result: null }] },
        ],
      },
    });
    await world.host.facts();
    await until(() => world.server.journal.received('workspace/symbol').length >= 2, { what: 'the canary' });
    expect(world.host.state).toMatchObject({ kind: 'indexing', what: 'Indexing' });
    await world.host.request('fake/done', {});
    expect(await world.host.whenSettled()).toEqual(FOUND);
  });
});

describe('progress without an end', () => {
  it('counts as trouble after 10 minutes, until it ends after all', async () => {
    const clock = new FakeClock();
    await using world = hostWorld({
      clock,
      scenario: {
        rules: [
          { on: 'fake/begin', do: [{ progress: { token: 't', begin: 'Indexing' } }, { result: null }] },
          { on: 'fake/end', do: [{ progress: { token: 't', end: true } }, { result: null }] },
        ],
      },
    });
    await world.host.request('fake/begin', {});
    await clock.advance(9 * 60_000);
    expect(world.host.state).toMatchObject({ kind: 'indexing', what: 'Indexing' });
    await clock.advance(2 * 60_000);
    expect(world.host.state).toEqual({
      kind: 'degraded',
      reason: '"Indexing" has not ended for 10 minutes',
    });
    await world.host.request('fake/end', {});
    expect(world.host.state).toMatchObject({ kind: 'ready' });
  });
});
