/** A build or a test run from what was asked to what came out of it. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../shared/base/brand.ts';
import { fail } from '../../shared/base/failure.ts';
import { absolutePath } from '../../shared/base/paths.ts';
import { languageOfFile } from '../../shared/languages/lookup.ts';
import type { ToolContext } from '../tool-context.ts';
import { chooseRunners } from './choose-runner.ts';
import { type FoundProgram, findProgram, programName } from './find-program.ts';
import { type PlacedFinding, placeFindings } from './place-findings.ts';
import { runProcess } from './run-process.ts';
import { type RunnerOutcome, runRunner } from './run-runner.ts';
import type { Runner, Target, Task } from './runner.ts';

export interface TaskRequest {
  readonly task: Task;
  readonly workspaceDir: string | undefined;
  readonly path: string | undefined;
  readonly language: string | undefined;
  readonly limitMs: number;
}

export interface TaskResult extends RunnerOutcome {
  readonly task: Task;
  /** As a person would type it, in `cwd`. */
  readonly command: string;
  readonly cwd: AbsPath;
  readonly findings: readonly PlacedFinding[];
  readonly notes: readonly string[];
}

const IMPORT_CHECK_MS = 20_000;

export async function runTask(context: ToolContext, request: TaskRequest): Promise<TaskResult> {
  const { start, target } = startOf(context, request);
  const boundary = context.roots.around(start);
  const choice = chooseRunners({
    task: request.task,
    start,
    boundary,
    family: request.language === undefined ? undefined : context.servers.familyOf(request.language),
    preferred: target?.isDirectory === false ? languageOfFile(target.file)?.family.id : undefined,
  });
  const { cwd } = choice;
  const { runner, program, notes } = await installed(context, choice.runners, cwd, boundary);
  const narrowed = target && narrow(runner, cwd, target);
  const args = [...argumentsFor(runner.args, cwd), ...(narrowed ?? argumentsFor(runner.everything, cwd))];
  const ran = await runRunner(context, { runner, program, args, cwd, limitMs: request.limitMs });
  const isWhole = target === undefined || narrowed !== undefined || target.file === cwd;
  return {
    ...ran,
    task: request.task,
    command: [program.shown, ...args].map(quoted).join(' ').trim(),
    cwd,
    findings: await placeFindings(context, ran.reading.findings, { cwd, boundary, columns: runner.columns }),
    notes: [
      ...notes,
      ...(program.note === undefined ? [] : [program.note]),
      ...(isWhole ? [] : [`${runner.name} cannot be limited to a path: this is the whole project`]),
      ...(ran.reading.doubt === undefined ? [] : [ran.reading.doubt]),
    ],
  };
}

function argumentsFor(args: Runner['everything'], cwd: AbsPath): readonly string[] {
  return typeof args === 'function' ? args(cwd) : (args ?? []);
}

interface GivenPath {
  readonly file: AbsPath;
  readonly isDirectory: boolean;
}

/** `path` may be written relative to workspace_dir, and as a Go pattern. */
function startOf(
  { roots }: ToolContext,
  request: TaskRequest,
): { readonly start: AbsPath; readonly target: GivenPath | undefined } {
  const base = roots.resolve(request.workspaceDir ?? roots.primary);
  const isDirectory = kindOf(base) === 'directory';
  if (!isDirectory) {
    if (!existsSync(base)) fail({ kind: 'no-such-file', path: base });
    fail({
      kind: 'invalid-input',
      message: `${base} is not a directory`,
      next: 'Pass it as path, and a directory as workspace_dir',
    });
  }
  if (request.path === undefined) return { start: base, target: undefined };
  const given = request.path.replace(/\/?\.\.\.$/, '') || '.';
  const inBase = path.resolve(base, given);
  const file = roots.resolve(existsSync(inBase) ? inBase : given);
  const kind = kindOf(file);
  if (kind === undefined) fail({ kind: 'no-such-file', path: file });
  const target = { file, isDirectory: kind === 'directory' };
  return { start: target.isDirectory ? file : absolutePath(path.dirname(file)), target };
}

function kindOf(file: AbsPath): 'directory' | 'file' | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat && (stat.isDirectory() ? 'directory' : 'file');
}

/** The first runner whose program is there. Only Python projects are commonly without the one they show. */
async function installed(
  context: ToolContext,
  candidates: readonly [Runner, ...Runner[]],
  cwd: AbsPath,
  boundary: AbsPath,
): Promise<{ readonly runner: Runner; readonly program: FoundProgram; readonly notes: readonly string[] }> {
  const notes: string[] = [];
  for (const runner of candidates) {
    const program = findProgram(runner.program, { cwd, boundary, environment: context.environment });
    if (program && (await canRun(context, runner, program, cwd))) return { runner, program, notes };
    if (runner.program.kind !== 'python-module') break;
    notes.push(`${runner.name} is not installed (${runner.install})`);
  }
  const [first] = candidates;
  return fail({
    kind: 'program-missing',
    program: programName(first.program),
    wantedFor: `${first.name} in ${cwd}`,
    install: first.install,
  });
}

async function canRun(
  { environment, signal, clock }: ToolContext,
  { program: wanted }: Runner,
  program: FoundProgram,
  cwd: AbsPath,
): Promise<boolean> {
  if (wanted.kind !== 'python-module') return true;
  const script = 'import importlib.util, sys; sys.exit(importlib.util.find_spec(sys.argv[1]) is None)';
  const command = { executable: program.executable, args: ['-c', script, wanted.module], cwd };
  const limits = { signal, clock, limitMs: IMPORT_CHECK_MS, onLine: () => {} };
  const end = await runProcess({ ...command, env: environment.env }, limits);
  return end.kind === 'exited' && end.code === 0;
}

function narrow(
  runner: Runner,
  cwd: AbsPath,
  { file, isDirectory }: GivenPath,
): readonly string[] | undefined {
  const target: Target = { path: path.relative(cwd, file).split(path.sep).join('/') || '.', isDirectory };
  return target.path === '.' ? undefined : runner.only?.(target);
}

/** Quoted for reading, and for pasting into a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./ -]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
