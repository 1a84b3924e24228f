/**
 * Does the same work for several languages at once. A language whose work fails is reported; the others keep their
 * answers.
 */
import { failureOf } from '../../shared/base/failure.ts';
import { failureSentence, retryAfter } from '../render/failure.ts';
import type { Incomplete } from '../render/incomplete.ts';
import type { NotDone } from '../tools/context.ts';

export interface Attempts<R> {
  readonly done: readonly R[];
  readonly notDone: readonly NotDone[];
  /** What was thrown first, for callers that cannot go on without any success. */
  readonly firstError: unknown;
}

/**
 * Failures of single items are collected. A cancelled call is thrown on, and so is an error that carries no `Failure`: it
 * is a fault of this program and not of one language.
 */
export async function tryEach<T, R>(
  items: readonly T[],
  languageOf: (item: T) => string,
  work: (item: T) => Promise<R>,
): Promise<Attempts<R>> {
  const outcomes = await Promise.allSettled(items.map(work));
  const done: R[] = [];
  const notDone: NotDone[] = [];
  let firstError: unknown;
  for (const [index, item] of items.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status === 'fulfilled') done.push(outcome.value);
    if (outcome?.status !== 'rejected') continue;
    const failure = failureOf(outcome.reason);
    if (!failure || failure.kind === 'cancelled') throw outcome.reason;
    firstError ??= outcome.reason;
    const isFault = failure.kind !== 'unsupported';
    const retryMs = retryAfter(failure);
    notDone.push({ language: languageOf(item), why: failureSentence(failure), isFault, retryMs });
  }
  return { done, notDone, firstError };
}

/** What others have found is not all when a server that could have searched did not. */
export function notSearched(notDone: readonly NotDone[]): Incomplete | undefined {
  const fault = notDone.find(({ isFault }) => isFault);
  if (!fault) return undefined;
  const { language, why, retryMs } = fault;
  const faulty = notDone.filter(({ isFault }) => isFault).map((other) => other.language);
  const others = [...new Set(faulty)].filter((other) => other !== language);
  const beside =
    others.length === 0 ? '' : `; neither ${others.length === 1 ? 'was' : 'were'} ${others.join(', ')}`;
  return {
    reason: `${language} was not searched: ${why}${beside}`,
    ...(retryMs === undefined ? {} : { retryMs }),
  };
}
