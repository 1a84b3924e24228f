/** The form of patches that name their files by `*** Update File:`: which files they change, and what stood there before. */
import path from 'node:path';
import type { FileChangeTold, ToldReplacement } from './hook-event.ts';

const BEGIN = '*** Begin Patch';
const HEADER = /^\*\*\* (Add|Update|Delete) File: (.+?)\s*$/;
/** A command may go into a directory first, which the names of files are then relative to. */
const GONE_INTO = /^\s*cd\s+(?:'([^']+)'|"([^"]+)"|([^\s;&|]+))\s*&&\s*\S*\s*<</;
const MOVE = /^\*\*\* Move to: (.+?)\s*$/;

export function isPatch(text: string): boolean {
  return text.includes(BEGIN);
}

/** Of a patch, or of a command that applies one. */
export function changesOfPatch(text: string): readonly FileChangeTold[] {
  const begin = text.indexOf(BEGIN);
  const [, ...quoted] = GONE_INTO.exec(text.slice(0, begin)) ?? [];
  const directory = quoted.find((each) => each !== undefined) ?? '';
  const changes: FileChangeTold[] = [];
  let open: { kind: string; path: string; hunks: string[][] } | undefined;
  const close = () => {
    if (!open) return;
    const original = open.kind === 'Add' ? null : undefined;
    const name = path.isAbsolute(open.path) ? open.path : path.join(directory, open.path);
    changes.push({ path: name, original, replacements: open.hunks.flatMap(replacementOf) });
    open = undefined;
  };
  for (const line of text.slice(begin).split('\n')) {
    const header = HEADER.exec(line);
    if (header) {
      close();
      open = { kind: header[1] ?? '', path: header[2] ?? '', hunks: [] };
    } else if (line.startsWith('*** End Patch')) break;
    else if (open && MOVE.test(line)) open.path = MOVE.exec(line)?.[1] ?? open.path;
    else if (open && line.startsWith('@@')) open.hunks.push([]);
    else if (open && /^[ +-]/.test(line)) {
      if (open.hunks.length === 0) open.hunks.push([]);
      open.hunks.at(-1)?.push(line);
    }
  }
  close();
  return changes;
}

/** Of the lines of a hunk, each with its mark; nothing for a hunk that changes nothing. */
export function replacementOf(lines: readonly string[]): readonly ToldReplacement[] {
  const side = (marks: string) =>
    lines.filter((line) => marks.includes(line.charAt(0))).map((line) => `${line.slice(1)}\n`);
  const replacement = { before: side(' -').join(''), after: side(' +').join('') };
  return replacement.before === replacement.after ? [] : [replacement];
}
