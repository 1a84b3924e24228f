/** Applies an edit, wherever it comes from: one that another tool has computed, the agent's own, or one taken back. */

import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { fail } from '../../../shared/base/failure.ts';
import type { ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { dryRun, filePath } from '../../tools/fields.ts';
import { editOutcome } from '../../tools/shapes.ts';
import { editsOf } from './apply/session-edits.ts';
import { type Proposal, proposeEdit } from './plan/propose-edit.ts';
import { planReplacement } from './plan/text-replacement.ts';
import { planWorkspaceEdit } from './plan/workspace-edit.ts';

const TOOL = 'apply_edit';

export const applyEditTools = [
  defineTool({
    name: TOOL,
    title: 'Apply edit',
    description:
      'Applies an edit all or nothing, by edit_id of another tool, as exact text of a file replaced, or as LSP WorkspaceEdit; says which errors are new. undo takes one back.',
    effect: 'write',
    hasPreview: true,
    isCore: true,
    input: () =>
      z.strictObject({
        edit_id: z.string().min(1).optional().describe('From a preview'),
        file_path: filePath.optional().describe('With old_text'),
        old_text: z.string().min(1).optional().describe('Must occur once'),
        new_text: z.string().optional().describe('In its place'),
        workspace_edit: z.record(z.string(), z.unknown()).optional().describe('0-based, UTF-16'),
        undo: z.string().min(1).optional().describe('edit_id of an applied edit'),
        dry_run: dryRun,
      }),
    output: () => editOutcome,
    run: async (input, context) => proposeEdit(context, await proposalFor(input, context)),
  }),
];

interface ApplyInput {
  readonly edit_id?: string | undefined;
  readonly file_path?: string | undefined;
  readonly old_text?: string | undefined;
  readonly new_text?: string | undefined;
  readonly workspace_edit?: Readonly<Record<string, unknown>> | undefined;
  readonly undo?: string | undefined;
  readonly dry_run?: boolean | undefined;
}

/** Exactly one way to say which edit is meant. */
function proposalFor(input: ApplyInput, context: ToolContext): Proposal | Promise<Proposal> {
  const { edit_id: id, undo, workspace_edit: edit, old_text: oldText } = input;
  const given = [id, undo, edit, oldText].filter((way) => way !== undefined).length;
  if (given !== 1)
    fail({
      kind: 'invalid-input',
      message: given === 0 ? 'it is not said which edit to apply' : 'several edits are given at once',
      next: 'Pass edit_id alone, or file_path with old_text and new_text, or workspace_edit, or undo',
    });
  if (id !== undefined) return heldProposal(context, id, input.dry_run);
  if (undo !== undefined) return undoProposal(context, undo, input.dry_run);
  if (edit !== undefined) return workspaceProposal(context, edit, input.dry_run);
  return textProposal(context, input);
}

/** An agent that names an edit that was shown wants it applied. */
function heldProposal(context: ToolContext, given: string, dry_run = false): Proposal {
  const { id, plan, about, hints } = editsOf(context).held.named(given);
  const facts = { mode: 'workspace-edit', target: about } as const;
  return { tool: TOOL, about, plan, facts, dryRun: dry_run, hints, of: { kind: 'held', id } };
}

function undoProposal(context: ToolContext, given: string, dry_run = false): Proposal {
  const { id, plan, about: undone, hints } = editsOf(context).undoOf(given);
  const about = `undo ${id} (${undone})`;
  const facts = { mode: 'workspace-edit', target: about } as const;
  return { tool: TOOL, about, plan, facts, dryRun: dry_run, hints, of: { kind: 'undo', id } };
}

async function workspaceProposal(
  context: ToolContext,
  edit: WorkspaceEdit,
  dryRunAsked: boolean | undefined,
): Promise<Proposal> {
  const plan = await planWorkspaceEdit(edit, { boundary: editsOf(context).boundary, encoding: 'utf-16' });
  const about = 'workspace edit';
  return { tool: TOOL, about, plan, facts: { mode: 'workspace-edit' }, dryRun: dryRunAsked };
}

async function textProposal(context: ToolContext, input: ApplyInput): Promise<Proposal> {
  const { file_path: given, old_text: oldText = '', new_text: newText } = input;
  if (given === undefined || newText === undefined)
    fail({
      kind: 'invalid-input',
      message: `old_text needs ${given === undefined ? 'file_path' : 'new_text'}`,
      next: 'Pass file_path, old_text and new_text together; new_text may be empty',
    });
  const { roots } = context;
  const file = roots.resolve(given);
  const { boundary } = editsOf(context);
  const planned = await planReplacement(file, { oldText, newText }, { boundary });
  return {
    tool: TOOL,
    about: `edit ${roots.display(file)}`,
    plan: planned.plan,
    facts: { mode: 'text-match', filePath: file, oldText, newText },
    dryRun: input.dry_run,
    mustShow:
      planned.kind === 'exact'
        ? undefined
        : `old_text differs from lines ${planned.lines[0]}-${planned.lines[1]} in white space; new_text was indented like them`,
  };
}
