/** How many idle servers of a language are kept: brokers obey it, front ends tell of it. */

export const IDLE_SERVERS_VARIABLE = 'AGENT_LSP_MAX_IDLE_PER_LANGUAGE';
export const DEFAULT_IDLE_SERVERS = 3;
