/**
 * One tool call from its arguments to what is shown: the deadline, the notices of links, and the one place where
 * failures become text. MCP and the command line both come through here.
 */
import { setMaxListeners } from 'node:events';
import { FailureError, failureOf, messageOf } from '../shared/base/failure.ts';
import { withTimeout } from '../shared/base/lifetime.ts';
import { describeState } from '../shared/describe-state.ts';
import type { ServerLink } from '../shared/server-link.ts';
import { type Outcome, type OutputFormat, type Rendered, renderAnswer } from './render/answer.ts';
import { renderFailure } from './render/failure.ts';
import { searchSuggestion } from './search-suggestion.ts';
import type { Session } from './session.ts';
import type { ToolContext } from './tool-context.ts';

/** A tool, or something else that is asked for in the same way. */
export interface CallableTool {
  readonly name: string;
  /** Fails when the arguments cannot be understood. */
  prepare(args: unknown): {
    readonly limitMs: number | undefined;
    run(context: ToolContext): Promise<Outcome>;
  };
}

export interface CallRequest {
  readonly tool: CallableTool;
  readonly tools: ToolContext['tools'];
  readonly args: unknown;
  readonly signal: AbortSignal;
  readonly output: OutputFormat;
  /** Told of each server that the call comes to use, so that its progress can be shown. */
  readonly watch?: (link: ServerLink) => void;
  /** Told what a long call is at. */
  readonly report?: (message: string) => void;
}

const SLOW_MS = 5_000;

export async function callTool(session: Session, request: CallRequest): Promise<Rendered> {
  const { tool, args } = request;
  const startedAt = session.clock.now();
  const used = new Set<ServerLink>();
  try {
    const answer = await withDeadline(session, request, used);
    return renderAnswer(withNotices(answer, used), request.output);
  } catch (error) {
    const failure = failureOf(error);
    if (failure) {
      const needsSearch = ['server-missing', 'server-failed', 'server-disabled'].includes(failure.kind);
      const search = needsSearch ? await searchSuggestion(args, session.roots, session.files) : undefined;
      return renderFailure(failure, request.output, search);
    }
    session.log.error('tool call failed unexpectedly', { tool: tool.name, error: stackOf(error) });
    return renderUnexpected(tool.name, error);
  } finally {
    const ms = Math.round(session.clock.now() - startedAt);
    session.log[ms > SLOW_MS ? 'warn' : 'debug']('tool call', { tool: tool.name, ms });
  }
}

/** Ends the call at its deadline whatever it waits for; what it waits for is cancelled, too. */
async function withDeadline(session: Session, request: CallRequest, used: Set<ServerLink>): Promise<Outcome> {
  const { clock } = session;
  const { limitMs = session.config.callTimeoutMs, run } = request.tool.prepare(request.args);
  const end = new AbortController();
  // Some tools ask many questions at once, each of which listens.
  setMaxListeners(0, end.signal);
  const cancel = () => end.abort();
  if (request.signal.aborted) cancel();
  request.signal.addEventListener('abort', cancel, { once: true });
  const context = session.context({
    signal: end.signal,
    deadlineAt: clock.now() + limitMs,
    tools: request.tools,
    watch: (link) => {
      used.add(link);
      request.watch?.(link);
    },
    report: (message) => request.report?.(message),
  });
  return withTimeout(
    run(context),
    limitMs,
    () => {
      cancel();
      const state = [...used].map((link) => `${link.language} ${describeState(link.state)}`).join(', ');
      throw new FailureError({
        kind: 'timeout',
        what: request.tool.name,
        afterMs: limitMs,
        state: state || 'none yet',
      });
    },
    clock,
  );
}

function withNotices(answer: Outcome, used: ReadonlySet<ServerLink>): Outcome {
  const notices = [...used].flatMap((link) => link.notice ?? []);
  return notices.length === 0 ? answer : { ...answer, notes: [...(answer.notes ?? []), ...notices] };
}

function renderUnexpected(tool: string, error: unknown): Rendered {
  const message = `${tool} failed unexpectedly: ${messageOf(error)}. Call again; if it persists, report it.`;
  return { isError: true, texts: [message] };
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
