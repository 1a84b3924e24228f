/**
 * Tries a rename out in the server before it is written. If that brings new errors, the agent sees the rename as a
 * preview first. If the server cannot say, the rename is written, and the answer says afterwards what it did.
 * Decision: docs/decisions/rename.md#renames-are-tried-out
 */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { failureOf, messageOf } from '../../../shared/base/failure.ts';
import type { ToolContext } from '../../tools/context.ts';
import { isError, withoutReworded } from '../diagnostics/diagnostic-delta.ts';
import { filesToCheck, RESERVED_MS } from '../edits/plan/edit-effect.ts';
import type { EditTrial } from '../edits/plan/propose-edit.ts';
import { type EvaluatedTexts, evaluateTexts } from '../simulation/evaluate.ts';
import type { TriedText } from '../simulation/session.ts';
import type { PlannedRename } from './rename-plan.ts';

export interface RenameTrial {
  readonly trial?: EditTrial;
  /** Why the rename must be shown before it is applied. */
  readonly mustShow?: string;
  readonly notes: readonly string[];
}

export interface TrialOptions {
  /** Files that the rename does not touch and may break all the same. */
  readonly suspects: readonly AbsPath[];
  /** For files whose name does not tell. */
  readonly language: string | undefined;
  /** How long it may take; what was not looked at by then is said. */
  readonly mostMs?: number | undefined;
}

/** Each is sent to the server, and only all of them together make sense. */
const MOST_TEXTS = 500;
/** Longer nobody waits for a preview. */
const DEFAULT_MS = 1_500;
/** Of the time that is left: what is not learned then is asked for before and after the rename. */
const SHARE = 0.6;
const NOTHING: RenameTrial = { notes: [] };

/** Fails only when the call is cancelled. */
export async function tryRename(
  context: ToolContext,
  { plan, incomplete }: Pick<PlannedRename, 'plan' | 'incomplete'>,
  { suspects, language, mostMs = defaultMs(context) }: TrialOptions,
): Promise<RenameTrial> {
  // A server that does not know the project yet would find fault with anything.
  if (incomplete !== undefined) return NOTHING;
  const texts = plan.files.flatMap((file): TriedText[] =>
    file.kind === 'change' ? [{ path: file.path, base: file.before, text: file.after }] : [],
  );
  if (texts.length < plan.files.length)
    return { notes: ['it was not tried out first, because it also moves, creates or deletes files'] };
  if (texts.length > MOST_TEXTS)
    return { notes: [`it was not tried out first, because it changes more than ${MOST_TEXTS} files`] };
  const timeoutMs = Math.min(mostMs, (context.remainingMs() - RESERVED_MS) * SHARE);
  if (timeoutMs <= 0) return NOTHING;
  const { chosen, unchecked } = filesToCheck(context, plan, suspects);
  const check = chosen.map(({ newPath }) => newPath);
  try {
    const evaluated = await evaluateTexts(context, texts, { timeoutMs, language, check, role: 'navigation' });
    return judged(evaluated, { unchecked, endedAt: context.clock.now() }, timeoutMs);
  } catch (error) {
    if (failureOf(error)?.kind === 'cancelled') throw error;
    context.log.debug('a rename was not tried out', { error: messageOf(error) });
    return NOTHING;
  }
}

/** Of what is only shown the trial is the end, and whoever waits for it has waited before. */
function defaultMs(context: ToolContext): number {
  return Math.min(DEFAULT_MS, context.during().patienceMs ?? DEFAULT_MS);
}

function judged(
  { delta, before, coverage, confidence, timeout, notes: said }: EvaluatedTexts,
  found: Pick<EditTrial, 'unchecked' | 'endedAt'>,
  timeoutMs: number,
): RenameTrial {
  const seconds = `${Math.round(timeoutMs / 100) / 10} s`;
  if (coverage === 'apart' || delta.compared.length === 0) {
    const notes = timeout ? [`it could not be tried out within ${seconds}; trial_ms gives it longer`] : [];
    return { trial: { ...found, before, isSure: false }, notes };
  }
  const { unknown } = delta;
  const files = counted(unknown.length, 'file');
  const notes = [
    ...(unknown.length === 0
      ? []
      : [`within ${seconds} nothing was learned of ${files}; trial_ms gives it longer`]),
    // No new errors is less than it sounds.
    ...(coverage === 'analysis' ? said : []),
  ];
  const effect = withoutReworded(delta);
  const isSure = confidence === 'high' && delta.unknown.length === 0;
  const trial = { ...found, effect, before, isSure };
  const count = effect.introduced.filter(isError).length;
  if (count === 0) return { trial, notes };
  return { trial, mustShow: `it brings ${counted(count, 'new error')}`, notes };
}
