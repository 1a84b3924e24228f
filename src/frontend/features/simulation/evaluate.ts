/**
 * Texts tried out on their servers: what is wrong before and after, in the files themselves and, if asked for, in those
 * that depend on them. One window per server; when it closes the server has the text of the disk again.
 */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { failureOf } from '../../../shared/base/failure.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { TextLines } from '../../../shared/base/positions.ts';
import type { Role } from '../../../shared/languages/roles.ts';
import { describeState } from '../../../shared/link/describe-state.ts';
import { type EvaluationResult, isSettled, type ServerLink } from '../../../shared/link/server-link.ts';
import { settled } from '../../ask/readiness.ts';
import { firstIncomplete, type Incomplete } from '../../render/incomplete.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type DiagnosticDelta, deltaOf } from '../diagnostics/diagnostic-delta.ts';
import { type FileFindings, findingsOf } from '../diagnostics/diagnostics.ts';
import { type Confidence, confidenceIn, type Grounds, hasTimedOut } from './confidence.ts';
import { dependentsOf, NO_DEPENDENTS } from './dependents.ts';
import { isHeader } from './includers.ts';
import type { TriedText } from './session.ts';

export type Scope = 'file' | 'workspace';

export interface EvaluationOptions {
  readonly scope?: Scope | undefined;
  readonly timeoutMs?: number | undefined;
  /** For files whose name does not tell. */
  readonly language?: string | undefined;
  /** Looked at in place of the files that the texts are of; where a server gets none of the texts, nothing can change. */
  readonly check?: readonly AbsPath[];
  /** On whose server; that of the project's own compiler if not said. */
  readonly role?: Role | undefined;
}

export interface EvaluatedTexts {
  readonly delta: DiagnosticDelta;
  /** What is wrong on disk, of the files that were looked at. */
  readonly before: readonly FileFindings[];
  readonly scope: Scope;
  readonly confidence: Confidence;
  /** Some server did not answer in time. */
  readonly timeout: boolean;
  /** `analysis`: errors of some kinds show only when the texts are on disk. */
  readonly coverage: EvaluationResult['coverage'];
  readonly durationMs: number;
  /** What limits the confidence, in words. */
  readonly notes: readonly string[];
  readonly incomplete: Incomplete | undefined;
}

/** Fails with `base-changed` for a file that is no longer what its text was made from. */
export async function evaluateTexts(
  whole: ToolContext,
  texts: readonly TriedText[],
  { scope = 'file', timeoutMs, language, check, role = 'types' }: EvaluationOptions = {},
): Promise<EvaluatedTexts> {
  const began = whole.clock.now();
  const context = within(whole, timeoutMs ?? Number.POSITIVE_INFINITY);
  const isKnown = ({ path }: TriedText) => whole.servers.familyOfFile(path) !== undefined;
  // Nothing can be wrong with prose; if there is nothing else, the failure says that no server is for it.
  const checkable = language === undefined && texts.some(isKnown) ? texts.filter(isKnown) : texts;
  const linked = await Promise.all(
    checkable.map(async (text) => ({
      text,
      link: await whole.servers.linkFor(text.path, {
        languageId: isKnown(text) ? undefined : language,
        role,
      }),
    })),
  );
  const byLink = groupBy(linked, ({ link }) => link);
  const checked = await Promise.all(
    (check ?? []).map(async (file) => ({
      file,
      link: await whole.servers.linkFor(file, { languageId: language, role }),
    })),
  );
  const parts = await Promise.all(
    [...byLink].map(([link, own]) => {
      const wanted = checked.filter((each) => each.link === link).map(({ file }) => file);
      return evaluateOn(context, link, {
        texts: own.map(({ text }) => text),
        scope,
        check: check === undefined ? undefined : wanted,
      });
    }),
  );
  const grounds = parts.map((part) => part.grounds);
  return {
    delta: deltaOf({
      files: parts.flatMap(({ files }) => files),
      before: parts.flatMap(({ before }) => before),
      after: parts.flatMap(({ after }) => after),
      created: texts.filter(({ base }) => base === null).map(({ path }) => path),
    }),
    before: parts.flatMap(({ before }) => before),
    scope,
    confidence: confidenceIn(grounds),
    timeout: hasTimedOut(grounds),
    coverage: COVERAGES.find((each) => grounds.some(({ coverage }) => coverage === each)) ?? 'full',
    durationMs: Math.round(whole.clock.now() - began),
    notes: parts.flatMap(({ notes }) => notes),
    incomplete: firstIncomplete(parts),
  };
}

