/**
 * Cold completeness: fresh starts of real servers on generated workspaces of 500 files, with the first question asked at
 * once. An answer may be complete or say that it is not; one that silently lacks something fails the run.
 *
 *   npm run soak:cold -- --per-server 100 [--server all] [--mode direct|daemon|both] [--verbose]
 *
 * The starts of a server are spread over its layouts and modes; `--starts 20` makes so many of each instead.
 */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import {
  argsFor,
  type ColdLayout,
  type ColdWorkspace,
  coldLayouts,
  judgeReferences,
  makeColdWorkspace,
} from '../test/support/cold-workspaces.ts';
import { quantile } from '../test/support/quantile.ts';
import { requirement, type Tool } from '../test/support/requirements.ts';
import { timed } from './bench/figures.ts';
import { Place } from './bench/place.ts';

const { values } = parseArgs({
  options: {
    starts: { type: 'string' },
    'per-server': { type: 'string', default: '20' },
    /** `all`, or the beginning of the names of the layouts. */
    server: { type: 'string', default: 'all' },
    mode: { type: 'string', default: 'both' },
    verbose: { type: 'boolean', default: false },
  },
});

const NEEDED: Readonly<Record<string, Tool>> = {
  go: 'gopls',
  rust: 'rust-analyzer',
  cpp: 'clangd',
};
const modes = { direct: ['--daemon', 'never'], daemon: ['--daemon', 'always'] } as const;
const say = (text: string) => process.stdout.write(`${text}\n`);

type Verdict = ReturnType<typeof judgeReferences> | 'failed';

async function coldStart(
  place: Place,
  workspace: ColdWorkspace & { root: string; args: readonly string[] },
  mode: keyof typeof modes,
): Promise<{ verdict: Verdict; ms: number; text: string }> {
  const stateDir = place.stateDir();
  const session = await place.session(workspace.root, stateDir, ...modes[mode], ...workspace.args);
  try {
    const question = { file_path: workspace.file, symbol: workspace.symbol, limit: 1 };
    const { ms, value } = await timed(() =>
      session.call('find_references', question).catch((error: unknown) => `failed: ${String(error)}`),
    );
    const verdict = value.startsWith('failed: ') ? 'failed' : judgeReferences(workspace, value);
    return { verdict, ms, text: value };
  } finally {
    await session.close();
    if (mode === 'daemon') await place.stopDaemons(stateDir);
    rmSync(stateDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

const serverOf = (layout: string) => layout.split(' ')[0] ?? layout;

/** How often a layout is started in a mode; with a number per server the first ones get what is left over. */
function startsOf(kind: string, all: readonly string[]): number {
  if (values.starts !== undefined) return Number(values.starts);
  const own = all.filter((other) => serverOf(other) === serverOf(kind));
  const wanted = Number(values['per-server']);
  return Math.floor(wanted / own.length) + Number(own.indexOf(kind) < wanted % own.length);
}

function runs(layout: ColdLayout): boolean {
  if (values.server !== 'all' && !layout.startsWith(values.server)) return false;
  const tool = NEEDED[coldLayouts[layout].language];
  const found = tool && requirement(tool);
  if (found?.kind === 'missing') say(`${layout}: skipped, ${found.reason}`);
  return found?.kind !== 'missing';
}

const place = new Place();
let bad = 0;
try {
  const layouts = (Object.keys(coldLayouts) as ColdLayout[]).filter(runs);
  const used = (['direct', 'daemon'] as const).filter((mode) => ['both', mode].includes(values.mode));
  const kinds = layouts.flatMap((layout) => used.map((mode) => `${layout}, ${mode}`));
  for (const layout of layouts) {
    const root = path.join(place.directory, layout.replaceAll(' ', '-'));
    const workspace = { ...makeColdWorkspace(layout, root), root, args: argsFor(layout) };
    for (const mode of used) {
      const kind = `${layout}, ${mode}`;
      const counts: Record<Verdict, number> = { complete: 0, incomplete: 0, partial: 0, failed: 0 };
      const times: number[] = [];
      for (let start = 0; start < startsOf(kind, kinds); start++) {
        const { verdict, ms, text } = await coldStart(place, workspace, mode);
        counts[verdict] += 1;
        times.push(ms);
        if (values.verbose || verdict === 'partial' || verdict === 'failed')
          say(`  ${verdict} after ${Math.round(ms)} ms: ${text.split('\n').slice(0, 2).join(' | ')}`);
      }
      bad += counts.partial + counts.failed;
      const [half, most] = [quantile(times, 0.5), quantile(times, 1)].map(Math.round);
      say(
        `${kind}: ${counts.complete} complete, ${counts.incomplete} said INCOMPLETE, ${counts.partial} silently partial, ${counts.failed} failed; median ${half} ms, longest ${most} ms`,
      );
    }
    rmSync(root, { recursive: true, force: true });
  }
} finally {
  await place.remove();
}
if (bad > 0) process.exitCode = 1;
