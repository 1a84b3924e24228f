/**
 * All runners of the languages in the table, in the order in which they count where a directory shows several.
 * Decision: docs/decisions/languages-and-projects.md#one-descriptor-per-language
 */
import { groupBy } from '../../../shared/base/group-by.ts';
import type { RunnerRow } from '../../../shared/languages/runner-rows.ts';
import { languageTable } from '../../../shared/languages/table.ts';
import { argumentsFor, cmakeBuild, goEnvironment, unittestStart } from './project-arguments.ts';
import { readersByName } from './readers/by-name.ts';
import type { Runner } from './runner.ts';
import { solutionCopy } from './solution-copy.ts';

export const runners: readonly Runner[] = groupedRows()
  .sort(({ row: one }, { row: other }) => (one.rank ?? 0) - (other.rank ?? 0))
  .map(({ row, languages }) => runnerOf(row, languages));

/** The rows of each group, with the languages that share it. */
function groupedRows(): { readonly row: RunnerRow; readonly languages: readonly string[] }[] {
  const groups = groupBy(
    languageTable.filter((family) => family.runners),
    ({ runners: rows }) => rows,
  );
  return [...groups].flatMap(([rows, families]) =>
    (rows?.() ?? []).map((row) => ({ row, languages: families.map(({ id }) => id) })),
  );
}

function runnerOf(row: RunnerRow, languages: readonly string[]): Runner {
  const { args, everything, only, reportArgs, env, reader, needs, ...same } = row;
  return {
    ...same,
    languages,
    args:
      needs === 'cmake-build'
        ? (cwd) => args.map((word) => (word === '{build}' ? cmakeBuild(cwd) : word))
        : args,
    ...(everything && { everything }),
    ...(needs === 'unittest-start' && { everything: unittestStart }),
    ...(only && { only: (target) => argumentsFor(only, target) }),
    ...(reportArgs && { reportArgs: (file) => reportArgs.map((word) => word.replace('{report}', file)) }),
    ...(needs === 'solution-copy' && { workIn: solutionCopy }),
    ...(needs === 'go-work' ? { env: goEnvironment } : env && { env: () => env }),
    reader: readersByName[reader],
  };
}
