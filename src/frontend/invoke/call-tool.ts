/**
 * One tool call from its arguments to the text of its answer: permission, deadline, notices of links, audit, and the
 * one place where failures become text. Both MCP and the command line call tools through this file.
 */
import { setMaxListeners } from 'node:events';
import { type Failure, FailureError, fail, failureOf, messageOf } from '../../shared/base/failure.ts';
import { isForbidden } from '../../shared/base/list-directory.ts';
import type { Log } from '../../shared/base/log.ts';
import type { OutputFormat } from '../../shared/config/choices.ts';
import { describeState } from '../../shared/link/describe-state.ts';
import type { ServerLink } from '../../shared/link/server-link.ts';
import { type AuditFacts, NO_NOTES } from '../access/audit-facts.ts';
import { type AskUser, callPermission } from '../access/call-permission.ts';
import { type Access, type AccessedTool, accessBeyond, refusal } from '../access/tool-access.ts';
import { type Outcome, type Rendered, renderAnswer } from '../render/answer.ts';
import { renderFailure } from '../render/failure.ts';
import type { Session } from '../session/session.ts';
import { callGuard, type GuardedCall } from '../tools/call-guard.ts';
import { callMetrics } from '../tools/call-metrics.ts';
import type { ToolContext } from '../tools/context.ts';
import type { Face } from '../tools/face.ts';
import { tokenSavings } from '../tools/token-savings.ts';
import { CallDeadline } from './call-deadline.ts';
import { CallLog } from './call-log.ts';
import { recentCalls, withFittingHint } from './fitting-hint.ts';
import { listedAdvice, withListedAdvice } from './listed-only.ts';
import { searchSuggestion } from './search-suggestion.ts';

/** A tool, or something else that is asked for in the same way. */
export interface CallableTool extends Pick<AccessedTool, 'name' | 'effect' | 'beyond' | 'hasPreview'> {
  /** How its answers are worded, if not as usual. */
  readonly face?: Face | undefined;
  /** Fails when the arguments cannot be understood. */
  prepare(args: unknown): {
    readonly limitMs: number | undefined;
    run(context: ToolContext): Promise<Outcome>;
  };
}

export interface CallRequest {
  readonly tool: CallableTool;
  readonly tools: ToolContext['tools'];
  /** Tools that exist and are not listed for this session: no advice names them. */
  readonly unlisted?: readonly string[];
  /** What the rules of the session say about the tool. */
  readonly access: Access;
  readonly args: unknown;
  /** What the client calls this request, so that its log and ours can be read together. */
  readonly id?: string | number | undefined;
  readonly signal: AbortSignal;
  readonly output: OutputFormat;
  /** Told of each server that the call comes to use, so that its progress can be shown. */
  readonly watch?: (link: ServerLink) => void;
  /** Told what a long call is at. */
  readonly report?: (message: string) => void;
  /** How the person behind the session can be asked, if there is a way. */
  readonly askUser?: AskUser | undefined;
  /** The session ends with this call, and perhaps its servers: what they are still working on is waited for. */
  readonly isLast?: boolean;
}

/** Meanwhile the text can be searched. */
const NO_SERVER: ReadonlySet<Failure['kind']> = new Set([
  'server-missing',
  'server-failed',
  'server-disabled',
  'server-crashed',
  'timeout',
  'still-working',
]);
/** A question that comes late in a call is still worth asking. */
const LEAST_PATIENCE_MS = 500;

/** A call that is counted and recorded in the audit, whatever becomes of it. */
export async function callTool(session: Session, request: CallRequest): Promise<Rendered> {
  const startedAt = session.clock.now();
  let facts: AuditFacts = {};
  const note = (more: AuditFacts) => {
    facts = { ...facts, ...more };
  };
  const guarded = callGuard(session).current?.begin(request);
  const rendered = await answerCall(session, request, { note }, guarded);
  const durationMs = session.clock.now() - startedAt;
  callMetrics(session).record(request.tool.name, { durationMs, isError: rendered.isError });
  tokenSavings(session).record(rendered.texts, rendered.insteadOf ?? []);
  session.audit.record({
    tool: request.tool.name,
    args: request.args,
    root: session.roots.primary,
    facts,
    error: rendered.isError ? rendered.texts.join(' ') : undefined,
    endedAt: new Date(),
    durationMs,
  });
  if (guarded) recordEvents(session, guarded);
  return rendered;
}

/** Beside the record of the call itself. */
function recordEvents({ audit, roots }: Session, { events }: GuardedCall): void {
  for (const { name, target, reason } of events)
    audit.record({
      tool: name,
      args: {},
      root: roots.primary,
      facts: { edit: { mode: 'phase_enforcement', target } },
      error: reason,
      endedAt: new Date(),
      durationMs: 0,
    });
}

