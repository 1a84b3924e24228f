/** Compiled languages with a tool of their own: Go, Rust, Swift, Zig. */
import path from 'node:path';
import { directoriesUpTo } from '../../../shared/base/ancestors.ts';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { diskProbe } from '../../../shared/languages/root-probe.ts';
import { cargoMessages, cargoTestText } from './readers/cargo.ts';
import { goTestEvents } from './readers/go.ts';
import { BARE_COLON, COLON, problemLines } from './readers/lines-with-places.ts';
import { swiftTestText, zigTestText } from './readers/numbered.ts';
import type { Runner, RunnerProgram, RunTarget } from './runner.ts';

const go: RunnerProgram = {
  kind: 'path',
  names: ['go'],
  alsoIn: ['/usr/local/go/bin', '~/go/bin', '~/sdk/go/bin'],
};
const cargo: RunnerProgram = { kind: 'path', names: ['cargo'], alsoIn: ['~/.cargo/bin'] };
const swift: RunnerProgram = { kind: 'path', names: ['swift'] };
const zig: RunnerProgram = { kind: 'path', names: ['zig'] };

const INSTALL_GO = 'install Go from https://go.dev/dl';
const INSTALL_RUST = 'install Rust from https://rustup.rs';

/** A file stands for its package: Go compiles and tests whole directories. */
function goPackages({ path: target, isDirectory }: RunTarget): readonly string[] {
  const directory = isDirectory ? target : path.posix.dirname(target);
  if (directory === '.') return [isDirectory ? './...' : '.'];
  return [`./${directory}${isDirectory ? '/...' : ''}`];
}

/** A file below `tests` is a target of its own; anything else is not a unit that cargo knows. */
function cargoTarget({ path: target, isDirectory }: RunTarget): readonly string[] | undefined {
  const name = /^tests\/([^/]+)\.rs$/.exec(target)?.[1];
  return isDirectory || name === undefined ? undefined : ['--test', name];
}

/** A workspace file above that does not list the module makes every command fail; one that lists it is needed. */
function goEnvironment(cwd: AbsPath): Readonly<Record<string, string>> {
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

export const nativeRunners: readonly Runner[] = [
  {
    name: 'go build',
    task: 'build',
    languages: ['go'],
    recognised: { files: ['go.mod'] },
    program: go,
    args: ['build'],
    everything: ['./...'],
    only: goPackages,
    env: goEnvironment,
    columns: 'utf-8',
    reader: problemLines([BARE_COLON], /^\t/),
    install: INSTALL_GO,
  },
  {
    name: 'go test',
    task: 'test',
    languages: ['go'],
    recognised: { files: ['go.mod'] },
    program: go,
    args: ['test', '-json'],
    everything: ['./...'],
    only: goPackages,
    env: goEnvironment,
    columns: 'utf-8',
    reader: goTestEvents,
    install: INSTALL_GO,
  },
  {
    name: 'cargo build',
    task: 'build',
    languages: ['rust'],
    recognised: { files: ['Cargo.toml'] },
    program: cargo,
    args: ['build', '--all-targets', '--message-format=json'],
    columns: 'utf-32',
    reader: cargoMessages,
    install: INSTALL_RUST,
  },
  {
    name: 'cargo test',
    task: 'test',
    languages: ['rust'],
    recognised: { files: ['Cargo.toml'] },
    program: cargo,
    args: ['test', '--no-fail-fast'],
    only: cargoTarget,
    env: () => ({ RUST_BACKTRACE: '0' }),
    columns: 'utf-32',
    reader: cargoTestText,
    install: INSTALL_RUST,
  },
  {
    name: 'swift build',
    task: 'build',
    languages: ['swift'],
    recognised: { files: ['Package.swift'] },
    program: swift,
    args: ['build'],
    reader: problemLines([COLON]),
    install: 'install Swift from https://www.swift.org/install',
  },
  {
    name: 'swift test',
    task: 'test',
    languages: ['swift'],
    recognised: { files: ['Package.swift'] },
    program: swift,
    args: ['test'],
    reader: swiftTestText,
    install: 'install Swift from https://www.swift.org/install',
  },
  {
    name: 'zig build',
    task: 'build',
    languages: ['zig'],
    recognised: { files: ['build.zig'] },
    program: zig,
    args: ['build'],
    reader: problemLines([COLON]),
    install: 'install Zig from https://ziglang.org/download',
  },
  {
    name: 'zig build test',
    task: 'test',
    languages: ['zig'],
    recognised: { files: ['build.zig'] },
    program: zig,
    args: ['build', 'test', '--summary', 'all'],
    reader: zigTestText,
    install: 'install Zig from https://ziglang.org/download',
  },
];
