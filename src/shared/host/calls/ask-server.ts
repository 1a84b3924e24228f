/**
 * Sends one request to a server process, after the server has been told of the files as they are on disk now.
 * Decision: docs/decisions/host.md#patience
 */

import { FailureError } from '../../base/failure.ts';
import type { Clock, Limit } from '../../base/lifetime.ts';
import type { DiagnosedServer } from '../diagnostics/diagnosed-server.ts';
import { askedOfEngine } from '../diagnostics/engine-answers.ts';
import { orLeftOut } from '../protocol/left-out.ts';
import { withWorkDoneToken } from '../protocol/work-done-token.ts';
import type { HostCallOptions } from './call-scope.ts';
import type { SharedQuestions } from './shared-questions.ts';

interface PatienceOptions {
  readonly patienceMs?: number | undefined;
  readonly clock: Clock;
  /** When the call came. */
  readonly since: number;
}

export async function askServer(
  instance: DiagnosedServer & { readonly questions: SharedQuestions },
  method: string,
  params: unknown,
  options: HostCallOptions & PatienceOptions & { readonly signal: AbortSignal },
): Promise<unknown> {
  const { connection, documents, questions, quirks, watchedFiles } = instance;
  const { signal, raw = false, whenReady: spansFiles = false, idempotent = true } = options;
  await watchedFiles.catchUp({ spansFiles, fileList: spansFiles });
  await documents.syncAll(options.documents ?? []);
  const patience = patienceOf(instance, method, options);
  const sent = withWorkDoneToken(quirks, method, params);
  const plainly = (until: AbortSignal) => connection.request(method, sent, { signal: until });
  const send =
    askedOfEngine(instance, method, params, plainly) ??
    ((until: AbortSignal) => connection.request(method, sent, { signal: until, raw }));
  // Only what takes long is worth it, only what is passed on unchanged or copied can have several owners, and only of a
  // server that is told of every change is it known that nothing has changed.
  const isShared = (patience !== undefined || (spansFiles && raw)) && idempotent && watchedFiles.seesAll;
  const question = { told: connection.told, question: JSON.stringify([method, params, raw]) };
  const asked = isShared
    ? questions.ask(question, signal, send, patience).then(raw ? (answer) => answer : structuredClone)
    : send(signal);
  return asked.catch((error: unknown) => Promise.reject(orLeftOut(instance, error)));
}

/** When the caller comes back later instead of waiting on: what the call has waited for already counts. */
export function patienceOf(
  { facts }: Pick<DiagnosedServer, 'facts'>,
  method: string,
  { patienceMs, clock, since }: PatienceOptions,
  more: { readonly unasked?: true } = {},
): Limit | undefined {
  if (patienceMs === undefined) return undefined;
  const { serverName: server } = facts;
  const failure = { kind: 'still-working', server, method, afterMs: patienceMs, ...more } as const;
  const ms = Math.max(0, patienceMs - (clock.now() - since));
  return { ms, clock, failure: () => new FailureError(failure) };
}
