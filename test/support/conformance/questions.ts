/** Questions that fixtures answer a call with, in the newer protocol, and what comes back with the next round. */
import { randomBytes } from 'node:crypto';
import {
  acceptedContent,
  createRequestStateCodec,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';

export type Call = ServerContext['mcpReq'];

export function form(message: string, name: string): InputRequest {
  const requestedSchema = {
    type: 'object' as const,
    properties: { [name]: { type: 'string' as const } },
    required: [name],
  };
  return inputRequired.elicit({ message, requestedSchema });
}

export const CONFIRMATION: InputRequest = inputRequired.elicit({
  message: 'Please confirm',
  requestedSchema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] },
});

export function sampling(prompt: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
    maxTokens: 100,
  });
}

/** With parameters, as in questions of the product. */
export const ROOTS: InputRequest = { method: 'roots/list', params: {} };

export function ask(inputRequests: Record<string, InputRequest>, requestState?: string): InputRequiredResult {
  return inputRequired({ inputRequests, ...(requestState === undefined ? {} : { requestState }) });
}

/** The text that the user wrote, or the question for it. */
export function askForText(
  { inputResponses }: Call,
  key: string,
  name: string,
  message: string,
): { readonly answer: string } | { readonly question: InputRequiredResult } {
  const given = acceptedContent(inputResponses, key)?.[name];
  return typeof given === 'string' ? { answer: given } : { question: ask({ [key]: form(message, name) }) };
}

export function hasAnswers({ inputResponses }: Call, keys: readonly string[]): boolean {
  return keys.every((key) => inputResponse(inputResponses, key).kind !== 'missing');
}

const codec = createRequestStateCodec<string>({ key: randomBytes(32) });

export const seal = (state: string): Promise<string> => codec.mint(state);

/** What was sealed; undefined in the first round. A state that was changed on its way is refused. */
export async function unsealed(context: ServerContext): Promise<string | undefined> {
  const state: unknown = context.mcpReq.requestState();
  if (state === undefined) return undefined;
  try {
    return await codec.verify(String(state), context);
  } catch (cause) {
    throw Object.assign(
      new ProtocolError(ProtocolErrorCode.InvalidParams, 'the request state is none of ours'),
      { cause },
    );
  }
}
