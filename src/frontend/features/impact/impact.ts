/**
 * How far a change of symbols reaches: who uses each of them, in which directories, and which tests. Symbols are asked
 * about side by side and only as long as the call's time allows; what was not looked at is never called unused.
 */
import path from 'node:path';
import { ReferencesRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { Pool } from '../../../shared/base/pool.ts';
import type { ServerLink } from '../../../shared/link/server-link.ts';
import { type PreparedSearch, prepareSearch } from '../../ask/prepared-search.ts';
import { whyNot } from '../../ask/why-not.ts';
import { firstIncomplete, type Incomplete, untilRetry } from '../../render/incomplete.ts';
import { type SymbolNode, segmentsOf } from '../../symbols/symbol-tree.ts';
import { targetAt } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import {
  type HiddenCount,
  type HidingWishes,
  hiddenTogether,
  siftHidden,
} from '../../workspace/hidden-places.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { type Accounting, accountingSum } from '../references/accounting/accounting.ts';
import { type FoundReferences, searchReferences } from '../references/reference-search.ts';
import { type Caller, callersOf } from './callers.ts';

/** A symbol whose reach is asked for. */
export interface Subject {
  readonly source: SourceFile;
  readonly node: SymbolNode;
  readonly isGuarded: boolean;
}

/** What to do when none of the files can be looked at: there may be more to tell than their symbols. */
export type WhenNone = 'fail' | 'warn';

/** `low`: nobody but tests. `medium`: only the same directory, or the file itself. `high`: other directories as well. */
export type Risk = 'low' | 'medium' | 'high';

export interface Reached {
  readonly subject: Subject;
  /** Of other files. */
  readonly callers: readonly Caller[];
  /** Of the symbol's own file. */
  readonly ownCallers: readonly Caller[];
  readonly tests: readonly Caller[];
  /** Places that only take the symbol's type. */
  readonly typeQueries: number;
  readonly risk: Risk;
  /** A caller of a changed symbol, and not changed itself. */
  readonly isIndirect: boolean;
}

export interface Impact {
  readonly reached: readonly Reached[];
  readonly notLookedAt: readonly { readonly subject: Subject; readonly why: string }[];
  readonly hidden: readonly HiddenCount[];
  /** What became of each occurrence of the names, all symbols together; undefined where it was not looked for. */
  readonly accounting: Accounting | undefined;
  readonly readiness: string;
  readonly incomplete: Incomplete | undefined;
}

const QUESTIONS_AT_ONCE = 16;
/** This part of the time is kept for naming callers and for the answer. */
const RESERVED = 0.15;

export async function impactOf(
  context: ToolContext,
  subjects: readonly Subject[],
  wishes: HidingWishes & { readonly whenNone?: WhenNone | undefined },
  isIndirect = false,
): Promise<Impact> {
  const { whenNone = 'fail' } = wishes;
  const work: Work = {
    context,
    wishes,
    isIndirect,
    questions: new Pool(QUESTIONS_AT_ONCE),
    outlines: new Pool(QUESTIONS_AT_ONCE),
    reservedMs: context.remainingMs() * RESERVED,
  };
  const files = groupBy(subjects, ({ source }) => source);
  const mayFail = whenNone === 'fail' && files.size === 1;
  const parts = await Promise.all(
    [...files].map(([source, own]) =>
      inFile(work, source, own).catch((error: unknown) => {
        if (mayFail) throw error;
        return notLooked(own, whyNot(error));
      }),
    ),
  );
  const notLookedAt = parts.flatMap((part) => part.notLookedAt);
  return {
    reached: parts.flatMap((part) => part.reached).sort(byRisk),
    notLookedAt,
    hidden: hiddenTogether(parts.flatMap((part) => part.hidden)),
    accounting: accountingSum(parts.flatMap(({ accounting }) => accounting ?? [])),
    readiness: [...new Set(parts.map((part) => part.readiness))].filter(Boolean).join(', '),
    incomplete: notLookedAt.length > 0 ? unseen(notLookedAt) : firstIncomplete(parts),
  };
}

/** Wherever they are, but no tests. */
export function everyCaller({ callers, ownCallers }: Reached): readonly Caller[] {
  return [...callers, ...ownCallers];
}

/** Callers of the callers, as further symbols that are reached. */
export async function indirectImpact(
  context: ToolContext,
  reached: readonly Reached[],
  wishes: HidingWishes,
): Promise<Impact> {
  const known = new Set(reached.map(({ subject }) => keyOf(subject.source.path, subject.node)));
  const next = new Map<string, { file: AbsPath; node: SymbolNode }>();
  for (const { node, file } of reached.flatMap(everyCaller))
    if (node && !known.has(keyOf(file, node))) next.set(keyOf(file, node), { file, node });
  const subjects = await Promise.all(
    [...next.values()].slice(0, MOST_INDIRECT).map(async ({ file, node }) => ({
      source: await context.files.read(file),
      node,
      isGuarded: false,
    })),
  );
  const impact = await impactOf(context, subjects, wishes, true);
  const cut = {
    reason: `only ${MOST_INDIRECT} of ${next.size} callers were followed further; pass fewer files`,
  };
  return next.size > MOST_INDIRECT ? { ...impact, incomplete: impact.incomplete ?? cut } : impact;
}

const MOST_INDIRECT = 64;

interface Work {
  readonly context: ToolContext;
  readonly wishes: HidingWishes;
  readonly isIndirect: boolean;
  readonly questions: Pool;
  readonly outlines: Pool;
  readonly reservedMs: number;
}

async function inFile(work: Work, source: SourceFile, subjects: readonly Subject[]): Promise<Impact> {
  const { context } = work;
  const link = await context.servers.linkFor(source.path);
  const [name = '', ...also] = new Set(subjects.map(({ node }) => segmentsOf(node.name).at(-1) ?? node.name));
  const prepared = await prepareSearch(context, link, {
    method: ReferencesRequest.method,
    about: { name, also, file: source.path },
  });
  const answers = await Promise.all(subjects.map((subject) => askAbout(work, link, prepared, subject)));
  return {
    reached: answers.flatMap((answer) => ('reached' in answer ? [answer.reached] : [])),
    notLookedAt: answers.flatMap((answer) => ('why' in answer ? [answer] : [])),
    hidden: answers.flatMap((answer) => ('hidden' in answer ? answer.hidden : [])),
    accounting: accountingSum(
      answers.flatMap((answer) => ('accounting' in answer ? (answer.accounting ?? []) : [])),
    ),
    readiness: prepared.readiness,
    incomplete: firstIncomplete(answers),
  };
}

/** A server that cannot be asked about one file must not take the answer about the others with it. */
function notLooked(subjects: readonly Subject[], why: string): Impact {
  const notLookedAt = subjects.map((subject) => ({ subject, why }));
  return {
    reached: [],
    notLookedAt,
    hidden: [],
    accounting: undefined,
    readiness: '',
    incomplete: undefined,
  };
}

type AboutOne =
  | {
      readonly reached: Reached;
      readonly hidden: readonly HiddenCount[];
      readonly accounting: Accounting | undefined;
      readonly incomplete?: Incomplete | undefined;
    }
  | { readonly incomplete?: undefined; readonly subject: Subject; readonly why: string };

async function askAbout(
  work: Work,
  link: ServerLink,
  prepared: PreparedSearch,
  subject: Subject,
): Promise<AboutOne> {
  const { context, reservedMs } = work;
  const { source, node } = subject;
  const leftMs = () => context.remainingMs() - reservedMs;
  try {
    const uses = await work.questions.run(async () => {
      if (leftMs() <= 0) return undefined;
      return usesOf(context, link, subject, work.wishes);
    });
    if (uses === undefined) return { subject, why: 'no time was left' };
    const { result, accounting, incomplete } = uses;
    const { shown, hidden } = await siftHidden(context, result, source.path, work.wishes);
    const used = { file: source.path, node };
    const asked = { used, link, facts: prepared.facts, atOnce: work.outlines };
    const { callers: all, typeQueries } = await callersOf(context, shown, asked);
    const callers = all.filter(({ isTest }) => !isTest);
    const isOwn = ({ file }: Caller) => file === source.path;
    return {
      reached: {
        subject,
        callers: callers.filter((caller) => !isOwn(caller)),
        ownCallers: callers.filter(isOwn),
        typeQueries,
        tests: all.filter(({ isTest }) => isTest),
        risk: riskOf(source.path, callers),
        isIndirect: work.isIndirect,
      },
      hidden,
      accounting,
      incomplete,
    };
  } catch (error) {
    return { subject, why: whyNot(error) };
  }
}

async function usesOf(
  context: ToolContext,
  link: ServerLink,
  { source, node }: Subject,
  { include_hidden: includeHidden }: HidingWishes,
): Promise<FoundReferences> {
  const target = await targetAt(context, source, node.at, {}, link);
  return searchReferences(context, target, { account: 'some', includeHidden });
}

function riskOf(file: AbsPath, callers: readonly Caller[]): Risk {
  if (callers.length === 0) return 'low';
  return callers.some((caller) => path.dirname(caller.file) !== path.dirname(file)) ? 'high' : 'medium';
}

const WEIGHT: Readonly<Record<Risk, number>> = { high: 2, medium: 1, low: 0 };

function byRisk(a: Reached, b: Reached): number {
  return (
    WEIGHT[b.risk] - WEIGHT[a.risk] ||
    b.callers.length - a.callers.length ||
    b.ownCallers.length - a.ownCallers.length ||
    b.tests.length - a.tests.length ||
    (a.subject.source.path < b.subject.source.path ? -1 : 0) ||
    a.subject.node.at.line - b.subject.node.at.line
  );
}

function unseen(notLookedAt: Impact['notLookedAt']): Incomplete {
  const names = notLookedAt.slice(0, 8).map(({ subject }) => subject.node.path.join('.'));
  const more = notLookedAt.length > names.length ? `, +${notLookedAt.length - names.length} more` : '';
  const symbols = counted(notLookedAt.length, 'symbol was', { many: 'symbols were' });
  return untilRetry(
    5_000,
    (retry) =>
      `${symbols} not looked at: ${names.join(', ')}${more} (${notLookedAt[0]?.why ?? ''}); pass fewer files, or ${retry}`,
  );
}

function keyOf(file: AbsPath, node: SymbolNode): string {
  return `${file}\0${node.at.line}:${node.at.column}`;
}
