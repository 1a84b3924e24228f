/** What a server gets to know of an edit that was applied: the files, and nothing of how they came to be. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileEvent } from 'vscode-languageserver-protocol';
import { applyPlan } from '../../src/frontend/features/edits/apply/apply-plan.ts';
import { planWorkspaceEdit } from '../../src/frontend/features/edits/plan/workspace-edit.ts';
import { WriteBoundary } from '../../src/frontend/features/edits/plan/write-boundary.ts';
import { pathToUri, uriToPath } from '../../src/shared/base/paths.ts';
import type { Rule } from '../support/fake-server.ts';
import { hostWorld } from '../support/host.ts';

/** Wants to know of every file, as most servers do. */
const REGISTERS: Rule = {
  on: 'initialized',
  do: {
    ask: {
      method: 'client/registerCapability',
      params: {
        registrations: [
          {
            id: 'w',
            method: 'workspace/didChangeWatchedFiles',
            registerOptions: { watchers: [{ globPattern: '**/*' }] },
          },
        ],
      },
    },
  },
};

describe('an edit that was applied', () => {
  it('is known to the server before its next answer, without temporary files', async () => {
    await using here = hostWorld({
      text: '//- a.fake\na\n//- lib/b.fake\nb\n//- lib/c.fake\nc\n',
      scenario: { rules: [REGISTERS] },
    });
    const { workspace, host, server } = here;
    await host.facts();
    await server.journal.waitFor(['answer', 'client/registerCapability']);
    await host.request('fake/echo', 'first', { whenReady: true });
    const uri = (name: string) => pathToUri(workspace.file(name));
    const boundary = new WriteBoundary({ roots: [workspace.root], ours: [] });
    const start = { line: 0, character: 0 };
    const plan = await planWorkspaceEdit(
      {
        documentChanges: [
          {
            textDocument: { uri: uri('a.fake'), version: null },
            edits: [{ range: { start, end: start }, newText: 'x' }],
          },
          { kind: 'create', uri: uri('n/new.fake') },
          { kind: 'rename', oldUri: uri('lib/b.fake'), newUri: uri('n/b.fake') },
          { kind: 'delete', uri: uri('lib/c.fake') },
        ],
      },
      { boundary, encoding: 'utf-16' },
    );
    const applied = await applyPlan(plan, { boundary, stateDir: workspace.stateDir });
    expect(applied).toMatchObject({
      changed: [workspace.file('a.fake')],
      created: [workspace.file('n/new.fake')],
      renamed: [{ from: workspace.file('lib/b.fake'), to: workspace.file('n/b.fake') }],
      deleted: [workspace.file('lib/c.fake')],
    });
    await host.request('fake/echo', 'second', { whenReady: true });
    // What was written right before the server started may have been told to it for safety.
    const all = server.journal.matching(['received']);
    const told = all
      .slice(all.findIndex(({ method }) => method === 'fake/echo'))
      .filter(({ method }) => method === 'workspace/didChangeWatchedFiles')
      .flatMap(({ message }) => (message?.params as { changes: FileEvent[] } | undefined)?.changes ?? [])
      .map(({ uri: each, type }) => `${type} ${path.relative(workspace.root, uriToPath(each) ?? each)}`);
    expect([...new Set(told)].sort()).toEqual([
      '1 n/b.fake',
      '1 n/new.fake',
      '2 a.fake',
      '3 lib/b.fake',
      '3 lib/c.fake',
    ]);
  });
});
