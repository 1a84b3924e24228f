/**
 * Possible uses as lines below an answer, each with its source line and why the server cannot say whether it is one.
 */
import { oneLine } from '../../../render/budget.ts';
import type { ToolContext } from '../../../tools/context.ts';
import type { PossibleUse } from './accounting.ts';

/** More are counted; all are in the data. */
const MOST_LISTED = 12;

export async function possibleLines(
  { roots, files }: ToolContext,
  possible: readonly PossibleUse[],
): Promise<readonly string[]> {
  if (possible.length === 0) return [];
  const shown = possible.slice(0, MOST_LISTED);
  const texts = await files.readAll(shown.flatMap(({ place }) => place.file ?? []));
  const lines = shown.map(({ place: { uri, file, start }, why }) => {
    const name = file === undefined ? uri : roots.display(file);
    const source = oneLine((file && texts.get(file)?.at(start.line)) ?? '');
    return `  ${name}:${start.line}:${start.column}  ${source}  (${why})`;
  });
  const more = possible.length - shown.length;
  return [
    `possible use${possible.length === 1 ? '' : 's'}, which the server cannot tell:`,
    ...lines,
    ...(more === 0 ? [] : [`  +${more} more`]),
  ];
}
