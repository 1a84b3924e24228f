/** Commands with their edits, and renamed files, whichever way the server is reached. */
import { describe, expect, it } from 'vitest';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import { failureOf } from '../../src/shared/base/failure.ts';
import { pathToUri } from '../../src/shared/base/paths.ts';
import type { ServerCommand } from '../../src/shared/link/server-link.ts';
import { gate } from '../support/events.ts';
import { LINK_MODES, linkWorld } from '../support/link-worlds.ts';

const COMMANDS = {
  capabilities: { executeCommandProvider: { commands: ['fake.run', 'fake.insert', 'fake.insertLate'] } },
};

function insert(text: string, ...uris: readonly string[]): ServerCommand {
  return { command: 'fake.insert', arguments: [text, ...uris] };
}

/** The new texts, in the order of the edits. */
function textsIn(edits: readonly WorkspaceEdit[]): readonly unknown[] {
  return edits.flatMap(({ documentChanges = [] }) =>
    documentChanges.flatMap((change) => ('edits' in change ? change.edits : [])),
  );
}

describe.each(LINK_MODES)('commands of a %s link', (mode) => {
  it('give what the server answers, and its edits, of which nothing is applied', async () => {
    await using world = await linkWorld(mode, { scenario: COMMANDS });
    const { link, workspace } = world;
    const [a, b] = [workspace.file('a.fake'), workspace.file('b.fake')];
    const before = workspace.read('a.fake');
    expect(await link.executeCommand({ command: 'fake.run', arguments: [1, 'two', null] })).toEqual({
      result: { ran: [1, 'two', null] },
      edits: [],
    });
    const done = await link.executeCommand(insert('// x\n', pathToUri(a), pathToUri(b)), { documents: [a] });
    expect(done.result).toEqual({ applied: [true, true] });
    expect(textsIn(done.edits)).toMatchObject([{ newText: '// x\n' }, { newText: '// x\n' }]);
    expect(workspace.read('a.fake')).toBe(before);
    expect(await world.textAtServer(a)).toMatchObject({ open: true, text: before });
    const late = await link.executeCommand({ command: 'fake.insertLate', arguments: ['late', pathToUri(b)] });
    expect(late.result).toBe('soon');
    expect(textsIn(late.edits)).toMatchObject([{ newText: 'late' }]);
  });

  it('keep their edits apart when several are run at once', async () => {
    await using world = await linkWorld(mode, { scenario: COMMANDS });
    const { workspace } = world;
    const links = [world.link, world.another()];
    const uri = pathToUri(workspace.file('a.fake'));
    const texts = Array.from({ length: 8 }, (_, index) => `text ${index}`);
    const done = await Promise.all(
      texts.map((text, index) => links[index % 2]?.executeCommand(insert(text, uri, uri))),
    );
    expect(done.map((outcome) => textsIn(outcome?.edits ?? []))).toMatchObject(
      texts.map((newText) => [{ newText }, { newText }]),
    );
  });

  it('are not given the edits of one that nobody waits for any more', async () => {
    await using world = await linkWorld(mode, {
      scenario: ({ scratch }) => ({
        ...COMMANDS,
        rules: [
          {
            on: 'workspace/executeCommand',
            nth: 1,
            do: [{ gate: `${scratch}/go.gate` }, { reply: true }],
          },
        ],
        stubborn: ['cancel'],
      }),
    });
    const { link, workspace, server } = world;
    const uri = pathToUri(workspace.file('a.fake'));
    const stop = new AbortController();
    const first = link.executeCommand(insert('first', uri), { signal: stop.signal });
    await server.journal.waitFor(['received', 'workspace/executeCommand']);
    stop.abort();
    expect(await first.catch(failureOf)).toEqual({ kind: 'cancelled' });
    const second = link.executeCommand(insert('second', uri));
    await link.request('fake/echo', 1);
    expect(server.journal.received('workspace/executeCommand')).toHaveLength(1);
    gate(workspace.scratch, 'go').open();
    expect(textsIn((await second).edits)).toMatchObject([{ newText: 'second' }]);
  });

  it('keep their edits when another one, which waits for them, is given up', async () => {
    await using world = await linkWorld(mode, {
      scenario: ({ scratch }) => ({
        ...COMMANDS,
        rules: [
          { on: 'workspace/executeCommand', nth: 1, do: [{ gate: `${scratch}/go.gate` }, { reply: true }] },
        ],
      }),
    });
    const { link, workspace, server } = world;
    const uri = pathToUri(workspace.file('a.fake'));
    const first = link.executeCommand(insert('first', uri));
    await server.journal.waitFor(['received', 'workspace/executeCommand']);
    const second = link.executeCommand(insert('second', uri), { timeoutMs: 50 });
    expect(await second.catch(failureOf)).toMatchObject({ kind: 'timeout' });
    gate(workspace.scratch, 'go').open();
    expect(textsIn((await first).edits)).toMatchObject([{ newText: 'first' }]);
    expect(server.journal.received('workspace/executeCommand')).toHaveLength(1);
  });

  it('outside of which an edit is refused', async () => {
    await using world = await linkWorld(mode, { scenario: COMMANDS });
    const { link, workspace } = world;
    const before = workspace.read('a.fake');
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
    const edit = { changes: { [pathToUri(workspace.file('a.fake'))]: [{ range, newText: 'x' }] } };
    const steps = [{ askAndWait: { method: 'workspace/applyEdit', params: { edit } } }];
    await link.request('fake/do', { steps });
    const answers = world.server.journal.matching(['answer', 'workspace/applyEdit']);
    expect(answers).toMatchObject([{ result: { applied: false } }]);
    expect(workspace.read('a.fake')).toBe(before);
  });

  it('fail when the server has none, and are never sent twice', async () => {
    await using world = await linkWorld(mode, {
      scenario: { ...COMMANDS, rules: [{ on: 'workspace/executeCommand', do: { crash: 1 } }] },
    });
    const failure = await world.link.executeCommand({ command: 'fake.run' }).catch(failureOf);
    expect(failure).toMatchObject({ kind: mode === 'passive' ? expect.any(String) : 'server-crashed' });
    expect(world.server.journal.received('workspace/executeCommand')).toHaveLength(1);
    await using none = await linkWorld(mode, {
      scenario: { capabilities: { executeCommandProvider: null } },
    });
    expect(await none.link.executeCommand({ command: 'fake.run' }).catch(failureOf)).toMatchObject({
      kind: 'unsupported',
      method: 'workspace/executeCommand',
    });
  });
});