interface PartQuestion {
  readonly texts: readonly TriedText[];
  readonly scope: Scope;
  readonly check: readonly AbsPath[] | undefined;
}

interface Part {
  readonly files: readonly AbsPath[];
  readonly before: readonly FileFindings[];
  readonly after: readonly FileFindings[];
  readonly grounds: Grounds;
  readonly notes: readonly string[];
  readonly incomplete: Incomplete | undefined;
}

/** Finding out who depends on the texts must leave time for the evaluation itself. */
const SHARE_FOR_DEPENDENTS = 0.4;
/** What the server with the least is able to see counts. */
const COVERAGES = ['apart', 'analysis'] as const;
const NOTHING: EvaluationResult = { answers: [], before: [], after: [], coverage: 'full' };

async function evaluateOn(
  context: ToolContext,
  link: ServerLink,
  { texts, scope, check }: PartQuestion,
): Promise<Part> {
  const { serverName, encoding } = await context.facts.of(link, context.during());
  const state = await settled(context, link);
  const dependents =
    scope === 'workspace'
      ? await dependentsOf(
          within(context, context.remainingMs() * SHARE_FOR_DEPENDENTS),
          texts,
          link.language,
        )
      : NO_DEPENDENTS;
  const files = [...(check ?? texts.map(({ path }) => path)), ...dependents.files];
  const overlay = texts.map(({ path, text, base }) => ({ file: path, text, base: base?.hash ?? null }));
  const result = await link
    .evaluate(
      { overlay, requests: [], diagnosticsFor: files },
      { ...context.during(), whenReady: isSettled(state) },
    )
    .catch((error: unknown) => {
      // Late is not wrong: nothing is known then, and that is said.
      if (failureOf(error)?.kind !== 'timeout') throw error;
      return NOTHING;
    });
  const tried = new Set(texts.map(({ path }) => path));
  const others = await context.files.readAll(files.filter((file) => !tried.has(file)));
  const linesIn = (which: 'before' | 'after') => {
    const own = new Map(texts.map((each) => [each.path, which === 'before' ? each.base?.text : each.text]));
    return (file: AbsPath) => others.get(file) ?? new TextLines(own.get(file) ?? '');
  };
  const found = (which: 'before' | 'after') => {
    const lines = linesIn(which);
    return result[which].map((report) => findingsOf(report, serverName, lines(report.file), encoding));
  };
  const created = texts.filter(({ path, base }) => base === null && files.includes(path)).length;
  const headers = scope === 'file' ? texts.filter(({ path }) => isHeader(path)) : [];
  return {
    files,
    before: found('before'),
    after: found('after'),
    grounds: {
      reports: [...result.before, ...result.after],
      expected: 2 * files.length - created,
      coverage: result.coverage,
      state: state.kind,
      isShort: dependents.leftOut > 0 || dependents.incomplete !== undefined || headers.length > 0,
    },
    notes: [
      ...(result.coverage === 'analysis'
        ? [
            `${serverName} also has checks that read the disk and know nothing of this text: what they find shows once it is applied`,
          ]
        : []),
      ...(result.coverage === 'apart'
        ? [`${serverName} looks at each file with the others as they are on disk`]
        : []),
      ...(state.kind === 'ready' ? [] : [`${serverName} ${describeState(state)}`]),
      ...headers.map(
        ({ path }) =>
          `files that include ${context.roots.display(path)} were not looked at; pass scope workspace`,
      ),
      ...(dependents.leftOut > 0
        ? [`${dependents.leftOut} more files depend on this and were not looked at`]
        : []),
    ],
    incomplete: dependents.incomplete,
  };
}

/** The same call with less time. */
function within(context: ToolContext, ms: number): ToolContext {
  const end = context.clock.now() + ms;
  const left = () => Math.max(0, end - context.clock.now());
  return {
    ...context,
    remainingMs: () => Math.min(context.remainingMs(), left()),
    during: (...documents) => {
      const options = context.during(...documents);
      return { ...options, timeoutMs: Math.max(1, Math.min(options.timeoutMs ?? left(), left())) };
    },
  };
}
