/** format_document and format_range over the fake server, which takes the blanks off the ends of lines. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/shared/link/server-plan.ts';
import { type FakeSession, fakeSession, sharedSessions } from './fake-session.ts';

const UGLY = 'const one = 1;  \nconst two = 2;\t\nconst three = 3; \n';
const FILES = `
//- neat.fake
const one = 1;
`;

/** Fixture text keeps no blanks at the ends of lines. */
async function uglySession(options: Parameters<typeof fakeSession>[1] = {}): Promise<FakeSession> {
  const session = await fakeSession(FILES, options);
  session.workspace.write('ugly.fake', UGLY);
  return session;
}

describe('format_document', () => {
  it('formats a file once, and says when there is nothing to do', async () => {
    await using session = await uglySession();
    expect((await session.ask('format_document', { file_path: 'ugly.fake' })).split('\n')).toEqual([
      'format ugly.fake: changed 3 places in 1 file',
      '  ugly.fake (3)',
      '0 new errors, in 1 file',
      'next: apply_edit with undo e1 takes it back',
    ]);
    expect(session.workspace.read('ugly.fake')).toBe('const one = 1;\nconst two = 2;\nconst three = 3;\n');
    expect(await session.ask('format_document', { file_path: 'ugly.fake' })).toBe(
      'ugly.fake: already formatted (fake-lsp)',
    );
    await session.ask('apply_edit', { undo: 'e1' });
    expect(session.workspace.read('ugly.fake')).toBe(UGLY);
  });

  it('shows a diff as data, and tells the server the layout', async () => {
    await using session = await uglySession({ args: ['--output', 'json'] });
    session.workspace.write('ugly.fake', `${UGLY}\tif (x)\n\t\treturn;\n`);
    const shown = await session.call('format_document', { file_path: 'ugly.fake', dry_run: true });
    expect(shown.json).toEqual({
      applied: false,
      edit_id: 'e1',
      summary: 'format ugly.fake: would change 3 places in 1 file; edit_id e1',
      files: [{ file: session.workspace.file('ugly.fake'), operation: 'change', edits: 3 }],
      diff: expect.stringContaining('-const two = 2;\t\n'),
    });
    const neat = await session.call('format_document', { file_path: 'neat.fake', tab_size: 8 });
    const summary = 'neat.fake: already formatted (fake-lsp)';
    expect(neat.json).toEqual({ applied: false, summary, files: [] });
    const layout = { file_path: 'ugly.fake', tab_size: 3, insert_spaces: true, dry_run: true };
    await session.call('format_document', layout);
    const sent = session.server.journal
      .received('textDocument/formatting')
      .map(({ message }) => (message?.params as { options: unknown } | undefined)?.options);
    expect(sent).toEqual([
      { tabSize: 4, insertSpaces: false },
      { tabSize: 8, insertSpaces: true },
      { tabSize: 3, insertSpaces: true },
    ]);
  });

  it('says what to run where the server has no formatter', async () => {
    await using session = await uglySession({
      scenario: { capabilities: { documentFormattingProvider: null, documentRangeFormattingProvider: null } },
    });
    for (const [tool, method] of [
      ['format_document', 'textDocument/formatting'],
      ['format_range', 'textDocument/rangeFormatting'],
    ] as const) {
      const { isError, text } = await session.call(tool, { file_path: 'ugly.fake' });
      expect({ isError, text }).toEqual({
        isError: true,
        text: `fake-lsp does not support ${method}. Run the project's own formatter on the command line.`,
      });
    }
  });

  it('refuses a file that is not there, or outside', async () => {
    const { text } = sessions;
    expect((await text.call('format_document', { file_path: 'gone.fake' })).text).toContain('does not exist');
    expect((await text.call('format_document', { file_path: '/etc/hosts' })).text).toContain('outside');
  });

  const sessions = sharedSessions(FILES);
});

describe('format_range', () => {
  it('formats the lines and nothing else', async () => {
    await using session = await uglySession();
    expect(
      (await session.ask('format_range', { file_path: 'ugly.fake', start_line: 2 })).split('\n')[0],
    ).toBe('format ugly.fake line 2: changed 1 place in 1 file');
    expect(session.workspace.read('ugly.fake')).toBe('const one = 1;  \nconst two = 2;\nconst three = 3; \n');
    const again = { file_path: 'ugly.fake', start_line: 2, end_line: 2 };
    expect(await session.ask('format_range', again)).toBe('ugly.fake line 2: already formatted (fake-lsp)');
  });

  it('leaves other lines alone, whatever the server answers', async () => {
    await using session = await uglySession();
    const whole: Json = {
      result: [
        {
          range: { start: { line: 0, character: 0 }, end: { line: 3, character: 0 } },
          newText: 'const one = 1;\nconst two =\n  2;\nconst three = 3;\n',
        },
      ],
    };
    session.server.rewrite({ rules: [{ on: 'textDocument/rangeFormatting', do: whole }] });
    const answer = await session.ask('format_range', { file_path: 'ugly.fake', start_line: 2, end_line: 3 });
    expect(answer).toContain('format ugly.fake lines 2-3: changed 1 place in 1 file');
    expect(session.workspace.read('ugly.fake')).toBe(
      'const one = 1;  \nconst two =\n  2;\nconst three = 3;\n',
    );
  });

  it('makes do with a formatter of whole files', async () => {
    await using session = await uglySession({
      scenario: { capabilities: { documentRangeFormattingProvider: null } },
    });
    expect(await session.ask('format_range', { file_path: 'ugly.fake', start_line: 1 })).toContain(
      'note: left out: 2 edits of fake-lsp that reach other lines',
    );
    expect(session.workspace.read('ugly.fake')).toBe('const one = 1;\nconst two = 2;\t\nconst three = 3; \n');
  });

  it('refuses lines that are not there', async () => {
    await using session = await uglySession();
    const { isError, text } = await session.call('format_range', { file_path: 'ugly.fake', start_line: 9 });
    expect({ isError, text }).toEqual({
      isError: true,
      text: 'line 9 is past the end of ugly.fake. Pass a line from 1 to 4.',
    });
  });
});
