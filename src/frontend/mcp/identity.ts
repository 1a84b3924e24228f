/** What the server says about itself in a handshake. It must not load the tools, so it speaks of them from memory. */
import { VERSION } from '../../shared/version.ts';

export const SERVER_INFO = { name: 'agent-lsp', title: 'agent-lsp', version: VERSION };

/** As the SDK calls it. */
const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

export const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { subscribe: true },
  prompts: { listChanged: true },
  completions: {},
  logging: {},
  extensions: { [SKILLS_EXTENSION]: {} },
};

/**
 * What the model reads about the server as a whole. It names no tool: a session may list few of them, or others, and which
 * ones is not known yet when a handshake is answered.
 */
export const INSTRUCTIONS = `Semantic code navigation and diagnostics by real language servers, which start by themselves and stay warm.

Name a place by symbol ("Client.stop"), by position_pattern ("client.@@stop(") or by line and column; both are 1-based. Paths may be relative to the root that answers print. Positions in answers can be pasted back.

Prefer these tools to text search when it matters that nothing is missed or confused: for references, callers, definitions and renames every occurrence of the name is accounted for. Prefer the outline of a file and the source of a symbol to reading whole files. Ask for diagnostics after edits: files are read from disk at every call. Builds and tests are run with the project's own tools.

A first line with INCOMPLETE, TIMEOUT or STALE means that the server could not know yet, not that there is nothing: call again.`;
