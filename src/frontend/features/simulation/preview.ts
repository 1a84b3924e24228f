/** One edit tried out in one call. It is kept under an id, so that an agent that wants to apply it need not send it again. */

import type { Answer } from '../../render/answer.ts';
import type { ToolContext } from '../../tools/context.ts';
import { editsOf } from '../edits/apply/session-edits.ts';
import { isEmpty } from '../edits/plan/edit-plan.ts';
import { planOfTexts } from './commit.ts';
import type { EditInput } from './edit-text.ts';
import { evaluateTexts, type Scope } from './evaluate.ts';
import { SimulationSession } from './session.ts';
import { sessionRoot, takeEdits } from './taken-edits.ts';
import { type EvaluationData, evaluationAnswer, evaluationData } from './text.ts';

export interface PreviewInput extends EditInput {
  readonly scope?: Scope | undefined;
  readonly timeout_ms?: number | undefined;
  readonly workspace_root?: string | undefined;
  readonly language?: string | undefined;
}

export async function previewEdit(
  context: ToolContext,
  input: PreviewInput,
): Promise<Answer<EvaluationData & { edit_id?: string }>> {
  const { language, scope, timeout_ms: timeoutMs } = input;
  const root = sessionRoot(context, input.workspace_root);
  const session = new SimulationSession({ id: 'preview', root, language });
  const [taken] = await takeEdits(context, session, [input]);
  if (!taken) throw new Error('an edit was given');
  const { file, note } = taken;
  // Before the server is asked: what may not be written need not be tried out.
  const plan = await planOfTexts([file], { boundary: editsOf(context).boundary });
  const evaluated = await evaluateTexts(context, [file], { scope, timeoutMs, language });
  context.audit.note({ files: [file.path] });
  if (isEmpty(plan)) {
    const answer = evaluationAnswer(context, evaluated, evaluationData(evaluated), '');
    return { ...answer, notes: ['the edit changes nothing'], hint: undefined };
  }
  const { id } = editsOf(context).hold(plan, `edit ${context.roots.display(file.path)}`);
  const data = { ...evaluationData(evaluated), edit_id: id };
  const answer = evaluationAnswer(context, evaluated, data, `apply_edit edit_id ${id}`);
  const notes = [...(note === undefined ? [] : [note]), ...(answer.notes ?? [])];
  return { ...answer, text: saidOf(answer.text, scope), notes, hintTells: `edit_id ${id}` };
}

/** What was looked at is said even where that is little. */
function saidOf(text: string, scope: Scope | undefined): string {
  return scope === 'workspace' ? text : text.replace(/, in 1 file \(/, ', in this file alone (');
}
