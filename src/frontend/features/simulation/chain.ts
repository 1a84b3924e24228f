/** Edits tried out one after the other, each on top of those before it. */

import type { ToolContext } from '../../tools/context.ts';
import { type Display, deltaCounts } from '../diagnostics/delta.ts';
import type { EditInput } from './edit-text.ts';
import { type EvaluatedTexts, evaluateTexts } from './evaluate.ts';
import { type SimulationSession, triedWeight } from './session.ts';
import { simulationsOf } from './simulations.ts';
import { type TakenEdit, takeEdits } from './taken-edits.ts';
import { evaluationLines, isSafe } from './text.ts';

export interface ChainStep {
  /** Counted from 1. */
  readonly step: number;
  readonly taken: TakenEdit;
  /** Compared with the disk. */
  readonly evaluated: EvaluatedTexts;
}

export interface Chain {
  readonly steps: readonly ChainStep[];
  /** The number of steps before the first one that adds an error: all steps when none does, 0 when the first one does. */
  readonly safeThrough: number;
  readonly notes: readonly string[];
}

/** All edits must fit before the first is tried; then the session has them all. */
export async function tryChain(
  context: ToolContext,
  session: SimulationSession,
  edits: readonly EditInput[],
  timeoutMs: number | undefined,
): Promise<Chain> {
  session.checkEditable();
  const taken = await takeEdits(context, session, edits);
  simulationsOf(context).checkRoom(taken.reduce((sum, { file }) => sum + triedWeight(file), 0));
  const before = session.files;
  session.put(taken.map(({ file }) => file));
  const steps = await session.evaluate(async () => {
    const done: ChainStep[] = [];
    const now = new Map(before.map((file) => [file.path, file]));
    for (const [index, each] of taken.entries()) {
      now.set(each.file.path, each.file);
      context.report(`step ${index + 1} of ${taken.length}`);
      const evaluated = await evaluateTexts(context, [...now.values()], {
        timeoutMs,
        language: session.language,
      });
      done.push({ step: index + 1, taken: each, evaluated });
    }
    return done;
  });
  const broken = steps.findIndex(({ evaluated }) => !isSafe(evaluated));
  const notes = steps.flatMap(({ step, taken: { note }, evaluated }) => [
    ...(note === undefined ? [] : [`step ${step}: ${note}`]),
    ...(step === steps.length ? evaluated.notes : []),
  ]);
  return { steps, safeThrough: broken < 0 ? steps.length : broken, notes };
}

/** `safe through step 1 of 3; all together: 1 new error…`, then what each step brings. */
export function chainLines({ steps, safeThrough }: Chain, display: Display): string[] {
  const last = steps.at(-1);
  const together = last ? evaluationLines(last.evaluated, display) : [];
  return [
    `safe through step ${safeThrough} of ${steps.length}`,
    ...steps.map(stepLine),
    'all together: '.concat(together[0] ?? ''),
    ...together.slice(1),
  ];
}

function stepLine({ step, evaluated }: ChainStep): string {
  const { delta } = evaluated;
  if (delta.unknown.length > 0) return `  step ${step}: not known`;
  return `  step ${step}: ${deltaCounts(delta)}`;
}
