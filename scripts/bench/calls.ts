/** What a warm call costs through MCP and broker, alone and with many sessions at once. */
import { median, type Row, timed } from './figures.ts';
import { type Place, rssMegabytes } from './place.ts';
import { planOf, startRaw } from './raw.ts';
import type { BenchWorkspace } from './workspaces.ts';

/** The part of `daemon-status --json` that matters here. */
interface Listing {
  readonly kind: string;
  readonly status?: { readonly pid: number };
}

const SESSIONS = 16;
const CALLS_PER_SESSION = 60;

export async function warmCalls(place: Place, workspace: BenchWorkspace, calls: number): Promise<Row[]> {
  const stateDir = place.stateDir();
  const raw = await startRaw(workspace, await planOf(workspace, stateDir));
  const broker = await place.session(workspace.root, stateDir, '--daemon', 'always');
  const direct = await place.session(workspace.root, stateDir, '--daemon', 'never');
  const at = {
    file_path: workspace.target.file,
    line: workspace.target.line,
    column: workspace.target.column,
  };
  const large = { file_path: workspace.large };
  const bytes = JSON.stringify(await raw.symbols()).length;
  const times = { rawHover: [], broker: [], direct: [], rawSymbols: [], symbols: [] } as Record<
    string,
    number[]
  >;
  const measure = async (name: string, work: () => Promise<unknown>) =>
    times[name]?.push((await timed(work)).ms);
  for (let call = -10; call < calls; call++) {
    if (call === 0) for (const list of Object.values(times)) list.length = 0;
    await measure('rawHover', () => raw.hover());
    await measure('broker', () => broker.call('inspect_symbol', at));
    await measure('direct', () => direct.call('inspect_symbol', at));
    if (call % 5 !== 0) continue;
    await measure('rawSymbols', () => raw.symbols());
    await measure('symbols', () => broker.call('list_symbols', large));
  }
  await Promise.all([raw.stop(), broker.close(), direct.close()]);
  await place.stopDaemons(stateDir);
  const p50 = (name: string) => median(times[name] ?? []);
  return [
    {
      what: 'warm inspect_symbol through MCP and broker, over the raw hover',
      workspace: workspace.name,
      parts: { 'raw ms': p50('rawHover'), 'broker ms': p50('broker'), 'direct ms': p50('direct') },
      figure: p50('broker') - p50('rawHover'),
      unit: 'ms more',
      bar: { kind: 'at most', value: 1.5 },
    },
    {
      what: `list_symbols of a ${Math.round(bytes / 1000)} KB result through MCP and broker, against raw`,
      workspace: workspace.name,
      parts: { 'raw ms': p50('rawSymbols'), 'broker ms': p50('symbols') },
      figure: p50('symbols') / p50('rawSymbols'),
      unit: 'x',
      bar: { kind: 'at most', value: 1.3 },
    },
  ];
}

export async function manySessions(place: Place, workspace: BenchWorkspace): Promise<Row[]> {
  const stateDir = place.stateDir();
  const at = {
    file_path: workspace.target.file,
    line: workspace.target.line,
    column: workspace.target.column,
  };
  const raw = await startRaw(workspace, await planOf(workspace, stateDir));
  for (let call = 0; call < 20; call++) await raw.hover();
  const rawRun = await timed(async () => {
    for (let call = 0; call < SESSIONS * CALLS_PER_SESSION; call++) await raw.hover();
  });
  await raw.stop();

  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, () => place.session(workspace.root, stateDir, '--daemon', 'always')),
  );
  for (const session of sessions)
    for (let call = 0; call < 20; call++) await session.call('inspect_symbol', at);
  const together = await timed(() =>
    Promise.all(
      sessions.map(async (session) => {
        for (let call = 0; call < CALLS_PER_SESSION; call++) await session.call('inspect_symbol', at);
      }),
    ),
  );
  const listed = JSON.parse(await place.cli(stateDir, 'daemon-status', '--json')) as Listing[];
  const brokers = listed.flatMap(({ kind, status }) => (kind === 'running' && status ? [status.pid] : []));
  if (brokers.length !== 1) throw new Error(`expected one broker, found ${brokers.length}`);
  const frontEnds = sessions.map(({ pid }) => rssMegabytes(pid));
  const brokerRss = rssMegabytes(brokers[0] ?? 0);
  await Promise.all(sessions.map((session) => session.close()));
  await place.stopDaemons(stateDir);

  const total = SESSIONS * CALLS_PER_SESSION;
  const perSecond = (ms: number) => (total / ms) * 1000;
  return [
    {
      what: `${SESSIONS} sessions on one broker: requests per second in all, against one raw client`,
      workspace: workspace.name,
      parts: { 'raw per s': perSecond(rawRun.ms), 'sessions per s': perSecond(together.ms) },
      figure: perSecond(together.ms) / perSecond(rawRun.ms),
      unit: 'x',
      bar: { kind: 'at least', value: 1 },
    },
    {
      what: `memory of the broker and ${SESSIONS} front ends beside the server`,
      workspace: workspace.name,
      parts: { 'broker MB': brokerRss, 'front end MB': median(frontEnds) },
      figure: brokerRss + frontEnds.reduce((sum, rss) => sum + rss, 0),
      unit: 'MB',
      bar: { kind: 'at most', value: SESSIONS * 75 + 80 },
    },
  ];
}
