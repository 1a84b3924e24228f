/** What a link tells of its own accord, whichever way its server is reached. */
import { describe, expect, it } from 'vitest';
import type { LinkEvent } from '../../src/shared/link/server-link.ts';
import { until } from '../support/events.ts';
import { LINK_MODES, linkWorld } from '../support/link-worlds.ts';

describe.each(LINK_MODES)('events of a %s link', (mode) => {
  it('tell what the server publishes, to whoever listens and as long as they do', async () => {
    await using world = await linkWorld(mode, { scenario: { diagnostics: { profile: 'versioned' } } });
    const { link, workspace, server } = world;
    const [all, first]: [LinkEvent[], LinkEvent[]] = [[], []];
    using _all = link.onEvent((event) => all.push(event));
    const listening = link.onEvent((event) => first.push(event));
    expect(server.journal.entries().filter(({ event }) => event === 'received')).toEqual([]);
    const file = workspace.write('a.fake', 'ERROR one\n');
    await link.diagnostics(file);
    const told = (events: readonly LinkEvent[]) =>
      events.flatMap((event) =>
        event.kind === 'diagnostics' ? event.diagnostics.map(({ message }) => message) : [],
      );
    await until(() => told(all).includes('ERROR one'), { what: 'the first event' });
    expect(all.find(({ kind }) => kind === 'diagnostics')).toMatchObject({ file });
    expect(told(first)).toEqual(told(all));
    listening[Symbol.dispose]();
    workspace.write('a.fake', 'ERROR two\n');
    await link.diagnostics(file);
    await until(() => told(all).includes('ERROR two'), { what: 'the second event' });
    expect(told(first)).toEqual(['ERROR one']);
  });

  it('reach every session of a shared server, each once', async () => {
    await using world = await linkWorld(mode, { scenario: { diagnostics: { profile: 'versioned' } } });
    const { link, workspace } = world;
    const other = world.another();
    const heard: string[] = [];
    using _one = link.onEvent(({ kind }) => heard.push(`one ${kind}`));
    using _two = other.onEvent(({ kind }) => heard.push(`two ${kind}`));
    await Promise.all([link.facts(), other.facts()]);
    // Answered after `watch`, on the same connection.
    await Promise.all([link.request('fake/echo', 1), other.request('fake/echo', 2)]);
    await link.diagnostics(workspace.write('a.fake', 'ERROR one\n'));
    const expected = mode === 'daemon' ? ['one diagnostics', 'two diagnostics'] : ['one diagnostics'];
    await until(() => heard.length >= expected.length, { what: 'the events' });
    expect(heard.toSorted()).toEqual(expected);
  });

  it('tell of files that others create, change and delete', async () => {
    await using world = await linkWorld(mode, { languageIds: { fake: 'fake' } });
    const { link, workspace } = world;
    const changed = new Set<string>();
    using _listening = link.onEvent((event) => {
      if (event.kind === 'files-changed') for (const file of event.files) changed.add(file);
    });
    await link.whenSettled();
    await link.request('fake/echo', 1, { whenReady: true });
    const files = [workspace.write('new.fake', 'new\n'), workspace.write('a.fake', 'changed\n')];
    workspace.remove('b.fake');
    files.push(workspace.file('b.fake'));
    // Whoever asks is told what happened before, with or without a watcher.
    await link.request('fake/echo', 2, { whenReady: true });
    await until(() => files.every((file) => changed.has(file)), {
      what: 'the changed files',
      seen: () => [...changed].join('\n'),
    });
  });
});
