/** Many sessions over HTTP on one process, each calling and then thinking, against one session that has it for itself. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { absolutePath } from '../../src/shared/base/paths.ts';
import { startHttp } from '../../test/support/http-front-end.ts';
import { median, quantile } from '../../test/support/quantile.ts';
import { type Row, timed } from './figures.ts';
import { connectNewer, connectOlder, type McpOverHttp } from './mcp-http.ts';
import { type Place, processorMs, rssMegabytes } from './place.ts';
import type { BenchWorkspace } from './workspaces.ts';

/** What an agent thinks between two calls is longer, as a rule. */
const THINKS_MS = { least: 1_000, most: 3_000 };
/** Of the time with all sessions, before memory is looked at. */
const WARM_UP = 1 / 3;
const LOOK_MS = 250;

export interface HttpLoad {
  readonly sessions: number;
  readonly seconds: number;
  readonly say: (text: string) => void;
}

/** Small files that each declare something. */
const SUBJECTS: Readonly<Record<BenchWorkspace['language'], { directory: string; declaration: RegExp }>> = {
  typescript: { directory: 'rxjs/internal/operators', declaration: /^export function (\w+)/ },
  python: { directory: 'app', declaration: /^def (\w+)/ },
  go: { directory: 'p0', declaration: /^func (\w+)/ },
};

interface Call {
  readonly tool: string;
  readonly args: object;
}

/** What is asked about one symbol. */
type Errand = readonly Call[];

export async function sessionsOverHttp(
  place: Place,
  workspaces: readonly BenchWorkspace[],
  { sessions, seconds, say }: HttpLoad,
): Promise<Row[]> {
  const stateDir = place.stateDir();
  const roots = workspaces.map(({ root }) => root);
  const [root] = roots;
  if (root === undefined) throw new Error('there is no workspace');
  const env = (extra: Readonly<Record<string, string>> = {}) =>
    definedIn({ ...place.env(stateDir), ...extra });
  const args = roots.flatMap((each) => ['-r', each]);
  await using http = await startHttp({ workspace: { root: absolutePath(root), env }, args });
  const errands = errandsIn(workspaces, sessions);

  const single = await connectOlder(http.url, 'single');
  for (const errand of errands) await run(single, errand);
  const alone: number[] = [];
  const workBefore = processorMs(http.pid);
  for (const errand of errands) alone.push(...(await run(single, errand)));
  const workAlone = processorMs(http.pid) - workBefore;
  await single.close();

  const connected = await Promise.all(
    errands.map((_, index) => (index % 2 === 0 ? connectOlder : connectNewer)(http.url, `bench-${index}`)),
  );
  // Each begins at a time of its own; what a session has to do once is not measured, as it is not of the one alone.
  const begin = (index: number) => sleep((THINKS_MS.most * index) / connected.length);
  await Promise.all(
    connected.map(async (session, index) => {
      await begin(index);
      await run(session, errands[index] ?? []);
    }),
  );
  const together: number[] = [];
  const failures: string[] = [];
  const megabytes: number[] = [];
  const workBegun = processorMs(http.pid);
  const until = performance.now() + seconds * 1_000;
  const isOver = () => performance.now() >= until;
  const watching = (async () => {
    while (!isOver()) {
      megabytes.push(rssMegabytes(http.pid));
      await sleep(LOOK_MS);
    }
  })();
  await Promise.all(
    connected.map(async (session, index) => {
      await begin(index);
      for (let turn = index + 1; !isOver(); turn++) {
        for (const call of errands[turn % errands.length] ?? []) {
          if (isOver()) return;
          try {
            together.push(...(await run(session, [call])));
          } catch (error) {
            failures.push(String(error));
          }
          await sleep(thinks(together.length + index));
        }
      }
    }),
  );
  await watching;
  const work = processorMs(http.pid) - workBegun;
  await Promise.all(connected.map((session) => session.close()));
  for (const failure of new Set(failures)) say(`http: ${failure}`);
  await http.stop();
  await place.stopDaemons(stateDir);

  const warm = megabytes.slice(Math.floor(megabytes.length * WARM_UP));
  const half = Math.floor(warm.length / 2);
  const [before, after] = [median(warm.slice(0, half)), median(warm.slice(half))];
  const workspace = workspaces.map(({ name }) => name).join(', ');
  return [
    {
      what: `${sessions} sessions over HTTP for ${seconds} s: p95 of a call, against a session alone`,
      workspace,
      parts: {
        'alone p50 ms': median(alone),
        'alone p95 ms': quantile(alone, 0.95),
        'p50 ms': median(together),
        'p95 ms': quantile(together, 0.95),
        calls: together.length,
        'alone processor ms per call': workAlone / alone.length,
        'processor ms per call': work / together.length,
      },
      figure: quantile(together, 0.95) / quantile(alone, 0.95),
      unit: 'x',
      bar: { kind: 'at most', value: 3 },
    },
    {
      what: 'calls of these that failed',
      workspace,
      parts: {},
      figure: failures.length,
      unit: '',
      bar: { kind: 'at most', value: 0 },
    },
    {
      what: 'memory of the process in the last third of that time, against the third before',
      workspace,
      parts: { 'before MB': before, 'after MB': after },
      figure: after / before,
      unit: 'x',
      bar: { kind: 'at most', value: 1.1 },
    },
  ];
}

async function run(session: McpOverHttp, calls: readonly Call[]): Promise<readonly number[]> {
  const times: number[] = [];
  for (const { tool, args } of calls) times.push((await timed(() => session.call(tool, args))).ms);
  return times;
}

/** The same in every run. */
function thinks(turn: number): number {
  const { least, most } = THINKS_MS;
  return least + ((turn * 7_919) % (most - least));
}

/** Symbols of files that are as long as most, taken in turn from the workspaces. */
function errandsIn(workspaces: readonly BenchWorkspace[], count: number): readonly Errand[] {
  const found = workspaces.map(({ root, language }) => {
    const { directory, declaration } = SUBJECTS[language];
    return readdirSync(path.join(root, directory))
      .sort()
      .flatMap((name) => errandIn(path.join(root, directory, name), declaration));
  });
  const errands = Array.from({ length: count }, (_, index) => {
    const own = found[index % found.length] ?? [];
    return own[Math.floor(index / found.length) % own.length];
  });
  return errands.filter((errand) => errand !== undefined);
}

function errandIn(file: string, declaration: RegExp): readonly Errand[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const index = lines.findIndex((text) => declaration.test(text));
  const match = declaration.exec(lines[index] ?? '');
  if (!match?.[1]) return [];
  const at = { file_path: file, line: index + 1, column: match.index + match[0].indexOf(match[1]) + 1 };
  return [
    [
      { tool: 'list_symbols', args: { file_path: file } },
      { tool: 'inspect_symbol', args: at },
      { tool: 'go_to_definition', args: at },
      { tool: 'find_references', args: at },
      { tool: 'get_diagnostics', args: { file_path: file } },
    ],
  ];
}

function definedIn(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
