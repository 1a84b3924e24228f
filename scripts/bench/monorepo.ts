/**
 * A workspace of many linked packages: what questions across all of them cost over a raw server that has every project
 * loaded, and how much memory that takes.
 */
import { inTurns, type Row } from './figures.ts';
import type { McpProcess } from './mcp-process.ts';
import { type Place, rssMegabytes } from './place.ts';
import { planOf, type RawServer, type Spot, startRaw } from './raw.ts';
import { textsAfter } from './renames.ts';
import { settledCount } from './sessions.ts';
import type { BenchWorkspace, MonorepoWorkspace } from './workspaces.ts';

/** The part of `daemon-status --json` that matters here. */
interface Total {
  readonly kind: string;
  readonly servers: { readonly running: number };
  readonly memory: { readonly rssBytes: number };
}

/** Both sides of each comparison. */
interface Sides {
  readonly workspace: BenchWorkspace;
  readonly raw: RawServer;
  readonly session: McpProcess;
}

const MORE_MS = { kind: 'at most', value: 40 } as const;
/** Of a name in every file each occurrence is accounted for. */
const EVERYWHERE_MS = { kind: 'at most', value: 60 } as const;
/** A preview may take so many times the server's own rename, and so many milliseconds more. */
const PREVIEW = { times: 2, moreMs: 500, morePythonMs: 1_500 };
const NEW_NAME = 'benchRenamed';
const MEGABYTE = 1024 * 1024;

export async function monorepoCalls(place: Place, workspace: MonorepoWorkspace, calls: number) {
  const stateDir = place.stateDir();
  const raw = await startRaw(workspace, await planOf(workspace, stateDir));
  for (const file of workspace.projects) await raw.open(file);
  const session = await place.session(workspace.root, stateDir, '--daemon', 'always');
  const sides = { workspace, raw, session };
  try {
    const rows = [
      await references(sides, 'p5Value3', workspace.target, { calls, warmUp: 20, bar: MORE_MS }),
      await symbols(sides, 'p5Value3', { calls, warmUp: 20 }),
      await references(sides, 'netPrice', workspace.everywhere, {
        calls: 5,
        warmUp: 2,
        bar: EVERYWHERE_MS,
      }),
      // Before any rename: its preview asks for diagnostics.
      ...(await memory(sides, () => place.cli(stateDir, 'daemon-status', '--json'))),
      await preview(sides, 'p5Value3', workspace.target, 10),
      await preview(sides, workspace.renamed.what, workspace.renamed, 3),
    ];
    return rows;
  } finally {
    await Promise.all([raw.stop(), session.close()]);
    await place.stopDaemons(stateDir);
  }
}

/** A preview in a workspace of one project. */
export async function renamePreview(place: Place, workspace: BenchWorkspace, calls: number): Promise<Row> {
  const stateDir = place.stateDir();
  const raw = await startRaw(workspace, await planOf(workspace, stateDir));
  await settledCount(() => raw.references(workspace.target));
  const session = await place.session(workspace.root, stateDir, '--daemon', 'always');
  try {
    const sides = { workspace, raw, session };
    return await preview(sides, workspace.renamed.what, workspace.renamed, calls, PREVIEW.morePythonMs);
  } finally {
    await Promise.all([raw.stop(), session.close()]);
    await place.stopDaemons(stateDir);
  }
}

async function references(
  { workspace, raw, session }: Sides,
  name: string,
  at: Spot,
  { bar, ...turns }: { calls: number; warmUp: number; bar?: Row['bar'] },
): Promise<Row> {
  const expected = await settledCount(() => raw.references(at));
  const ours = async () => {
    const text = await session.call('find_references', { ...spotOf(at), include_declaration: true });
    if (!text.startsWith(`${expected} references`))
      throw new Error(`expected ${expected} references, the answer begins: ${text.slice(0, 300)}`);
  };
  const measured = await inTurns({ raw: () => raw.references(at), ours }, turns);
  return {
    what: `warm find_references of ${name} (${expected} hits), over the raw server with all projects loaded`,
    ...over(workspace, measured),
    ...(bar ? { bar } : {}),
  };
}

async function symbols(
  { workspace, raw, session }: Sides,
  query: string,
  turns: { calls: number; warmUp: number },
): Promise<Row> {
  const ours = async () => {
    const text = await session.call('find_symbol', { query });
    if (!text.includes('packages/p5/src/m3.ts')) throw new Error(`${query} is not in: ${text.slice(0, 300)}`);
  };
  const measured = await inTurns({ raw: () => raw.symbolsNamed(query), ours }, turns);
  return {
    what: 'warm find_symbol, over the raw workspace/symbol with all projects loaded',
    ...over(workspace, measured),
    bar: MORE_MS,
  };
}

async function preview(
  { workspace, raw, session }: Sides,
  name: string,
  at: Spot,
  calls: number,
  moreMs = PREVIEW.moreMs,
): Promise<Row> {
  const files = textsAfter(await raw.rename(NEW_NAME, at)).size;
  const ours = async () => {
    const text = await session.call('rename_symbol', { ...spotOf(at), new_name: NEW_NAME, dry_run: true });
    if (!text.includes(` in ${files} files`) || text.includes('INCOMPLETE'))
      throw new Error(`not a preview of ${files} files: ${text.slice(0, 300)}`);
  };
  const { raw: rawMs, ours: oursMs } = await inTurns(
    { raw: () => raw.rename(NEW_NAME, at), ours },
    { calls, warmUp: 1 },
  );
  return {
    what: `preview of a rename of ${name} in ${files} files, over ${PREVIEW.times} times the raw textDocument/rename`,
    workspace: workspace.name,
    parts: { 'raw ms': rawMs, 'ours ms': oursMs },
    figure: oursMs - PREVIEW.times * rawMs,
    unit: 'ms more',
    bar: { kind: 'at most', value: moreMs },
  };
}

async function memory({ workspace, raw }: Sides, status: () => Promise<string>): Promise<Row[]> {
  const entries = JSON.parse(await status()) as Total[];
  const total = entries.find(({ kind }) => kind === 'total');
  if (!total) throw new Error('daemon-status gives no total');
  const ours = total.memory.rssBytes / MEGABYTE;
  const alone = rssMegabytes(raw.pid);
  const row = { workspace: workspace.name, parts: { 'raw MB': alone, 'ours MB': ours } };
  return [
    {
      ...row,
      what: 'memory of all brokers and servers before anybody asks for diagnostics, against the raw server',
      figure: ours / alone,
      unit: 'x',
      bar: { kind: 'at most', value: 1.5 },
    },
    { ...row, what: 'the same in megabytes', figure: ours, unit: 'MB', bar: { kind: 'at most', value: 600 } },
    {
      workspace: workspace.name,
      parts: {},
      what: 'servers that run for it',
      figure: total.servers.running,
      unit: 'servers',
      bar: { kind: 'at most', value: 1 },
    },
  ];
}

function over({ name }: BenchWorkspace, { raw, ours }: { readonly raw: number; readonly ours: number }) {
  return {
    workspace: name,
    parts: { 'raw ms': raw, 'ours ms': ours },
    figure: ours - raw,
    unit: 'ms more',
  };
}

function spotOf({ file: file_path, line, column }: Spot) {
  return { file_path, line, column };
}
