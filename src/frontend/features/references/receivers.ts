/**
 * Through which class each use reaches a member. References to a method include uses through a base class that it
 * overrides, and in a large hierarchy these are most of them.
 */
import { DefinitionRequest } from 'vscode-languageserver-protocol';
import { failureOf } from '../../../shared/base/failure.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { ask, type ServerFacts } from '../../../shared/link/server-link.ts';
import { answered } from '../../ask/questions.ts';
import { placesOf, type ServerPlace } from '../../places/places.ts';
import { declarationAround } from '../../symbols/outline-entries.ts';
import { outlineIn } from '../../symbols/outlines.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';

export interface ByReceiver {
  readonly kept: readonly ServerPlace[];
  /** How many are used by way of which other class. */
  readonly others: ReadonlyMap<string, number>;
  /** Of these it was not found out. */
  readonly unknown: number;
}

const AT_ONCE = 8;

export async function byReceiver(
  context: ToolContext,
  { link }: Target,
  facts: ServerFacts,
  places: readonly ServerPlace[],
  receiver: string,
): Promise<ByReceiver> {
  const end = context.clock.now() + context.remainingMs() / 2;
  const classes = await eachBounded(places, AT_ONCE, async ({ file, uri, range }) => {
    if (file === undefined || context.clock.now() > end) return undefined;
    const params = { textDocument: { uri }, position: range.start };
    try {
      const asked = ask(link, DefinitionRequest.type, params, context.during(file));
      const found = await answered(facts, DefinitionRequest.method, asked, link);
      const [declared] = await placesOf(found, context.files, facts.encoding);
      if (declared?.file === undefined) return undefined;
      const tree = await outlineIn(context, link, declared.file);
      return declarationAround(tree, declared.start)?.path.at(-2) ?? '';
    } catch (error) {
      if (failureOf(error)?.kind === 'cancelled' || !failureOf(error)) throw error;
      return undefined;
    }
  });
  const others = new Map<string, number>();
  let unknown = 0;
  const kept = places.filter((_, index) => {
    const name = classes[index];
    if (name === receiver) return true;
    if (name === undefined) unknown++;
    else others.set(name, (others.get(name) ?? 0) + 1);
    return false;
  });
  return { kept, others, unknown };
}
