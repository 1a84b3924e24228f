/**
 * A rename over hundreds of files, written to disk: through the product, and by the server alone with plain writes. The
 * product also says which errors are new; what that question takes when nobody but the server is asked is measured apart.
 */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import { applyTextEdits } from '../../src/frontend/features/edits/plan/text-edits.ts';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { absolutePath, uriToPath } from '../../src/shared/base/paths.ts';
import { median } from '../../test/support/quantile.ts';
import { type Row, timed } from './figures.ts';
import type { McpProcess } from './mcp-process.ts';
import type { Place } from './place.ts';
import { planOf, type RawServer, startRaw } from './raw.ts';
import type { BenchWorkspace } from './workspaces.ts';

const NEW_NAME = 'benchRenamed';
/** As many changed files as the product compares errors in. */
const CHECKED = 20;

export async function renameApply(
  place: Place,
  workspace: BenchWorkspace,
  rounds: number,
): Promise<readonly Row[]> {
  const stateDir = place.stateDir();
  const renamed = { ...workspace, target: workspace.renamed };
  const alone = copyOf(renamed, path.join(place.directory, `${workspace.name}-alone`));
  const raw = await startRaw(alone, await planOf(alone, stateDir));
  const session = await place.session(workspace.root, stateDir, '--daemon', 'always', '--output', 'json');
  const measured = { raw: [] as number[], errors: [] as number[], ours: [] as number[] };
  let files = 0;
  try {
    // The first round finds cold servers and does not count.
    for (let round = -1; round < rounds; round++) {
      const plain = await renamePlainly(raw);
      const ours = await renameByProduct(session, renamed);
      files = ours.files;
      if (round < 0) continue;
      measured.raw.push(plain.ms);
      measured.errors.push(plain.errorsMs);
      measured.ours.push(ours.ms);
    }
  } finally {
    await Promise.all([raw.stop(), session.close()]);
    await place.stopDaemons(stateDir);
  }
  const ours = median(measured.ours);
  const [rename, errors] = [median(measured.raw), median(measured.errors)];
  const what = `rename of ${workspace.renamed.what} in ${files} files, all or nothing with new errors compared`;
  const parts = { 'raw ms': rename, 'raw errors ms': errors, 'ours ms': ours };
  const row = { workspace: workspace.name, parts, unit: 'times' };
  return [
    { ...row, what: `${what}, over the server's own rename and plain writes`, figure: ours / rename },
    {
      ...row,
      what: `the same, over the server's own with errors of ${CHECKED} of these files asked before and after`,
      figure: ours / (rename + errors),
    },
  ];
}

/** And back again, which is not measured. */
async function renameByProduct(session: McpProcess, { target }: BenchWorkspace) {
  const { file, line, column } = target;
  const oldName = /^[\w$]+/.exec(
    (readFileSync(file, 'utf8').split('\n')[line - 1] ?? '').slice(column - 1),
  )?.[0];
  const rename = async (newName: string | undefined) => {
    const wanted = { file_path: file, line, column, new_name: newName, dry_run: false };
    const answer = await session.call('rename_symbol', wanted);
    const { applied, files } = JSON.parse(answer) as { applied: boolean; files: unknown[] };
    if (!applied) throw new Error(`not applied: ${answer.slice(0, 500)}`);
    return files.length;
  };
  const { ms, value: files } = await timed(() => rename(NEW_NAME));
  await rename(oldName);
  return { ms, files };
}

/** In a workspace of its own, so that neither server hears of the other's changes. */
async function renamePlainly(raw: RawServer): Promise<{ ms: number; errorsMs: number }> {
  const asked = await timed(async () => textsAfter(await raw.rename(NEW_NAME)));
  const texts = asked.value;
  const checked = [...texts.keys()].slice(0, CHECKED);
  const before = await timed(() => raw.errorsIn(checked));
  const old = new Map([...texts.keys()].map((file) => [file, readFileSync(file, 'utf8')]));
  const written = await timed(async () => writeAll(texts));
  const after = await timed(async () => {
    await raw.changed(texts);
    await raw.errorsIn(checked);
  });
  // As the product leaves it: told, and asked again.
  writeAll(old);
  await raw.changed(old);
  await raw.errorsIn(checked);
  return { ms: asked.ms + written.ms, errorsMs: before.ms + after.ms };
}

export function textsAfter(edit: WorkspaceEdit | null): ReadonlyMap<AbsPath, string> {
  const changes = edit?.documentChanges
    ? edit.documentChanges.flatMap((change) =>
        'kind' in change ? [] : [[change.textDocument.uri, change.edits] as const],
      )
    : Object.entries(edit?.changes ?? {});
  return new Map(
    changes.flatMap(([uri, edits]) => {
      const file = uriToPath(uri);
      if (file === undefined) return [];
      const plain = edits.flatMap((each) => ('newText' in each ? [each] : []));
      return [[file, applyTextEdits(readFileSync(file, 'utf8'), plain, 'utf-16').text] as const];
    }),
  );
}

function writeAll(texts: ReadonlyMap<AbsPath, string>): void {
  for (const [file, text] of texts) writeFileSync(file, text);
}

function copyOf(workspace: BenchWorkspace, root: string): BenchWorkspace {
  cpSync(workspace.root, root, { recursive: true, verbatimSymlinks: true });
  const there = (file: string) => absolutePath(path.relative(workspace.root, file), absolutePath(root));
  const { target, large } = workspace;
  return { ...workspace, root, target: { ...target, file: there(target.file) }, large: there(large) };
}