/** A call of which nobody keeps a record. */
export async function answerCall(
  session: Session,
  request: CallRequest,
  audit: ToolContext['audit'] = NO_NOTES,
  guarded?: GuardedCall,
): Promise<Rendered> {
  const { tool, args, unlisted = [] } = request;
  const used = new Set<ServerLink>();
  const call = new CallLog(session, request);
  try {
    const answer = await withDeadline(session, request, { used, audit, guarded, log: call.log });
    const remarks = guarded?.answered(answer) ?? [];
    const recent = recentCalls(session);
    if (!isOnlyShown(args)) recent.add({ tool, args });
    const isWanted = session.config.hasHints;
    const whole = withFittingHint(withNotices(answer, used, remarks), { isWanted, unlisted, recent });
    const rendered = tool.face ? tool.face.answer(whole, args) : renderAnswer(whole, request.output);
    return 'insteadOf' in whole ? { ...rendered, insteadOf: whole.insteadOf } : rendered;
  } catch (error) {
    const failure = lateOf(request, failureOf(error) ?? refusedBySystem(error));
    if (failure) {
      call.failed(failure.kind);
      const ours = tool.face?.inOurTerms?.(args) ?? args;
      const search = NO_SERVER.has(failure.kind)
        ? await searchSuggestion(ours, session.roots, session.files)
        : undefined;
      if (tool.face) return tool.face.failure(listedAdvice(failure, unlisted), search, args);
      return withListedAdvice(renderFailure(failure, request.output, search?.command), unlisted);
    }
    call.failedUnexpectedly(error);
    return renderUnexpected(tool, error);
  } finally {
    call.ended();
  }
}

/** What changes nothing this time can be asked again like a question. */
function isOnlyShown(args: unknown): boolean {
  return Object(args).dry_run === true;
}

/** What is there for one call beside its request. */
interface CallCompany {
  readonly used: Set<ServerLink>;
  readonly audit: ToolContext['audit'];
  readonly guarded: GuardedCall | undefined;
  readonly log: Log;
}

/** Ends the call at its deadline whatever it waits for; what it waits for is cancelled, too. */
async function withDeadline(
  session: Session,
  request: CallRequest,
  { used, audit, guarded, log }: CallCompany,
): Promise<Outcome> {
  const { tool, access } = request;
  if (access.kind === 'refused') {
    audit.note({ access: { effect: tool.effect, consent: 'refused' } });
    fail(refusal(tool.name, tool.effect, access));
  }
  // Before anybody looks at the arguments or is asked: what is out of order now need not be right or permitted.
  guarded?.permit();
  const { limitMs = session.config.callTimeoutMs, run } = tool.prepare(request.args);
  const { patienceMs } = session.config;
  const end = new AbortController();
  // Some tools ask many questions at once, each of which listens.
  setMaxListeners(0, end.signal);
  const cancel = () => end.abort();
  if (request.signal.aborted) cancel();
  request.signal.addEventListener('abort', cancel, { once: true });
  return new Promise((resolve, reject) => {
    const deadline = new CallDeadline(session.clock, limitMs, () => {
      cancel();
      reject(tooLate(tool.name, limitMs, used));
    });
    const answer = async () => {
      const permission = await callPermission({
        tool,
        access,
        beyond: accessBeyond({ ...tool, isPrivileged: false }, session.config),
        askUser: askingIn(request, deadline, end.signal),
        audit,
      });
      const context = session.context({
        signal: end.signal,
        remainingMs: deadline.remainingMs,
        patienceMs: () =>
          request.isLast
            ? deadline.remainingMs()
            : Math.max(LEAST_PATIENCE_MS, patienceMs - (limitMs - deadline.remainingMs())),
        isReading: tool.effect === 'read' || isOnlyShown(request.args),
        tools: request.tools,
        permission,
        audit,
        log,
        watch: (link) => {
          used.add(link);
          request.watch?.(link);
        },
        report: (message) => request.report?.(message),
      });
      return run(context);
    };
    answer()
      .then(resolve, reject)
      .finally(() => deadline[Symbol.dispose]());
  });
}

/** Asking takes as long as the user takes; who waits for the call is told what it waits for. */
function askingIn({ askUser, report }: CallRequest, deadline: CallDeadline, signal: AbortSignal) {
  if (!askUser) return undefined;
  return async (question: string) => {
    report?.('waiting for the consent of the user');
    const answer = await deadline.during(askUser(question, signal));
    report?.('the user has answered');
    return answer;
  };
}

function tooLate(tool: string, afterMs: number, used: ReadonlySet<ServerLink>): FailureError {
  const state = [...used].map((link) => `${link.language} ${describeState(link.state)}`).join(', ');
  return new FailureError({ kind: 'timeout', what: tool, afterMs, state: state || 'none yet' });
}

/** What may have been done must not be asked for again without a look. */
function lateOf({ tool, args }: CallRequest, failure: Failure | undefined): Failure | undefined {
  const isShown = isOnlyShown(args);
  const mayHaveWritten = tool.effect === 'write' || tool.effect === 'execute';
  if (failure?.kind !== 'timeout' || !mayHaveWritten || isShown) return failure;
  const next = 'It may have changed files all the same: look at git diff before calling again';
  return { ...failure, next };
}

function withNotices(answer: Outcome, used: ReadonlySet<ServerLink>, remarks: readonly string[]): Outcome {
  const notices = [...[...used].flatMap((link) => link.notice ?? []), ...remarks];
  return notices.length === 0 ? answer : { ...answer, notes: [...(answer.notes ?? []), ...notices] };
}

/** What may not be read is no mistake of the tool, wherever it came upon it. What may not be written, edits say themselves. */
function refusedBySystem(error: unknown): Failure | undefined {
  if (!isForbidden(error)) return undefined;
  const { path, syscall = '' } = error as NodeJS.ErrnoException;
  if (path === undefined || !READING.has(syscall)) return undefined;
  return { kind: 'not-a-text-file', path, reason: 'forbidden' };
}

const READING: ReadonlySet<string> = new Set(['stat', 'lstat', 'scandir', 'access', 'realpath', 'readlink']);

function renderUnexpected({ name, face }: CallableTool, error: unknown): Rendered {
  const message = `${name} failed unexpectedly: ${messageOf(error)}. Call again; if it persists, report it.`;
  return face?.unexpected?.(message) ?? { isError: true, texts: [message] };
}
