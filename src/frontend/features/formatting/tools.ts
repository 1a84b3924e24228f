/** The layout of code as a server's formatter wants it. */
import { DocumentFormattingRequest, DocumentRangeFormattingRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import type { Answer } from '../../render/answer.ts';
import { type Span, shownSpan, spanOf } from '../../targets/spans.ts';
import type { ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { dryRun, filePath, languageId, span } from '../../tools/fields.ts';
import { editOutcome } from '../../tools/shapes.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { isEmpty } from '../edits/plan/edit-plan.ts';
import { type EditData, proposeEdit } from '../edits/plan/propose-edit.ts';
import { type FormatInput, planFormat } from './formatting.ts';

const layout = {
  tab_size: z.number().int().min(1).optional().describe("Default: the file's, or 4"),
  insert_spaces: z.boolean().optional().describe('Default: as in the file'),
  dry_run: dryRun,
  language_id: languageId,
};

export const formattingTools = [
  defineTool({
    name: 'format_document',
    title: 'Format document',
    description: 'Formats a file.',
    effect: 'write',
    hasPreview: true,
    needs: DocumentFormattingRequest.method,
    input: () => z.strictObject({ file_path: filePath, ...layout }),
    output: () => editOutcome,
    run: async (input, context) =>
      format(context, { ...input, tool: 'format_document' }, await context.source(input.file_path)),
  }),
  defineTool({
    name: 'format_range',
    title: 'Format range',
    description: 'Formats these lines only.',
    effect: 'write',
    hasPreview: true,
    needs: DocumentRangeFormattingRequest.method,
    fallback: DocumentFormattingRequest.method,
    input: () =>
      z.strictObject({
        file_path: filePath,
        ...span,
        ...layout,
      }),
    output: () => editOutcome,
    run: async (input, context) => {
      const source = await context.source(input.file_path);
      return format(context, { ...input, tool: 'format_range' }, source, spanOf(input, source, context));
    },
  }),
];

async function format(
  context: ToolContext,
  input: FormatInput & { readonly tool: string; readonly dry_run?: boolean | undefined },
  source: SourceFile,
  part?: Span,
): Promise<Answer<EditData>> {
  const { plan, server, incomplete, notes } = await planFormat(context, source, input, part);
  const where = `${context.roots.display(source.path)}${part ? ` ${shownSpan(part, source.lines)}` : ''}`;
  if (isEmpty(plan)) {
    const text = `${where}: already formatted (${server})`;
    return { text, data: { applied: false, summary: text, files: [] }, incomplete, notes };
  }
  return proposeEdit(context, {
    tool: input.tool,
    about: `format ${where}`,
    plan,
    facts: { mode: 'format', filePath: source.path },
    dryRun: input.dry_run,
    notes,
  });
}
