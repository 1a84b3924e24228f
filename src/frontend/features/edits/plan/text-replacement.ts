/** One quoted text of a file replaced by another, as a plan. */
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { fail } from '../../../../shared/base/failure.ts';
import { type DiskReader, systemDisk } from '../apply/edit-disk.ts';
import { readBase } from './base-file.ts';
import { type EditPlan, planOf } from './edit-plan.ts';
import { lineEndOf, withCrLf } from './text-edits.ts';
import { findText, reindented, type TextMatch, type TextRange } from './text-match.ts';
import type { WriteBoundary } from './write-boundary.ts';

export interface Replacement {
  /** The text as it is in the file. */
  readonly oldText: string;
  readonly newText: string;
}

export type PlannedReplacement = { readonly plan: EditPlan } & Matched;

type Matched =
  | { readonly kind: 'exact' }
  /** Only white space was different. To be shown and applied by id, never at once. */
  | { readonly kind: 'but-for-space'; readonly lines: readonly [number, number] };

/** Fails with what to do when the text is not there, or is there more than once. */
export async function planReplacement(
  given: AbsPath,
  replacement: Replacement,
  { boundary, disk = systemDisk }: { boundary: WriteBoundary; disk?: DiskReader },
): Promise<PlannedReplacement> {
  const path = boundary.textAt(given);
  const before = await readBase(path, disk);
  const { text: after, ...how } = replacedIn(before.text, replacement, given);
  const change = { kind: 'change', path, before, after, places: 1 } as const;
  return { ...how, plan: planOf(after === before.text ? [] : [change]) };
}

export type ReplacedText = { readonly text: string } & Matched;

/** The same in a text that is not on disk; `shown` is what it is called in failures. */
export function replacedIn(source: string, { oldText, newText }: Replacement, shown: string): ReplacedText {
  if (oldText === '') refuse('old_text is empty', 'Quote the text that is to be replaced');
  const replaced = (range: TextRange, text: string): string => {
    const inFile = lineEndOf(source) === '\r\n' ? withCrLf(text) : text;
    return source.slice(0, range.start) + inFile + source.slice(range.end);
  };
  const match = findText(source, oldText);
  switch (match.kind) {
    case 'unique':
      return { kind: 'exact', text: replaced(match.range, newText) };
    case 'but-for-space': {
      const found = source.slice(match.range.start, match.range.end);
      const text = replaced(match.range, reindented(newText, oldText, found));
      return { kind: 'but-for-space', text, lines: match.lines };
    }
    case 'several':
      return refuse(
        `old_text is ${match.lines.length} times in ${shown} (${lineList(match.lines)})`,
        'Add lines before or after it to old_text until only one place is meant',
      );
    case 'none':
      return refuse(
        `old_text is not in ${shown}${hintAt(match)}`,
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
