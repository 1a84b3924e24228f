/** The health of the program as a few lines. */
import { counted } from '../../../shared/base/counted.ts';
import type { Health } from './health.ts';

export function healthText({
  versions,
  uptime_seconds,
  checkers,
  servers,
  pool,
  metrics,
  token_savings,
  config,
}: Health): string {
  const { shared } = pool;
  return [
    `agent-lsp ${versions.agent_lsp} on Node ${versions.node} (${versions.platform}), up for ${uptime_seconds} s`,
    ...checkers.map(checkerLine),
    servers.length === 0 ? 'no server was used so far' : `servers of this session: ${servers.length}`,
    ...servers.map(serverLine),
    `shared servers on this machine: ${shared.running} running, ${shared.asleep} asleep, ${shared.memory_mb} MB; at most ${pool.most_idle_per_language} idle per language`,
    ...metricLines(metrics),
    ...savingLines(token_savings),
    `settings: ${Object.entries(config).map(settingText).join(', ')}`,
  ].join('\n');
}

function checkerLine({ name, ...checker }: Health['checkers'][number]): string {
  return 'path' in checker && checker.path !== undefined
    ? `${name} ${checker.version}: available, ${checker.path}`
    : `${name}: not available, ${'why' in checker ? checker.why : 'for no known reason'}`;
}

function serverLine({ language, root, described, mode, ...rest }: Health['servers'][number]): string {
  const name = [rest.server ?? language, rest.version].filter(Boolean).join(' ');
  return `  ${name} (${language}, ${mode}) in ${root}: ${described}`;
}

function metricLines({ enabled, calls, errors, tools }: Health['metrics']): readonly string[] {
  if (!enabled) return ['calls are not counted (metrics: false)'];
  return [
    `calls of this session before this one: ${calls}, with errors: ${errors}`,
    ...tools.map(
      ({ tool, count, error_rate, average_ms, minimum_ms, maximum_ms }) =>
        `  ${tool}: ${count}, average ${average_ms} ms, ${minimum_ms} ms to ${maximum_ms} ms, error rate ${error_rate}`,
    ),
  ];
}

/** Named by what is counted, so that nobody takes it for all that the tools have saved or cost. */
function savingLines(savings: Health['token_savings']): readonly string[] {
  const { answers, files, tokens_returned, tokens_full_files, tokens_saved, estimated_as } = savings;
  if (answers === 0) return [];
  const balance = tokens_saved < 0 ? `${-tokens_saved} more than` : `${tokens_saved} saved against`;
  return [
    `tokens (${estimated_as}) of ${counted(answers, 'outline, source or context', { many: 'outlines, sources and contexts' })}: ${tokens_returned}, ${balance} the ${tokens_full_files} of ${counted(files, 'whole file')}; the list of tools and all other answers are not counted`,
  ];
}

function settingText([name, value]: [string, unknown]): string {
  const shown = Array.isArray(value) ? value.join(' ') || 'none' : String(value);
  return `${name} ${shown}`;
}
