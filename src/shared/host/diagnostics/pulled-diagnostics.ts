/**
 * Diagnostics that a server gives when the host asks for them. The host asks after it has sent the text, so the
 * answer is about that text; the host only has to make sure that an answer "unchanged" refers to a report that it
 * still holds.
 */
import {
  type Diagnostic,
  type DiagnosticOptions,
  type DocumentDiagnosticReport,
  DocumentDiagnosticRequest,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../base/brand.ts';
import { FailureError } from '../../base/failure.ts';
import type { Clock } from '../../base/lifetime.ts';
import { pathToUri, uriToPath } from '../../base/paths.ts';
import { askAgain, wasOvertaken } from '../protocol/ask-again.ts';
import type { DiagnosedServer } from './diagnosed-server.ts';
import type { PulledDiagnostics } from './diagnostics-store.ts';

type Puller = Pick<DiagnosedServer, 'connection' | 'diagnostics' | 'offered' | 'facts'>;
type FileReport =
  | DocumentDiagnosticReport
  | NonNullable<DocumentDiagnosticReport['relatedDocuments']>[string];

interface Bounds {
  readonly signal: AbortSignal;
  readonly deadline: number;
  readonly clock: Clock;
}

/** How often a server may say that its answer has become old before the answer is taken as it is. */
const MAX_REFRESHES = 3;

export function canPull({ offered }: Puller): boolean {
  return offered.supports(DocumentDiagnosticRequest.method);
}

/** What the server says about one file now, from all of its sources. */
export async function pullDiagnostics(
  server: Puller,
  file: AbsPath,
  bounds: Bounds,
): Promise<readonly Diagnostic[]> {
  for (let attempt = 1; ; attempt++) {
    const { refreshes } = server.diagnostics;
    const parts = providersOf(server).map((provider) => pullFrom(server, provider, file, bounds));
    const diagnostics = (await Promise.all(parts)).flat();
    if (server.diagnostics.refreshes === refreshes || attempt >= MAX_REFRESHES) return diagnostics;
  }
}

async function pullFrom(
  server: Puller,
  { identifier }: DiagnosticOptions,
  file: AbsPath,
  bounds: Bounds,
): Promise<readonly Diagnostic[]> {
  const store = server.diagnostics;
  const name = identifier ?? '';
  const ask = async (held: PulledDiagnostics | undefined) => {
    const params = {
      textDocument: { uri: pathToUri(file) },
      ...identified(identifier),
      ...(held?.resultId === undefined ? {} : { previousResultId: held.resultId }),
    };
    const answer = (await persistently(
      server,
      DocumentDiagnosticRequest.method,
      params,
      bounds,
    )) as DocumentDiagnosticReport;
    for (const [uri, related] of Object.entries(answer.relatedDocuments ?? {})) {
      const other = uriToPath(uri);
      if (other !== undefined && other !== file)
        keep(server, other, name, related, store.pulled(other, name));
    }
    return keep(server, file, name, answer, held);
  };
  const held = store.pulled(file, name);
  const diagnostics =
    (await ask(held?.resultId === undefined || held.old ? undefined : held)) ?? (await ask(undefined));
  if (diagnostics) return diagnostics;
  const { serverName } = server.facts;
  const message = 'it answers that nothing has changed, but was not told what was known';
  throw new FailureError({
    kind: 'server-error',
    server: serverName,
    method: DocumentDiagnosticRequest.method,
    code: LSPErrorCodes.RequestFailed,
    message,
  });
}

/** Stores a report; undefined when it refers to something that is not held, so that nothing is known from it. */
function keep(
  { diagnostics: store }: Puller,
  file: AbsPath,
  provider: string,
  report: FileReport,
  held: PulledDiagnostics | undefined,
): readonly Diagnostic[] | undefined {
  // Some servers leave the kind of a full report out.
  if (report.kind !== 'unchanged') {
    store.storePulled(file, provider, report.items, report.resultId);
    return report.items;
  }
  if (held?.resultId === undefined) return undefined;
  store.storePulled(file, provider, held.diagnostics, report.resultId);
  return held.diagnostics;
}

/** A server may have several sources of diagnostics, each with a name to be asked by. */
function providersOf({ offered, facts }: Puller): readonly DiagnosticOptions[] {
  const own = facts.capabilities.diagnosticProvider;
  const registered = offered
    .registrationsOf(DocumentDiagnosticRequest.method)
    .map(({ registerOptions }) => (registerOptions ?? PLAIN) as DiagnosticOptions);
  const named = new Map(
    [...(own ? [own] : []), ...registered].map((options) => [options.identifier, options]),
  );
  return named.size > 0 ? [...named.values()] : [PLAIN];
}

const PLAIN: DiagnosticOptions = { interFileDependencies: true, workspaceDiagnostics: false };

function identified(identifier: string | undefined): { identifier?: string } {
  return identifier === undefined ? {} : { identifier };
}

/**
 * The server was overtaken by a change or gave way to something else; asking again is what it expects. At the deadline
 * it fails with `timeout`.
 */
async function persistently(
  { connection }: Puller,
  method: string,
  params: object,
  { signal, deadline, clock }: Bounds,
): Promise<unknown> {
  return askAgain({ signal, clock, isWorthIt }, () => {
    const ms = Math.max(0, deadline - clock.now());
    const failure = () =>
      new FailureError({ kind: 'timeout', what: method, afterMs: Math.round(ms), state: 'asked' });
    return connection.request(method, params, { signal, limit: { ms, clock, failure } });
  });
}

function isWorthIt(error: unknown): boolean {
  if (!(error instanceof ResponseError)) return false;
  // An error without a code is what gopls has to say of a file whose package it is about to load.
  if (wasOvertaken(error) || error.code === 0) return true;
  const data = error.data as { retriggerRequest?: boolean } | undefined;
  return error.code === LSPErrorCodes.ServerCancelled && data?.retriggerRequest !== false;
}
