/** What our tools answer, as the lines of the six: `path:line:character`, the line from 1 and the character from 0. */
import { z } from 'zod';
import { absolutePath } from '../../../../shared/base/paths.ts';
import { type Answer, isAmbiguity, type Outcome } from '../../../render/answer.ts';
import { kindName } from '../../../symbols/symbol-kinds.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { editOutcome, place, symbolNode } from '../../../tools/shapes.ts';
import { editLines } from './edit-lines.ts';

const NOTHING = 'No results found.';

const places = z.array(place);
const found = z.array(
  z.looseObject({
    name: z.string(),
    kind: z.string(),
    file: z.string(),
    line: z.number(),
    column: z.number(),
  }),
);

/** Places of one file are in order, and none is named twice. */
export function placeLines(outcome: Outcome, context: ToolContext): Outcome<string> {
  return worded(outcome, (data) => places.parse(data).map((each) => at(each, context)));
}

export function workspaceSymbolLines(outcome: Outcome, context: ToolContext): Outcome<string> {
  return worded(outcome, (data) => found.parse(data).map((each) => symbolLine(each, at(each, context))));
}

export function symbolLines(outcome: Outcome, file: string, context: ToolContext): Outcome<string> {
  const path = context.roots.resolve(file);
  const linesOf = (symbol: z.output<typeof symbolNode>): string[] => [
    symbolLine(
      { ...symbol, kind: symbol.kind_name ?? kindName(symbol.kind) },
      at({ file: path, ...symbol.selectionRange.start }, context),
    ),
    ...(symbol.children ?? []).flatMap(linesOf),
  ];
  return worded(outcome, (data) => z.array(symbolNode).parse(data).flatMap(linesOf));
}

export function hoverLines(outcome: Outcome): Outcome<string> {
  return worded(outcome, (data) => z.array(z.string()).parse(data === '' ? [] : [data]));
}

/** Each edit with its place, then the lines that they change as they would be. */
export function renameLines(outcome: Outcome, context: ToolContext): Outcome<string> {
  return worded(outcome, (data) => {
    const { edit_id: id, diff } = editOutcome.parse(data);
    return id === undefined ? [] : [...editLines(id, context), ...(diff === undefined ? [] : [diff])];
  });
}

function worded(outcome: Outcome, linesOf: (data: unknown) => readonly string[]): Outcome<string> {
  if (isAmbiguity(outcome)) return outcome;
  const { incomplete, notes, data, page } = outcome;
  const lines = [...new Set(linesOf(data))];
  const rest = page?.nextCursor === undefined ? [] : [`… and ${page.total - lines.length} more`];
  const text = lines.length === 0 ? NOTHING : [...lines, ...rest].join('\n');
  const answer: Answer<string> = { text, data: text, incomplete };
  return notes === undefined ? answer : { ...answer, notes };
}

function symbolLine({ name, kind }: { readonly name: string; readonly kind: string }, where: string): string {
  return `${kind} ${name}  ${where}`;
}

function at(
  { file, line, column }: { readonly file: string; readonly line: number; readonly column: number },
  { roots }: ToolContext,
): string {
  return `${roots.display(absolutePath(file))}:${line}:${column - 1}`;
}
