/**
 * Sends a tool's question to a server and says how complete the answer is, so that a tool says "nothing found" only
 * when the server could have found it. A question across files waits for the server's index first; a question about
 * one file is asked at once, and again with the index if the answer was empty.
 */
import { ResponseError } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../shared/base/brand.ts';
import { fail } from '../../shared/base/failure.ts';
import { describeState } from '../../shared/link/describe-state.ts';
import { type About, EVERYTHING, type Reach } from '../../shared/link/reach-question.ts';
import {
  type CallOptions,
  isSettled,
  type ServerFacts,
  type ServerLink,
  type ServerState,
} from '../../shared/link/server-link.ts';
import { type Incomplete, untilRetry } from '../render/incomplete.ts';
import type { ToolContext } from '../tools/context.ts';
import { type NotDone, tryEach } from './try-each.ts';
import { unreached } from './unreached.ts';

export interface Asked<R> {
  readonly result: R;
  readonly facts: ServerFacts;
  /** E.g. `pyright ready`. */
  readonly readiness: string;
  /** Why the result may lack something; undefined when it is complete. */
  readonly incomplete: Incomplete | undefined;
}

export interface Question<R> {
  readonly method: string;
  /** Files whose text the answer depends on. */
  readonly documents?: readonly AbsPath[];
  /** The name that an answer across files is about, for servers that know opened projects only. */
  readonly about?: About;
  /** The files that a result has places in. */
  filesOf?(result: R): Iterable<AbsPath>;
  /** Asked only when other files were not searched: whether none of them can use the name anyway. */
  isLocal?(): Promise<boolean>;
  send(facts: ServerFacts, options: CallOptions): Promise<R>;
}

/** What a tool finds out before it asks a server across files. It serves all questions about one name or one text. */
export interface PreparedSearch {
  readonly facts: ServerFacts;
  /** The server's state before the question; `degraded` if the server has reported a fault since. */
  readonly state: ServerState;
  readonly reach: Reach;
  /** The file with the name that the question is about. */
  readonly asked: AbsPath | undefined;
  readonly readiness: string;
  /** The options of a request whose answer depends on these files. */
  options(...documents: readonly AbsPath[]): CallOptions;
}

/** Waits for the index as long as the call's deadline allows, and finds the files that have to be open in the server. */
export async function prepareSearch(
  context: ToolContext,
  link: ServerLink,
  { method, about }: Pick<Question<unknown>, 'method' | 'about'>,
): Promise<PreparedSearch> {
  const facts = await offering(context, link, method);
  const [reach, state] = await Promise.all([reachOf(context, link, about), settled(context, link)]);
  const stateNow = () => (link.state.kind === 'degraded' ? link.state : state);
  return {
    facts,
    get state() {
      return stateNow();
    },
    reach,
    asked: about?.file,
    get readiness() {
      return readinessOf(facts, stateNow()).readiness;
    },
    options: (...documents) => ({
      ...context.during(...documents, ...reach.documents),
      whenReady: isSettled(state),
      patienceMs: context.patienceMs(),
    }),
  };
}

/** Which files an answer covers, for the decision whether it is complete. */
export interface Coverage {
  /**
   * The files that the answer has places in: the server has searched those. Left out for an answer that does not list
   * all uses of a name, in which a file that uses the name may rightly be missing.
   */
  filesInAnswer?(): Iterable<AbsPath>;
  /** Files of which every occurrence of the name was looked at in its place. */
  readonly accounted?: readonly AbsPath[] | undefined;
  /** Those of them with occurrences of which the server could not say what they are. */
  readonly unclear?: ReadonlySet<AbsPath> | undefined;
  /** Whether no other file can use the name; asked only where others were not searched. */
  isLocal?(): Promise<boolean>;
}

