/** An edit that is tried out first and only made when it brings no error. */
import { z } from 'zod';
import { defineTool, type ToolLiteral } from '../../tools/define-tool.ts';
import { filePath } from '../../tools/fields.ts';
import { editOutcome, evaluation } from '../../tools/shapes.ts';
import { safeEdit } from './safe-edit.ts';

const input = () =>
  z.strictObject({
    file_path: filePath,
    old_text: z.string().min(1).describe('Must occur once'),
    new_text: z.string().describe('In its place'),
  });

const output = () => z.strictObject({ ...editOutcome.shape, evaluation: z.strictObject(evaluation) });

const safeApplyEdit: ToolLiteral<ReturnType<typeof input>, ReturnType<typeof output>> = {
  name: 'safe_apply_edit',
  title: 'Safe apply edit',
  description: 'Replaces text only if that brings no new error, there or in dependent files.',
  effect: 'write',
  hasPreview: true,
  input,
  output,
  run: (input, context) => safeEdit(context, input),
};

export const safeEditTools = [
  defineTool(safeApplyEdit),
  defineTool({
    ...safeApplyEdit,
    name: 'safe_edit',
    title: 'Safe edit',
    description: 'Same as safe_apply_edit.',
  }),
];
