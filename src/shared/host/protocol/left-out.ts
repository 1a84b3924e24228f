/**
 * A server may be asked about a file that belongs to nothing it builds, and then answers with an error that reads
 * like a fault. This file turns it into a failure of its own kind, which says that the server did not look at the
 * file, and why.
 */
import { ResponseError } from 'vscode-languageserver-protocol';
import { FailureError } from '../../base/failure.ts';
import { uriToPath } from '../../base/paths.ts';
import type { ServerState } from '../../link/server-link.ts';
import type { SpokenServer } from './spoken-server.ts';

interface Asked extends Pick<SpokenServer, 'quirks' | 'facts'> {
  readonly readiness: { readonly state: ServerState };
}

/** What was thrown, or in its place that the file is left out. */
export function orLeftOut({ quirks: { leftOut }, facts, readiness }: Asked, error: unknown): unknown {
  if (!leftOut || !(error instanceof ResponseError)) return error;
  // A server that could not load its workspace leaves out all of it, for that reason.
  if (readiness.state.kind === 'degraded') return error;
  const uri = leftOut.words.exec(error.message)?.[1];
  const path = uri === undefined ? undefined : uriToPath(uri);
  if (path === undefined) return error;
  const { where, next } = leftOut;
  return new FailureError(
    { kind: 'left-out', server: facts.serverName, path, where, next },
    { cause: error },
  );
}
