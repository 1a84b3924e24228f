/**
 * The edit that is made only when it has been tried out and no error is new; else it is kept, so that the agent can apply
 * it all the same. When an error shows only once the edit is on disk, the edit is taken back.
 * Decision: docs/decisions/simulation.md#safe-edits-are-taken-back
 */

import { DiagnosticSeverity } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { messageOf } from '../../../shared/base/failure.ts';
import type { Answer } from '../../render/answer.ts';
import type { ToolContext } from '../../tools/context.ts';
import { editsOf } from '../edits/apply/session-edits.ts';
import { isEmpty } from '../edits/plan/edit-plan.ts';
import { type EditData, fileData, type Proposal, proposeEdit } from '../edits/plan/propose-edit.ts';
import { planReplacement } from '../edits/plan/text-replacement.ts';
import { type EvaluatedTexts, evaluateTexts } from './evaluate.ts';
import { type EvaluationData, evaluationData, evaluationLines, isSafe } from './text.ts';

export interface SafeEditInput {
  readonly file_path: string;
  readonly old_text: string;
  readonly new_text: string;
}

export type SafeEditData = EditData & { readonly evaluation: EvaluationData };

export async function safeEdit(
  context: ToolContext,
  { file_path: given, old_text: oldText, new_text: newText }: SafeEditInput,
): Promise<Answer<SafeEditData>> {
  const { roots } = context;
  const edits = editsOf(context);
  const file = roots.resolve(given);
  const planned = await planReplacement(file, { oldText, newText }, { boundary: edits.boundary });
  const { plan } = planned;
  const about = `edit ${roots.display(file)}`;
  const texts = plan.files.flatMap((each) =>
    each.kind === 'change' ? [{ path: each.path, base: each.before, text: each.after }] : [],
  );
  const evaluated = await evaluateTexts(context, texts, { scope: 'workspace' });
  const facts = { mode: 'text-match', filePath: file, oldText, newText } as const;
  if (!isEmpty(plan) && !isSafe(evaluated)) {
    context.audit.note({ edit: { ...facts, apply: false }, files: [file] });
    return notMade(context, evaluated, { id: edits.hold(plan, about).id, about, files: fileData(plan) });
  }
  const answer = await proposeEdit(context, {
    tool: 'safe_apply_edit',
    about,
    plan,
    facts,
    mustShow: planned.kind === 'exact' ? undefined : 'old_text differs from the file in white space',
    notes: evaluated.notes,
    incomplete: evaluated.incomplete,
  });
  const made = { ...answer, data: { ...answer.data, evaluation: evaluationData(evaluated) } };
  return isBroken(made.data) ? takenBack(context, made, { plan, about, facts }) : made;
}

function isBroken({ applied, diagnostics }: SafeEditData): boolean {
  return (
    applied && diagnostics?.introduced.some(({ severity }) => severity === DiagnosticSeverity.Error) === true
  );
}

/** Not where another program has changed the file since: then the text is that program’s. */
async function takenBack(
  context: ToolContext,
  made: Answer<SafeEditData>,
  { plan, about, facts }: Pick<Proposal, 'plan' | 'about' | 'facts'>,
): Promise<Answer<SafeEditData>> {
  const { edit_id: applied } = made.data;
  if (applied === undefined) return made;
  const edits = editsOf(context);
  try {
    await edits.undo(applied, context.signal);
  } catch (error) {
    return { ...made, notes: [...(made.notes ?? []), `it could not be taken back: ${messageOf(error)}`] };
  }
  const { id } = edits.hold(plan, about);
  const summary = `${about}: taken back, because errors were new once it was on disk; edit_id ${id}`;
  context.audit.note({ edit: { ...facts, apply: false } });
  return {
    ...made,
    text: [summary, ...made.text.split('\n').slice(1)].join('\n'),
    data: { ...made.data, applied: false, edit_id: id, summary },
    hint: hintFor(id),
  };
}

const hintFor = (id: string) => `correct it, or apply_edit edit_id ${id} all the same`;

function notMade(
  { roots }: ToolContext,
  evaluated: EvaluatedTexts,
  { id, about, files }: { id: string; about: string; files: EditData['files'] },
): Answer<SafeEditData> {
  const lines = evaluationLines(evaluated, (file: AbsPath) => roots.display(file));
  const summary = `${about}: not applied; edit_id ${id}`;
  return {
    text: [summary, ...lines].join('\n'),
    data: { applied: false, edit_id: id, summary, files, evaluation: evaluationData(evaluated) },
    fresh: evaluated.confidence !== 'low',
    notes: evaluated.notes,
    incomplete: evaluated.incomplete,
    hint: hintFor(id),
  };
}
