/** Which places a preview of a rename would change, read from its diff: the preview is all that an agent sees of it. */
import type { Place } from './truth.ts';

export interface Renaming {
  readonly name: string;
  readonly newName: string;
}

const HUNK = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/** Files are as the diff writes them. */
export function placesInDiff(diff: string, renaming: Renaming): Place[] {
  const places: Place[] = [];
  const lines = diff.split('\n');
  let file = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (line.startsWith('--- ')) file = line.slice(4).replace(/^a\//, '');
    const hunk = HUNK.exec(line);
    if (!hunk) continue;
    const [start, before, after] = [Number(hunk[1]), Number(hunk[2] ?? 1), Number(hunk[3] ?? 1)];
    const { changes, length } = readHunk(lines.slice(at + 1), { start, before, after });
    for (const { number, old, fresh } of changes)
      places.push(...columnsRenamed(old, fresh, renaming).map((column) => ({ file, line: number, column })));
    at += length;
  }
  return places;
}

interface Change {
  readonly number: number;
  readonly old: string;
  readonly fresh: string;
}

/** Its lines are counted: a removed line may itself look like the head of a file. */
function readHunk(
  lines: readonly string[],
  { start, before, after }: { start: number; before: number; after: number },
): { changes: readonly Change[]; length: number } {
  const changes: Change[] = [];
  let removed: { number: number; old: string }[] = [];
  let [number, old, fresh, length] = [start, before, after, 0];
  for (const line of lines) {
    if (old <= 0 && fresh <= 0) break;
    length++;
    const text = line.slice(1);
    if (line.startsWith('-')) {
      removed.push({ number: number++, old: text });
      old--;
    } else if (line.startsWith('+')) {
      const same = removed.shift();
      if (same) changes.push({ ...same, fresh: text });
      fresh--;
    } else if (!line.startsWith('\\')) {
      removed = [];
      number++;
      old--;
      fresh--;
    }
  }
  return { changes, length };
}

/** Columns, from 1, of the old name where the new line has the new one, or both with one of them as an alias. */
function columnsRenamed(old: string, fresh: string, { name, newName }: Renaming): number[] {
  const aliases = [': ', ' as '].flatMap((joint) => [
    { joint, form: `${name}${joint}${newName}` },
    { joint, form: `${newName}${joint}${name}` },
  ]);
  const columns: number[] = [];
  let shift = 0;
  for (let at = old.indexOf(name); at >= 0; at = old.indexOf(name, at + name.length)) {
    // In `lastStop: Stop` the end of the first word and the new second one look like a property that keeps its name.
    if (isPartOfWord(old, at, name)) continue;
    // `stop: stop` has been one before, and then one of the two is renamed.
    const alias = aliases.find(
      ({ joint, form }) => fresh.startsWith(form, at + shift) && !old.startsWith(joint, at + name.length),
    );
    const form = alias?.form ?? newName;
    if (!fresh.startsWith(form, at + shift)) continue;
    columns.push(at + 1);
    shift += form.length - name.length;
  }
  return columns;
}

function isPartOfWord(text: string, at: number, name: string): boolean {
  return /[\p{ID_Continue}$]/u.test(`${text[at - 1] ?? ''}${text[at + name.length] ?? ''}`);
}
