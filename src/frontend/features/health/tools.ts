/** The tool that tells how the program itself is. */
import { z } from 'zod';
import { defineTool } from '../../tools/define-tool.ts';
import { number } from '../../tools/shapes.ts';
import { healthOf } from './health.ts';
import { healthText } from './text.ts';

export const healthTools = [
  defineTool({
    name: 'health_check',
    title: 'Check health',
    description:
      'How agent-lsp itself is: versions, servers, figures of calls, settings without secrets. Starts no server.',
    effect: 'read',
    input: () => z.strictObject({}),
    output: () =>
      z.strictObject({
        versions: z.strictObject({ agent_lsp: z.string(), node: z.string(), platform: z.string() }),
        uptime_seconds: z.number(),
        checkers: z.array(
          z.strictObject({
            name: z.string(),
            available: z.boolean(),
            version: z.string().optional(),
            path: z.string().optional(),
            why: z.string().optional(),
          }),
        ),
        servers: z.array(
          z.strictObject({
            language: z.string(),
            root: z.string(),
            state: z.string(),
            described: z.string(),
            mode: z.string(),
            server: z.string().optional(),
            version: z.string().optional(),
          }),
        ),
        pool: z.strictObject({
          servers_of_session: number,
          most_idle_per_language: number,
          shared: z.strictObject({ brokers: number, running: number, asleep: number, memory_mb: number }),
        }),
        metrics: z.strictObject({
          enabled: z.boolean(),
          calls: number,
          errors: number,
          tools: z.array(
            z.strictObject({
              tool: z.string(),
              count: number,
              error_rate: z.number(),
              average_ms: number,
              minimum_ms: number,
              maximum_ms: number,
            }),
          ),
        }),
        token_savings: z.strictObject({
          answers: number,
          files: number,
          tokens_returned: number,
          tokens_full_files: number,
          tokens_saved: number,
          estimated_as: z.string(),
        }),
        config: z.strictObject({
          tools: z.string(),
          output: z.string(),
          permission: z.string(),
          subagent: z.boolean(),
          daemon: z.string(),
          log_level: z.string(),
          roots: z.array(z.string()),
          allowed_paths: z.array(z.string()),
          files: z.array(z.string()),
          call_timeout_seconds: z.number(),
          check_timeout_seconds: z.number(),
          idle_timeout_minutes: z.number(),
        }),
      }),
    run: async (_input, context) => {
      const data = await healthOf(context);
      return { text: healthText(data), data };
    },
  }),
];
