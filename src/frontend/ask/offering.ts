/** Whether a server has the method that a question is asked by. */
import { fail } from '../../shared/base/failure.ts';
import type { ServerFacts, ServerLink } from '../../shared/link/server-link.ts';
import type { ToolContext } from '../tools/context.ts';

/** The server's facts, or a failure when it does not have the method. */
export async function offering(context: ToolContext, link: ServerLink, method: string): Promise<ServerFacts> {
  const facts = await context.facts.offering(link, method, context.during());
  if (!facts.methods.includes(method)) fail({ kind: 'unsupported', server: facts.serverName, method });
  return facts;
}
