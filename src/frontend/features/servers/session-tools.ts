/** Tools that change what a client gets from its session: how much of the log, and which tools. */
import { z } from 'zod';
import { SWITCHABLE_PROFILES } from '../../../shared/config/choices.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { LOG_THRESHOLDS } from '../../tools/log-levels.ts';

export const sessionTools = [
  defineTool({
    name: 'set_log_level',
    title: 'Set log level',
    description: 'How much this session logs to the client.',
    effect: 'read',
    changesSession: true,
    output: () => z.string(),
    input: () => z.strictObject({ level: z.enum(LOG_THRESHOLDS).describe('Lowest to log') }),
    run: async (input, context) => {
      context.setLogLevel(input.level);
      const sentence = `Log level set to "${input.level}"`;
      return { text: sentence, data: sentence };
    },
  }),

  defineTool({
    name: 'activate_tools',
    title: 'Activate tools',
    description: 'Lists all tools or the most used.',
    effect: 'read',
    changesSession: true,
    isCore: true,
    output: () => z.string(),
    input: () => z.strictObject({ profile: z.enum(SWITCHABLE_PROFILES).describe('Which') }),
    run: async (input, context) => {
      context.switchTools(input.profile);
      const sentence = `The tools are those of "${input.profile}" now; a client that does not list them again can call them all the same`;
      return { text: sentence, data: sentence };
    },
  }),
];
