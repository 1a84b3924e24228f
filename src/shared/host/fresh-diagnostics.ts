/**
 * Diagnostics of the text that is on disk now, with the proof. A pull answer or a publication that names our version
 * is exact; a publication after our change followed by quiet is inferred; everything else is a timeout, never "clean".
 */
import {
  type Diagnostic,
  type DocumentDiagnosticReport,
  DocumentDiagnosticRequest,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../base/brand.ts';
import { FailureError } from '../base/failure.ts';
import type { Clock } from '../base/lifetime.ts';
import { pathToUri } from '../base/paths.ts';
import type { DiagnosticReport, Freshness } from '../server-link.ts';
import type { ServerInstance } from './server-instance.ts';

const MAX_PULLS = 5;

export interface FreshOptions {
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly clock: Clock;
}

export async function freshDiagnostics(
  instance: ServerInstance,
  file: AbsPath,
  options: FreshOptions,
): Promise<DiagnosticReport> {
  await instance.documents.syncAll([]);
  const { version } = await instance.documents.sync(file);
  const report = (freshness: Freshness, diagnostics: readonly Diagnostic[]) => ({
    file,
    version,
    freshness,
    diagnostics,
  });
  for (;;) {
    if (instance.offered.supports(DocumentDiagnosticRequest.method)) {
      return report({ kind: 'exact', proof: 'pull' }, await pull(instance, file, version, options));
    }
    const freshness = await published(instance, file, version, options);
    // Some servers register pulling some time after the handshake, and from then on publish nothing.
    if (freshness !== 'pull-offered')
      return report(freshness, instance.diagnostics.get(file)?.diagnostics ?? []);
  }
}

async function pull(
  instance: ServerInstance,
  file: AbsPath,
  version: number,
  { signal }: FreshOptions,
): Promise<readonly Diagnostic[]> {
  const textDocument = { uri: pathToUri(file) };
  for (let attempt = 1; ; attempt++) {
    const known = instance.diagnostics.get(file);
    const previous = known?.resultId === undefined ? {} : { previousResultId: known.resultId };
    try {
      const params = { textDocument, ...previous };
      const answer = (await instance.connection.request(DocumentDiagnosticRequest.method, params, {
        signal,
      })) as DocumentDiagnosticReport;
      if (answer.kind === 'unchanged') return known?.diagnostics ?? [];
      instance.diagnostics.pulled(file, answer.items, version, answer.resultId);
      return answer.items;
    } catch (error) {
      if (attempt >= MAX_PULLS || !mayAskAgain(error)) throw error;
    }
  }
}

/** The server was overtaken by a change or gave way to something else; asking again is what it expects. */
function mayAskAgain(error: unknown): boolean {
  if (!(error instanceof ResponseError)) return false;
  return error.code === LSPErrorCodes.ContentModified || error.code === LSPErrorCodes.ServerCancelled;
}

function published(
  instance: ServerInstance,
  file: AbsPath,
  version: number,
  { signal, deadline, clock }: FreshOptions,
): Promise<Freshness | 'pull-offered'> {
  const { diagnostics, quirks } = instance;
  const began = clock.now();
  return new Promise((resolve, reject) => {
    let quiet: Disposable | undefined;
    const settle = (freshness: Freshness | 'pull-offered') => {
      finish();
      resolve(freshness);
    };
    const judge = () => {
      quiet?.[Symbol.dispose]();
      if (!diagnostics.publishedSinceChange(file)) return;
      const stored = diagnostics.get(file);
      const named = stored?.version;
      if (named !== undefined && named < version) return;
      // Wait for what may follow: many servers publish syntax first and types later.
      const left = quirks.settleMs - (diagnostics.ageOf(file) ?? 0);
      quiet = clock.after(Math.max(0, left), () => {
        if (instance.readiness.state.kind === 'indexing') return judge();
        settle(
          named === version ? { kind: 'exact', proof: 'version' } : { kind: 'inferred', proof: 'quiet' },
        );
      });
    };
    const onPublish = diagnostics.onPublish((published) => {
      if (published === file) judge();
    });
    const onOffer = instance.onRegistrations(() => {
      if (instance.offered.supports(DocumentDiagnosticRequest.method)) settle('pull-offered');
    });
    const limit = clock.after(Math.max(0, deadline - began), () => {
      const lastKnownAgeMs = diagnostics.ageOf(file);
      const afterMs = Math.round(clock.now() - began);
      settle({ kind: 'timeout', afterMs, ...(lastKnownAgeMs === undefined ? {} : { lastKnownAgeMs }) });
    });
    const onAbort = () => {
      finish();
      reject(new FailureError({ kind: 'cancelled' }));
    };
    const finish = () => {
      onPublish[Symbol.dispose]();
      onOffer[Symbol.dispose]();
      limit[Symbol.dispose]();
      quiet?.[Symbol.dispose]();
      signal.removeEventListener('abort', onAbort);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    judge();
  });
}
