/** A build or a test run from what was asked to what came out of it, for each build system that is there. */
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { type Failure, fail, failureOf } from '../../../shared/base/failure.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import { languageOfFile } from '../../../shared/languages/lookup.ts';
import type { Task } from '../../../shared/languages/runner-rows.ts';
import type { Agreed, Deed } from '../../access/permission.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type Choice, chooseRunners } from './choose-runner.ts';
import { type GivenPath, runSystem, type SystemRun } from './run-system.ts';

export interface TaskRequest {
  readonly task: Task;
  readonly workspaceDir: string | undefined;
  readonly path: string | undefined;
  readonly language: string | undefined;
  readonly limitMs: number;
}

export interface TaskResult {
  readonly task: Task;
  readonly runs: readonly [SystemRun, ...SystemRun[]];
  /** Systems of the same project about which nothing can be said. */
  readonly notRun: readonly NotRun[];
  readonly notes: readonly string[];
}

export interface NotRun {
  readonly name: string;
  /** Undefined when no time was left. */
  readonly failure: Failure | undefined;
}

/** What is going to be run where. */
export interface TaskPlan extends Choice, Deed {
  readonly request: TaskRequest;
  readonly target: GivenPath | undefined;
  readonly boundary: AbsPath;
}

/** Inside the roots, wherever links lead; fails when there is nothing to run. */
export function planTask(context: ToolContext, request: TaskRequest): TaskPlan {
  const { start, target } = startOf(context, request);
  const boundary = context.roots.around(start);
  const choice = chooseRunners({
    task: request.task,
    start,
    boundary,
    family: request.language === undefined ? undefined : context.servers.familyOf(request.language),
    preferred: target?.isDirectory === false ? languageOfFile(target.file)?.family.id : undefined,
  });
  const names = choice.systems.map(([{ name }]) => name).join(', ');
  const summary = `${request.task} ${target?.file ?? choice.cwd} with ${names}: this runs code of the project in ${choice.cwd}`;
  return { ...choice, request, target, boundary, summary };
}

/** Fails as the first system does if none of them can be run. */
export async function runTask(
  context: ToolContext,
  { plan }: Agreed<'execute', TaskPlan>,
): Promise<TaskResult> {
  const { request, target, boundary, cwd, systems, leftOut } = plan;
  const endsAt = context.clock.now() + request.limitMs;
  const runs: SystemRun[] = [];
  const notRun: NotRun[] = [];
  for (const system of systems) {
    const limitMs = endsAt - context.clock.now();
    const { name } = system[0];
    if (limitMs <= 0) {
      notRun.push({ name, failure: undefined });
      continue;
    }
    try {
      runs.push(await runSystem(context, { system, target, cwd, boundary, limitMs }));
    } catch (error) {
      const failure = failureOf(error);
      if (!failure || failure.kind === 'cancelled') throw error;
      notRun.push({ name, failure });
    }
  }
  const [first, ...others] = runs;
  if (!first) return fail(notRun[0]?.failure ?? { kind: 'cancelled' });
  const left = [...new Set(leftOut.map(({ name }) => name))];
  return {
    task: request.task,
    runs: [first, ...others],
    notRun,
    notes: [
      ...new Set(runs.flatMap(({ notes }) => notes)),
      ...(left.length === 0 ? [] : [`also there and not run: ${left.join(', ')}`]),
    ],
  };
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
