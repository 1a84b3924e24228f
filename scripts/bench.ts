/**
 * `npm run bench [-- --rounds 7 --out file.json]`: measures, side by side in one run, a raw client, direct mode and the
 * broker on real sources; prints ratios against the bars and writes them as JSON. Exit code 1 when a bar is missed.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { requirement } from '../test/support/requirements.ts';
import { manySessions, warmCalls } from './bench/calls.ts';
import { coldReferences } from './bench/cold.ts';
import { editToDiagnostics } from './bench/edits.ts';
import { holds, overRuns, type Row, table } from './bench/figures.ts';
import { hookRuns } from './bench/hooks.ts';
import { sessionsOverHttp } from './bench/http.ts';
import { monorepoCalls, renamePreview } from './bench/monorepo.ts';
import { Place } from './bench/place.ts';
import { previewEdits } from './bench/preview.ts';
import { renameApply } from './bench/renames.ts';
import { firstAndSecondSession, startUp } from './bench/sessions.ts';
import { tokensOfQuestions } from './bench/tokens.ts';
import {
  type BenchWorkspace,
  goWorkspace,
  monorepoWorkspace,
  python3000Workspace,
  pythonWorkspace,
  TYPESCRIPT_SOURCES,
  typescript5Workspace,
  typescriptWorkspace,
} from './bench/workspaces.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    calls: { type: 'string', default: '200' },
    /** `start`, `sessions`, `calls`, `preview`, `rename`, `many`, `http`, `hooks`, `edits`, `monorepo` or `tokens`; all if not given. */
    only: { type: 'string' },
    /** `typescript`, `typescript-5`, `python`, `go`, `monorepo` or `python-3000`; all if not given. */
    workspace: { type: 'string' },
    /** For `http`: how many sessions call, and how long. */
    sessions: { type: 'string', default: '64' },
    seconds: { type: 'string', default: '60' },
    /** For `tokens`: whose sources, and how many symbols of each. */
    packages: { type: 'string', default: TYPESCRIPT_SOURCES.join(',') },
    symbols: { type: 'string', default: '6' },
    out: { type: 'string', default: 'bench-results/latest.json' },
  },
});
const rounds = Number(values.rounds);
const calls = Number(values.calls);
const wanted = (part: string) => values.only === undefined || values.only === part;
const say = (text: string) => process.stderr.write(`${text}\n`);

const place = new Place();
const rows: Row[] = [];
try {
  const workspaces = ['monorepo', 'tokens'].includes(values.only ?? '')
    ? []
    : made({ typescript: typescriptWorkspace, python: pythonWorkspace });
  const [first] = workspaces;
  if (first && wanted('start')) rows.push(...(await startUp(place, first, rounds * 3)));
  if (first && wanted('hooks')) {
    say(`${first.name}: hooks`);
    rows.push(...(await hookRuns(place, first, rounds * 3)));
  }
  for (const workspace of workspaces) {
    if (wanted('sessions')) {
      say(`${workspace.name}: first and second sessions`);
      rows.push(...(await firstAndSecondSession(place, workspace, rounds)));
    }
    if (wanted('calls')) {
      say(`${workspace.name}: warm calls`);
      rows.push(...(await overRuns(rounds, () => warmCalls(place, workspace, calls))));
    }
    if (wanted('preview')) {
      say(`${workspace.name}: edits that are tried out`);
      rows.push(await previewEdits(place, workspace, Math.max(20, rounds * 4)));
    }
    if (wanted('rename')) {
      say(`${workspace.name}: rename in many files`);
      rows.push(...(await renameApply(place, workspace, Math.max(3, rounds))));
    }
    if (wanted('many')) {
      say(`${workspace.name}: many sessions`);
      rows.push(...(await manySessions(place, workspace, rounds)));
    }
  }
  if (first && wanted('http')) {
    say('sessions over HTTP');
    const load = { sessions: Number(values.sessions), seconds: Number(values.seconds), say };
    rows.push(...(await sessionsOverHttp(place, workspaces, load)));
  }
  // The time to fresh diagnostics depends on what the server does, so it is measured with more of them.
  const others = wanted('edits')
    ? made({ 'typescript-5': typescript5Workspace, ...(hasGo() ? { go: goWorkspace } : {}) })
    : [];
  for (const workspace of wanted('edits') ? [...workspaces, ...others] : []) {
    say(`${workspace.name}: edits`);
    rows.push(await editToDiagnostics(place, workspace, Math.max(20, rounds * 4)));
  }
  if (wanted('monorepo')) {
    for (const workspace of made({ monorepo: monorepoWorkspace })) {
      say(`${workspace.name}: questions across packages`);
      rows.push(...(await overRuns(rounds, () => monorepoCalls(place, workspace, Math.ceil(calls / 4)))));
    }
    for (const workspace of made({ 'python-3000': python3000Workspace })) {
      say(`${workspace.name}: cold starts`);
      rows.push(await coldReferences(place, workspace, rounds));
      say(`${workspace.name}: previews of a rename`);
      rows.push(await renamePreview(place, workspace, 5));
    }
  }
  if (wanted('tokens')) {
    const packages = values.packages.split(',');
    const asked = { packages, symbols: Number(values.symbols), say };
    rows.push(...(await tokensOfQuestions(place, path.join(place.directory, 'sources'), asked)));
  }
} finally {
  await place.remove();
}

process.stdout.write(`${table(rows)}\n`);
mkdirSync(path.dirname(values.out), { recursive: true });
const machine = { node: process.version, platform: process.platform, cpus: os.cpus().length, rounds, calls };
writeFileSync(values.out, `${JSON.stringify({ machine, rows }, null, 2)}\n`);
say(`written to ${values.out}`);
if (!rows.every(holds)) process.exitCode = 1;

/** Makes those that are wanted. */
function made<Made extends BenchWorkspace>(
  makers: Readonly<Record<string, (root: string) => Made>>,
): readonly Made[] {
  const names = Object.entries(makers).filter(([name]) => (values.workspace ?? name) === name);
  return names.map(([name, make]) => {
    const workspace = make(path.join(place.directory, name));
    say(`${name}: ${workspace.files} files`);
    return workspace;
  });
}

function hasGo(): boolean {
  const missing = (['go', 'gopls'] as const).map(requirement).find(({ kind }) => kind === 'missing');
  if (missing?.kind === 'missing') say(`go: skipped, ${missing.reason}`);
  return missing === undefined;
}
