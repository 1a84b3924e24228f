/** What a warm call costs through MCP and broker, alone and with many sessions at once. */
import { uriToPath } from '../../src/shared/base/paths.ts';
import { median } from '../../test/support/quantile.ts';
import { inTurns, type Medians, type Row, timed } from './figures.ts';
import type { McpProcess } from './mcp-process.ts';
import { type Place, rssMegabytes } from './place.ts';
import { planOf, type RawServer, type Spot, startRaw } from './raw.ts';
import { settledCount } from './sessions.ts';
import type { BenchWorkspace } from './workspaces.ts';

/** The part of `daemon-status --json` that matters here. */
interface Listing {
  readonly kind: string;
  readonly status?: { readonly pid: number };
}

const SESSIONS = 16;
/**
 * A call is warm when the one before it went the same way. Taken singly in turn, three servers with their collectors
 * and seven processes on two cores push each other out of the caches, which is shown beside it.
 */
const BLOCK = 20;

export async function warmCalls(place: Place, workspace: BenchWorkspace, calls: number): Promise<Row[]> {
  const stateDir = place.stateDir();
  const raw = await startRaw(workspace, await planOf(workspace, stateDir));
  const broker = await place.session(workspace.root, stateDir, '--daemon', 'always');
  const direct = await place.session(workspace.root, stateDir, '--daemon', 'never');
  const at = argumentsFor(workspace.target);
  const large = { file_path: workspace.large };
  const bytes = JSON.stringify(await raw.symbols()).length;
  const hovers = {
    raw: () => raw.hover(),
    broker: () => broker.call('inspect_symbol', at),
    direct: () => direct.call('inspect_symbol', at),
  };
  const inBlocks = await inTurns(hovers, { calls, block: BLOCK });
  const oneByOne = await inTurns(hovers, { calls });
  const symbols = await inTurns(
    { raw: () => raw.symbols(), broker: () => broker.call('list_symbols', large) },
    { calls: calls / 2 },
  );
  await Promise.all([raw.stop(), broker.close(), direct.close()]);
  await place.stopDaemons(stateDir);
  const overRaw = ({ raw: rawMs, broker: brokerMs, direct: directMs }: Medians<keyof typeof hovers>) => ({
    workspace: workspace.name,
    parts: { 'raw ms': rawMs, 'broker ms': brokerMs, 'direct ms': directMs },
    figure: brokerMs - rawMs,
    unit: 'ms more',
  });
  return [
    {
      what: 'warm inspect_symbol through MCP and broker, over the raw hover',
      ...overRaw(inBlocks),
      bar: { kind: 'at most', value: 1.5 },
    },
    { what: 'the same, but every call after one to each of the two other servers', ...overRaw(oneByOne) },
    {
      what: `list_symbols of a ${Math.round(bytes / 1000)} KB result through MCP and broker, against raw`,
      workspace: workspace.name,
      parts: { 'raw ms': symbols.raw, 'broker ms': symbols.broker },
      figure: symbols.broker / symbols.raw,
      unit: 'x',
      bar: { kind: 'at most', value: 1.3 },
    },
  ];
}

/** What is asked again and again. */
interface Work {
  readonly what: string;
  readonly rounds: number;
  readonly raw: readonly ('hover' | 'definition' | 'references')[];
  readonly tools: readonly string[];
  /** Otherwise all ask about one place, and what is on its way to one of them is answered to all. */
  readonly ownPlaces: boolean;
  /** The bar is about requests that a server has to work for; the others are shown for comparison. */
  readonly bar?: Row['bar'];
}

const ABOUT_A_SYMBOL = {
  rounds: 8,
  raw: ['hover', 'definition', 'references'],
  tools: ['inspect_symbol', 'go_to_definition', 'find_references'],
} as const;

const WORKS: readonly Work[] = [
  {
    what: 'hover, definition, references, each at a place of its own',
    ...ABOUT_A_SYMBOL,
    ownPlaces: true,
    bar: { kind: 'at least', value: 1 },
  },
  {
    what: 'the same at one place',
    ...ABOUT_A_SYMBOL,
    ownPlaces: false,
    bar: { kind: 'at least', value: 1 },
  },
  { what: 'hover alone', rounds: 50, raw: ['hover'], tools: ['inspect_symbol'], ownPlaces: false },
];

