/** health_check in the fields of the pyright profile. */
import { z } from 'zod';
import type { Config } from '../../../../shared/config/config.ts';
import type { Outcome } from '../../../render/answer.ts';

const health = z.looseObject({
  uptime_seconds: z.number(),
  checkers: z.array(
    z.looseObject({ name: z.string(), available: z.boolean(), version: z.string().optional() }),
  ),
  servers: z.array(z.looseObject({ root: z.string(), state: z.string() })),
  pool: z.looseObject({ most_idle_per_language: z.number() }),
  metrics: z.looseObject({
    enabled: z.boolean(),
    calls: z.number(),
    tools: z.array(z.looseObject({ tool: z.string() })),
  }),
  config: z.looseObject({ roots: z.array(z.string()), allowed_paths: z.array(z.string()) }),
});

type Health = z.output<typeof health>;

export function healthAnswer(outcome: Outcome, config: Config): Outcome {
  if ('candidates' in outcome) return outcome;
  const { uptime_seconds, checkers, servers, pool, metrics, config: shown } = health.parse(outcome.data);
  const pyright = checkers.find(({ name }) => name === 'pyright');
  const lsp_status = statusOf(servers);
  const data = {
    pyright_version: pyright?.version ?? null,
    pyright_available: pyright?.available ?? false,
    lsp_status,
    lsp_pool: {
      size: servers.length,
      max_size: pool.most_idle_per_language,
      workspaces: servers.map(({ root, state }) => ({ root, state })),
    },
    metrics: {
      enabled: metrics.enabled,
      operations: Object.fromEntries(metrics.tools.map(({ tool, ...figures }) => [tool, figures])),
    },
    config: {
      allowed_paths: [...new Set([...shown.roots, ...shown.allowed_paths])],
      cli_timeout: config.checkTypes.timeoutMs / 1_000,
      lsp_timeout: config.idleTimeoutMs / 1_000,
      log_mode: config.logMode,
      log_level: config.logLevel === 'warn' ? 'WARNING' : config.logLevel.toUpperCase(),
      transport: config.transport,
    },
    uptime_seconds,
    request_count: metrics.calls,
  };
  const version = data.pyright_available ? `pyright ${data.pyright_version}` : 'pyright is not available';
  return { text: `${version}; language server: ${lsp_status}.`, data, incomplete: outcome.incomplete };
}

const DOWN: ReadonlySet<string> = new Set(['idle', 'stopped']);
const CRASHED: ReadonlySet<string> = new Set(['crashed', 'failed']);

function statusOf(servers: Health['servers']): 'not_initialized' | 'running' | 'crashed' {
  if (servers.some(({ state }) => CRASHED.has(state))) return 'crashed';
  return servers.every(({ state }) => DOWN.has(state)) ? 'not_initialized' : 'running';
}
