/** A plan as a unified diff, in the form that `git apply` and `patch` take. Paths are as the caller shows them. */
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { changedLines, type LineChange, linesWithEnds } from '../../../lexical/line-diff.ts';
import type { Base, EditPlan, PlannedChange } from './edit-plan.ts';

export interface DiffOptions {
  /** How a path is written, without `a/` and `b/`. */
  display(path: AbsPath): string;
  readonly maxChars?: number;
}

export interface Diff {
  readonly text: string;
  /** Lines that did not fit; then the text is for reading only. */
  readonly cutLines: number;
  /** Files of which nothing or not everything is shown. */
  readonly cutFiles: number;
}

const CONTEXT = 3;
const DEFAULT_CHARS = 20_000;

export function unifiedDiff(plan: Pick<EditPlan, 'files'>, options: DiffOptions): Diff {
  const { maxChars = DEFAULT_CHARS } = options;
  const shown: string[] = [];
  let room = maxChars;
  let cutLines = 0;
  let cutFiles = 0;
  for (const file of plan.files) {
    const lines = fileDiff(file, options);
    let fitting = 0;
    for (const line of cutFiles > 0 ? [] : lines) {
      room -= line.length + 1;
      if (room < 0) break;
      fitting++;
    }
    shown.push(...lines.slice(0, fitting));
    if (fitting < lines.length) cutFiles++;
    cutLines += lines.length - fitting;
  }
  const text = shown.map((line) => `${line}\n`).join('');
  return { text, cutLines, cutFiles };
}

/** The diff of one text, without the names of files. */
export function hunksOf(before: string, after: string): readonly string[] {
  const [old, fresh] = [linesWithEnds(before), linesWithEnds(after)];
  const groups: LineChange[][] = [];
  for (const change of changedLines(old, fresh)) {
    const last = groups.at(-1)?.at(-1);
    if (last && change.oldStart - last.oldEnd <= 2 * CONTEXT) groups.at(-1)?.push(change);
    else groups.push([change]);
  }
  return groups.flatMap((group) => hunk(group, old, fresh));
}

function fileDiff(file: PlannedChange, { display }: DiffOptions): readonly string[] {
  switch (file.kind) {
    case 'change':
      return [
        ...names(`a/${display(file.path)}`, `b/${display(file.path)}`),
        ...hunksOf(withBom(file.before, file.before.text), withBom(file.before, file.after)),
      ];
    case 'create': {
      const name = display(file.path);
      const hunks = hunksOf('', file.like?.bom ? `\ufeff${file.after}` : file.after);
      const mode = ((file.like?.mode ?? 0) & 0o111) === 0 ? '100644' : '100755';
      const header = [`diff --git ${quoted(`a/${name}`)} ${quoted(`b/${name}`)}`, `new file mode ${mode}`];
      return hunks.length === 0 ? header : [...header, ...names('/dev/null', `b/${name}`), ...hunks];
    }
    case 'delete': {
      const name = display(file.path);
      const { before } = file;
      const header = [`diff --git ${quoted(`a/${name}`)} ${quoted(`b/${name}`)}`];
      if (before.hash === null) return [...header, 'deleted file mode 100644', 'Binary file deleted'];
      const hunks = hunksOf(withBom(before, before.text), '');
      header.push(`deleted file mode ${(before.mode & 0o111) === 0 ? '100644' : '100755'}`);
      return hunks.length === 0 ? header : [...header, ...names(`a/${name}`, '/dev/null'), ...hunks];
    }
    case 'rename': {
      const [from, to] = [display(file.path), display(file.newPath)];
      const header = [
        `diff --git ${quoted(`a/${from}`)} ${quoted(`b/${to}`)}`,
        `rename from ${quoted(from)}`,
        `rename to ${quoted(to)}`,
      ];
      const { before, after } = file;
      if (after === null || before.hash === null) return header;
      const hunks = hunksOf(withBom(before, before.text), withBom(before, after));
      return [...header, ...names(`a/${from}`, `b/${to}`), ...hunks];
    }
  }
}

function hunk(group: readonly LineChange[], old: readonly string[], fresh: readonly string[]): string[] {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return [];
  const start = Math.max(first.oldStart - CONTEXT, 0);
  const end = Math.min(last.oldEnd + CONTEXT, old.length);
  const newStart = first.newStart - (first.oldStart - start);
  const newEnd = last.newEnd + (end - last.oldEnd);
  const body: string[] = [];
  let at = start;
  for (const change of group) {
    body.push(...marked(' ', old, at, change.oldStart));
    body.push(...marked('-', old, change.oldStart, change.oldEnd));
    body.push(...marked('+', fresh, change.newStart, change.newEnd));
    at = change.oldEnd;
  }
  body.push(...marked(' ', old, at, end));
  return [`@@ -${span(start, end)} +${span(newStart, newEnd)} @@`, ...body];
}

/** Counted from 1; an empty span stands after the line it names. */
function span(start: number, end: number): string {
  const count = end - start;
  if (count === 1) return String(start + 1);
  return `${count === 0 ? start : start + 1},${count}`;
}

function marked(mark: string, lines: readonly string[], from: number, to: number): string[] {
  return lines.slice(from, to).flatMap((line) => {
    if (line.endsWith('\n')) return [`${mark}${line.slice(0, -1)}`];
    return [`${mark}${line}`, '\\ No newline at end of file'];
  });
}

function withBom(base: Exclude<Base, { hash: null }>, text: string): string {
  return base.bom ? `\ufeff${text}` : text;
}

/** A name with a space is ended by a tab, as git does it. */
function names(from: string, to: string): string[] {
  const ended = (name: string) => (/\s/.test(name) && quoted(name) === name ? `${name}\t` : quoted(name));
  return [`--- ${ended(from)}`, `+++ ${ended(to)}`];
}

function quoted(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what git writes in quotes
  if (!/["\\\u0000-\u001f\u007f]/.test(name)) return name;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what git writes in quotes
  const escaped = name.replace(/["\\]/g, '\\$&').replace(/[\u0000-\u001f\u007f]/g, (character) => {
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `"${escaped}"`;
}
