import { expect, it } from 'vitest';
import type { PublishDiagnosticsParams } from 'vscode-languageserver-protocol';
import { gate } from '../../support/events.ts';
import { type DiagnosticsScenario, fakeServer } from '../../support/fake-server.ts';
import { type RawLsp, startRawLsp } from '../../support/raw-lsp.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const PUBLISH = 'textDocument/publishDiagnostics';

async function start(workspace: Workspace, diagnostics: DiagnosticsScenario) {
  const fake = fakeServer(workspace.scratch, { diagnostics });
  const { root } = workspace;
  const lsp = await startRawLsp({ command: fake.executable, args: fake.args, env: workspace.env(), root });
  return { fake, lsp };
}

/** What was published so far, as `version:count` or `-:count`; the answer to a request says that all has arrived. */
async function published(lsp: RawLsp): Promise<readonly string[]> {
  await lsp.request('fake/echo', {});
  return lsp.notifications
    .filter(({ method }) => method === PUBLISH)
    .map(({ params }) => {
      // The method says what the parameters are.
      const { version, diagnostics } = params as PublishDiagnosticsParams;
      return `${version ?? '-'}:${diagnostics.length}`;
    });
}

it.each([
  { profile: 'versioned', expected: ['1:2', '2:0', '3:1'] },
  { profile: 'unversioned', expected: ['-:2', '-:0', '-:1'] },
  { profile: 'constant', expected: ['1:2', '1:0', '1:1'] },
  { profile: 'two-stage', expected: ['1:0', '1:2', '2:0', '2:0', '3:0', '3:1'] },
  { profile: 'silent-clear', expected: ['1:2', '3:1'] },
  { profile: 'old-after-new', expected: ['1:2', '2:0', '1:2', '3:1', '2:0'] },
  { profile: 'none', expected: [] },
  { profile: 'pull', expected: [] },
] as const)('publishes in the manner $profile', async ({ profile, expected }) => {
  await using workspace = createWorkspace('//- a.txt\nERROR one\nfine\nWARN two\n');
  const { lsp } = await start(workspace, { profile });
  await lsp.open(workspace.file('a.txt'));
  await lsp.change(workspace.file('a.txt'), 'all fine', 2);
  await lsp.change(workspace.file('a.txt'), 'one ERROR', 3);
  expect(await published(lsp)).toEqual(expected);
});

it('derives severity and range from the text', async () => {
  await using workspace = createWorkspace('//- a.txt\nfine\n  an ERROR here\nWARN\n');
  const { lsp } = await start(workspace, {});
  const uri = await lsp.open(workspace.file('a.txt'));
  expect(await lsp.notification(PUBLISH)).toMatchObject({
    uri,
    version: 1,
    diagnostics: [
      {
        severity: 1,
        message: 'an ERROR here',
        range: { start: { line: 1, character: 5 }, end: { line: 1, character: 10 } },
      },
      { severity: 2, code: 'fake-warning' },
    ],
  });
});

it('publishes late when a gate for that version opens', async () => {
  await using workspace = createWorkspace('//- a.txt\nERROR\n');
  const second = gate(workspace.scratch, 'version-2');
  const { lsp } = await start(workspace, { gate: second.path.replace('version-2', 'version-{version}') });
  await lsp.open(workspace.file('a.txt'));
  await lsp.change(workspace.file('a.txt'), 'fine', 2);
  expect(await published(lsp)).toEqual([]);
  second.open();
  await lsp.notification(PUBLISH);
  expect(await published(lsp)).toEqual(['2:0']);
});

it('publishes for other files too, and clears a closed one', async () => {
  await using workspace = createWorkspace('//- a.txt\nfine\n//- b.txt\nERROR\n');
  const { lsp } = await start(workspace, { also: [workspace.file('b.txt')] });
  const uri = await lsp.open(workspace.file('a.txt'));
  expect(await published(lsp)).toEqual(['1:0', '-:1']);
  await lsp.notify('textDocument/didClose', { textDocument: { uri } });
  expect(await published(lsp)).toEqual(['1:0', '-:1', '-:0']);
});

it('can be pulled, and says unchanged when nothing changed', async () => {
  await using workspace = createWorkspace('//- a.txt\nERROR\n');
  const { lsp } = await start(workspace, { profile: 'pull-unchanged' });
  expect(lsp.initializeResult.capabilities.diagnosticProvider).toBeDefined();
  const uri = await lsp.open(workspace.file('a.txt'));
  const pull = (previousResultId?: string) =>
    lsp.request<{ kind: string; resultId: string }>('textDocument/diagnostic', {
      textDocument: { uri },
      previousResultId,
    });
  const first = await pull();
  expect(first).toMatchObject({ kind: 'full', items: [{ severity: 1 }] });
  expect(await pull(first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId });
  await lsp.change(workspace.file('a.txt'), 'fine', 2);
  expect(await pull(first.resultId)).toMatchObject({ kind: 'full', items: [] });
});

it('registers for pulling with a client that allows it, and pushes nothing then', async () => {
  await using workspace = createWorkspace('//- a.txt\nERROR\n');
  const { fake, lsp } = await start(workspace, { profile: 'pull-dynamic' });
  await fake.journal.waitFor(['answer', 'client/registerCapability']);
  expect(lsp.initializeResult.capabilities.diagnosticProvider).toBeUndefined();
  await lsp.open(workspace.file('a.txt'));
  expect(await published(lsp)).toEqual([]);
});
