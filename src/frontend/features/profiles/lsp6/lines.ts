/** What our tools answer, as the lines of the six: `path:line:character`, the line from 1 and the character from 0. */
import { z } from 'zod';
import { absolutePath } from '../../../../shared/base/paths.ts';
import type { Answer, Outcome } from '../../../render/answer.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { editOutcome, place, symbolNode } from '../../../tools/shapes.ts';

export const NOTHING = 'No results found.';

const places = z.array(place);
const found = z.array(
  z.looseObject({ name: z.string(), file: z.string(), line: z.number(), column: z.number() }),
);

/** Places of one file are in order, and none is named twice. */
export function placeLines(outcome: Outcome, context: ToolContext): Outcome<string> {
  return worded(outcome, (data) => places.parse(data).map((each) => at(each, context)));
}

export function workspaceSymbolLines(outcome: Outcome, context: ToolContext): Outcome<string> {
  return worded(outcome, (data) => found.parse(data).map((each) => `${each.name}  ${at(each, context)}`));
}

export function symbolLines(outcome: Outcome, file: string, context: ToolContext): Outcome<string> {
  const path = context.roots.resolve(file);
  const linesOf = ({ name, selectionRange, children = [] }: z.output<typeof symbolNode>): string[] => [
    `${name}  ${at({ file: path, ...selectionRange.start }, context)}`,
    ...children.flatMap(linesOf),
  ];
  return worded(outcome, (data) => z.array(symbolNode).parse(data).flatMap(linesOf));
}

export function hoverLines(outcome: Outcome): Outcome<string> {
  return worded(outcome, (data) => z.array(z.string()).parse(data === '' ? [] : [data]));
}

/** The edits as text: what applies them is the client's own tool, which asks its user. */
export function editLines(outcome: Outcome, context: ToolContext): Outcome<string> {
  return worded(outcome, (data) => {
    const { files, diff = '' } = editOutcome.parse(data);
    const counts = files.map(({ file, edits }) => `${shown(file, context)}: ${edits}`);
    return [...counts, diff];
  });
}

function worded(outcome: Outcome, linesOf: (data: unknown) => readonly string[]): Outcome<string> {
  if ('candidates' in outcome) return outcome;
  const { incomplete, notes, data, page } = outcome;
  const lines = [...new Set(linesOf(data))];
  const rest = page?.nextCursor === undefined ? [] : [`… and ${page.total - lines.length} more`];
  const text = lines.length === 0 ? NOTHING : [...lines, ...rest].join('\n');
  const answer: Answer<string> = { text, data: text, incomplete };
  return notes === undefined ? answer : { ...answer, notes };
}

function at(
  { file, line, column }: { readonly file: string; readonly line: number; readonly column: number },
  context: ToolContext,
): string {
  return `${shown(file, context)}:${line}:${column - 1}`;
}

function shown(file: string, { roots }: ToolContext): string {
  return roots.display(absolutePath(file));
}
