/**
 * What a search across files needs before a server is asked, and whether the answer covers every file that could use
 * the name. One preparation serves all questions about one name or one text.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import { type About, EVERYTHING, type Reach } from '../../shared/link/reach-question.ts';
import {
  type CallOptions,
  isSettled,
  type ServerFacts,
  type ServerLink,
  type ServerState,
} from '../../shared/link/server-link.ts';
import type { Incomplete } from '../render/incomplete.ts';
import type { ToolContext } from '../tools/context.ts';
import { offering } from './offering.ts';
import { readinessOf, settled } from './readiness.ts';
import { unreached } from './unreached.ts';

/** What a search is about. */
export interface SearchSubject {
  readonly method: string;
  /** The name that an answer across files is about, for servers that know opened projects only. */
  readonly about?: About;
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
  { method, about }: SearchSubject,
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
  /** Whether the name leads to a copy of a package that a package manager has installed. */
  isOfCopy?(packageName: string): boolean;
  /** Whether no other file can use the name; asked only where others were not searched. */
  isLocal?(): Promise<boolean>;
}

/** Why an answer may lack something; undefined when it is complete. */
export async function whyIncomplete(
  context: ToolContext,
  { facts, state, reach, asked }: PreparedSearch,
  { filesInAnswer, accounted = [], unclear, isOfCopy, isLocal }: Coverage,
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
      // What the name itself means there cannot be looked up.
      .filter(({ file }) => file === asked || !looked.has(file))
      .filter(({ packages }) => packages.length > 0 || filesInAnswer !== undefined)
      .filter(({ file, isNamed, packages }) =>
        file === asked
          ? isNamed || searched?.size === 0 || packages.some((each) => isOfCopy?.(each))
          : !searched?.has(file),
      ),
  };
  const matters = isDoubtful(rest) && !(await isLocal?.().catch(() => false));
  const left = matters ? rest : { ...rest, later: [], unopened: [], misread: [], unread: [], unbuilt: [] };
  return readinessOf(facts, state).incomplete ?? unreached(context, facts, left);
}

/** The same for an answer that took several searches. */
export async function firstWhyIncomplete(
  context: ToolContext,
  searches: readonly PreparedSearch[],
  coverage: Coverage,
): Promise<Incomplete | undefined> {
  for (const search of searches) {
    const incomplete = await whyIncomplete(context, search, coverage);
    if (incomplete) return incomplete;
  }
  return undefined;
}

/** Looking for what to open must leave time for the question. */
async function reachOf(context: ToolContext, link: ServerLink, about: About | undefined): Promise<Reach> {
  return about ? context.servers.reach(link, about, context.remainingMs() / 3) : EVERYTHING;
}