describe.each(LINK_MODES)('renamed files of a %s link', (mode) => {
  const filters = [{ pattern: { glob: '**/*.fake' } }];

  it('are told to a server that wants to know, and to no other', async () => {
    const didRename = { filters };
    await using world = await linkWorld(mode, {
      scenario: { capabilities: { workspace: { fileOperations: { didRename } } } },
    });
    const { link, workspace, server } = world;
    const renames = [{ from: workspace.file('a.fake'), to: workspace.file('c.fake') }];
    await link.tellRenamed(renames);
    await link.request('fake/echo', 1);
    const told = server.journal.received('workspace/didRenameFiles');
    expect(told.map(({ message }) => message?.params)).toEqual([
      {
        files: [{ oldUri: pathToUri(workspace.file('a.fake')), newUri: pathToUri(workspace.file('c.fake')) }],
      },
    ]);
    await using silent = await linkWorld(mode);
    await silent.link.tellRenamed(renames);
    await silent.link.request('fake/echo', 1);
    expect(silent.server.journal.received('workspace/didRenameFiles')).toEqual([]);
  });

  it('and the files a server wants to know of before are in its facts, also when it registers later', async () => {
    const registration = { id: 'r', method: 'workspace/willRenameFiles', registerOptions: { filters } };
    await using world = await linkWorld(mode, {
      scenario: {
        rules: [
          {
            on: 'initialized',
            do: { ask: { method: 'client/registerCapability', params: { registrations: [registration] } } },
          },
        ],
      },
    });
    await world.link.whenSettled();
    const { capabilities, methods } = await world.link.facts();
    expect(capabilities.workspace?.fileOperations?.willRename).toEqual({ filters });
    expect(methods).toContain('workspace/willRenameFiles');
  });
});
