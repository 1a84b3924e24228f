/** What the server says about itself in a handshake, beside its instructions. It must not load the tools. */
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
