/** The server's text is the disk's, before every request, whoever wrote the file. */
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { failureOf } from '../../src/shared/base/failure.ts';
import { pathToUri } from '../../src/shared/base/paths.ts';
import type { Host } from '../../src/shared/host/host.ts';
import { hostWorld } from '../support/host.ts';

interface ServerText {
  open: boolean;
  version: number;
  text: string;
}

function serverText(host: Host, file: AbsPath): Promise<ServerText> {
  return host.request('fake/text', { uri: pathToUri(file) }, { documents: [file] }) as Promise<ServerText>;
}

describe('host documents', () => {
  it('opens a file once and changes it only when its text changed', async () => {
    await using world = hostWorld();
    const file = world.workspace.file('a.fake');
    await serverText(world.host, file);
    await serverText(world.host, file);
    world.workspace.write('a.fake', world.workspace.read('a.fake'));
    expect(await serverText(world.host, file)).toMatchObject({ open: true, version: 1 });
    expect(world.server.journal.received('textDocument/didOpen')).toHaveLength(1);
    expect(world.server.journal.received('textDocument/didChange')).toHaveLength(0);
  });

  it('sees edits made behind its back, also quick ones of the same length', async () => {
    await using world = hostWorld();
    const file = world.workspace.file('a.fake');
    for (let round = 0; round < 30; round++) {
      const text = `round ${String(round).padStart(3)}\n`;
      world.workspace.write('a.fake', text);
      expect((await serverText(world.host, file)).text).toBe(text);
    }
    expect(world.server.journal.violations()).toEqual([]);
  });

  it('sends one open when many calls name the same new file at once', async () => {
    await using world = hostWorld();
    const file = world.workspace.file('a.fake');
    await Promise.all(Array.from({ length: 20 }, () => serverText(world.host, file)));
    expect(world.server.journal.received('textDocument/didOpen')).toHaveLength(1);
  });

  it('closes a document whose file is gone, says so, and opens it again when it is back', async () => {
    await using world = hostWorld();
    const file = world.workspace.file('a.fake');
    await serverText(world.host, file);
    renameSync(file, `${file}.away`);
    const failure = await serverText(world.host, file).catch(failureOf);
    expect(failure).toEqual({ kind: 'no-such-file', path: file });
    renameSync(`${file}.away`, file);
    expect(await serverText(world.host, file)).toMatchObject({ open: true, version: 2 });
    expect(world.server.journal.received('textDocument/didClose')).toHaveLength(1);
    expect(world.server.journal.violations()).toEqual([]);
  });

  it('refuses what is not text and stays healthy', async () => {
    await using world = hostWorld();
    world.workspace.write('binary.fake', Buffer.from([1, 0, 2]));
    mkdirSync(world.workspace.file('folder.fake'));
    symlinkSync('/dev/zero', world.workspace.file('device.fake'));
    for (const [name, reason] of [
      ['binary.fake', 'binary'],
      ['folder.fake', 'directory'],
      ['device.fake', 'unreadable'],
    ] as const) {
      const failure = await serverText(world.host, world.workspace.file(name)).catch(failureOf);
      expect(failure).toMatchObject({ kind: 'not-a-text-file', reason });
    }
    expect((await serverText(world.host, world.workspace.file('a.fake'))).open).toBe(true);
    expect(world.host.counters.crashes).toBe(0);
  });

  it('keeps line ends and takes off a byte order mark', async () => {
    await using world = hostWorld();
    const file = world.workspace.write('odd.fake', '\ufeffone\r\ntwo\rthree 😀\n');
    expect((await serverText(world.host, file)).text).toBe('one\r\ntwo\rthree 😀\n');
  });

  it('lets versions rise over a restart of the server', async () => {
    await using world = hostWorld();
    const file = world.workspace.file('a.fake');
    world.workspace.write('a.fake', 'two\n');
    const before = await serverText(world.host, file);
    await world.host.restart();
    const after = await serverText(world.host, file);
    expect(after.version).toBeGreaterThan(before.version);
    expect(after.text).toBe('two\n');
  });

  it('counts users: a pinned file stays open until the last one lets go', async () => {
    await using world = hostWorld();
    const file = world.workspace.file('a.fake');
    await world.host.openDocument('first', file);
    await world.host.openDocument('second', file);
    await world.host.closeDocument('first', file);
    expect(world.host.openDocuments('second').map((document) => document.file)).toEqual([file]);
    expect(world.host.counters.openDocuments).toBe(1);
    world.host.releaseUser('second');
    expect(world.host.counters.openDocuments).toBe(0);
    await world.host.request('fake/state', {});
    expect(world.server.journal.received('textDocument/didClose')).toHaveLength(1);
  });

  it('closes the files that were not used longest when too many are open', async () => {
    await using world = hostWorld();
    const files = Array.from({ length: 140 }, (_, index) =>
      world.workspace.write(`f${index}.fake`, `${index}\n`),
    );
    for (const file of files) await serverText(world.host, file);
    expect(world.host.counters.openDocuments).toBe(128);
    expect((await serverText(world.host, files[0] as AbsPath)).text).toBe('0\n');
    expect(world.server.journal.violations()).toEqual([]);
  });
});
