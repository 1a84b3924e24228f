/** Answers of the HTTP server that are none of MCP's, and the headers that all answers have. */
import type { ServerResponse } from 'node:http';
import { isObject } from '../../shared/base/unknown-value.ts';

export const EVERYWHERE = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } as const;

export interface Reply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

export function reply(response: ServerResponse, { status, body, headers = {} }: Reply): void {
  response.writeHead(status, { ...EVERYWHERE, 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** A refusal in the words of the protocol, so that clients show it. */
export function refused(
  status: number,
  code: number,
  message: string,
  { id = null, headers = {} }: { readonly id?: unknown; readonly headers?: Record<string, string> } = {},
): Response {
  return Response.json(errorBody(code, message, id), { status, headers });
}

export function errorBody(code: number, message: string, id: unknown = null): object {
  return { jsonrpc: '2.0', error: { code, message }, id };
}

export const CODES = {
  parseError: -32_700,
  invalidRequest: -32_600,
  refused: -32_000,
  noSession: -32_001,
  cancelled: -32_800,
};

/** How many requests a body brings: messages that want an answer. */
export function requestsIn(body: unknown): number {
  return requestIdsIn(body).length;
}

export function requestIdsIn(body: unknown): readonly unknown[] {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.flatMap((message) =>
    isObject(message) && message.method !== undefined && message.id !== undefined ? [message.id] : [],
  );
}

/** The id of a single request, which its refusal repeats. */
export function idOf(body: unknown): unknown {
  if (!isObject(body) || typeof body.method !== 'string') return null;
  return typeof body.id === 'string' || typeof body.id === 'number' ? body.id : null;
}
