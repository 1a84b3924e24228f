/** The JSON-RPC messages of both edges, told apart once, here. */
import type { Message } from 'vscode-jsonrpc';
import type { Parts } from './parts.ts';
import type { RawResponse } from './raw-json.ts';

export type MessageId = number | string;

export interface RequestMessage extends Message {
  readonly id: MessageId;
  readonly method: string;
  readonly params?: unknown;
}

export interface NotificationMessage extends Message {
  readonly method: string;
  readonly params?: unknown;
}

export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface ResponseMessage extends Message {
  readonly id: MessageId | null;
  readonly result?: unknown;
  readonly error?: ErrorObject;
}

/** A large response whose result was not parsed. */
export interface RawResponseMessage extends Message {
  readonly raw: RawResponse;
  readonly body: Parts;
}

/** The place of a response that was longer than the cap: its id, if it could be found. */
export interface OversizeMessage extends Message {
  readonly oversizeBytes: number;
  readonly id: number | undefined;
}

export type WireMessage =
  | { kind: 'request'; message: RequestMessage }
  | { kind: 'notification'; message: NotificationMessage }
  | { kind: 'response'; message: ResponseMessage }
  | { kind: 'raw-response'; message: RawResponseMessage }
  | { kind: 'oversize'; message: OversizeMessage }
  | { kind: 'invalid' };

export function classify(message: Message): WireMessage {
  if ('raw' in message) return { kind: 'raw-response', message: message as RawResponseMessage };
  if ('oversizeBytes' in message) return { kind: 'oversize', message: message as OversizeMessage };
  const candidate = message as Partial<RequestMessage & ResponseMessage>;
  const hasId = typeof candidate.id === 'number' || typeof candidate.id === 'string';
  if (typeof candidate.method === 'string') {
    return hasId
      ? { kind: 'request', message: message as RequestMessage }
      : { kind: 'notification', message: message as NotificationMessage };
  }
  if (hasId || candidate.id === null) return { kind: 'response', message: message as ResponseMessage };
  return { kind: 'invalid' };
}
