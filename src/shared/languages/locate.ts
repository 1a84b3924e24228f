/** Where a server candidate is on this machine. Nothing is ever downloaded, installed or run to find out. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { defaultBoundary, directoriesUpTo } from '../base/ancestors.ts';
import type { AbsPath } from '../base/brand.ts';
import { absolutePath } from '../base/paths.ts';
import { type Environment, variable } from './environment.ts';
import {
  executableIn,
  executablesOnPath,
  highestVersionOnPath,
  isExecutable,
  type Launch,
  launchOf,
} from './executables.ts';
import type { ServerCandidate } from './family.ts';
import { embeddedPackage, scriptOf } from './npm-packages.ts';
import type { TypescriptEngine } from './roles.ts';
import { programBehind } from './toolchains.ts';

/** In order of precedence. */
const INSTALL_PLACES = ['variable', 'project', 'path', 'known-directory', 'versioned', 'embedded'] as const;
export type InstallPlace = (typeof INSTALL_PLACES)[number];

export interface Search {
  readonly root: AbsPath;
  /** The highest directory whose node_modules is looked at; by default that of the repository. */
  readonly boundary?: AbsPath | undefined;
  readonly environment: Environment;
  /** The directory that is asked about, where a package may have tools of its own; the root if not said. */
  readonly from?: AbsPath | undefined;
  /** Which TypeScript is to serve, if that is decided. */
  readonly engine?: TypescriptEngine | undefined;
}

export interface Located {
  readonly candidate: ServerCandidate;
  readonly place: InstallPlace;
  readonly launch: Launch;
}

/** The best place has the first word, then the order of the candidates. */
export function locateFirst(candidates: readonly ServerCandidate[], search: Search): Located | undefined {
  for (const place of INSTALL_PLACES) {
    for (const candidate of candidates) {
      const file = fileAt(place, candidate, search);
      if (file) return { candidate, place, launch: launchOf(file, search.environment) };
    }
  }
  return undefined;
}

/** The root and the directories above it that belong to the same project, nearest first. */
export function searchDirectories(search: Search): readonly string[] {
  return directoriesUpTo(search.root, search.boundary ?? defaultBoundary(search.root));
}

function fileAt(place: InstallPlace, candidate: ServerCandidate, search: Search): string | undefined {
  const { environment } = search;
  const { command } = candidate;
  if (candidate.platform && candidate.platform !== environment.platform) return undefined;
  switch (place) {
    case 'variable':
      return candidate.pathVariables
        ?.map((name) => variable(environment, name))
        .find((file) => file !== undefined && isExecutable(file, environment));
    case 'project':
      return candidate.npm === undefined ? undefined : projectBinary(command, search);
    case 'path':
      return firstReal(executablesOnPath(command, environment), candidate, search);
    case 'known-directory':
      return firstReal(executablesInKnownDirectories(candidate, environment), candidate, search);
    case 'versioned':
      return candidate.versioned ? highestVersionOnPath(command, environment) : undefined;
    case 'embedded':
      return embeddedScript(candidate, environment);
  }
}

function projectBinary(command: string, search: Search): string | undefined {
  for (const directory of searchDirectories(search)) {
    const file = executableIn(path.join(directory, 'node_modules', '.bin'), command, search.environment);
    if (file) return file;
  }
  return undefined;
}

function firstReal(files: Iterable<string>, candidate: ServerCandidate, search: Search): string | undefined {
  for (const file of files) {
    const program = programBehind(file, candidate, searchDirectories(search), search.environment);
    if (program) return program;
  }
  return undefined;
}

function* executablesInKnownDirectories(
  candidate: ServerCandidate,
  environment: Environment,
): Generator<string> {
  for (const pattern of candidate.alsoIn ?? []) {
    for (const directory of expandDirectory(pattern, environment)) {
      const file = executableIn(directory, candidate.command, environment);
      if (file) yield file;
    }
  }
}

/** `~/x` and `$NAME/x`; a variable such as GOPATH may hold several directories. */
function expandDirectory(pattern: string, environment: Environment): readonly string[] {
  const [first = '', ...rest] = pattern.split('/');
  const delimiter = environment.platform === 'win32' ? ';' : ':';
  const bases =
    first === '~' ? [environment.homedir] : (variable(environment, first.slice(1)) ?? '').split(delimiter);
  return bases.filter((base) => path.isAbsolute(base)).map((base) => path.join(base, ...rest));
}

function embeddedScript(candidate: ServerCandidate, environment: Environment): string | undefined {
  if (!candidate.embedded || candidate.npm === undefined) return undefined;
  const ours = embeddedPackage(candidate.npm, environment);
  const script = ours && scriptOf(ours, candidate.command);
  return script && existsSync(script) ? absolutePath(script) : undefined;
}
