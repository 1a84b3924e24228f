import { describe, expect, it } from 'vitest';
import { fakeSession } from './fake-session.ts';

describe('open_document and close_document', () => {
  it('open a file in its server and close it again', async () => {
    await using session = await fakeSession();
    const args = { file_path: 'src/use.fake' };
    expect(await session.ask('open_document', args)).toBe(
      'Document opened: src/use.fake (version 1, fake)\nnext: get_diagnostics without file_path covers it from now on',
    );
    await session.server.journal.waitFor(['received', 'textDocument/didOpen']);
    expect(await session.ask('close_document', args)).toBe('Document closed: src/use.fake');
    expect(await session.ask('close_document', args)).toBe('Document was not open: src/use.fake');
  });

  it('refuse unsaved text, because servers only ever see what is on disk', async () => {
    await using session = await fakeSession();
    const { text, isError } = await session.call('open_document', {
      file_path: 'src/use.fake',
      text: 'other',
    });
    expect(isError).toBe(true);
    expect(text).toBe('unknown parameter "text". Parameters are: file_path, language_id.');
  });

  it('take a language for files whose name does not tell', async () => {
    await using session = await fakeSession('//- notes\nsome text\n');
    expect((await session.call('open_document', { file_path: 'notes' })).isError).toBe(true);
    expect(await session.ask('open_document', { file_path: 'notes', language_id: 'fake' })).toContain(
      'Document opened',
    );
  });
});
