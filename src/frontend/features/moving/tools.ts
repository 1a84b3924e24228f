/** A file or folder under another name, with the imports of it. */
import { z } from 'zod';
import { counted } from '../../../shared/base/counted.ts';
import type { Answer } from '../../render/answer.ts';
import { oneLine } from '../../render/budget.ts';
import type { ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { dryRun, filePath } from '../../tools/fields.ts';
import { editOutcome, number } from '../../tools/shapes.ts';
import { type EditData, proposeEdit } from '../edits/plan/propose-edit.ts';
import { type Move, moveOf, type PlannedMove, planMove } from './move-file.ts';

const TOOL = 'move_file';
const MOST_LINES = 10;

export const moveFileTools = [
  defineTool({
    name: TOOL,
    title: 'Move file',
    description: 'Moves a file or folder; imports follow if the server can.',
    effect: 'write',
    hasPreview: true,
    input: () =>
      z.strictObject({
        file_path: filePath.describe('File or folder'),
        new_path: z.string().min(1).describe('Whole path'),
        dry_run: dryRun,
      }),
    output: () =>
      editOutcome.extend({
        /** Why imports of it were not updated; absent when they were, or when there are none. */
        imports_not_updated: z.array(z.string()).optional(),
        /** Imports that name it and stay as they are. */
        importers: z.array(z.strictObject({ file: z.string(), line: number, text: z.string() })).optional(),
      }),
    run: async (input, context) => {
      const move = await moveOf(context, input.file_path, input.new_path);
      const planned = await planMove(context, move);
      const isForced = input.dry_run === false;
      const about = `move ${context.roots.display(move.path)} to ${context.roots.display(move.to)}`;
      const answer = await proposeEdit(context, {
        tool: TOOL,
        about,
        plan: planned.plan,
        facts: { mode: 'move', filePath: move.path, target: move.to },
        dryRun: input.dry_run,
        mustShow: isForced ? undefined : whyShown(planned),
        incomplete: planned.incomplete,
      });
      return withImporters(context, move, planned, answer);
    },
  }),
];

/** An agent that says `dry_run: false` knows; others see first what will be broken. */
function whyShown({ importers, notFollowed, incomplete }: PlannedMove): string | undefined {
  if (incomplete !== undefined) return 'the server may not know all imports yet';
  return importers.length > 0 && notFollowed.length > 0 ? 'imports will not be updated' : undefined;
}

function withImporters(
  { roots }: ToolContext,
  { sources }: Move,
  { notFollowed, importers }: PlannedMove,
  answer: Answer<EditData>,
) {
  if (sources.length === 0 || (notFollowed.length === 0 && importers.length === 0)) return answer;
  const [first = '', ...rest] = answer.text.split('\n');
  const lines = importers.map(
    ({ file, line, text }) => `  ${roots.display(file)}:${line} ${oneLine(text, 120)}`,
  );
  const shown = lines.slice(0, MOST_LINES);
  const why = notFollowed.map((each) => each.replace(/\.$/, '')).join('; ');
  const count = counted(importers.length, 'import line');
  return {
    ...answer,
    text: [
      first,
      importers.length === 0
        ? `no import of it was found to be updated (${why})`
        : `imports NOT updated: ${why}; ${count} may need it`,
      ...shown,
      ...(lines.length > shown.length ? [`  +${lines.length - shown.length} more`] : []),
      ...rest,
    ].join('\n'),
    data: {
      ...answer.data,
      imports_not_updated: [...notFollowed],
      importers: importers.map(({ file, line, text }) => ({ file, line, text })),
    },
  };
}
