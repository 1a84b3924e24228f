/** Builds and tests as answers: the verdict first, then one line per failure, with a little detail for the first ones. */

import { failureSentence } from '../../render/failure.ts';
import type { Roots } from '../../workspace/roots.ts';
import { cutNote, findingLines, shortLine } from './findings-text.ts';
import type { TaskResult } from './run-task.ts';
import { hasSucceeded, isClear, runSucceeded, verdict } from './verdict-text.ts';
import { shownConfig } from './words.ts';

export function buildText(result: TaskResult, roots: Roots): string {
  const { task, runs } = result;
  const canRunLess = runs.some(({ smaller }) => smaller !== undefined);
  const findings = runs.flatMap((run) => run.findings);
  return [
    verdict(result, roots),
    ...findingLines(findings, task, { roots, canRunLess }),
    ...lastOutput(result),
  ].join('\n');
}

/** What is said beside the verdict. */
export function remarks({ notes, runs }: TaskResult): readonly string[] {
  return [...notes, ...cutNote(runs.flatMap(({ findings }) => findings))];
}

/** What both tools give beside their findings. */
export function runData(result: TaskResult, roots: Roots) {
  const { task, runs, notRun } = result;
  const projects = runs.flatMap(({ reading }) => reading.projects ?? []);
  return {
    command: runs.map(({ command }) => command).join('; '),
    ...(runs.length === 1
      ? {}
      : {
          runs: runs.map((run) => ({
            command: run.command,
            directory: run.cwd,
            succeeded: runSucceeded(task, run),
          })),
        }),
    ...(notRun.length === 0
      ? {}
      : {
          not_run: notRun.map(({ name, failure }) => ({
            name,
            reason: failure ? failureSentence(failure) : 'no time was left',
          })),
        }),
    ...(projects.length === 0
      ? {}
      : {
          projects_checked: projects.reduce((sum, { checked }) => sum + checked, 0),
          projects_not_checked: projects.flatMap(({ unchecked }) =>
            unchecked.map(({ config, why }) => ({ project: shownConfig(config, roots), reason: why })),
          ),
        }),
    raw: runs.map(({ command, raw }) => (runs.length === 1 ? raw : `$ ${command}\n${raw}`)).join('\n'),
  };
}

/** Where nothing could be read from the output, its end has to speak for itself. */
function lastOutput(result: TaskResult): readonly string[] {
  if (hasSucceeded(result)) return [];
  return result.runs
    .filter((run) => !isClear(result, run) && run.lastLines.length > 0)
    .flatMap(({ command, lastLines }) => [
      result.runs.length === 1 ? 'last output:' : `last output of ${command}:`,
      ...lastLines.map((line) => `    ${shortLine(line)}`),
    ]);
}
