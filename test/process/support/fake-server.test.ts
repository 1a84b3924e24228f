import { expect, it } from 'vitest';
import { pathToUri } from '../../../src/shared/base/paths.ts';
import { fakeServer, type Scenario } from '../../support/fake-server.ts';
import { isAlive } from '../../support/processes.ts';
import { dialRawLsp, type SpawnOptions, startRawLsp } from '../../support/raw-lsp.ts';
import { createWorkspace, type Workspace } from '../../support/workspace.ts';

const SHOP = `
  //- order.ts
  import { Price } from './price';
  export class Order {
    total(): Price {
      return new Price();
    }
  }
  const order: Order = new Order();
  //- price.ts
  export interface Amount {}
  export class Price implements Amount {}
`;

async function start(workspace: Workspace, scenario: Scenario = {}, options: Partial<SpawnOptions> = {}) {
  const fake = fakeServer(workspace.scratch, scenario);
  const { root } = workspace;
  const lsp = await startRawLsp({
    command: fake.executable,
    args: fake.args,
    env: workspace.env(),
    root,
    ...options,
  });
  return { fake, lsp };
}

it('answers navigation over open and closed files by their words', async () => {
  await using workspace = createWorkspace(SHOP);
  const { fake, lsp } = await start(workspace);
  const order = await lsp.open(workspace.file('order.ts'));
  const price = pathToUri(workspace.file('price.ts'));
  const at = (line: number, character: number) => ({
    textDocument: { uri: order },
    position: { line, character },
  });
  const range = (line: number, start: number, end: number) => ({
    start: { line, character: start },
    end: { line, character: end },
  });

  expect(await lsp.request('textDocument/hover', at(2, 11))).toMatchObject({
    contents: { value: 'total(): Price {' },
  });
  expect(await lsp.request('textDocument/definition', at(2, 11))).toEqual([
    { uri: price, range: range(1, 13, 18) },
  ]);
  expect(await lsp.request('textDocument/typeDefinition', at(6, 7))).toEqual([
    { uri: order, range: range(1, 13, 18) },
  ]);
  expect(
    await lsp.request('textDocument/references', { ...at(2, 11), context: { includeDeclaration: true } }),
  ).toHaveLength(4);
  expect(
    await lsp.request('textDocument/references', { ...at(2, 11), context: { includeDeclaration: false } }),
  ).toHaveLength(3);
  expect(await lsp.request('textDocument/documentSymbol', { textDocument: { uri: order } })).toMatchObject([
    { name: 'Order', kind: 5, children: [{ name: 'total', kind: 6 }] },
    { name: 'order', kind: 14 },
  ]);
  const amount = { textDocument: { uri: price }, position: { line: 0, character: 18 } };
  expect(await lsp.request('textDocument/implementation', amount)).toEqual([
    { uri: price, range: range(1, 13, 18) },
  ]);
  expect(await lsp.request('workspace/symbol', { query: 'pri' })).toMatchObject([{ name: 'Price' }]);

  expect(await lsp.shutdown()).toEqual({ code: 0, signal: null });
  expect(fake.journal.violations()).toEqual([]);
  await workspace.expectNothingLeft();
});

it('keeps its texts in step with full and incremental changes', async () => {
  await using workspace = createWorkspace('//- a.txt\none\ntwo\n');
  const { fake, lsp } = await start(workspace);
  const uri = await lsp.open(workspace.file('a.txt'));
  await lsp.notify('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [
      { range: { start: { line: 0, character: 3 }, end: { line: 1, character: 0 } }, text: ' and ' },
      { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } }, text: 'ONE' },
    ],
  });
  expect(await lsp.request('fake/text', { uri })).toEqual({ open: true, version: 2, text: 'ONE and two\n' });
  await lsp.change(workspace.file('a.txt'), 'new', 3);
  expect(await lsp.request('fake/state')).toMatchObject({
    documents: [{ uri, version: 3, text: 'new' }],
    instance: 1,
  });
  await lsp.notify('textDocument/didClose', { textDocument: { uri } });
  expect(await lsp.request('fake/text', { uri })).toEqual({ open: false, version: null, text: 'one\ntwo\n' });
  expect(fake.journal.received('textDocument/didChange')).toHaveLength(2);
});

