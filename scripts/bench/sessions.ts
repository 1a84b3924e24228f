/** What a session costs: starting the front end, the first answer of a first and of a second session. */
import { median } from '../../test/support/quantile.ts';
import { type Row, timed } from './figures.ts';
import { bareNode, type Place } from './place.ts';
import { planOf, startRaw } from './raw.ts';
import type { BenchWorkspace } from './workspaces.ts';

export async function startUp(place: Place, workspace: BenchWorkspace, rounds: number): Promise<Row[]> {
  const stateDir = place.stateDir();
  const node: number[] = [];
  const frontEnd: number[] = [];
  const listed: number[] = [];
  // One uncounted round: the first start of a new version has no code cache yet.
  for (let round = -1; round < rounds; round++) {
    const bare = await bareNode();
    const session = await place.session(workspace.root, stateDir);
    const listedMs = await session.listedMs();
    await session.close();
    if (round < 0) continue;
    node.push(bare);
    frontEnd.push(session.initializedMs);
    listed.push(listedMs);
  }
  return [
    {
      what: 'front end: spawn to initialize answered, against `node -e 0`',
      workspace: workspace.name,
      parts: { 'node ms': median(node), 'front end ms': median(frontEnd) },
      figure: median(frontEnd) / median(node),
      unit: 'x',
      bar: { kind: 'at most', value: 1.8 },
    },
    {
      what: 'front end: spawn to tools/list answered, against initialize of the same session',
      workspace: workspace.name,
      parts: { 'initialize ms': median(frontEnd), 'list ms': median(listed) },
      figure: median(listed) / median(frontEnd),
      unit: 'x',
      bar: { kind: 'at most', value: 1.5 },
    },
  ];
}

export async function firstAndSecondSession(
  place: Place,
  workspace: BenchWorkspace,
  rounds: number,
): Promise<Row[]> {
  const raw = await startRaw(workspace, await planOf(workspace, place.stateDir()));
  const expected = await settledCount(() => raw.references());
  const [node, warm, first, second, hover]: number[][] = [[], [], [], [], []];
  for (let round = 0; round < rounds; round++) {
    const stateDir = place.stateDir();
    node?.push(await bareNode());
    warm?.push((await timed(() => raw.references())).ms);
    first?.push(await sessionToReferences(place, workspace, stateDir, expected));
    second?.push(await sessionToReferences(place, workspace, stateDir, expected));
    // Once uncounted: the server has not been asked for it yet.
    await sessionToHover(place, workspace, stateDir);
    hover?.push(await sessionToHover(place, workspace, stateDir));
    await place.stopDaemons(stateDir);
  }
  await raw.stop();
  const parts = {
    'node ms': median(node ?? []),
    'raw warm call ms': median(warm ?? []),
    'first session ms': median(first ?? []),
    'second session ms': median(second ?? []),
  };
  const floor = parts['node ms'] + parts['raw warm call ms'];
  return [
    {
      what: `second session: spawn to complete find_references (${expected} hits), against node + raw warm call`,
      workspace: workspace.name,
      parts,
      figure: parts['second session ms'] / floor,
      unit: 'x',
      bar: { kind: 'at most', value: 3 },
    },
    {
      what: 'second session: spawn to inspect_symbol answered by a warm server, less `node -e 0`',
      workspace: workspace.name,
      parts: { 'node ms': parts['node ms'], 'session ms': median(hover ?? []) },
      figure: median(hover ?? []) - parts['node ms'],
      unit: 'ms',
      bar: { kind: 'at most', value: 110 },
    },
    {
      what: 'second session against the first',
      workspace: workspace.name,
      parts: {},
      figure: parts['first session ms'] / parts['second session ms'],
      unit: 'x faster',
      ...(workspace.name === 'python' ? { bar: { kind: 'at least', value: 5 } as const } : {}),
    },
  ];
}

export async function sessionToReferences(
  place: Place,
  workspace: BenchWorkspace,
  stateDir: string,
  expected: number,
): Promise<number> {
  const began = performance.now();
  const session = await place.session(workspace.root, stateDir);
  const { file, line, column } = workspace.target;
  const text = await session.call('find_references', {
    file_path: file,
    line,
    column,
    include_declaration: true,
  });
  const ms = performance.now() - began;
  await session.close();
  const found = Number(/^(\d+) references?/.exec(text)?.[1]);
  if (found !== expected)
    throw new Error(`expected ${expected} references, the answer begins: ${text.slice(0, 200)}`);
  return ms;
}

/** What a server answers at once, so that the time is ours. */
async function sessionToHover(place: Place, workspace: BenchWorkspace, stateDir: string): Promise<number> {
  const began = performance.now();
  const session = await place.session(workspace.root, stateDir);
  const { file, line, column } = workspace.target;
  await session.call('inspect_symbol', { file_path: file, line, column });
  const ms = performance.now() - began;
  await session.close();
  return ms;
}

/** A server may answer early with a part; the reference is what it says twice in a row after that. */
export async function settledCount(ask: () => Promise<unknown[]>): Promise<number> {
  let previous = -1;
  for (let round = 0; round < 200; round++) {
    const { length } = (await ask()) ?? [];
    if (length === previous && length > 1) return length;
    previous = length;
  }
  throw new Error('the raw server does not settle');
}
