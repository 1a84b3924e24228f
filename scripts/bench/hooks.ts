/** What a hook costs an agent: from its start to its end, beside a Node that does nothing and the time of the diagnostics. */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { until } from '../../test/support/events.ts';
import { median } from '../../test/support/quantile.ts';
import { type Row, timed } from './figures.ts';
import { bareNode, type Place } from './place.ts';
import type { BenchWorkspace } from './workspaces.ts';

/** Uncounted: the first starts of a new version have no code cache yet. */
const WARM_UP = 4;

export async function hookRuns(place: Place, workspace: BenchWorkspace, rounds: number): Promise<Row[]> {
  const stateDir = place.stateDir();
  const file = path.join(workspace.root, 'bench-hook.ts');
  const session = await place.session(workspace.root, stateDir, '--daemon', 'always');
  const [node, noted, reported, checked]: [number[], number[], number[], number[]] = [[], [], [], []];
  let version = 0;
  /** Never the same text twice, so that nothing can be remembered. Every second one has a mistake in it, if wanted. */
  const edit = (isWrong = false) => {
    const added = `export const edit${++version}: number = ${isWrong ? '"a"' : version};\n`;
    writeFileSync(file, `export const sound = 1;\n${added}`);
    return { file, added };
  };
  try {
    edit();
    await until(
      async () => (await session.call('get_diagnostics', { file_path: file })).includes('; fresh'),
      { what: 'the server to be warm', timeoutMs: 240_000 },
    );
    for (let round = -WARM_UP; round < rounds; round++) {
      if (round === 0) node.length = noted.length = reported.length = checked.length = 0;
      node.push(await bareNode());
      noted.push(await hookMs(place, { stateDir, workspace, event: 'note', change: edit() }));
      edit();
      checked.push((await timed(() => session.call('get_diagnostics', { file_path: file }))).ms);
      reported.push(await hookMs(place, { stateDir, workspace, event: 'report', change: edit() }));
    }
    const wrong = await hookText(place, { stateDir, workspace, event: 'report', change: edit(true) });
    if (!wrong.includes('TS2322')) throw new Error(`the hook does not report: ${wrong}`);
  } finally {
    await session.close();
    await place.stopDaemons(stateDir);
  }
  const [nodeMs, noteMs, reportMs, checkMs] = [
    median(node),
    median(noted),
    median(reported),
    median(checked),
  ];
  const of = workspace.name;
  return [
    {
      what: 'hook post-edit that takes a note for the end of the turn, against `node -e 0`',
      workspace: of,
      parts: { 'node ms': nodeMs, 'hook ms': noteMs },
      figure: noteMs / nodeMs,
      unit: 'x',
      bar: { kind: 'at most', value: 1.5 },
    },
    {
      what: 'hook post-edit that asks a warm server at once, less the fresh diagnostics, against `node -e 0`',
      workspace: of,
      parts: { 'node ms': nodeMs, 'hook ms': reportMs, 'diagnostics ms': checkMs },
      figure: (reportMs - checkMs) / nodeMs,
      unit: 'x',
      bar: { kind: 'at most', value: 1.5 },
    },
  ];
}

interface HookCall {
  readonly stateDir: string;
  readonly workspace: BenchWorkspace;
  readonly event: 'note' | 'report';
  readonly change: { readonly file: string; readonly added: string };
}

async function hookMs(place: Place, call: HookCall): Promise<number> {
  const { ms, value } = await timed(() => hookText(place, call));
  if (value !== '') throw new Error(`the hook found something to say: ${value}`);
  return ms;
}

/** As a client runs it after an edit. */
function hookText(place: Place, { stateDir, workspace, event, change }: HookCall): Promise<string> {
  const mode = event === 'note' ? 'agent_end' : 'edit_write';
  const input = {
    session_id: event,
    transcript_path: '/transcript.jsonl',
    cwd: workspace.root,
    hook_event_name: 'PostToolUse',
    tool_name: 'Edit',
    tool_input: { file_path: change.file, old_string: '', new_string: change.added },
    tool_response: { filePath: change.file },
  };
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [place.command, 'hook', 'post-edit', '--mode', mode], {
      cwd: workspace.root,
      env: place.env(stateDir),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    child.once('error', reject);
    child.once('close', () => resolve(said));
    child.stdin.end(JSON.stringify(input));
  });
}
