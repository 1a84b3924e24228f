/** A rename over hundreds of files, written to disk: through the product, and by the server alone with plain writes. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkspaceEdit } from 'vscode-languageserver-protocol';
import { applyTextEdits } from '../../src/frontend/edits/text-edits.ts';
import { median, type Row, timed } from './figures.ts';
import type { Place } from './place.ts';
import { planOf, startRaw } from './raw.ts';
import type { BenchWorkspace } from './workspaces.ts';

const NEW_NAME = 'benchRenamed';

export async function renameApply(place: Place, workspace: BenchWorkspace, rounds: number): Promise<Row> {
  const stateDir = place.stateDir();
  const { file, line, column } = workspace.target;
  const oldName = /^[\w$]+/.exec(
    (readFileSync(file, 'utf8').split('\n')[line - 1] ?? '').slice(column - 1),
  )?.[0];
  const raw = await startRaw(workspace, await planOf(workspace, stateDir));
  const session = await place.session(workspace.root, stateDir, '--daemon', 'always', '--output', 'json');
  const [rawMs, ours]: [number[], number[]] = [[], []];
  let files = 0;
  const rename = (newName: string | undefined) =>
    session.call('rename_symbol', { file_path: file, line, column, new_name: newName, dry_run: false });
  try {
    for (let round = -1; round < rounds; round++) {
      if (round === 0) rawMs.length = ours.length = 0;
      const target = path.join(place.directory, `renamed-${round}`);
      mkdirSync(target);
      rawMs.push((await timed(async () => writePlainly(await raw.rename(NEW_NAME), target))).ms);
      const { ms, value } = await timed(() => rename(NEW_NAME));
      ours.push(ms);
      const answer = JSON.parse(value) as { applied: boolean; files: unknown[] };
      if (!answer.applied) throw new Error(`not applied: ${value.slice(0, 500)}`);
      files = answer.files.length;
      await rename(oldName);
    }
  } finally {
    await Promise.all([raw.stop(), session.close()]);
    await place.stopDaemons(stateDir);
  }
  return {
    what: `rename in ${files} files, all or nothing with new errors compared, over the server's own rename and plain writes`,
    workspace: workspace.name,
    parts: { 'raw ms': median(rawMs), 'ours ms': median(ours) },
    figure: median(ours) / median(rawMs),
    unit: 'times',
  };
}

/** Beside the workspace, so that the next question finds the old text. */
function writePlainly(edit: WorkspaceEdit | null, directory: string): void {
  const changes = edit?.documentChanges
    ? edit.documentChanges.flatMap((change) =>
        'kind' in change ? [] : [[change.textDocument.uri, change.edits] as const],
      )
    : Object.entries(edit?.changes ?? {});
  for (const [index, [uri, edits]] of changes.entries()) {
    const plain = edits.flatMap((each) => ('newText' in each ? [each] : []));
    const { text } = applyTextEdits(readFileSync(fileURLToPath(uri), 'utf8'), plain, 'utf-16');
    writeFileSync(path.join(directory, String(index)), text);
  }
}
