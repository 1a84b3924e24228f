/** What can be said of the program itself. Nothing is started for it except a checker that is asked for its version. */
import type { Config } from '../../../shared/config/config.ts';
import { variable } from '../../../shared/languages/environment.ts';
import { describeState } from '../../../shared/link/describe-state.ts';
import { DEFAULT_IDLE_SERVERS, IDLE_SERVERS_VARIABLE } from '../../../shared/link/idle-servers.ts';
import type { ServerLink } from '../../../shared/link/server-link.ts';
import { VERSION } from '../../../shared/version.ts';
import { listBrokers } from '../../link/broker-control.ts';
import { totalOf } from '../../link/broker-total.ts';
import { callMetrics } from '../../tools/call-metrics.ts';
import type { ToolContext } from '../../tools/context.ts';
import { sessionPart } from '../../tools/session-state.ts';
import { tokenSavings } from '../../tools/token-savings.ts';
import { checkers } from '../type-checks/check-types.ts';

const configOf = sessionPart(({ config }) => config);

export async function healthOf(context: ToolContext) {
  const config = configOf(context);
  const links = context.servers.open();
  const [servers, checks, pool] = await Promise.all([
    Promise.all(links.map((link) => serverData(context, link))),
    Promise.all(checkers.map((checker) => checkerData(context, checker))),
    poolData(context, config, links.length),
  ]);
  return {
    versions: { agent_lsp: VERSION, node: process.versions.node, platform: process.platform },
    uptime_seconds: Math.round(process.uptime() * 100) / 100,
    checkers: checks,
    servers,
    pool,
    metrics: metricsData(context),
    token_savings: tokenSavings(context).figures(),
    config: shownConfig(config, context),
  };
}

export type Health = Awaited<ReturnType<typeof healthOf>>;

async function checkerData(context: ToolContext, checker: (typeof checkers)[number]) {
  const availability = await checker.availability(context, context.roots.primary);
  return {
    name: checker.name,
    available: availability.isAvailable,
    ...(availability.isAvailable
      ? { version: availability.version, path: availability.path }
      : { why: availability.why }),
  };
}

/** A server that is not up is not asked: that would start it. */
async function serverData(context: ToolContext, link: ServerLink) {
  const { language, root, state, mode } = link;
  const isUp = state.kind === 'ready' || state.kind === 'degraded';
  const facts = isUp ? await context.facts.of(link, context.during()).catch(() => undefined) : undefined;
  return {
    language,
    root,
    state: state.kind,
    described: describeState(state),
    mode,
    ...(facts === undefined ? {} : { server: facts.serverName }),
    ...(facts?.serverVersion === undefined ? {} : { version: facts.serverVersion }),
  };
}

/** The servers of this session, and all that are shared on this machine. */
async function poolData({ environment }: ToolContext, { stateDir }: Config, ofSession: number) {
  const { brokers, servers, memory } = totalOf(await listBrokers(stateDir));
  const most = Number(variable(environment, IDLE_SERVERS_VARIABLE) ?? DEFAULT_IDLE_SERVERS);
  return {
    servers_of_session: ofSession,
    most_idle_per_language: most,
    shared: {
      brokers,
      running: servers.running,
      asleep: servers.asleep,
      memory_mb: Math.round(memory.rssBytes / 1_048_576),
    },
  };
}

function metricsData(context: ToolContext) {
  const metrics = callMetrics(context);
  const figures = metrics.figures();
  const sum = (of: 'count' | 'errors') => figures.reduce((total, figure) => total + figure[of], 0);
  return {
    enabled: metrics.isEnabled,
    calls: sum('count'),
    errors: sum('errors'),
    tools: figures.map(({ tool, count, errors, averageMs, minimumMs, maximumMs }) => ({
      tool,
      count,
      error_rate: Math.round((errors / count) * 1_000) / 1_000,
      average_ms: Math.round(averageMs),
      minimum_ms: Math.round(minimumMs),
      maximum_ms: Math.round(maximumMs),
    })),
  };
}

/** Named one by one, so that nothing secret comes along: variables and options of servers may hold keys. */
function shownConfig(config: Config, { roots }: ToolContext) {
  return {
    tools: config.tools,
    output: config.output,
    permission: config.permission,
    subagent: config.isSubagent,
    daemon: config.daemon,
    log_level: config.logLevel,
    roots: roots.folders.map(({ path }) => path),
    allowed_paths: [...config.allowedPaths],
    files: [...config.files],
    call_timeout_seconds: config.callTimeoutMs / 1_000,
    check_timeout_seconds: config.checkTypes.timeoutMs / 1_000,
    idle_timeout_minutes: config.idleTimeoutMs / 60_000,
  };
}
