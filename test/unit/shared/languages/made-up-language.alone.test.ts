/**
 * A language that nobody speaks, added in one place: the table. Every tool that reads text must go by its descriptor, so
 * that a new language is a descriptor and nothing else.
 */
import { describe, expect, it, vi } from 'vitest';
import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver-protocol';
import { chooseRunners } from '../../../../src/frontend/features/builds/choose-runner.ts';
import { replaceBody } from '../../../../src/frontend/features/edits/symbols/replace-body.ts';
import { codePlaces } from '../../../../src/frontend/features/references/accounting/code-places.ts';
import { headerAround } from '../../../../src/frontend/lexical/base-clauses.ts';
import { bodyOf } from '../../../../src/frontend/lexical/body-span.ts';
import { maskCode } from '../../../../src/frontend/lexical/code-mask.ts';
import { knowsConcurrency, spawnAround } from '../../../../src/frontend/lexical/concurrency.ts';
import { docComment, leadingLine } from '../../../../src/frontend/lexical/doc-comments.ts';
import { implementationAround } from '../../../../src/frontend/lexical/implementation-blocks.ts';
import { importsOf } from '../../../../src/frontend/lexical/imports.ts';
import { flawOfName } from '../../../../src/frontend/lexical/new-names.ts';
import { firstCode, sourceText } from '../../../../src/frontend/lexical/symbol-extent.ts';
import { declaredSymbols } from '../../../../src/frontend/symbols/public-symbols.ts';
import { symbolTree } from '../../../../src/frontend/symbols/symbol-tree.ts';
import { areOne } from '../../../../src/frontend/targets/overloads.ts';
import { failureOf } from '../../../../src/shared/base/failure.ts';
import { absolutePath } from '../../../../src/shared/base/paths.ts';
import { TextLines } from '../../../../src/shared/base/positions.ts';
import { languageFacts } from '../../../../src/shared/languages/facts.ts';
import type { LanguageFamily } from '../../../../src/shared/languages/family.ts';
import {
  isWrittenByProgram,
  onlyDeclares,
  stubOrSource,
} from '../../../../src/shared/languages/file-kinds.ts';
import { languageOfFile } from '../../../../src/shared/languages/lookup.ts';
import { importedNames, projectName } from '../../../../src/shared/languages/manifests.ts';
import type { Task } from '../../../../src/shared/languages/runner-rows.ts';
import { isTestFile, testSubject } from '../../../../src/shared/languages/test-files.ts';
import { elsewhere } from '../../../../src/shared/projects/other-folders.ts';
import { isProjectFile } from '../../../../src/shared/projects/project-files.ts';
import { markedSymbol } from '../../../support/symbol-text.ts';
import { createWorkspace } from '../../../support/workspace.ts';

vi.mock('../../../../src/shared/languages/table.ts', async (original) => {
  const { languageTable } = await original<{ languageTable: readonly LanguageFamily[] }>();
  const { quillish } = await import('../../../support/made-up-language.ts');
  return { languageTable: [...languageTable, quillish] };
});

const text = (...lines: readonly string[]) => new TextLines(lines.join('\n'));

