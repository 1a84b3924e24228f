/** A place named by the text around it: `client.@@shutdown()` means the `shutdown` of the first such text. */
import { fail } from '../../shared/base/failure.ts';
import type { Point } from '../../shared/base/positions.ts';
import type { SourceFile } from '../workspace/source-files.ts';

const MARKER = '@@';

export interface LineScope {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** The character right after the marker, in the first match inside the scope. */
export function findPattern(pattern: string, source: SourceFile, scope: LineScope): Point {
  const [before, after, ...more] = pattern.split(MARKER);
  if (before === undefined || after === undefined || more.length > 0) {
    invalid(
      `position_pattern needs exactly one ${MARKER}, got ${JSON.stringify(pattern)}`,
      `Put ${MARKER} directly before the name that is meant, e.g. "client.${MARKER}shutdown("`,
    );
  }
  const wanted = normalized(before + after);
  if (wanted === '') invalid('position_pattern has no text beside the marker', `Add text around ${MARKER}`);
  const { text, firstLine } = textInScope(source, scope);
  const index = text.indexOf(wanted);
  if (index < 0) {
    const where =
      scope.start === undefined && scope.end === undefined
        ? ''
        : ` in lines ${firstLine}-${scope.end ?? source.lines.count}`;
    invalid(
      `position_pattern: ${JSON.stringify(wanted)} does not occur${where} in ${source.path}`,
      'Copy the text exactly from the file as it is now, or use symbol or line instead',
    );
  }
  const upTo = text.slice(0, index + normalized(before).length);
  const lastBreak = upTo.lastIndexOf('\n');
  return { line: firstLine + upTo.split('\n').length - 1, column: upTo.length - lastBreak };
}

function textInScope(source: SourceFile, scope: LineScope): { text: string; firstLine: number } {
  const text = normalized(source.text);
  if (scope.start === undefined && scope.end === undefined) return { text, firstLine: 1 };
  const start = scope.start ?? 1;
  const count = source.lines.count;
  if (start > count)
    invalid(`line_scope_start ${start} is past the last line (${count})`, `Pass 1 to ${count}`);
  if (scope.end !== undefined && scope.end < start) {
    invalid(`line_scope_end ${scope.end} is before line_scope_start ${start}`, 'Swap the two');
  }
  return {
    text: text
      .split('\n')
      .slice(start - 1, scope.end)
      .join('\n'),
    firstLine: start,
  };
}

/** Agents write LF whatever the file has. */
function normalized(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function invalid(message: string, next: string): never {
  fail({ kind: 'invalid-input', message, next });
}