export async function manySessions(place: Place, workspace: BenchWorkspace, runs: number): Promise<Row[]> {
  const stateDir = place.stateDir();
  const raw = await startRaw(workspace, await planOf(workspace, stateDir));
  // Answers of a server that does not know all files yet are quick, and not what is compared.
  await settledCount(() => raw.references());
  const uses = await usesApart(raw, SESSIONS);
  const sessions = await Promise.all(
    Array.from({ length: SESSIONS }, () => place.session(workspace.root, stateDir, '--daemon', 'always')),
  );
  const spotOf = ({ ownPlaces }: Work, index: number) => (ownPlaces && uses[index]) || workspace.target;
  const alone = async (work: Work, rounds: number) => {
    for (let round = 0; round < rounds; round++)
      for (let index = 0; index < SESSIONS; index++)
        for (const request of work.raw) await raw[request](spotOf(work, index));
  };
  const together = (work: Work, rounds: number) =>
    Promise.all(
      sessions.map(async (session, index) => {
        for (let round = 0; round < rounds; round++)
          for (const tool of work.tools) await session.call(tool, argumentsFor(spotOf(work, index)));
      }),
    );
  const throughput: Row[] = [];
  for (const work of WORKS) {
    await alone(work, 1);
    await together(work, work.rounds);
    const [rawMs, togetherMs]: [number[], number[]] = [[], []];
    for (let run = 0; run < runs; run++) {
      rawMs.push((await timed(() => alone(work, work.rounds))).ms);
      togetherMs.push((await timed(() => together(work, work.rounds))).ms);
    }
    const requests = SESSIONS * work.rounds * work.tools.length;
    const perSecond = (ms: readonly number[]) => (requests / median(ms)) * 1000;
    throughput.push({
      what: `${SESSIONS} sessions on one broker (${work.what}): requests per second, against one raw client`,
      workspace: workspace.name,
      parts: { 'raw per s': perSecond(rawMs), 'sessions per s': perSecond(togetherMs) },
      figure: perSecond(togetherMs) / perSecond(rawMs),
      unit: 'x',
      ...(work.bar ? { bar: work.bar } : {}),
    });
  }
  const beside = await besideSearches(sessions, uses);
  const search = median(await timesOf(SHORT_CALLS, () => raw.references()));
  const listed = JSON.parse(await place.cli(stateDir, 'daemon-status', '--json')) as Listing[];
  const brokers = listed.flatMap(({ kind, status }) => (kind === 'running' && status ? [status.pid] : []));
  if (brokers.length !== 1) throw new Error(`expected one broker, found ${brokers.length}`);
  const frontEnds = sessions.map(({ pid }) => rssMegabytes(pid));
  const brokerRss = rssMegabytes(brokers[0] ?? 0);
  await Promise.all([raw.stop(), ...sessions.map((session) => session.close())]);
  await place.stopDaemons(stateDir);
  return [
    ...throughput,
    {
      what: `inspect_symbol beside ${SESSIONS - 1} sessions that search for references, against one search of the raw client`,
      workspace: workspace.name,
      parts: { 'raw search ms': search, 'inspect_symbol ms': beside },
      figure: beside / search,
      unit: 'x',
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

const SHORT_CALLS = 20;

/** Uses of the target, each in another file, and opened. */
async function usesApart(raw: RawServer, count: number): Promise<readonly Spot[]> {
  const lastOfFile = new Map((await raw.references()).map((location) => [location.uri, location]));
  const every = Math.floor(lastOfFile.size / count);
  const spots = [...lastOfFile.values()]
    .filter((_, index) => index % every === 0)
    .slice(0, count)
    .map(({ uri, range: { start } }) => ({
      file: uriToPath(uri) ?? uri,
      line: start.line + 1,
      column: start.character + 1,
    }));
  if (spots.length < count) throw new Error(`the target is used in ${lastOfFile.size} files only`);
  for (const { file } of spots) await raw.open(file);
  return spots;
}

function argumentsFor({ file: file_path, line, column }: Spot) {
  return { file_path, line, column };
}

/** The median time of a short call while all other sessions keep the server busy. */
async function besideSearches(
  [own, ...others]: readonly McpProcess[],
  [spot, ...spots]: readonly Spot[],
): Promise<number> {
  if (!own || !spot) throw new Error('a session is needed');
  let isOver = false;
  const searching = others.map(async (session, index) => {
    while (!isOver) await session.call('find_references', argumentsFor(spots[index] ?? spot));
  });
  const times = await timesOf(SHORT_CALLS, () => own.call('inspect_symbol', argumentsFor(spot)));
  isOver = true;
  await Promise.all(searching);
  return median(times);
}

async function timesOf(count: number, ask: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let call = 0; call < count; call++) times.push((await timed(ask)).ms);
  return times;
}