describe('a language that only the table knows', () => {
  it('has its files recognised, and a part of it that is configured apart has its facts', () => {
    expect(languageOfFile('a/b.quill')?.family.id).toBe('quillish');
    expect(languageFacts('quilltext')).toBe(languageFacts('quillish'));
    expect(languageFacts('nobodys')).toBe(languageFacts('nobody-elses'));
  });

  it('has its projects named by its manifest, and its modules imported by their files', async () => {
    await using ink = createWorkspace(
      '//- quill.toml\ncalled ink\n//- a.quill\nmake it\n//- b/all.quill\n\n//- attic/all.quill\n',
    );
    await using pen = createWorkspace('//- c.quill\nfetch a\n');
    expect(projectName(ink.root)).toBe('quill.toml ink');
    expect(importedNames(ink.root)).toEqual(['ink']);
    expect(['quill.toml', 'a.quill'].map((name) => isProjectFile(ink.file(name)))).toEqual([true, false]);
    const folders = [ink.root, pen.root];
    const about = { name: 'it', file: pen.file('c.quill') };
    expect(elsewhere(pen.root, folders, 'quillish', about).names.toSorted()).toEqual(['fetch a', 'fetch b']);
    const { names, isMeant } = elsewhere(ink.root, folders, 'quillish', about);
    expect(names).toEqual(['fetch c']);
    expect(isMeant(ink.file('a.quill'))).toBe(true);
  });

  it('has its stubs, its declarations and what programs wrote told by their names', async () => {
    await using workspace = createWorkspace('//- a.quill\n\n//- a.inked.quill\n\n//- b.inked.quill\n');
    const { file } = workspace;
    expect(stubOrSource(file('a.quill'))).toBe(file('a.qtx'));
    expect(stubOrSource(file('a.qtx'))).toBe(file('a.quill'));
    expect(['a.qtx', 'a.quill'].map(onlyDeclares)).toEqual([true, false]);
    const names = ['a_drawn.quill', 'a.inked.quill', 'b.inked.quill', 'a.quill'];
    expect(names.map((name) => isWrittenByProgram(file(name)))).toEqual([true, true, false, false]);
  });

  it('has its comments and strings covered, but not the code in its strings', () => {
    const source = 'a ‹b <<c>>› % d';
    expect(maskCode(source, 'quillish').code).toBe('a """""""""    ');
    const isCode = codePlaces(source, 'quillish');
    const places = ['a', 'b', 'c', 'd'].map((name) => isCode(source.indexOf(name)));
    expect(places).toEqual([true, false, true, false]);
  });

  it('has its own names, and words that are none', () => {
    const symbol = { name: 'it', start: { line: 1, column: 6 }, link: { language: 'quillish' } };
    const source = { path: 'a/b.quill', lines: text('make it') };
    const flaws = ['tea~', 'Tea', 'make'].map((name) => flawOfName(name, { ...symbol, source }));
    expect(flaws).toEqual([
      undefined,
      '"Tea" is no name in quillish',
      '"make" is a reserved word of quillish',
    ]);
  });

  it('has the comments and marks above a declaration taken with it', () => {
    const lines = text('unrelated', '% Makes it.', '~shared', 'make it');
    expect(leadingLine(lines, 4, 'quillish')).toBe(2);
    expect(docComment(lines, { start: 4, end: 4 }, 4, 'quillish')).toBe('Makes it.');
    expect(firstCode(sourceText('~shared make it', 'quillish'), 0, 12)).toBe('~shared '.length);
  });

  it('has its imports found', () => {
    expect(importsOf(text('fetch ‹ink›', 'import ink', 'draw'), 'quillish')).toEqual([
      { line: 1, endLine: 1, text: 'fetch ‹ink›' },
    ]);
  });

  it('has the bodies of its declarations told from their headers, and replaced', () => {
    const { source, extent } = markedSymbol('«form draw (a) begin\n  1\nend»', 'quillish', 'draw');
    expect(bodyOf(source, extent)).toEqual({ kind: 'end', from: 'form draw (a) begin'.length, to: 24 });
    expect(replaceBody(source, extent, '2').text).toBe('form draw (a) begin\n  2\nend');
    const kind = SymbolKind.Variable;
    const shared = () => markedSymbol('let a & «b»', 'quillish', 'b', { kind });
    expect(failureOf(thrown(shared))?.kind).toBe('invalid-input');
  });

  it('has what its types inherit found, in their heads and in blocks apart', () => {
    const lines = text('class Circle < Shape', 'give Round to Circle');
    expect(headerAround(lines, { line: 1, column: 7 }, 'quillish')?.bases).toMatchObject([{ name: 'Shape' }]);
    const found = implementationAround(lines, { line: 2, column: 6 }, 'quillish');
    expect(found).toEqual({ trait: { line: 2, column: 6 }, type: { line: 2, column: 15 } });
  });

  it('has its public symbols told from the others', () => {
    const lines = text('openly class Pen', '  hiddenTip', '  openTip', 'class Nib');
    const symbol = (name: string, line: number, kind: SymbolKind, children: DocumentSymbol[] = []) => {
      const character = lines.at(line).indexOf(name);
      const start = { line: line - 1, character };
      const range = { start, end: { line: line - 1 + children.length, character: lines.at(line).length } };
      return { name, kind, range, selectionRange: range, children };
    };
    const members = [symbol('hiddenTip', 2, SymbolKind.Method), symbol('openTip', 3, SymbolKind.Method)];
    const outline = [symbol('Pen', 1, SymbolKind.Class, members), symbol('Nib', 4, SymbolKind.Class)];
    const source = { path: absolutePath('/x/a.quill'), text: '', lines };
    const found = declaredSymbols('quillish', symbolTree(outline, lines, 'utf-16'), source);
    expect(found.filter(({ isPublic }) => isPublic).map(({ node }) => node.name)).toEqual(['Pen', 'openTip']);
  });

  it('has its overloads asked for together', () => {
    const twins = (language: string) =>
      [1, 2].map(() => ({
        link: { language },
        file: absolutePath('/a.quill'),
        name: 'Shelf.take',
        kind: SymbolKind.Method,
      }));
    expect(areOne(twins('quillish'))).toBe(true);
    expect(areOne(twins('nobodys'))).toBe(false);
  });

  it('has its tests recognised', () => {
    const files = ['src/proof-of-pen.quill', 'src/pen.quill', 'src/pen_test.quill'];
    expect(files.filter((file) => isTestFile(file))).toEqual(['src/proof-of-pen.quill']);
    expect(testSubject('src/proof-of-pen.quill')).toBe('pen');
  });

  it('is built and tested by its own programs, whose output is read', async () => {
    await using workspace = createWorkspace('//- quill.toml\n//- src/pen.quill\nform pen begin end\n');
    const start = workspace.file('src');
    const choose = (task: Task) =>
      chooseRunners({ task, start, boundary: workspace.root, family: undefined, preferred: 'quillish' });
    const [[build], [prove]] = [choose('build').systems[0], choose('test').systems[0]];
    expect([build.name, build.languages, prove.name]).toEqual(['quill build', ['quillish'], 'quill prove']);
    expect(prove.only?.({ path: 'src/proof-of-pen.quill', isDirectory: false })).toEqual([
      '--only',
      'proof-of-pen',
    ]);
    const reader = build.reader({ cwd: workspace.root, report: undefined, startedAt: 0 });
    reader.line('src/pen.quill:3:5: error: no ink');
    expect((await reader.done()).findings).toMatchObject([
      { file: 'src/pen.quill', line: 3, message: 'no ink' },
    ]);
  });

  it('has what runs concurrently told from what does not', () => {
    expect(knowsConcurrency('quillish')).toBe(true);
    const spawnedBy = (line: string) =>
      spawnAround('quillish', text(line, 'draw()'), 1, { line: 2, column: 1 });
    expect(spawnedBy('hatch')).toEqual({ pattern: 'hatching', isDirect: true });
    expect(spawnedBy('% hatch')).toBeUndefined();
  });
});

function thrown(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}
