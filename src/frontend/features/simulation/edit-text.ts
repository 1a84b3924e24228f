/** One edit of an agent applied to a text that need not be on disk: a range of lines and columns, or a quoted text. */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { TextLines } from '../../../shared/base/positions.ts';
import { type SpanInput, serverRange, spanOf } from '../../targets/spans.ts';
import type { ToolContext } from '../../tools/context.ts';
import { applyTextEdits } from '../edits/plan/text-edits.ts';
import { replacedIn } from '../edits/plan/text-replacement.ts';

export interface EditInput extends SpanInput {
  readonly file_path: string;
  readonly old_text?: string | undefined;
  readonly new_text: string;
}

export interface SimulatedEdit {
  readonly text: string;
  /** What to know about how the place was found. */
  readonly note?: string;
}

/** Columns count UTF-16 units of the text as it is now; line ends become those of the text. */
export function editedText(
  context: ToolContext,
  path: AbsPath,
  text: string,
  input: EditInput,
): SimulatedEdit {
  const { old_text: oldText, new_text: newText } = input;
  const hasRange = input.start_line !== undefined || input.end_line !== undefined;
  if (hasRange === (oldText !== undefined) && (hasRange || text !== ''))
    fail({
      kind: 'invalid-input',
      message: hasRange ? 'a range and old_text are given at once' : 'it is not said what to replace',
      next: 'Pass start_line, start_column, end_line and end_column, or old_text',
    });
  if (oldText !== undefined) {
    const replaced = replacedIn(text, { oldText, newText }, context.roots.display(path));
    if (replaced.kind === 'exact') return { text: replaced.text };
    const [first, last] = replaced.lines;
    return {
      text: replaced.text,
      note: `old_text differs from lines ${first}-${last} in white space; new_text was indented like them`,
    };
  }
  const lines = new TextLines(text);
  // An end after the last line means the end of the text, as in the protocol.
  const isPastEnd = (input.end_line ?? 0) > lines.count;
  const within = isPastEnd ? { ...input, end_line: lines.count, end_column: undefined } : input;
  const span = spanOf(within, { path, text, lines }, context);
  const range = serverRange(span, lines, 'utf-16');
  return { text: applyTextEdits(text, [{ range, newText }], 'utf-16').text };
}
