/**
 * A language that nobody speaks, added in one place: the table. Every tool that reads text must go by its descriptor, so
 * that a new language is a descriptor and nothing else.
 */
import { describe, expect, it, vi } from 'vitest';
import { codePlaces } from '../../../../src/frontend/features/references/accounting/code-places.ts';
import { maskCode } from '../../../../src/frontend/lexical/code-mask.ts';
import { docComment, leadingLine } from '../../../../src/frontend/lexical/doc-comments.ts';
import { firstCode, sourceText } from '../../../../src/frontend/lexical/symbol-extent.ts';
import { TextLines } from '../../../../src/shared/base/positions.ts';
import { languageFacts } from '../../../../src/shared/languages/facts.ts';
import type { LanguageFamily } from '../../../../src/shared/languages/family.ts';
import { languageOfFile } from '../../../../src/shared/languages/lookup.ts';

vi.mock('../../../../src/shared/languages/table.ts', async (original) => {
  const { languageTable } = await original<{ languageTable: readonly LanguageFamily[] }>();
  const quillish: LanguageFamily = {
    id: 'quillish',
    aliases: [],
    extensions: { quill: 'quillish', qtx: 'quilltext' },
    rootMarkers: ['quill.toml'],
    servers: [{ serverId: 'quill-server', command: 'quill-server', args: [] }],
    install: 'quill get quill-server',
    daemonPolicy: 'auto-direct',
    text: {
      mask: { comments: ['%[^\\r\\n]*'], strings: ['‹[^›]*›'] },
      lineComments: ['%'],
      interpolation: { open: '<<', close: '>>' },
      decorator: { line: /^~\w+$/, inline: /^~\w+/ },
    },
  };
  return { languageTable: [...languageTable, quillish] };
});

const text = (...lines: readonly string[]) => new TextLines(lines.join('\n'));

describe('a language that only the table knows', () => {
  it('has its files recognised, and a part of it that is configured apart has its facts', () => {
    expect(languageOfFile('a/b.quill')?.family.id).toBe('quillish');
    expect(languageFacts('quilltext')).toBe(languageFacts('quillish'));
    expect(languageFacts('nobodys')).toBe(languageFacts('nobody-elses'));
  });

  it('has its comments and strings covered, but not the code in its strings', () => {
    const source = 'a ‹b <<c>>› % d';
    expect(maskCode(source, 'quillish').code).toBe('a """""""""    ');
    const isCode = codePlaces(source, 'quillish');
    const places = ['a', 'b', 'c', 'd'].map((name) => isCode(source.indexOf(name)));
    expect(places).toEqual([true, false, true, false]);
  });

  it('has the comments and marks above a declaration taken with it', () => {
    const lines = text('unrelated', '% Makes it.', '~shared', 'make it');
    expect(leadingLine(lines, 4, 'quillish')).toBe(2);
    expect(docComment(lines, { start: 4, end: 4 }, 4, 'quillish')).toBe('Makes it.');
    expect(firstCode(sourceText('~shared make it', 'quillish'), 0, 12)).toBe('~shared '.length);
  });
});
