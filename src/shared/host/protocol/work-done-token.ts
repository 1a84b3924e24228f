/**
 * A progress token that comes with a request, for servers that would otherwise ask for one and wait before they begin
 * to work.
 */
import { randomUUID } from 'node:crypto';
import type { Quirks } from './quirks.ts';

/** The parameters of a request, with a token of its own where the server wants one. What it reports there nobody reads. */
export function withWorkDoneToken({ asksForProgress }: Quirks, method: string, params: unknown): unknown {
  if (!asksForProgress.includes(method) || typeof params !== 'object') return params;
  return { ...params, workDoneToken: `agent-lsp/${randomUUID()}` };
}
