/** One build system of a project: the first of its runners that is installed, run on what was asked for. */
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { runProcess } from '../../processes/run-process.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { System } from './choose-runner.ts';
import { type FoundProgram, findProgram, programName } from './find-program.ts';
import { type PlacedFinding, placeFindings } from './place-findings.ts';
import { type RunnerOutcome, runRunner } from './run-runner.ts';
import type { Runner, RunTarget } from './runner.ts';

export interface SystemCall {
  readonly system: System;
  readonly target: GivenPath | undefined;
  readonly cwd: AbsPath;
  readonly boundary: AbsPath;
  readonly limitMs: number;
}

export interface GivenPath {
  readonly file: AbsPath;
  readonly isDirectory: boolean;
}

export interface SystemRun extends RunnerOutcome {
  /** As a person would type it, in `cwd`. */
  readonly command: string;
  readonly cwd: AbsPath;
  readonly findings: readonly PlacedFinding[];
  readonly notes: readonly string[];
  /** The file of the first finding, if to run that alone would be less than this was. */
  readonly smaller: AbsPath | undefined;
}

const IMPORT_CHECK_MS = 20_000;

export async function runSystem(context: ToolContext, call: SystemCall): Promise<SystemRun> {
  const { system, target, cwd, boundary, limitMs } = call;
  const { runner, program, notes } = await installed(context, system, cwd, boundary);
  const narrowed = target && narrow(runner, cwd, target);
  const args = [...argumentsFor(runner.args, cwd), ...(narrowed ?? argumentsFor(runner.everything, cwd))];
  const ran = await runRunner(context, { runner, program, args, cwd, boundary, limitMs });
  const isWhole = target === undefined || narrowed !== undefined || target.file === cwd;
  const ground = { cwd, boundary, columns: runner.columns };
  const findings = await placeFindings(context, ran.reading.findings, ground);
  return {
    ...ran,
    command: [program.shown, ...args].map(quoted).join(' ').trim(),
    cwd,
    findings,
    notes: [
      ...notes,
      ...(program.note === undefined ? [] : [program.note]),
      ...(ran.placeNote === undefined ? [] : [ran.placeNote]),
      ...(isWhole ? [] : [`${runner.name} cannot be limited to a path: this is the whole project`]),
      ...(ran.reading.doubt === undefined ? [] : [ran.reading.doubt]),
    ],
    smaller: smallerThan(args, { runner, cwd, file: findings[0]?.file }),
  };
}

function smallerThan(
  args: readonly string[],
  { runner, cwd, file }: { runner: Runner; cwd: AbsPath; file: AbsPath | undefined },
): AbsPath | undefined {
  const alone = file && narrow(runner, cwd, { file, isDirectory: false });
  const isLess = alone && args.slice(-alone.length).join('\0') !== alone.join('\0');
  return isLess ? file : undefined;
}

function argumentsFor(args: Runner['everything'], cwd: AbsPath): readonly string[] {
  return typeof args === 'function' ? args(cwd) : (args ?? []);
}

/** The first runner whose program is there. Only Python projects are commonly without the one they show. */
async function installed(
  context: ToolContext,
  system: System,
  cwd: AbsPath,
  boundary: AbsPath,
): Promise<{ readonly runner: Runner; readonly program: FoundProgram; readonly notes: readonly string[] }> {
  const notes: string[] = [];
  for (const runner of system) {
    const program = findProgram(runner.program, { cwd, boundary, environment: context.environment });
    if (program && (await canRun(context, runner, program, cwd))) return { runner, program, notes };
    if (runner.program.kind !== 'python-module') break;
    notes.push(`${runner.name} is not installed (${runner.install})`);
  }
  const [first] = system;
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
  const target: RunTarget = { path: path.relative(cwd, file).split(path.sep).join('/') || '.', isDirectory };
  return target.path === '.' ? undefined : runner.only?.(target);
}

/** Quoted for reading, and for pasting into a shell. */
function quoted(word: string): string {
  return /^[\w@%+=:,./ -]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
