/**
 * The bounds of one call: the caller's signal, its deadline, and the failure that the caller gets when either ends
 * the call.
 */
import { FailureError } from '../../base/failure.ts';
import type { Clock } from '../../base/lifetime.ts';
import type { CallOptions } from '../../link/server-link.ts';

export interface HostCallOptions extends CallOptions {
  /** Large results are handed on as RawJson (wire/raw-json.ts) instead of being parsed. */
  readonly raw?: boolean;
}

export type EndReason = 'cancelled' | 'timeout' | 'done';

export interface CallScope {
  /** What is being asked, in a form that is equal for equal questions. */
  readonly label: string;
  readonly signal: AbortSignal;
  /** On the clock that the scope was opened with. */
  readonly deadline: number;
  onEnd(listener: (reason: EndReason) => void): void;
  /** Turns the bare cancellation that a deadline causes into a timeout that says what was waited for. */
  explain(error: unknown, state: string): unknown;
  end(): void;
}

export interface ScopeOptions extends CallOptions {
  /** What it is about, if that is not the first of its documents. */
  readonly subject?: string;
}

export function openCallScope(
  method: string,
  options: ScopeOptions,
  defaultMs: number,
  clock: Clock,
): CallScope {
  const timeoutMs = options.timeoutMs ?? defaultMs;
  const controller = new AbortController();
  const listeners: ((reason: EndReason) => void)[] = [];
  let ended: EndReason | undefined;
  const finish = (reason: EndReason) => {
    if (ended) return;
    ended = reason;
    timer[Symbol.dispose]();
    options.signal?.removeEventListener('abort', onAbort);
    if (reason !== 'done') controller.abort();
    for (const listener of listeners) listener(reason);
  };
  const onAbort = () => finish('cancelled');
  const timer = clock.after(timeoutMs, () => finish('timeout'));
  options.signal?.addEventListener('abort', onAbort, { once: true });
  if (options.signal?.aborted) finish('cancelled');
  return {
    label: [method, options.subject ?? options.documents?.[0] ?? []].flat().join(' '),
    signal: controller.signal,
    deadline: clock.now() + timeoutMs,
    onEnd(listener) {
      if (ended) listener(ended);
      else listeners.push(listener);
    },
    explain(error, state) {
      if (ended !== 'timeout') return error;
      return new FailureError({ kind: 'timeout', what: method, afterMs: timeoutMs, state }, { cause: error });
    },
    end: () => finish('done'),
  };
}
