/**
 * A client that asks what the server is before it knows a protocol may leave out which one it speaks. The SDK takes such
 * a question for one of the older protocols, which do not have it, and the client would take the refusal for the answer
 * of an older server. It does not settle which protocol the session has: `initialize` may still follow.
 */
const DISCOVER = 'server/discover';
const PROTOCOL_KEY = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities';
const NEWEST = '2026-07-28';

/** The message with what a `server/discover` lacks. */
export function withProtocol(message: object): object {
  const { method, params = {} } = message as { readonly method?: unknown; readonly params?: unknown };
  if (method !== DISCOVER || typeof params !== 'object' || params === null) return message;
  const meta: object = Object(Reflect.get(params, '_meta') ?? {});
  if (PROTOCOL_KEY in meta) return message;
  const completed = { [CAPABILITIES_KEY]: {}, ...meta, [PROTOCOL_KEY]: NEWEST };
  return { ...message, params: { ...params, _meta: completed } };
}
