/** C and C++: CMake where a build directory was made, and make. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { junitReport } from './readers/junit.ts';
import { COLON, problemLines } from './readers/lines-with-places.ts';
import { anyTest } from './readers/plain.ts';
import type { Runner, RunnerProgram } from './runner.ts';

const make: RunnerProgram = { kind: 'path', names: ['make', 'gmake'] };
/** Almost every repository has one, most of them only to call something else: the compiler shows which do not. */
const MAKEFILE = {
  files: ['Makefile', 'makefile', 'GNUmakefile'],
  yields: /\$[({](CC|CXX)[)}]|^\t.*\b(cc|gcc|g\+\+|clang|clang\+\+)\b|\.o\b/m,
};

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
function cmakeBuild(cwd: AbsPath): string {
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

export const cmakeRunners: readonly Runner[] = [
  {
    name: 'cmake --build',
    task: 'build',
    languages: ['cpp'],
    recognised: { files: ['CMakeLists.txt'] },
    program: { kind: 'path', names: ['cmake'] },
    args: (cwd) => ['--build', cmakeBuild(cwd)],
    columns: 'utf-8',
    reader: problemLines([COLON]),
    install: 'install CMake from https://cmake.org/download',
  },
  {
    name: 'ctest',
    task: 'test',
    languages: ['cpp'],
    recognised: { files: ['CMakeLists.txt'] },
    program: { kind: 'path', names: ['ctest'] },
    args: (cwd) => ['--test-dir', cmakeBuild(cwd), '--output-on-failure'],
    reportArgs: (file) => ['--output-junit', file],
    reader: junitReport(),
    install: 'install CMake from https://cmake.org/download',
  },
];

export const makeRunners: readonly Runner[] = [
  {
    name: 'make',
    task: 'build',
    languages: ['cpp'],
    recognised: MAKEFILE,
    program: make,
    // Directories are printed, so that paths of sub-makes can be understood.
    args: ['--print-directory'],
    columns: 'utf-8',
    reader: problemLines([COLON]),
    install: 'install make',
  },
  {
    name: 'make test',
    task: 'test',
    languages: ['cpp'],
    recognised: { ...MAKEFILE, containing: /^test\s*:/m },
    program: make,
    args: ['test'],
    reader: anyTest,
    install: 'install make',
  },
  {
    name: 'make check',
    task: 'test',
    languages: ['cpp'],
    recognised: { ...MAKEFILE, containing: /^check\s*:/m },
    program: make,
    args: ['check'],
    reader: anyTest,
    install: 'install make',
  },
];
