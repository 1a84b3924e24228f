/** Every failure as one line for an agent: what is wrong, then what to do next. */
import type { Failure } from '../../shared/base/failure.ts';
import type { OutputFormat } from '../../shared/config/choices.ts';
import type { Rendered } from './answer.ts';
import { oneLine } from './budget.ts';
import { leftSentences } from './files-left.ts';

/** `search` is a command that finds the same thing in the text, for when there is no server to ask. */
export function failureSentence(failure: Failure, search?: string): string {
  const { problem, next } = failureWords(failure, search);
  return `${[problem, ...next].map(trimmed).join('. ')}.`.replaceAll(/\?\.(?= |$)/g, '?');
}

/** What is wrong, for a part of a sentence that does not say what to do next. */
export function problemOf(failure: Failure): string {
  return trimmed(failureWords(failure).problem);
}

interface FailureWords {
  readonly problem: string;
  /** What happened to files, and what to do. */
  readonly next: readonly string[];
}

function failureWords(failure: Failure, search = 'search the text instead'): FailureWords {
  switch (failure.kind) {
    case 'invalid-input':
      return words(failure.message, failure.next);
    case 'not-permitted':
      return words(failure.reason, failure.next);
    case 'phase-violation':
      return words(`Phase violation: ${failure.reason}`, `Recovery: ${failure.recovery}`);
    case 'outside-roots':
      return words(
        `${failure.path} is outside the workspace roots (${failure.roots.join(', ')})`,
        'Use a path inside them, or start agent-lsp with -r <directory> or AGENT_LSP_ALLOWED_PATHS',
      );
    case 'no-such-file':
      return words(`${failure.path} does not exist`, 'Check the path; relative paths start at the root');
    case 'not-a-text-file':
      return notText(failure);
    case 'unknown-language':
      return words(
        failure.language === undefined
          ? `no language server is known for ${failure.path}`
          : `language ${JSON.stringify(failure.language)} is not known`,
        `Pass language_id (one of ${failure.known.join(', ')}), or configure a server for it with --config`,
      );
    case 'server-missing':
      return words(
        `${failure.command}, the language server for ${failure.language}, was not found`,
        `Install it with: ${failure.install}`,
        `Until then: ${search}`,
      );
    case 'server-disabled':
      return words(
        `${failure.language} is switched off in ${failure.origin}`,
        'Remove "disabled" there to use its server',
        `Until then: ${search}`,
      );
    case 'program-missing':
      return words(
        `${failure.program}, needed for ${failure.wantedFor}, was not found`,
        `Make it available: ${failure.install}`,
      );
    case 'program-failed':
      return words(
        `${failure.program} failed: ${failure.reason}${tail(failure.output, 'output')}`,
        'Correct that and call again',
      );
    case 'unreadable-output':
      return words(
        `what ${failure.program} printed cannot be read${tail(failure.output, 'output')}`,
        `Run it yourself to see why; another version of it may help`,
      );
    case 'server-failed':
      return words(
        `${failure.server} cannot be used: ${failure.reason}${tail(failure.stderr)}`,
        'Correct that and call restart_lsp_server; agent-lsp doctor checks the installation',
        `Until then: ${search}`,
      );
    case 'server-crashed':
      return words(
        `${failure.server} crashed during this call: ${failure.reason}${tail(failure.stderr)}`,
        'It starts again by itself: call again',
      );
    case 'server-error':
      return words(
        `${failure.server} answered ${failure.method} with error ${failure.code}: ${oneLine(failure.message, 400)}`,
        'Check the position; if it persists, call restart_lsp_server',
      );
    case 'left-out':
      return words(
        `${failure.path} is ${failure.where}: ${failure.server} has not looked at anything in it`,
        failure.next,
      );
    case 'unsupported':
      return words(
        `${failure.server} does not support ${failure.method}`,
        failure.next ?? 'get_server_capabilities lists the tools that work here',
      );
    case 'timeout':
      return words(
        `${failure.what} took longer than ${seconds(failure.afterMs)} s (server: ${failure.state})`,
        failure.next ?? 'Call again: the server goes on working meanwhile',
      );
    case 'still-working':
      return failure.unasked
        ? words(
            `${failure.server} is still loading what ${failure.method} needs after ${seconds(failure.afterMs)} s`,
            'Call again in 2 s: it goes on with that',
          )
        : words(
            `${failure.server} has not answered ${failure.method} after ${seconds(failure.afterMs)} s and goes on with it`,
            'Call again in 2 s: what it finds meanwhile is kept for the same question',
          );
    case 'cancelled':
      return words('the call was cancelled', 'Call again if the answer is still wanted');
    case 'result-too-large':
      return words(
        `${failure.what} has a result of ${failure.bytes} bytes, which is too much`,
        'Ask for something narrower',
      );
    case 'draining':
      return words('the shared server is just being replaced', 'Call again');
    case 'broker-unavailable':
      return words(
        `the shared server cannot be reached: ${failure.reason}${failure.log === undefined ? '' : ` (log: ${failure.log})`}`,
        'Call again, or start agent-lsp with --daemon never',
      );
    case 'connection-lost':
      return words(`the connection was lost during ${failure.what}`, 'Call again');
    case 'overloaded':
      return words(
        `too much at once: ${failure.what}`,
        'Call again in a few seconds, with fewer calls at a time',
      );
    case 'base-changed':
      return words(
        `${failure.path} has changed since`,
        ...leftSentences(failure.left),
        'Compute the edit again from the file as it is now',
      );
    case 'write-refused':
      return words(
        `${failure.path} may not be written: ${failure.reason}`,
        'Leave it out of the edit, or change it yourself',
      );
    case 'edit-invalid':
      return words(
        `the edit cannot be applied to ${failure.path}: ${failure.reason}`,
        'Nothing was written. Compute the edit again',
      );
    case 'edit-not-applied':
      return notApplied(failure);
    case 'speculation-refused':
      return words(
        `${failure.server} cannot try out text: ${failure.reason}`,
        'Edit the file and call get_diagnostics',
      );
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}

/** The machine-readable name of a failure. */
export function errorCode(failure: Failure): string {
  return failure.kind.replaceAll('-', '_');
}

/** Data comes with it only where the client takes data. */
export function renderFailure(failure: Failure, format: OutputFormat = 'text', search?: string): Rendered {
  const message = failureSentence(failure, search);
  const failed = { isError: true, failure: failure.kind, texts: [message] };
  if (format === 'text') return failed;
  const retryMs = retryAfter(failure);
  const structured = {
    status: 'error',
    error_code: errorCode(failure),
    recoverable: retryMs !== undefined,
    message,
    ...(retryMs === undefined ? {} : { retry_after_ms: retryMs }),
  };
  if (failure.kind !== 'phase-violation') return { ...failed, structured };
  // A program that keeps the order itself goes on from these fields; it finds them in a text of their own, too.
  const { tool, skill, phase, reason, recovery } = failure;
  const violation = { error: errorCode(failure), tool, skill, current_phase: phase, reason, recovery };
  const texts = [message, JSON.stringify(violation)];
  return { ...failed, texts, structured: { ...structured, ...violation } };
}

/** Servers are back, brokers replaced and queues shorter after about this time. */
const RETRY_MS = 1_000;

/** When the same call may succeed; undefined when something has to be changed first. */
export function retryAfter(failure: Failure): number | undefined {
  return isRecoverable(failure) ? RETRY_MS : undefined;
}

/** Whether the same call may succeed later though nothing is changed. */
export function isRecoverable(failure: Failure): boolean {
  switch (failure.kind) {
    case 'server-crashed':
    case 'timeout':
    case 'still-working':
    case 'cancelled':
    case 'draining':
    case 'broker-unavailable':
    case 'connection-lost':
    case 'overloaded':
    case 'base-changed':
      return true;
    default:
      return false;
  }
}

function notText(failure: Extract<Failure, { kind: 'not-a-text-file' }>): FailureWords {
  switch (failure.reason) {
    case 'directory':
      return words(`${failure.path} is a directory`, 'Pass the path of a file in it');
    case 'binary':
      return words(`${failure.path} is a binary file`, 'Pass the path of a source file');
    case 'too-large':
      return words(`${failure.path} is too large to be looked at`, 'Pass the path of a smaller source file');
    case 'forbidden':
      return words(
        `${failure.path} could not be read: permission denied`,
        'Give this user permission to read it, or leave it out',
      );
    case 'unreadable':
      return words(`${failure.path} cannot be read`, 'Check its permissions');
  }
}

function notApplied({ path, reason, left }: Extract<Failure, { kind: 'edit-not-applied' }>): FailureWords {
  const isUnfinished = left.state === 'compared' && left.isUnfinished;
  return words(
    `the edit failed at ${path}: ${reason}`,
    ...(left.state === 'untouched' ? ['Nothing was written'] : []),
    ...leftSentences(left),
    isUnfinished
      ? 'Correct that and call any tool that edits: what is left is taken back first'
      : 'Correct that and apply it again',
  );
}

/** What a program said last, and of a stack trace its cause: the frames tell those something who have its source. */
function tail(printed: string, where = 'stderr'): string {
  const lines = printed.trim().split('\n');
  const said = lines.filter((line) => !FRAME.test(line));
  const cause = said.findLastIndex((line) => CAUSE.test(line));
  const chosen = cause < 0 ? said.slice(-3) : said.slice(cause, cause + 2);
  const shown = oneLine((chosen.length > 0 ? chosen : lines.slice(-3)).join(' | '), 300);
  return shown === '' ? '' : ` (${where}: ${shown})`;
}

/** Of V8, Python, Go, Rust and the JVM, with the lines that only frame them. */
const FRAME =
  /^\s*(?:at\s|File "|\d+: |goroutine \d|\t|\^+\s*$|Node\.js v\d|note: run with|Traceback |stack backtrace|$)|^\S+\.go:\d+ \+0x/;
const CAUSE =
  /^(?:Uncaught )?\S*(?:Error|Exception)\b.*:|^(?:panic|fatal error|FATAL ERROR)\b|\bpanicked at\b|out of memory/;

function words(problem: string, ...next: readonly string[]): FailureWords {
  return { problem, next };
}

function trimmed(sentence: string): string {
  return oneLine(sentence, 1_200).replace(/(?<=\S)\.$/, '');
}
