/**
 * Sends a tool's question to a server and says how complete the answer is, so that a tool says "nothing found" only
 * when the server could have found it. A question across files waits for the server's index first; a question about
 * one file is asked at once, and again with the index if the answer was empty.
 */
import { ResponseError } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../shared/base/brand.ts';
import { fail } from '../../shared/base/failure.ts';
import { withTimeout } from '../../shared/base/lifetime.ts';
import { describeState } from '../../shared/link/describe-state.ts';
import {
  type CallOptions,
  isSettled,
  type ServerFacts,
  type ServerLink,
} from '../../shared/link/server-link.ts';
import type { Incomplete } from '../render/incomplete.ts';
import type { NotDone, ToolContext } from '../tools/context.ts';
import { offering } from './offering.ts';
import { type Coverage, prepareSearch, type SearchSubject, whyIncomplete } from './prepared-search.ts';
import { readinessOf } from './readiness.ts';
import { tryEach } from './try-each.ts';

export interface Asked<R> {
  readonly result: R;
  readonly facts: ServerFacts;
  /** E.g. `pyright ready`. */
  readonly readiness: string;
  /** Why the result may lack something; undefined when it is complete. */
  readonly incomplete: Incomplete | undefined;
}

export interface Question<R> extends SearchSubject {
  /** Files whose text the answer depends on. */
  readonly documents?: readonly AbsPath[];
  /** The files that a result has places in. */
  filesOf?(result: R): Iterable<AbsPath>;
  /** Asked only when other files were not searched: whether none of them can use the name anyway. */
  isLocal?(): Promise<boolean>;
  send(facts: ServerFacts, options: CallOptions): Promise<R>;
}

/** For answers that span files: waits for the index as long as the call's deadline allows. */
export async function askAcross<R>(
  context: ToolContext,
  link: ServerLink,
  question: Question<R>,
): Promise<Asked<R>> {
  const prepared = await prepareSearch(context, link, question);
  const { facts } = prepared;
  const sent = question.send(facts, prepared.options(...(question.documents ?? [])));
  const result = await answered(facts, question.method, sent, link);
  const coverage: Coverage = {
    ...(question.filesOf ? { filesInAnswer: () => question.filesOf?.(result) ?? [] } : {}),
    ...(question.isLocal ? { isLocal: () => question.isLocal?.() ?? Promise.resolve(false) } : {}),
  };
  const incomplete = await whyIncomplete(context, prepared, coverage);
  return { result, facts, readiness: prepared.readiness, incomplete };
}

/** For answers about one file: asks at once, and again after the index is there if that found nothing. */
export async function askHere<R>(
  context: ToolContext,
  link: ServerLink,
  question: Question<R>,
  isEmpty: (result: R) => boolean,
): Promise<Asked<R>> {
  const facts = await offering(context, link, question.method);
  const before = link.state;
  const options = context.during(...(question.documents ?? []));
  const result = await answered(facts, question.method, question.send(facts, options), link);
  if (!isEmpty(result))
    return {
      result,
      facts,
      readiness: `${facts.serverName} ${describeState(before)}`,
      incomplete: undefined,
    };
  if (isSettled(before)) return { result, facts, ...readinessOf(facts, before) };
  const again = await askAcross(context, link, question);
  // What is known about one file does not grow with the index.
  return isEmpty(again.result) ? again : { ...again, incomplete: undefined };
}

/** An error that the server itself answers with is a failure like others, and names the server. */
export async function answered<R>(
  facts: ServerFacts,
  method: string,
  answer: Promise<R>,
  link: Pick<ServerLink, 'state'>,
): Promise<R> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    const { code } = error;
    // What it could not load is most likely why it cannot answer.
    const why = link.state.kind === 'degraded' ? `; it is degraded: ${link.state.reason}` : '';
    const message = `${error.message}${why}`;
    fail({ kind: 'server-error', server: facts.serverName, method, code, message }, { cause: error });
  }
}

/**
 * Asks several servers at once. One that cannot answer is reported; only when none can, its failure is thrown. One that has
 * just been started does not hold up what the others have for longer than the call has patience.
 */
export async function askEach<R>(
  context: ToolContext,
  links: readonly ServerLink[],
  method: string,
  question: (link: ServerLink) => Promise<R>,
): Promise<{ answers: readonly R[]; failures: readonly NotDone[] }> {
  const hasReady = links.some(({ state }) => isSettled(state));
  const asked = (link: ServerLink) => {
    if (!hasReady || isSettled(link.state)) return question(link);
    const afterMs = context.patienceMs();
    const failure = {
      kind: 'still-working',
      server: 'a further server',
      method,
      afterMs,
      unasked: true,
    } as const;
    return withTimeout(question(link), afterMs, () => fail(failure), context.clock);
  };
  const { done, notDone, firstError } = await tryEach(links, (link) => link.language, asked);
  if (done.length === 0 && firstError !== undefined) throw firstError;
  return { answers: done, failures: notDone };
}
