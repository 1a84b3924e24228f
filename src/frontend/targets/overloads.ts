/**
 * Questions about all that has one name in one place: functions that differ in their parameters, a type beside a value.
 * To a server they are symbols apart. An agent that asks for the uses of such a name, renames or deletes it, means all
 * of them; one that edits a body does not, and gets the list.
 * Decision: docs/decisions/references.md#overloads-are-asked-for-together
 */
import { languageFacts } from '../../shared/languages/facts.ts';
import type { Answer, Outcome } from '../render/answer.ts';
import { FUNCTION_KINDS, TYPE_KINDS } from '../symbols/symbol-kinds.ts';
import type { ToolContext } from '../tools/context.ts';
import { renderCandidates } from './candidates.ts';
import { type Locator, locate, type Target, targetAt } from './locate.ts';
import type { Fitting } from './one-target.ts';

/** More are another kind of question. */
const MOST_TOGETHER = 24;

/** Like `atTarget`, for questions that can be asked of several at once: the target has the others of its name. */
export async function atAllOfOne<Data>(
  context: ToolContext,
  locator: Locator,
  answer: (target: Target) => Promise<Answer<Data>>,
): Promise<Outcome<Data>> {
  const found = await locate(context, locator);
  if (!('candidates' in found)) return answer(found);
  const { question, candidates, fitting = [], incomplete } = found;
  const [first, ...others] = areOne(fitting) ? fitting : [];
  if (!first) return renderCandidates(question, candidates, context.roots, incomplete);
  const source = await context.files.read(first.file);
  const targetOf = ({ at }: Fitting) => targetAt(context, source, at, {}, first.link);
  const target = await targetOf(first);
  const places = others.map(({ at }) => `${at.line}:${at.column}`);
  return answer({
    ...target,
    others: await Promise.all(others.map(targetOf)),
    shown: [target.shown, ...places].join(', '),
  });
}

type Meant = Pick<Fitting, 'file' | 'name' | 'kind'> & { readonly link: { readonly language: string } };

/** Whether they are overloads, or a type beside values, of one name in one scope. */
export function areOne(fitting: readonly Meant[]): boolean {
  const [first] = fitting;
  if (!first || fitting.length > MOST_TOGETHER) return false;
  if (fitting.some(({ file, name }) => file !== first.file || name !== first.name)) return false;
  const functions = fitting.filter(({ kind }) => FUNCTION_KINDS.has(kind));
  if (functions.length === fitting.length) return languageFacts(first.link.language).text.overloadsAreApart;
  return fitting.filter(({ kind }) => TYPE_KINDS.has(kind)).length === 1;
}
