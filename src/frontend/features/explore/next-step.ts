/** What an agent has use for after an exploration: a part that is missing, else what was counted and not listed. */
import type { Target } from '../../targets/locate.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { stepWhenUnused } from '../references/reference-answer.ts';
import type { Exploration, PartName } from './explore.ts';

const ASKED_ALONE: Readonly<Partial<Record<PartName, string>>> = {
  source: 'get_symbol_source',
  callers: 'find_callers',
  references: 'find_references',
  implementations: 'go_to_implementation',
};

export function stepAfter(context: ToolContext, found: Exploration, { shown }: Target): string | undefined {
  const { missing, implementations = 0, uses = [], accounting, incomplete } = found;
  const askable = missing.filter(({ isUnsupported }) => !isUnsupported);
  const alone = askable.flatMap(({ part }) => ASKED_ALONE[part] ?? [])[0];
  if (alone !== undefined) return firstOffered(context, `${alone} ${shown}`);
  if (implementations > 0) {
    const step = firstOffered(context, `go_to_implementation ${shown} lists the implementations`);
    if (step !== undefined) return step;
  }
  const isUsed = uses.length + (accounting?.possible.length ?? 0) > 0;
  return isUsed
    ? firstOffered(context, `find_references ${shown} lists the uses`)
    : stepWhenUnused({ incomplete, accounting });
}
