/**
 * A plan as the protocol's WorkspaceEdit, for programs that apply it themselves. A plan knows its files before and after,
 * so the edits are told from the two: word by word where lines only changed in place, else by whole lines.
 */
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { pathToUri } from '../../../../shared/base/paths.ts';
import { changedLines, type LineChange, linesWithEnds } from '../../../lexical/line-diff.ts';
import type { EditPlan, PlannedChange } from './edit-plan.ts';

/** Positions are the protocol's: from 0, columns in UTF-16 units. */
export function planAsEdit({ files }: Pick<EditPlan, 'files'>): WorkspaceEdit {
  const changed = files.filter((file) => file.kind === 'change');
  if (changed.length === files.length)
    return {
      changes: Object.fromEntries(
        changed.map(({ path, before, after }) => [pathToUri(path), textEdits(before.text, after)]),
      ),
    };
  return { documentChanges: files.flatMap(stepsOf) };
}

/** What makes one text of another. */
export function textEdits(before: string, after: string): TextEdit[] {
  const [old, fresh] = [linesWithEnds(before), linesWithEnds(after)];
  return changedLines(old, fresh).flatMap((change) => {
    const [from, to] = [
      old.slice(change.oldStart, change.oldEnd),
      fresh.slice(change.newStart, change.newEnd),
    ];
    if (from.length !== to.length) return [wholeLines(change, old, to)];
    return from.flatMap((line, index) => inLine(change.oldStart + index, line, to[index] ?? ''));
  });
}

function stepsOf(file: PlannedChange): NonNullable<WorkspaceEdit['documentChanges']> {
  const uri = pathToUri(file.path);
  switch (file.kind) {
    case 'change':
      return [changeOf(file.path, file.before.text, file.after)];
    case 'create':
      return [{ kind: 'create', uri }, ...(file.after === '' ? [] : [changeOf(file.path, '', file.after)])];
    case 'delete':
      return [{ kind: 'delete', uri }];
    case 'rename': {
      const moved = { kind: 'rename' as const, oldUri: uri, newUri: pathToUri(file.newPath) };
      const { before, after } = file;
      if (after === null || before.hash === null) return [moved];
      return [moved, changeOf(file.newPath, before.text, after)];
    }
  }
}

function changeOf(path: AbsPath, before: string, after: string): TextDocumentEdit {
  return { textDocument: { uri: pathToUri(path), version: null }, edits: textEdits(before, after) };
}

function wholeLines(change: LineChange, old: readonly string[], to: readonly string[]): TextEdit {
  const last = old.at(-1) ?? '';
  // A last line without its end has no line after it that a position could name.
  const at = (line: number) =>
    line === old.length && line > 0 && !last.endsWith('\n')
      ? { line: line - 1, character: last.length }
      : { line, character: 0 };
  return { range: { start: at(change.oldStart), end: at(change.oldEnd) }, newText: to.join('') };
}

/** One edit for each word that is another, where nothing but words has changed; else from the first difference to the last. */
function inLine(line: number, from: string, to: string): TextEdit[] {
  const [old, fresh] = [wordsIn(from), wordsIn(to)];
  const isSameShape =
    old.length === fresh.length && old.every((word, index) => isWord(word) === isWord(fresh[index] ?? ''));
  const replace = (start: number, end: number, newText: string): TextEdit => ({
    range: { start: { line, character: start }, end: { line, character: end } },
    newText,
  });
  if (!isSameShape || from.endsWith('\n') !== to.endsWith('\n')) {
    let start = 0;
    while (start < Math.min(from.length, to.length) && from[start] === to[start]) start++;
    let tail = 0;
    while (tail < Math.min(from.length, to.length) - start && from.at(-1 - tail) === to.at(-1 - tail)) tail++;
    return [replace(start, from.length - tail, to.slice(start, to.length - tail))];
  }
  let character = 0;
  return old.flatMap((word, index) => {
    const start = character;
    character += word.length;
    const other = fresh[index] ?? '';
    return word === other ? [] : [replace(start, character, other)];
  });
}

function wordsIn(line: string): readonly string[] {
  return line.match(/[\p{ID_Continue}$]+|[^\p{ID_Continue}$]+/gu) ?? [];
}

function isWord(text: string): boolean {
  return /^[\p{ID_Continue}$]/u.test(text);
}
