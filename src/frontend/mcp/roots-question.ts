/**
 * Roots of a client of the newer protocol, which cannot be asked at any time: a call is answered by a result that wants
 * input, and comes again with the list. It does not tell of changes, so a path outside the roots is a reason to ask again.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ClientRoots } from './client-roots.ts';

type Call = ServerContext['mcpReq'];

const QUESTION = 'roots';

/** Takes the list that a call brings, or says that it is wanted first. */
export function rootsBefore(call: Call, roots: ClientRoots): InputRequiredResult | undefined {
  const answer = inputResponse(call.inputResponses, QUESTION);
  if (answer.kind === 'roots') roots.take(answer.roots);
  else if (!roots.areKnown && canBeAsked(call)) return question();
  return undefined;
}

export function rootsAgain(call: Call): InputRequiredResult | undefined {
  const wasAsked = inputResponse(call.inputResponses, QUESTION).kind === 'roots';
  return !wasAsked && canBeAsked(call) ? question() : undefined;
}

/** With parameters, though there are none: clients made with the Go SDK cannot read a question without them. */
function question(): InputRequiredResult {
  return inputRequired({ inputRequests: { [QUESTION]: { method: 'roots/list', params: {} } } });
}

function canBeAsked({ envelope }: Call): boolean {
  return Object(Object(envelope)[CLIENT_CAPABILITIES_META_KEY]).roots !== undefined;
}
