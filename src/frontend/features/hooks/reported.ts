/**
 * Remembers what was reported in a session, so that each error is reported once. An error that was compared with the
 * text right before its edit is certainly new; only the others are looked up here.
 */
import type { Finding } from '../diagnostics/diagnostics.ts';
import type { BroughtError, BroughtErrors } from './brought-errors.ts';
import type { ReportNotes } from './session-notes.ts';

const MOST_FILES = 64;
const MOST_KEYS = 200;

export function unreported(
  { reported }: ReportNotes,
  errors: readonly BroughtError[],
): readonly BroughtError[] {
  return errors.filter(
    ({ finding, since }) => since === 'edit' || !reported[finding.file]?.includes(keyOf(finding)),
  );
}

/** What is there now and was said, of each file that was looked at; of the others what was known of them. */
export function afterReport(
  before: ReportNotes,
  { errors, seen }: BroughtErrors,
  prolonged: number,
): ReportNotes {
  const reported = new Map(Object.entries(before.reported));
  for (const [file, present] of seen) {
    const said = new Set([
      ...(before.reported[file] ?? []),
      ...errors.filter(({ finding }) => finding.file === file).map(({ finding }) => keyOf(finding)),
    ]);
    const keys = present.map(keyOf).filter((key) => said.has(key));
    reported.delete(file);
    if (keys.length > 0) reported.set(file, keys.slice(0, MOST_KEYS));
  }
  return { reported: Object.fromEntries([...reported].slice(-MOST_FILES)), prolonged };
}

/** The same wherever it stands in its file. */
function keyOf({ code, message, line }: Finding): string {
  return [code, message.slice(0, 300), line.slice(0, 200)].join('\n');
}
