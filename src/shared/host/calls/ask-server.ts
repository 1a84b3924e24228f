/** Sends one request to a server process, after the server has been told of the files as they are on disk now. */

import type { DiagnosedServer } from '../diagnostics/diagnosed-server.ts';
import { askedOfEngine } from '../diagnostics/engine-answers.ts';
import { orLeftOut } from '../protocol/left-out.ts';
import { withWorkDoneToken } from '../protocol/work-done-token.ts';
import type { HostCallOptions } from './call-scope.ts';
import type { SharedQuestions } from './shared-questions.ts';

export async function askServer(
  instance: DiagnosedServer & { readonly questions: SharedQuestions },
  method: string,
  params: unknown,
  options: HostCallOptions & { readonly signal: AbortSignal },
): Promise<unknown> {
  const { connection, documents, questions, quirks, watchedFiles } = instance;
  const { signal, raw = false, whenReady: spansFiles = false, idempotent = true } = options;
  await watchedFiles.catchUp({ spansFiles, fileList: spansFiles });
  await documents.syncAll(options.documents ?? []);
  const sent = withWorkDoneToken(quirks, method, params);
  const plainly = (until: AbortSignal) => connection.request(method, sent, { signal: until });
  const send =
    askedOfEngine(instance, method, params, plainly) ??
    ((until: AbortSignal) => connection.request(method, sent, { signal: until, raw }));
  // Only what takes long is worth it, only what is passed on unchanged can have several owners, and only of a server
  // that is told of every change is it known that nothing has changed.
  const asked =
    !spansFiles || !raw || !idempotent || !watchedFiles.seesAll
      ? send(signal)
      : questions.ask(JSON.stringify([connection.told, method, params]), signal, send);
  return asked.catch((error: unknown) => Promise.reject(orLeftOut(instance, error)));
}
