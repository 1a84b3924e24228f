/** What a warm call costs through MCP and broker, alone and with many sessions at once. */
import { median, type Row, timed } from './figures.ts';
import { type Place, rssMegabytes } from './place.ts';
import { planOf, type RawServer, startRaw } from './raw.ts';
import type { BenchWorkspace } from './workspaces.ts';

/** The part of `daemon-status --json` that matters here. */
interface Listing {
  readonly kind: string;
  readonly status?: { readonly pid: number };
}

const SESSIONS = 16;
/** Calls of each kind before anything is measured. */
const WARM_UP = 200;

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
  // One kind of call after the other: a large answer leaves the next small one with cold caches.
  for (let call = -WARM_UP; call < calls; call++) {
    if (call === 0) for (const list of Object.values(times)) list.length = 0;
    await measure('rawHover', () => raw.hover());
    await measure('broker', () => broker.call('inspect_symbol', at));
    await measure('direct', () => direct.call('inspect_symbol', at));
  }
  for (let call = -WARM_UP; call < calls / 2; call++) {
    if (call === 0) Object.assign(times, { rawSymbols: [], symbols: [] });
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

/** What is asked again and again: the cheapest request there is, or what an agent asks about one symbol. */
interface Work {
  readonly what: string;
  readonly rounds: number;
  readonly raw: (raw: RawServer) => readonly (() => Promise<unknown>)[];
  readonly tools: readonly string[];
  /** The bar is about requests that a server has to work for; the cheapest ones are shown for comparison. */
  readonly bar?: Row['bar'];
}

const WORKS: readonly Work[] = [
  {
    what: 'hover, definition, references',
    rounds: 12,
    raw: (raw) => [raw.hover, raw.definition, raw.references],
    tools: ['inspect_symbol', 'go_to_definition', 'find_references'],
    bar: { kind: 'at least', value: 1 },
  },
  { what: 'hover alone', rounds: 100, raw: (raw) => [raw.hover], tools: ['inspect_symbol'] },
];

export async function manySessions(place: Place, workspace: BenchWorkspace): Promise<Row[]> {
  const stateDir = place.stateDir();
  const { file: file_path, line, column } = workspace.target;
  const raw = await startRaw(workspace, await planOf(workspace, stateDir));
  const rawMs: number[] = [];
  for (const work of WORKS) {
    const ask = async (rounds: number) => {
      for (let round = 0; round < rounds; round++) for (const request of work.raw(raw)) await request();
    };
    await ask(work.rounds);
    rawMs.push((await timed(() => ask(work.rounds * SESSIONS))).ms);
  }
  await raw.stop();

  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, () => place.session(workspace.root, stateDir, '--daemon', 'always')),
  );
  const togetherMs: number[] = [];
  for (const work of WORKS) {
    const ask = (rounds: number) =>
      Promise.all(
        sessions.map(async (session) => {
          for (let round = 0; round < rounds; round++)
            for (const tool of work.tools) await session.call(tool, { file_path, line, column });
        }),
      );
    await ask(work.rounds);
    togetherMs.push((await timed(() => ask(work.rounds))).ms);
  }
  const listed = JSON.parse(await place.cli(stateDir, 'daemon-status', '--json')) as Listing[];
  const brokers = listed.flatMap(({ kind, status }) => (kind === 'running' && status ? [status.pid] : []));
  if (brokers.length !== 1) throw new Error(`expected one broker, found ${brokers.length}`);
  const frontEnds = sessions.map(({ pid }) => rssMegabytes(pid));
  const brokerRss = rssMegabytes(brokers[0] ?? 0);
  await Promise.all(sessions.map((session) => session.close()));
  await place.stopDaemons(stateDir);

  const throughput = WORKS.map((work, index): Row => {
    const requests = SESSIONS * work.rounds * work.tools.length;
    const perSecond = (ms = Number.NaN) => (requests / ms) * 1000;
    return {
      what: `${SESSIONS} sessions on one broker (${work.what}): requests per second, against one raw client`,
      workspace: workspace.name,
      parts: { 'raw per s': perSecond(rawMs[index]), 'sessions per s': perSecond(togetherMs[index]) },
      figure: perSecond(togetherMs[index]) / perSecond(rawMs[index]),
      unit: 'x',
      ...(work.bar ? { bar: work.bar } : {}),
    };
  });
  return [
    ...throughput,
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
