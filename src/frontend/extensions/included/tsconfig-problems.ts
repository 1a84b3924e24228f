/**
 * What is wrong with the TypeScript projects of a workspace: each configuration is given to the compiler that comes with the
 * package, without checking any code, and files that no configuration includes are found by what the configurations say.
 */
import path from 'node:path';
import { directoriesUpTo } from '../../../shared/base/ancestors.ts';
import { counted } from '../../../shared/base/counted.ts';
import { absolutePath, displayPath } from '../../../shared/base/paths.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { currentEnvironment, packageRootOf } from '../../../shared/languages/environment.ts';
import type { Launch } from '../../../shared/languages/executables.ts';
import { embeddedTypescript7 } from '../../../shared/languages/find-typescript.ts';
import { installedPackage, packageAt } from '../../../shared/languages/npm-packages.ts';
import { runTypescript } from '../../../shared/languages/run-typescript.ts';
import { tsProjects } from '../../../shared/tsconfig/ts-projects.ts';
import { readTsProject } from '../../../shared/tsconfig/tsconfig.ts';
import { oneLine } from '../../render/budget.ts';
import type { ExtensionAnswer, ExtensionContext } from '../definition.ts';

const CONFIGS = '{tsconfig,jsconfig}*.json';
const MOST_CONFIGS = 60;
const AT_ONCE = 2;
const MOST_FILES_SHOWN = 10;
/** The configuration of a file is looked for under these names alone; others are for who names them. */
const FOUND_BY_NAME = /^[tj]sconfig\.json$/;
/** Options and values that version 7 has dropped, and older versions take. */
const DROPPED = new Set(['TS5102', 'TS5103', 'TS5107', 'TS5108']);
/** They follow from what is said besides: without the library of types every file lacks the basic ones. */
const CONSEQUENCES = new Set(['TS2318']);
/** Of what others extend it is not wrong. */
const NO_INPUT = new Set(['TS18002', 'TS18003']);
/** An incremental project would be given a file with what was found out, beside its configuration. */
const ONLY_READING = '--noEmit --noCheck --pretty false --incremental false --composite false'.split(' ');
const LINE = /^(?:(.+?)\((\d+),(\d+)\): )?error (TS\d+): (.+)$/;

interface ConfigProblem {
  readonly config: string;
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly code: string;
  readonly message: string;
  readonly only_in_version_7: boolean;
}

export async function tsconfigProblems(
  { path: given }: { readonly path?: string | undefined },
  context: ExtensionContext,
): Promise<ExtensionAnswer> {
  const show = (file: string) => displayPath(absolutePath(file), absolutePath(context.root));
  const found = await context.files(CONFIGS, given);
  const configs = found.files.slice(0, MOST_CONFIGS);
  const compiler = embeddedTypescript7(
    currentEnvironment(packageRootOf(path.join(import.meta.dirname, 'tsconfig-problems.js'))),
  );
  if (!compiler)
    throw new Error('the TypeScript of agent-lsp is not installed for this machine: install agent-lsp again');
  const bases = new Set(configs.flatMap((config) => readTsProject(config).bases));
  const unanswered: string[] = [];
  const problems = (
    await eachBounded(configs, AT_ONCE, async (config) => {
      const said = context.remainingMs() < 1_000 ? undefined : await complaintsAbout(config, compiler);
      if (said === undefined) unanswered.push(config);
      return (said ?? []).filter(({ code }) => !(bases.has(config) && NO_INPUT.has(code)));
    })
  ).flat();
  const loose =
    given === undefined ? await filesOfNoProject(configs, context) : { files: [], incomplete: undefined };
  const left = found.files.length - configs.length;
  const reasons = [
    found.incomplete,
    loose.incomplete,
    left > 0
      ? `${counted(left, 'configuration')} beyond the first ${MOST_CONFIGS} not looked at; pass path`
      : undefined,
    unanswered.length > 0
      ? `the compiler did not answer about ${unanswered.map(show).join(', ')}`
      : undefined,
  ].filter((reason) => reason !== undefined);
  const [first] = problems;
  return {
    text: [
      `${counted(problems.length, 'problem', { none: 'no' })} in ${counted(configs.length, 'tsconfig file', { none: 'no' })}; TypeScript ${versionOf(compiler)}; root ${context.root}`,
      ...problems.map((problem) => problemLine(problem, show)),
      ...looseLines(loose.files, show),
    ].join('\n'),
    data: { configs: [...configs], problems, files_of_no_project: loose.files },
    ...(reasons.length === 0 ? {} : { incomplete: reasons.join('; ') }),
    ...(first
      ? { hint: `mend ${placeOf(first, show)}, then get_diagnostics: its files are checked by it` }
      : {}),
  };
}

/** Undefined when the compiler did not answer. */
async function complaintsAbout(
  config: string,
  compiler: Launch,
): Promise<readonly ConfigProblem[] | undefined> {
  const output = await runTypescript(compiler, ['-p', config, ...ONLY_READING]);
  if (output === undefined) return undefined;
  const own = installedPackage('typescript', directoriesUpTo(path.dirname(config), path.parse(config).root));
  const isOlder = own !== undefined && Number.parseInt(own.version, 10) < 7;
  return output.split('\n').flatMap((text): ConfigProblem[] => {
    const [, place, line, column, code = '', message = ''] = LINE.exec(text.trimEnd()) ?? [];
    // What is wrong in the code of the project is not asked here.
    if (code === '' || CONSEQUENCES.has(code) || (place !== undefined && !place.endsWith('.json'))) return [];
    return [
      {
        config,
        file: place === undefined ? config : path.resolve(place),
        ...(line === undefined ? {} : { line: Number(line), column: Number(column) }),
        code,
        message: oneLine(message, 240),
        only_in_version_7: isOlder && DROPPED.has(code),
      },
    ];
  });
}

/** TypeScript files that no configuration includes: servers guess the options for them. */
async function filesOfNoProject(configs: readonly string[], context: ExtensionContext) {
  if (!configs.some((config) => FOUND_BY_NAME.test(path.basename(config))))
    return { files: [], incomplete: undefined };
  const { files, incomplete } = await context.files('*.{ts,tsx,mts,cts}');
  const projectOf = tsProjects(context.root);
  return { files: files.filter((file) => projectOf(file) === undefined), incomplete };
}

function problemLine(problem: ConfigProblem, show: (file: string) => string): string {
  const { code, message, config, file } = problem;
  const of = file === config ? '' : ` (for ${show(config)})`;
  const older = problem.only_in_version_7 ? ' (only in TypeScript 7: the project has an older one)' : '';
  return `${placeOf(problem, show)} ${code}: ${message}${of}${older}`;
}

function placeOf({ file, line, column }: ConfigProblem, show: (file: string) => string): string {
  return line === undefined ? show(file) : `${show(file)}:${line}:${column}`;
}

function looseLines(files: readonly string[], show: (file: string) => string): readonly string[] {
  if (files.length === 0) return [];
  const shown = files.slice(0, MOST_FILES_SHOWN).map(show).join(', ');
  const more = files.length > MOST_FILES_SHOWN ? ` and ${files.length - MOST_FILES_SHOWN} more` : '';
  return [`${counted(files.length, 'TypeScript file')} in no project: ${shown}${more}`];
}

/** Of the package that the binary is in. */
function versionOf({ binary }: Launch): string {
  const above = directoriesUpTo(path.dirname(binary.path), path.parse(binary.path).root);
  return above.flatMap((directory) => packageAt(directory)?.version ?? [])[0] ?? '7';
}