it('counts positions in UTF-8 when that was negotiated', async () => {
  await using workspace = createWorkspace("//- a.ts\nconst tea = '🍵'; const größe = 1;\n");
  const { lsp } = await start(
    workspace,
    { positionEncoding: 'utf-8' },
    { capabilities: { general: { positionEncodings: ['utf-8', 'utf-16'] } } },
  );
  const uri = await lsp.open(workspace.file('a.ts'));
  expect(lsp.initializeResult.capabilities.positionEncoding).toBe('utf-8');
  const rename = { textDocument: { uri }, position: { line: 0, character: 26 } };
  expect(await lsp.request('textDocument/prepareRename', rename)).toEqual({
    placeholder: 'größe',
    range: { start: { line: 0, character: 26 }, end: { line: 0, character: 33 } },
  });
});

it('reports every breach of the protocol', async () => {
  await using workspace = createWorkspace('//- a.txt\ntext\n');
  const { fake, lsp } = await start(workspace, {}, { initialize: false });
  await expect(lsp.request('textDocument/hover')).rejects.toThrow('request-before-initialize');
  await lsp.request('initialize', { capabilities: {} });
  await lsp.open(workspace.file('a.txt'));
  await lsp.open(workspace.file('a.txt'), { version: 5 });
  await lsp.change(workspace.file('a.txt'), 'x', 5);
  await lsp.change(workspace.file('b.txt'), 'x', 1);
  await lsp.request('shutdown');
  await expect(lsp.request('fake/echo', {})).rejects.toThrow('request-after-shutdown');
  expect(fake.journal.violations().map(({ rule }) => rule)).toEqual([
    'request-before-initialize',
    'opened-twice',
    'version-rises',
    'changed-without-open',
    'request-after-shutdown',
  ]);
});

it('asks the client before and after the handshake and journals the answers', async () => {
  await using workspace = createWorkspace();
  const configuration = {
    method: 'workspace/configuration',
    params: { items: [{ section: 'fake.level' }, { section: 'x' }] },
  };
  const { fake } = await start(
    workspace,
    {
      rules: [
        { on: 'initialize', do: [{ askAndWait: configuration }] },
        {
          on: 'initialized',
          do: [
            { ask: { method: 'workspace/workspaceFolders' } },
            { ask: { method: 'workspace/applyEdit', params: { edit: {} } } },
            { ask: { method: 'fake/unknown', params: {} } },
            { log: 'Found 3 source files.' },
          ],
        },
      ],
    },
    { settings: { 'fake.level': 7 } },
  );
  await fake.journal.waitFor(['answer', 'fake/unknown']);
  expect(fake.journal.matching(['answer', 'workspace/configuration'])).toMatchObject([{ result: [7, null] }]);
  expect(fake.journal.matching(['answer', 'workspace/workspaceFolders'])).toMatchObject([
    { result: [{ uri: pathToUri(workspace.root) }] },
  ]);
  expect(fake.journal.matching(['answer', 'workspace/applyEdit'])).toMatchObject([
    { result: { applied: false } },
  ]);
  expect(fake.journal.matching(['answer', 'fake/unknown'])).toMatchObject([{ error: { code: -32601 } }]);
  expect(fake.journal.entries().findIndex(({ event }) => event === 'answer')).toBeLessThan(
    fake.journal.entries().findIndex(({ event }) => event === 'replied'),
  );
});

it('gives every connection a session of its own when it listens, and outlives them', async () => {
  await using workspace = createWorkspace('//- a.txt\ntext\n');
  const fake = fakeServer(workspace.scratch);
  await using server = await startRawLsp({
    command: fake.executable,
    args: [...fake.args, '--listen', '127.0.0.1:0'],
    env: workspace.env(),
    root: workspace.root,
    initialize: false,
  });
  const { port } = await fake.journal.waitFor(['listening']);
  const dial = () => dialRawLsp({ host: '127.0.0.1', port: Number(port), root: workspace.root });
  await using first = await dial();
  await using second = await dial();
  const uri = await first.open(workspace.file('a.txt'), { text: 'mine' });
  expect(await first.request('fake/text', { uri })).toMatchObject({ text: 'mine' });
  expect(await second.request('fake/text', { uri })).toMatchObject({ text: 'text\n' });
  await first.request('shutdown');
  await first.notify('exit');
  await first.closed;
  expect(await second.request('fake/echo', { still: 'there' })).toEqual({ still: 'there' });
  await second.shutdown();
  await fake.journal.waitFor(['disconnected'], { count: 2 });
  expect(isAlive(server.pid ?? 0)).toBe(true);
});
