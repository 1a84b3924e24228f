/** The privileged actions, of which none writes a file, and the list of servers. */
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { fail } from '../../../../shared/base/failure.ts';
import { adapterNamed, adaptersOf } from '../../../../shared/languages/adapters.ts';
import { isAmbiguity, type Outcome } from '../../../render/answer.ts';
import { MAX_ITEMS, oneLine } from '../../../render/budget.ts';
import { incompleteData } from '../../../render/incomplete.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { editOutcome } from '../../../tools/shapes.ts';
import { editsOf } from '../../edits/apply/session-edits.ts';
import { planAsEdit } from '../../edits/plan/plan-as-edit.ts';
import { diagnosticsOf, listDetails } from './details.ts';
import { newNameGiven, targetGiven } from './fields.ts';
import { type LspCall, leftOver, runAt, worded } from './looking.ts';
import { nothingText } from './words.ts';

/** The edit is kept under an id as every shown edit is, and given whole: the caller applies it. */
export async function rename(call: LspCall): Promise<Outcome> {
  const target = targetGiven(call.input);
  const wishes = { new_name: newNameGiven(call.input), dry_run: true };
  const outcome = await runAt(call, 'rename_symbol', wishes, target);
  if (isAmbiguity(outcome)) return outcome;
  const { edit_id: id } = editOutcome.parse(outcome.data);
  const details = editHeld(call.context, id) ?? null;
  const text = details ? outcome.text : `${nothingText('rename')}\n${outcome.text}`;
  return worded(outcome, details, text, id === undefined ? {} : { edit_id: id });
}

const offered = z.array(
  z.object({
    title: z.string(),
    kind: z.string().optional(),
    is_preferred: z.boolean().optional(),
    disabled_reason: z.string().optional(),
    diagnostics: z.array(z.unknown()),
    edit_id: z.string().optional(),
    changes: z.unknown().optional(),
    /** Why it cannot be applied. */
    obstacle: z.string().optional(),
    command: z.object({ command: z.string(), arguments: z.array(z.unknown()).optional() }).optional(),
  }),
);
type Offered = z.output<typeof offered>[number];

export async function codeAction(call: LspCall): Promise<Outcome> {
  const outcome = await runAt(call, 'suggest_fixes', { limit: MAX_ITEMS }, spanOf(call));
  if (isAmbiguity(outcome)) return outcome;
  const found = offered.parse(outcome.data);
  const details = {
    ...listDetails(
      'actions',
      found.map((each) => actionOf(each, call.context)),
      outcome.page,
    ),
    ...incompleteData(outcome.incomplete),
  };
  const [summary = ''] = outcome.text.split('\n');
  const lines = found.length === 0 ? [nothingText('codeAction')] : found.map(actionLine);
  return worded(outcome, details, [summary, ...lines, ...leftOver(outcome, found.length)].join('\n'));
}

export async function restart({ base, context, input }: LspCall): Promise<Outcome> {
  const server = input.server?.trim() || 'all';
  const { languages } = base.config;
  const adapter = server === 'all' ? undefined : adapterNamed(server, languages);
  if (server !== 'all' && !adapter) {
    const known = adaptersOf(languages).map(({ id }) => id);
    fail({ kind: 'unknown-language', path: '', language: server, known });
  }
  const args = adapter ? { language_id: adapter.family.id } : {};
  const outcome = await base.run('restart_lsp_server', args, context);
  if (isAmbiguity(outcome)) return outcome;
  const { restarted } = z.object({ restarted: z.array(z.string()) }).parse(outcome.details);
  const details = { restarted: restarted.length > 0, server, restartedCount: restarted.length };
  return worded(outcome, details, outcome.text);
}

/** What the program has adapters for, installed or not. Nothing is looked for and nothing started. */
export async function servers({ base }: LspCall): Promise<Outcome> {
  const ids = adaptersOf(base.config.languages).map(({ id }) => id);
  return worded({}, listDetails('servers', ids, undefined), ids.join('\n'));
}

/** A range that has no end ends where it starts. */
function spanOf({ input }: LspCall): Readonly<Record<string, unknown>> {
  const target = targetGiven(input);
  if ('symbol' in target) return target;
  const { file_path, line, column } = target;
  return {
    file_path,
    start_line: line,
    start_column: column,
    end_line: input.endLine ?? line,
    end_column: input.endColumn ?? column,
  };
}

function actionOf(action: Offered, context: ToolContext): Record<string, unknown> {
  const { title, kind, command, edit_id: id, is_preferred: isPreferred, disabled_reason: reason } = action;
  const edit = editHeld(context, id);
  return {
    title,
    ...(kind === undefined ? {} : { kind }),
    ...(isPreferred ? { isPreferred } : {}),
    ...(reason === undefined ? {} : { disabled: { reason } }),
    diagnostics: diagnosticsOf(action.diagnostics),
    ...(edit ? { edit, edit_id: id } : {}),
    ...(command ? { command: { title, ...command } } : {}),
    ...(hindered(action) === undefined ? {} : { obstacle: hindered(action) }),
  };
}

function actionLine(action: Offered): string {
  const { title, kind = 'action', is_preferred, disabled_reason, edit_id } = action;
  const obstacle = hindered(action);
  const about = [
    ...(is_preferred ? ['preferred'] : []),
    ...(disabled_reason === undefined ? [] : [`not possible here: ${oneLine(disabled_reason, 100)}`]),
    ...(edit_id === undefined ? [] : [`edit_id ${edit_id}`]),
    ...(obstacle === undefined ? [] : [obstacle]),
  ];
  return `  ${kind}  ${oneLine(title, 160)}${about.length === 0 ? '' : `  (${about.join('; ')})`}`;
}

/** An edit that is not kept for being one of too many is no reason here: nothing is applied by its id. */
function hindered({ changes, obstacle }: Offered): string | undefined {
  return changes === undefined ? obstacle : undefined;
}

function editHeld(context: ToolContext, id: string | undefined): WorkspaceEdit | undefined {
  return id === undefined ? undefined : planAsEdit(editsOf(context).held.named(id).plan);
}