/** Why an answer may lack something; undefined when it is complete. */
export async function whyIncomplete(
  context: ToolContext,
  { facts, state, reach, asked }: PreparedSearch,
  { filesInAnswer, accounted = [], unclear, isLocal }: Coverage,
): Promise<Incomplete | undefined> {
  const isDoubtful = ({ later, unopened, misread, unread, unbuilt }: Reach) =>
    later.length + unopened.length + misread.length + unread.length + unbuilt.length > 0;
  // The set is made only when needed: a result can have tens of thousands of places.
  const searched = isDoubtful(reach) ? new Set(filesInAnswer?.()) : undefined;
  const looked = new Set(accounted.filter((file) => !unclear?.has(file)));
  const rest = {
    ...reach,
    later: reach.later.filter((file) => !searched?.has(file) && !looked.has(file)),
    unopened: reach.unopened.filter((file) => !searched?.has(file) && !looked.has(file)),
    misread: reach.misread.filter((file) => !searched?.has(file)),
    unread: reach.unread.filter(({ file }) => !searched?.has(file)),
    unbuilt: reach.unbuilt
      .filter(({ file }) => !looked.has(file))
      .filter(({ packages }) => packages.length > 0 || filesInAnswer !== undefined)
      .filter(({ file, isNamed }) =>
        file === asked ? isNamed || searched?.size === 0 : !searched?.has(file),
      ),
  };
  const matters = isDoubtful(rest) && !(await isLocal?.().catch(() => false));
  const left = matters ? rest : { ...rest, later: [], unopened: [], misread: [], unread: [], unbuilt: [] };
  return readinessOf(facts, state).incomplete ?? unreached(context, facts, left);
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

/** Looking for what to open must leave time for the question. */
async function reachOf(context: ToolContext, link: ServerLink, about: About | undefined): Promise<Reach> {
  return about ? context.servers.reach(link, about, context.remainingMs() / 3) : EVERYTHING;
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

/** Asks several servers at once. One that cannot answer is reported; only when none can, its failure is thrown. */
export async function askEach<R>(
  links: readonly ServerLink[],
  question: (link: ServerLink) => Promise<R>,
): Promise<{ answers: readonly R[]; failures: readonly NotDone[] }> {
  const { done, notDone, firstError } = await tryEach(links, (link) => link.language, question);
  if (done.length === 0 && firstError !== undefined) throw firstError;
  return { answers: done, failures: notDone };
}

/** The server's facts, or a failure when it does not have the method. */
export async function offering(context: ToolContext, link: ServerLink, method: string): Promise<ServerFacts> {
  const facts = await context.facts.offering(link, method, context.during());
  if (!facts.methods.includes(method)) fail({ kind: 'unsupported', server: facts.serverName, method });
  return facts;
}

/** Waits for the index, leaving enough of the deadline for the question itself. */
export async function settled(context: ToolContext, link: ServerLink): Promise<ServerState> {
  if (isSettled(link.state)) return link.state;
  const left = context.remainingMs();
  const timeoutMs = Math.max(0, left - Math.max(Math.min(5_000, left / 2), left * 0.3));
  return link.whenSettled({ ...context.during(), timeoutMs });
}

export function readinessOf(
  facts: ServerFacts,
  state: ServerState,
): { readiness: string; incomplete: Incomplete | undefined } {
  const incomplete = incompleteFor(facts.serverName, state);
  // The reason stands in the sentence before it already.
  const shown = state.kind === 'degraded' ? state.kind : describeState(state);
  return { readiness: `${facts.serverName} ${shown}`, incomplete };
}

function incompleteFor(server: string, state: ServerState): Incomplete | undefined {
  switch (state.kind) {
    case 'ready':
      return undefined;
    case 'idle':
    case 'starting':
      return untilRetry(retryMs(state), (retry) => `${server} is still starting, ${retry}`);
    case 'indexing': {
      const percent = state.percent === undefined ? '' : ` (${Math.round(state.percent)} %)`;
      return untilRetry(retryMs(state), (retry) => `${server} is still indexing${percent}, ${retry}`);
    }
    case 'degraded':
      return { reason: `${server} is degraded: ${state.reason}` };
    case 'crashed':
    case 'failed':
      return { reason: `${server} has ${state.kind}: ${state.reason}` };
    case 'stopped':
      return { reason: `${server} was stopped` };
  }
}

/** By the pace so far where the server says how far it is, else a part of the time it already took. */
function retryMs(state: ServerState): number {
  const sinceMs = 'sinceMs' in state ? state.sinceMs : 0;
  const percent = state.kind === 'indexing' ? state.percent : undefined;
  const leftMs = percent ? (sinceMs * (100 - percent)) / percent : sinceMs / 2;
  return Math.min(60, Math.max(2, Math.round(leftMs / 1_000))) * 1_000;
}
