/**
 * The place of a cursor, exactly as the agent gave it. locate.ts moves a column that is a little off to the nearest
 * name; here the column stays, because what can be written at a place depends on it.
 */
import { fail } from '../../shared/base/failure.ts';
import { findPattern } from '../places/position-pattern.ts';
import type { ToolContext } from '../tools/context.ts';
import { checkPlace, type Locator, type Target, targetAt } from './locate.ts';

export interface CursorLocator extends Pick<Locator, 'position_pattern' | 'line' | 'column' | 'language_id'> {
  readonly file_path: string;
}

/** By pattern, by line and column, or by a line alone, which means the end of its text. */
export async function cursorAt(context: ToolContext, locator: CursorLocator): Promise<Target> {
  const source = await context.source(locator.file_path);
  const { position_pattern: pattern, line, column } = locator;
  if (pattern !== undefined) return targetAt(context, source, findPattern(pattern, source, {}), locator);
  if (line === undefined)
    fail({
      kind: 'invalid-input',
      message: 'the place in the file is missing',
      next: 'Pass position_pattern with @@ at the cursor, or line (and column)',
    });
  checkPlace(line, column, source, context);
  const end = source.lines.at(line).trimEnd().length + 1;
  return targetAt(context, source, { line, column: column ?? end }, locator);
}

/** The text of the line up to the cursor. */
export function textBefore({ source, point }: Target): string {
  return source.lines.at(point.line).slice(0, point.column - 1);
}
