import { describe, expect, it } from 'vitest';
import type { Scenario } from '../support/fake-server.ts';
import { sharedSessions } from './fake-session.ts';

const FILES = `
//- use.fake
function fetch(url, options)
const first = fetch(one, );
first.fet
//- shapes.fake
shop?.na
//- partial.fake
x
//- none.fake
x
`;

/** Two shapes of one list: defaults for all items, and what single items say for themselves. */
const SHAPES = {
  isIncomplete: false,
  itemDefaults: {
    editRange: { start: { line: 0, character: 6 }, end: { line: 0, character: 8 } },
    insertTextFormat: 2,
    data: { list: 7 },
  },
  items: [
    { label: 'name', kind: 5, sortText: 'b', labelDetails: { detail: ': string', description: 'shop' } },
    { label: 'napkin', kind: 2, sortText: 'a', textEditText: 'napkin(count, $1)$0' },
    { label: 'stock', kind: 5, sortText: '0' },
    {
      label: 'nap',
      kind: 2,
      sortText: 'd',
      filterText: '.nap',
      textEdit: {
        range: { start: { line: 0, character: 5 }, end: { line: 0, character: 8 } },
        newText: '.nap',
      },
    },
    {
      label: 'native',
      kind: 20,
      sortText: 'c',
      tags: [1],
      filterText: '.native',
      textEdit: {
        range: { start: { line: 0, character: 5 }, end: { line: 0, character: 8 } },
        newText: '["native"]',
      },
    },
  ],
};

const scenario: Scenario = {
  rules: [
    { on: 'textDocument/completion', file: 'shapes.fake', do: { result: SHAPES } },
    {
      on: 'textDocument/completion',
      file: 'partial.fake',
      do: { result: { isIncomplete: true, items: [] } },
    },
    {
      on: ['textDocument/completion', 'textDocument/signatureHelp'],
      file: 'none.fake',
      do: { result: null },
    },
    {
      on: 'textDocument/signatureHelp',
      file: 'shapes.fake',
      do: {
        result: {
          signatures: [
            { label: 'paint(): void' },
            {
              label: 'paint(paint: Color, a?: number): void',
              parameters: [{ label: 'paint: Color' }, { label: 'a?: number' }],
              activeParameter: 0,
            },
          ],
          activeSignature: 1,
          activeParameter: 9,
        },
      },
    },
  ],
};

const sessions = sharedSessions(FILES, { scenario });

