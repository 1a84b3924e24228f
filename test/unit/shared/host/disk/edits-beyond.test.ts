/** Changes beyond the folders of a server that would look at them later are made edits of open files. */

import { describe, expect, it } from 'vitest';
import { FileChangeType, type FileEvent } from 'vscode-languageserver-protocol';
import { absolutePath, pathToUri } from '../../../../../src/shared/base/paths.ts';
import { type EditedInstance, editBeyond } from '../../../../../src/shared/host/disk/edits-beyond.ts';
import { quirksOf } from '../../../../../src/shared/host/protocol/server-quirks.ts';
import { createWorkspace } from '../../../../support/workspace.ts';

async function toldOf(serverId: string, open: readonly string[] = []) {
  await using workspace = createWorkspace(`
//- app/main.py
import core
//- core/core.py
PRICE = 1
//- core/notes.txt
none
`);
  const told: unknown[] = [];
  const instance: EditedInstance = {
    plan: { languageIds: { py: 'python' } },
    quirks: quirksOf(serverId),
    connection: { notify: (method: string) => void told.push(method) },
    documents: { files: () => open.map((name) => workspace.file(name)) },
  };
  const changed: FileEvent[] = ['app/main.py', 'core/core.py', 'core/notes.txt'].map((name) => ({
    uri: pathToUri(workspace.file(name)),
    type: FileChangeType.Changed,
  }));
  const gone: FileEvent = { uri: pathToUri(absolutePath('/gone/gone.py')), type: FileChangeType.Deleted };
  editBeyond(instance, [...changed, gone], [workspace.file('app')]);
  return told;
}

describe('a source that has changed beyond the folders of a server', () => {
  it('is opened, edited and closed for one that would look at it later, and nothing else is', async () => {
    expect(await toldOf('pyright')).toEqual([
      'textDocument/didOpen',
      'textDocument/didChange',
      'textDocument/didClose',
    ]);
  });

  it('is left alone where it is open, or where the server looks at it at once', async () => {
    expect(await toldOf('pyright', ['core/core.py'])).toEqual([]);
    expect(await toldOf('gopls')).toEqual([]);
  });
});
