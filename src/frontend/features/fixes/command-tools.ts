/** Commands of servers. What one wants to edit is its result, and is applied as every other edit is. */

import { ExecuteCommandRequest, ResponseError, type WorkspaceEdit } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { fail, failureOf } from '../../../shared/base/failure.ts';
import type { Answer } from '../../render/answer.ts';
import { oneLine } from '../../render/budget.ts';
import { failureSentence } from '../../render/failure.ts';
import type { ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { dryRun, filePath } from '../../tools/fields.ts';
import { editOutcome } from '../../tools/shapes.ts';
import { editsOf } from '../edits/apply/session-edits.ts';
import { isEmpty } from '../edits/plan/edit-plan.ts';
import { mergedEdit } from '../edits/plan/merge-edits.ts';
import { type EditData, proposeEdit } from '../edits/plan/propose-edit.ts';
import { planWorkspaceEdit } from '../edits/plan/workspace-edit.ts';
import { type ChosenCommand, chooseCommand, documentsOf } from './server-commands.ts';

const TOOL = 'execute_command';
const MOST_RESULT = 4_000;

export const executeCommandTools = [
  defineTool({
    name: TOOL,
    title: 'Execute command',
    description: 'Runs a command of a language server and applies what it edits.',
    effect: 'execute',
    needs: ExecuteCommandRequest.method,
    input: () =>
      z.strictObject({
        command: z.string().min(1).describe('Or id from suggest_fixes'),
        arguments: z.array(z.unknown()).optional().describe('JSON'),
        file_path: filePath.optional().describe('Whose server'),
        dry_run: dryRun.describe('Only show edits'),
      }),
    output: () =>
      z.strictObject({
        server: z.string(),
        command: z.string(),
        /** Whatever the server answered. */
        result: z.unknown(),
        edit: editOutcome.optional(),
        /** Why what it wanted to edit could not be. */
        edit_error: z.string().optional(),
      }),
    run: async (input, context) => {
      // Before anything is sent: nobody knows what it will do in the server.
      const { plan: chosen } = await context.permission.consentTo('execute', async () => {
        const found = await chooseCommand(context, input);
        return { ...found, summary: summaryOf(found) };
      });
      const { link, facts, command } = chosen;
      const documents = documentsOf(context, [
        command.arguments,
        input.file_path === undefined ? undefined : context.roots.resolve(input.file_path),
      ]);
      const askedAt = Date.now();
      const running = link.executeCommand(command, context.during(...documents));
      const { result, edits } = await running.catch((error: unknown) => explain(error, chosen));
      context.audit.note({ edit: { mode: 'command', target: command.command, apply: true } });
      const edit = await proposed(context, chosen, mergedEdit(edits), { askedAt, dryRun: input.dry_run });
      const said = result === null || result === undefined ? '' : `: ${shown(result)}`;
      return {
        ...edit.answer,
        text: [
          `${facts.serverName} ran ${command.command}${said}`,
          ...(edit.answer ? [edit.answer.text] : [edit.error ?? 'it edits nothing']),
        ].join('\n'),
        data: {
          server: facts.serverName,
          command: command.command,
          result,
          ...(edit.answer ? { edit: edit.answer.data } : {}),
          ...(edit.error === undefined ? {} : { edit_error: edit.error }),
        },
      };
    },
  }),
];

function summaryOf({ facts, command }: ChosenCommand): string {
  const args =
    command.arguments === undefined ? '' : ` with ${oneLine(JSON.stringify(command.arguments), 500)}`;
  return `run ${command.command} of ${facts.serverName}${args}`;
}

/** What a server says about a command is about its arguments, most of the time. */
function explain(error: unknown, { facts, command }: ChosenCommand): never {
  if (!(error instanceof ResponseError)) throw error;
  return fail(
    {
      kind: 'invalid-input',
      message: `${facts.serverName} could not run ${command.command}: ${oneLine(error.message, 400)}`,
      next: 'Check the arguments; suggest_fixes gives ids of commands with theirs',
    },
    { cause: error },
  );
}

interface ProposedEdit {
  readonly answer?: Answer<EditData>;
  /** The command has run all the same, so this is no failure of the call. */
  readonly error?: string;
}

async function proposed(
  context: ToolContext,
  { facts, command }: ChosenCommand,
  edit: WorkspaceEdit,
  { askedAt, dryRun: isDry }: { askedAt: number; dryRun: boolean | undefined },
): Promise<ProposedEdit> {
  const { boundary } = editsOf(context);
  try {
    const plan = await planWorkspaceEdit(edit, { boundary, encoding: facts.encoding, askedAt });
    if (isEmpty(plan)) return {};
    const answer = await proposeEdit(context, {
      tool: TOOL,
      about: command.command,
      plan,
      facts: { mode: 'command', target: command.command },
      dryRun: isDry,
    });
    return { answer };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure || failure.kind === 'cancelled') throw error;
    return { error: `its edit was NOT applied: ${failureSentence(failure)}` };
  }
}

function shown(result: unknown): string {
  const text = typeof result === 'string' ? result : JSON.stringify(result);
  return text.length <= MOST_RESULT ? text : `${text.slice(0, MOST_RESULT)}… (${text.length} characters)`;
}
