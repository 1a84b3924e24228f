/** One quoted text of a file replaced by another, as a plan. */
import type { AbsPath } from '../../shared/base/brand.ts';
import { fail } from '../../shared/base/failure.ts';
import { readBase } from './base-file.ts';
import { type DiskReader, systemDisk } from './edit-disk.ts';
import { type EditPlan, planOf } from './edit-plan.ts';
import { lineEndOf, withCrLf } from './text-edits.ts';
import { findText, reindented, type TextMatch, type TextRange } from './text-match.ts';
import type { WriteBoundary } from './write-boundary.ts';

export interface Replacement {
  /** The text as it is in the file. */
  readonly oldText: string;
  readonly newText: string;
}

export type PlannedReplacement =
  | { readonly kind: 'exact'; readonly plan: EditPlan }
  /** Only white space was different. To be shown and applied by id, never at once. */
  | { readonly kind: 'but-for-space'; readonly plan: EditPlan; readonly lines: readonly [number, number] };

/** Fails with what to do when the text is not there, or is there more than once. */
export async function planReplacement(
  given: AbsPath,
  { oldText, newText }: Replacement,
  { boundary, disk = systemDisk }: { boundary: WriteBoundary; disk?: DiskReader },
): Promise<PlannedReplacement> {
  const path = boundary.textAt(given);
  if (oldText === '') refuse('old_text is empty', 'Quote the text that is to be replaced');
  const before = await readBase(path, disk);
  const replaced = (range: TextRange, text: string): EditPlan => {
    const inFile = lineEndOf(before.text) === '\r\n' ? withCrLf(text) : text;
    const after = before.text.slice(0, range.start) + inFile + before.text.slice(range.end);
    return planOf(after === before.text ? [] : [{ kind: 'change', path, before, after, places: 1 }]);
  };
  const match = findText(before.text, oldText);
  switch (match.kind) {
    case 'unique':
      return { kind: 'exact', plan: replaced(match.range, newText) };
    case 'but-for-space': {
      const found = before.text.slice(match.range.start, match.range.end);
      const plan = replaced(match.range, reindented(newText, oldText, found));
      return { kind: 'but-for-space', plan, lines: match.lines };
    }
    case 'several':
      return refuse(
        `old_text is ${match.lines.length} times in ${given} (${lineList(match.lines)})`,
        'Add lines before or after it to old_text until only one place is meant',
      );
    case 'none':
      return refuse(
        `old_text is not in ${given}${hintAt(match)}`,
        'Read the file again and quote it exactly',
      );
  }
}

const MOST_LINES = 10;

function lineList(lines: readonly number[]): string {
  const more = lines.length > MOST_LINES ? ` and ${lines.length - MOST_LINES} more` : '';
  return `lines ${lines.slice(0, MOST_LINES).join(', ')}${more}`;
}

function hintAt({ nearest }: Extract<TextMatch, { kind: 'none' }>): string {
  return nearest === undefined
    ? ''
    : `; line ${nearest.line} looks most like it: ${nearest.text.slice(0, 120)}`;
}

function refuse(message: string, next: string): never {
  fail({ kind: 'invalid-input', message, next });
}