describe('get_completions', () => {
  it('lists what begins with the word before the cursor, ranked, with what would be written', async () => {
    const at = { file_path: 'shapes.fake', line: 1 };
    expect((await sessions.text.ask('get_completions', at)).split('\n')).toEqual([
      `4 completions of "na" at shapes.fake:1:9; fake-lsp ready; root ${sessions.text.workspace.root}`,
      '  napkin  method  writes "napkin(count, )"',
      '  name  field  : string shop',
      '  native  enum member  writes "[\\"native\\"]" for ".na"  deprecated',
      '  nap  method',
    ]);
    const { json: data, raw } = await sessions.json.call('get_completions', at);
    expect(data).toEqual({
      isIncomplete: false,
      items: [
        { label: 'napkin', kind: 'method', insert_text: 'napkin(count, )' },
        { label: 'name', kind: 'field', detail: ': string shop' },
        {
          label: 'native',
          kind: 'enum member',
          insert_text: '["native"]',
          replaces: '.na',
          deprecated: true,
        },
        { label: 'nap', kind: 'method' },
      ],
    });
    expect(raw.structuredContent).toMatchObject({ complete: true, total: 4, truncated: false });
  });

  it('takes the column as it is, and a prefix instead of what is written there', async () => {
    const inUse = { file_path: 'use.fake', limit: 2 };
    const header = async (args: object) =>
      (await sessions.text.ask('get_completions', { ...inUse, ...args })).split('\n')[0]?.split(';')[0];
    expect(await header({ line: 3, column: 10 })).toBe('2 completions of "fet" at use.fake:3:10');
    expect(await header({ line: 3, column: 8 })).toBe('4 completions of "f" at use.fake:3:8');
    expect(await header({ line: 3, column: 7 })).toBe('8 completions at use.fake:3:7');
    expect(await header({ line: 3, column: 7, prefix: 'op' })).toBe('1 completion of "op" at use.fake:3:7');
    expect(await header({ position_pattern: 'first.fe@@t' })).toBe('2 completions of "fe" at use.fake:3:9');
    // Nothing begins so; these letters are in it in this order.
    expect(await header({ line: 3, column: 7, prefix: 'fch' })).toBe('1 completion of "fch" at use.fake:3:7');
  });

  it('says what triggered it, and asks on purpose where that gives nothing', async () => {
    const sent = () =>
      sessions.text.server.journal
        .received('textDocument/completion')
        .map(({ message }) => (message?.params as { context: unknown } | undefined)?.context);
    const before = sent().length;
    await sessions.text.ask('get_completions', { file_path: 'use.fake', line: 3, column: 7 });
    await sessions.text.ask('get_completions', { file_path: 'use.fake', line: 3, column: 8 });
    await sessions.text.ask('get_completions', { file_path: 'use.fake', line: 3, trigger_character: '<' });
    expect(sent().slice(before)).toEqual([
      { triggerKind: 2, triggerCharacter: '.' },
      { triggerKind: 1 },
      { triggerKind: 2, triggerCharacter: '<' },
    ]);
  });

  it('resolves documentation only on request, and only of what is listed', async () => {
    const args = { file_path: 'use.fake', line: 3, column: 7, limit: 2 };
    const resolved = () => sessions.json.server.journal.received('completionItem/resolve').length;
    await sessions.json.call('get_completions', args);
    expect(resolved()).toBe(0);
    const { json: data, raw } = await sessions.json.call('get_completions', { ...args, docs: true });
    expect(resolved()).toBe(2);
    const about = (label: string) => ({
      label,
      kind: 'text',
      detail: `the word ${label}`,
      documentation: `Stands for **${label}**.`,
    });
    expect(data).toEqual({ isIncomplete: false, items: [about('const'), about('fet')] });
    expect(raw.structuredContent).toMatchObject({ total: 8, truncated: true, next_cursor: '2' });
    expect(
      (await sessions.text.ask('get_completions', { ...args, cursor: '2', docs: true })).split('\n'),
    ).toEqual([
      `8 completions at use.fake:3:7; fake-lsp ready; root ${sessions.text.workspace.root}`,
      '  fetch  text  the word fetch',
      '    Stands for **fetch**.',
      '  first  text  the word first',
      '    Stands for **first**.',
      '2 earlier completions not shown',
      '4 more completions not shown; pass cursor:"4"',
    ]);
  });

  it('gives the data of the list back to the server when it resolves an item', async () => {
    await sessions.json.call('get_completions', { file_path: 'shapes.fake', line: 1, limit: 1, docs: true });
    const last = sessions.json.server.journal.received('completionItem/resolve').at(-1);
    expect(last?.message?.params).toMatchObject({ label: 'napkin', data: { list: 7 } });
  });

  it('says when there is nothing, and that there may be more', async () => {
    expect(await sessions.text.ask('get_completions', { file_path: 'none.fake', line: 1 })).toBe(
      `No completions of "x" at none.fake:1:2; fake-lsp ready; root ${sessions.text.workspace.root}`,
    );
    expect(await sessions.text.ask('get_completions', { file_path: 'partial.fake', line: 1 })).toContain(
      'note: the server may list more when more of the name is in the file',
    );
  });

  it.each([
    {
      args: { file_path: 'use.fake' },
      message:
        'the place in the file is missing. Pass position_pattern with @@ at the cursor, or line (and column).',
    },
    {
      args: { file_path: 'use.fake', line: 3, column: 11 },
      message: 'column 11 is past the end of line 3 of use.fake. Pass a column from 1 to 10.',
    },
    {
      args: { file_path: 'use.fake', line: 9 },
      message: 'line 9 is past the end of use.fake. Pass a line from 1 to 4.',
    },
    { args: { file_path: 'use.fake', symbol: 'fetch' }, message: /^unknown parameter "symbol"/ },
  ])('refuses a place that is none: $args', async ({ args, message }) => {
    const { isError, text: said } = await sessions.text.call('get_completions', args);
    expect(isError).toBe(true);
    expect(said).toMatch(
      message instanceof RegExp ? message : new RegExp(`^${message.replace(/[().]/g, '\\$&')}$`),
    );
  });
});

describe('get_signature_help', () => {
  it('marks the parameter that is being written', async () => {
    const at = { file_path: 'use.fake', position_pattern: 'fetch(one, @@)' };
    expect((await sessions.text.ask('get_signature_help', at)).split('\n')).toEqual([
      'fetch(url, «options»)   use.fake:2:26',
      '  options: What options is.',
      'Calls fetch.',
    ]);
    const { json: data } = await sessions.json.call('get_signature_help', at);
    expect(data).toEqual({
      signatures: [
        {
          label: 'fetch(url, options)',
          documentation: 'Calls fetch.',
          parameters: [
            { label: 'url', documentation: 'What url is.' },
            { label: 'options', documentation: 'What options is.' },
          ],
          active_parameter: 1,
        },
      ],
      active_signature: 0,
    });
  });

  it('puts the signature that is meant first, and marks the parameter, not the function', async () => {
    const at = { file_path: 'shapes.fake', line: 1 };
    expect((await sessions.text.ask('get_signature_help', at)).split('\n')).toEqual([
      'paint(«paint: Color», a?: number): void   shapes.fake:1:9',
      '1 more signature:',
      '  paint(): void',
    ]);
    expect((await sessions.json.call('get_signature_help', at)).json).toEqual({
      signatures: [
        { label: 'paint(): void', parameters: [] },
        {
          label: 'paint(paint: Color, a?: number): void',
          parameters: [{ label: 'paint: Color' }, { label: 'a?: number' }],
          active_parameter: 0,
        },
      ],
      active_signature: 1,
    });
  });

  it('says when there is no call', async () => {
    expect(
      (await sessions.text.ask('get_signature_help', { file_path: 'none.fake', line: 1 })).split('\n'),
    ).toEqual([
      'No call around none.fake:1:2; fake-lsp ready',
      'next: put the place between the brackets of a call, e.g. position_pattern "stop(@@"',
    ]);
    const { json: data } = await sessions.json.call('get_signature_help', {
      file_path: 'none.fake',
      line: 1,
    });
    expect(data).toEqual({ signatures: [], active_signature: 0 });
  });
});
