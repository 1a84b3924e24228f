/** Questions to the user of a client that began with `initialize`: it can be sent a request at any time. */
import type { ServerContext } from '@modelcontextprotocol/server';
import { FailureError, messageOf } from '../../shared/base/failure.ts';
import type { Log } from '../../shared/base/log.ts';
import { fieldOf } from '../../shared/base/unknown-value.ts';
import type { AskUser, UserAnswer } from '../access/call-permission.ts';

/** A person may be away for a while; the client may ask him again after that. */
export const PATIENCE_MS = 10 * 60_000;

/** Nothing is to be filled in: the client's own buttons say yes or no. */
export function form(message: string) {
  return { message, requestedSchema: { type: 'object' as const, properties: {} } };
}

/** Whether a client that has these capabilities shows forms; older ones that do declare no kind of question. */
export function showsForms(capabilities: unknown): boolean {
  const elicitation = fieldOf(capabilities, 'elicitation');
  if (typeof elicitation !== 'object' || elicitation === null) return false;
  return 'form' in elicitation || !('url' in elicitation);
}

/** For a client that shows forms. The question belongs to the call: over HTTP it comes on the stream of its answer. */
export function askThrough(call: ServerContext['mcpReq'], log: Log): AskUser {
  return async (question, signal) => {
    try {
      const request = { method: 'elicitation/create', params: form(question) } as const;
      return meaningOf(await call.send(request, { signal, timeout: PATIENCE_MS }));
    } catch (error) {
      if (signal.aborted) throw new FailureError({ kind: 'cancelled' }, { cause: error });
      log.debug('asking the user failed', { message: messageOf(error) });
      return 'cannot-ask';
    }
  };
}

/** Anything but an explicit yes is a no. */
export function meaningOf(answer: unknown): UserAnswer {
  return fieldOf(answer, 'action') === 'accept' ? 'accepted' : 'declined';
}
