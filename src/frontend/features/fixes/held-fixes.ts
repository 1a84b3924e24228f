/**
 * Fixes made ready to be applied: the edit of each is planned and kept under an id for apply_edit, its command under
 * one for execute_command. Nothing is applied here, and a fix that cannot be applied says why before an agent tries.
 */

import type { Command, WorkspaceEdit } from 'vscode-languageserver-protocol';
import { failureOf } from '../../../shared/base/failure.ts';
import type { Encoding } from '../../../shared/base/positions.ts';
import type { ServerLink } from '../../../shared/link/server-link.ts';
import { oneLine } from '../../render/budget.ts';
import { failureSentence } from '../../render/failure.ts';
import { offers, type ToolContext } from '../../tools/context.ts';
import { editsOf } from '../edits/apply/session-edits.ts';
import { isEmpty } from '../edits/plan/edit-plan.ts';
import { planWorkspaceEdit } from '../edits/plan/workspace-edit.ts';
import type { FoundFix } from './fixes.ts';
import { listedCommandsOf } from './listed-commands.ts';

export interface HeldFix extends FoundFix {
  /** For apply_edit. */
  readonly editId?: string;
  /** For execute_command. */
  readonly commandId?: string;
  /** Why its edit cannot be applied. */
  readonly obstacle?: string;
}

export interface HoldOptions {
  readonly link: ServerLink;
  readonly encoding: Encoding;
  /** When the server was asked for the fixes; see ComputeOptions. */
  readonly askedAt: number;
}

/** Held edits push out older ones: a long list must not push out its own beginning, nor all that was shown before. */
const MOST_HELD = 25;

export async function holdFixes(
  context: ToolContext,
  fixes: readonly FoundFix[],
  options: HoldOptions,
): Promise<readonly HeldFix[]> {
  const held: HeldFix[] = [];
  // In their order, so that ids rise down the list.
  for (const fix of fixes) {
    const { disabled, command } = fix.action;
    if (disabled) held.push(fix);
    else
      held.push({
        ...fix,
        ...(fix.edit ? await holdEdit(context, fix.action.title, fix.edit, held.length, options) : {}),
        ...(command ? listCommand(context, command, options.link, fix.edit !== undefined) : {}),
      });
  }
  return held;
}

/** Without execute_command an id would lead nowhere. */
function listCommand(
  context: ToolContext,
  command: Command,
  link: ServerLink,
  hasEdit: boolean,
): Pick<HeldFix, 'commandId' | 'obstacle'> {
  if (offers(context, 'execute_command'))
    return { commandId: listedCommandsOf(context).list(command, link).id };
  return hasEdit ? {} : { obstacle: 'takes a command of the server, which this session may not run' };
}

async function holdEdit(
  context: ToolContext,
  title: string,
  edit: WorkspaceEdit,
  index: number,
  { encoding, askedAt }: HoldOptions,
): Promise<Pick<HeldFix, 'editId' | 'obstacle'>> {
  if (index >= MOST_HELD) return { obstacle: 'not kept: pass a smaller limit with cursor' };
  const edits = editsOf(context);
  try {
    const plan = await planWorkspaceEdit(edit, { boundary: edits.boundary, encoding, askedAt });
    return isEmpty(plan) ? {} : { editId: edits.hold(plan, `fix: ${oneLine(title, 100)}`).id };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure) throw error;
    return { obstacle: oneLine(failureSentence(failure), 200) };
  }
}
