/** Where a runner's program is on this machine: the project's own comes before the machine's, and ours is the last. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { directoriesUpTo } from '../../../shared/base/ancestors.ts';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { assertNever } from '../../../shared/base/brand.ts';
import type { Environment } from '../../../shared/languages/environment.ts';
import {
  executableIn,
  executablesOnPath,
  isExecutable,
  launchOf,
} from '../../../shared/languages/executables.ts';
import { searchDirectories } from '../../../shared/languages/locate.ts';
import { embeddedPackage, installedPackage, scriptOf } from '../../../shared/languages/npm-packages.ts';
import { findPython } from '../../../shared/languages/python-environment.ts';
import type { RunnerProgram } from '../../../shared/languages/runner-rows.ts';

export interface FoundProgram {
  readonly executable: string;
  /** Before the runner's own arguments. */
  readonly args: readonly string[];
  /** As a person would call it. */
  readonly shown: string;
  /** What is unusual about it. */
  readonly note?: string | undefined;
}

export interface ProgramSearch {
  readonly cwd: AbsPath;
  readonly boundary: AbsPath;
  readonly environment: Environment;
}

/** Undefined when it is not there. Whether a Python module can be imported is not looked at here. */
export function findProgram(
  program: RunnerProgram,
  { cwd, boundary, environment }: ProgramSearch,
): FoundProgram | undefined {
  // Up to the repository, which may begin above what we may look at, and up to that where there is no repository.
  const directories = [
    ...new Set([...searchDirectories({ root: cwd, environment }), ...directoriesUpTo(cwd, boundary)]),
  ];
  switch (program.kind) {
    case 'path':
      return onPath(program.names, program.alsoIn ?? [], environment);
    case 'wrapper': {
      const script = environment.platform === 'win32' ? `${program.script}.bat` : program.script;
      const own = directories
        .map((directory) => path.join(directory, script))
        .find((file) => existsSync(file));
      if (own === undefined) return onPath([program.name], [], environment);
      const shown = path.relative(cwd, own);
      // A wrapper that lost its executable bit in a checkout still is a shell script.
      if (!isExecutable(own, environment))
        return { executable: '/bin/sh', args: [own], shown: `sh ${shown}` };
      return started(own, shown.includes(path.sep) ? shown : `./${shown}`, environment);
    }
    case 'npm': {
      const own = installedPackage(program.package, directories);
      const found = own ?? (program.embedded ? embeddedPackage(program.package, environment) : undefined);
      const script = found && scriptOf(found, program.command);
      if (!found || script === undefined) return undefined;
      const python = program.pythonOption && pythonFor(directories, environment);
      const launched = started(script, program.command, environment);
      return {
        ...launched,
        args: [...launched.args, ...(python ? [program.pythonOption ?? '', python] : [])],
        note: own
          ? undefined
          : `${program.package} is not installed in the project: used the bundled ${found.version}`,
      };
    }
    case 'python-module': {
      const python = pythonFor(directories, environment);
      if (python === undefined) return undefined;
      const shown = `${path.basename(python).replace(/\.exe$/i, '')} -m ${program.module}`;
      return { executable: python, args: ['-m', program.module], shown };
    }
    case 'vendored': {
      const own = path.join(cwd, program.file);
      if (isExecutable(own, environment)) return started(own, program.file, environment);
      return onPath([program.name], [], environment);
    }
    default:
      return assertNever(program);
  }
}

/** What was looked for, for the message that it was not found. */
export function programName(program: RunnerProgram): string {
  switch (program.kind) {
    case 'path':
      return program.names[0] ?? '';
    case 'wrapper':
      return `${program.script} or ${program.name}`;
    case 'npm':
      return `${program.package} (in node_modules)`;
    case 'python-module':
      return `the Python module ${program.module}`;
    case 'vendored':
      return `${program.file} or ${program.name}`;
    default:
      return assertNever(program);
  }
}

function onPath(
  names: readonly string[],
  alsoIn: readonly string[],
  environment: Environment,
): FoundProgram | undefined {
  for (const name of names) {
    const [first] = executablesOnPath(name, environment);
    if (first) return started(first, name, environment);
    for (const directory of alsoIn) {
      const expanded = directory.replace(/^~/, environment.homedir);
      const file = executableIn(expanded, name, environment);
      if (file) return started(file, name, environment);
    }
  }
  return undefined;
}

function started(file: string, shown: string, environment: Environment): FoundProgram {
  const { executable, args } = launchOf(file, environment);
  return { executable, args, shown };
}

function pythonFor(directories: readonly string[], environment: Environment): string | undefined {
  const own = findPython(directories, environment)?.interpreter;
  if (own !== undefined) return own;
  for (const name of ['python3', 'python']) {
    const [first] = executablesOnPath(name, environment);
    if (first) return first;
  }
  return undefined;
}
