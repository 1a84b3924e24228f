/**
 * Answers the older handshake before the SDK is loaded. Loading it takes longer than starting Node, and a client can
 * use that time if it has its answer. The SDK still sees the message and goes through its own handshake; only its
 * answer, which a test holds to be the same, is not sent again. Anything unusual is left to the SDK alone.
 */
import type { Readable, Writable } from 'node:stream';
import { systemClock } from '../../../shared/base/lifetime.ts';
import { isObject } from '../../../shared/base/unknown-value.ts';
import type { ToolProfile } from '../../../shared/config/choices.ts';
import { CAPABILITIES, SERVER_INFO } from '../identity.ts';
import { instructionsFor } from '../instructions.ts';
import { profileFor } from '../tool-set.ts';

/** The protocol versions that begin with `initialize`; newer ones begin otherwise. */
export const HANDSHAKE_VERSIONS: readonly string[] = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
];

export type RequestId = string | number;

/** A client that is not there by then gains nothing; the SDK is loaded meanwhile. */
const PATIENCE_MS = 20;

/** The id of the handshake that was answered, if one was. The input is left as it was found. */
export async function answerEarly(
  input: Readable,
  output: Writable,
  configured: ToolProfile | undefined,
): Promise<RequestId | undefined> {
  const chunk = await firstChunk(input);
  if (chunk === undefined) return undefined;
  input.unshift(chunk);
  const end = chunk.indexOf('\n');
  const handshake = end < 0 ? undefined : handshakeIn(chunk.toString('utf8', 0, end));
  if (!handshake) return undefined;
  const { id, protocolVersion, client } = handshake;
  const result = {
    protocolVersion,
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: instructionsFor(configured && profileFor(configured, client)),
  };
  output.write(`${JSON.stringify({ result, jsonrpc: '2.0', id })}\n`);
  return id;
}

function firstChunk(input: Readable): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    const settle = () => {
      input.off('readable', settle);
      timer[Symbol.dispose]();
      const chunk: unknown = input.read();
      resolve(Buffer.isBuffer(chunk) ? chunk : undefined);
    };
    const timer = systemClock.after(PATIENCE_MS, settle);
    input.on('readable', settle);
  });
}

interface Handshake {
  readonly id: RequestId;
  readonly protocolVersion: string;
  /** What the client calls itself. */
  readonly client: string;
}

/** Only what is beyond doubt: a well-formed request for a version that is known. */
export function handshakeIn(line: string): Handshake | undefined {
  const message = parsed(line);
  if (!isObject(message) || message.jsonrpc !== '2.0' || message.method !== 'initialize') return undefined;
  const { id, params } = message;
  if (typeof id !== 'string' && (typeof id !== 'number' || !Number.isInteger(id))) return undefined;
  if (!isObject(params) || '_meta' in params) return undefined;
  const { protocolVersion, capabilities, clientInfo } = params;
  if (typeof protocolVersion !== 'string' || !HANDSHAKE_VERSIONS.includes(protocolVersion)) return undefined;
  if (!isObject(capabilities) || !Object.values(capabilities).every(isObject)) return undefined;
  if (!isObject(clientInfo) || typeof clientInfo.name !== 'string' || typeof clientInfo.version !== 'string')
    return undefined;
  return { id, protocolVersion, client: clientInfo.name };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
