/** Programs that build and test, as data: how each is recognised, started and understood. `features/builds` runs them. */
import type { Encoding } from '../base/positions.ts';

export type Task = 'build' | 'test';

/** Languages that share a program list the same row. */
export interface RunnerRow {
  readonly name: string;
  readonly task: Task;
  readonly recognised: Recognition;
  readonly program: RunnerProgram;
  readonly args: readonly string[];
  /** Arguments that stand for "everything", replaced when a path was given that the runner can take. */
  readonly everything?: readonly string[];
  /** Arguments for one file or directory. Absent: it cannot be told. */
  readonly only?: TargetArguments;
  /** Arguments that make it write what we read, or what must not be left in the project, to `{report}`; not shown. */
  readonly reportArgs?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What its columns count, if not UTF-16 units. */
  readonly columns?: Encoding;
  readonly reader: ReaderName;
  /** What to do when the program is not there. */
  readonly install: string;
  /** Where a directory shows several: those with a lower rank first, as what is more particular. 0 if not said. */
  readonly rank?: number;
  /**
   * What depends on the project and has to be found out. `cmake-build`: `{build}` in the arguments is the directory that
   * CMake was told about. `go-work`: a go.work that does not list the module is switched off. `unittest-start`: where to
   * look for tests. `solution-copy`: it runs in a copy, since it would write into the project.
   */
  readonly needs?: 'cmake-build' | 'go-work' | 'unittest-start' | 'solution-copy';
}

/**
 * By what was asked for; without its kind the runner cannot take it. `{path}` is relative to the project, with forward
 * slashes; `{folder}` is where a file lies, beginning with a dot; `{stem}` is its bare name; `{module}` is `{path}` as an
 * import of Python.
 */
export interface TargetArguments {
  readonly file?: readonly string[];
  readonly directory?: readonly string[];
  /** For the project itself, if not the same as for a directory. */
  readonly root?: readonly string[];
  /** Only paths like this. */
  readonly fits?: RegExp;
}

/** A file or directory as it is. */
export const AS_GIVEN: TargetArguments = { file: ['{path}'], directory: ['{path}'], root: [] };

/** What in a directory shows that a runner is meant; all that is given must hold. */
export interface Recognition {
  /** Counts only where nothing else is found further up: such files are in directories of a project, too. */
  readonly isFallback?: true;
  /** Left out beside others, which it often only calls or serves; unless one of the files contains this. */
  readonly yields?: true | RegExp;
  /** One of these files; `*` stands for any part of a name. */
  readonly files?: readonly string[];
  /** One of these files contains this. */
  readonly containing?: RegExp;
  /** package.json depends on this package. */
  readonly dependency?: string;
  /** A script of package.json, by its name, looks like this. */
  readonly script?: readonly [name: string, looks: RegExp];
}

export type RunnerProgram =
  /** On PATH, or in one of these other directories (`~` is the home directory). */
  | { readonly kind: 'path'; readonly names: readonly string[]; readonly alsoIn?: readonly string[] }
  /** A script in the project or above it, else on PATH. */
  | { readonly kind: 'wrapper'; readonly script: string; readonly name: string }
  /** A command of an npm package of the project; `embedded` when we bring it as well. */
  | {
      readonly kind: 'npm';
      readonly package: string;
      readonly command: string;
      readonly embedded?: true;
      /** The option that tells it which Python to look at. */
      readonly pythonOption?: string;
    }
  /** A module of the project's Python; it must be importable. */
  | { readonly kind: 'python-module'; readonly module: string }
  /** A program in the project's own vendor directory, else on PATH. */
  | { readonly kind: 'vendored'; readonly file: string; readonly name: string };

/** How the output is understood; `features/builds/readers` has one for each. */
export type ReaderName =
  | 'colon'
  | 'bare-colon'
  | 'parentheses'
  | 'gradle'
  | 'maven'
  | 'mix'
  | 'cargo'
  | 'tsc'
  | 'tsc-solution'
  | 'pyright'
  | 'eslint'
  | 'any-build'
  | 'any-test'
  | 'go-test'
  | 'cargo-test'
  | 'swift-test'
  | 'zig-test'
  | 'dotnet-test'
  | 'exunit'
  | 'rspec'
  | 'minitest'
  | 'unittest'
  | 'jest'
  | 'mocha'
  | 'tap'
  | 'junit'
  | 'junit-last'
  | 'junit-gradle'
  | 'junit-maven';
