/** What a runner needs to know of the project at hand before it can be started. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { directoriesUpTo } from '../../../shared/base/ancestors.ts';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { diskProbe } from '../../../shared/languages/root-probe.ts';
import type { TargetArguments } from '../../../shared/languages/runner-rows.ts';
import type { RunTarget } from './runner.ts';

/** The arguments for one file or directory; undefined when the runner cannot take it. */
export function argumentsFor(
  { file, directory, root = directory, fits }: TargetArguments,
  { path: target, isDirectory }: RunTarget,
): readonly string[] | undefined {
  if (fits?.test(target) === false) return undefined;
  const folder = path.posix.dirname(target);
  const given: Readonly<Record<string, string>> = {
    path: target,
    folder: folder === '.' ? '.' : `./${folder}`,
    stem: path.posix.parse(target).name,
    module: target.replace(/\.py$/, '').replaceAll('/', '.'),
  };
  const wanted = target === '.' ? root : isDirectory ? directory : file;
  return wanted?.map((word) => word.replace(/\{(\w+)\}/g, (hole, name: string) => given[name] ?? hole));
}

/** Where people and tools let CMake build. */
const CMAKE_BUILDS = [
  'build',
  'cmake-build-debug',
  'cmake-build-release',
  'out',
  '_build',
  'out/build/default',
];

/** Only a directory that CMake has been told about can be built; which generator and options is not ours to choose. */
export function cmakeBuild(cwd: AbsPath): string {
  const found = CMAKE_BUILDS.find((name) => existsSync(path.join(cwd, name, 'CMakeCache.txt')));
  return (
    found ??
    fail({
      kind: 'invalid-input',
      message: `${cwd} is not configured: no CMakeCache.txt in ${CMAKE_BUILDS.join(', ')}`,
      next: `Run: cmake -S ${cwd} -B ${path.join(cwd, 'build')}`,
    })
  );
}

/** A workspace file above that does not list the module makes every command fail; one that lists it is needed. */
export function goEnvironment(cwd: AbsPath): Readonly<Record<string, string>> {
  for (const directory of directoriesUpTo(cwd, path.parse(cwd).root)) {
    const text = diskProbe.read(path.join(directory, 'go.work'));
    if (text === undefined) continue;
    const used = [...text.matchAll(/^\s*(?:use\s+)?(\.{1,2}(?:\/[^\s)]*)?)\s*$/gm)].map(
      ([, name = '']) => name,
    );
    return used.some((name) => path.resolve(directory, name) === cwd) ? {} : { GOWORK: 'off' };
  }
  return {};
}

/** Without a package of that name, discovery from the project does not look into `tests`. */
export function unittestStart(cwd: AbsPath): readonly string[] {
  const directory = ['tests', 'test'].find((name) => existsSync(path.join(cwd, name)));
  const isPackage = directory !== undefined && existsSync(path.join(cwd, directory, '__init__.py'));
  return directory === undefined || isPackage ? ['discover'] : ['discover', '-s', directory];
}
