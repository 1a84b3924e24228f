/** A program that builds or tests: a row of the descriptors of languages with what it takes to run it. */
import type { AbsPath } from '../../../shared/base/brand.ts';
import type { Encoding } from '../../../shared/base/positions.ts';
import type { Recognition, RunnerProgram, Task } from '../../../shared/languages/runner-rows.ts';

export interface Runner {
  readonly name: string;
  readonly task: Task;
  /** Ids of the language families it is for. */
  readonly languages: readonly string[];
  readonly recognised: Recognition;
  readonly program: RunnerProgram;
  /** A function where they depend on the project; it may fail with what has to be done first. */
  readonly args: readonly string[] | ((cwd: AbsPath) => readonly string[]);
  /** Arguments that stand for "everything", replaced when a path was given that the runner can take. */
  readonly everything?: readonly string[] | ((cwd: AbsPath) => readonly string[]);
  /** Arguments for one file or directory, relative to the project with forward slashes. Absent: it cannot be told. */
  readonly only?: (target: RunTarget) => readonly string[] | undefined;
  /** Arguments that make it write what we read, or what must not be left in the project, to this file; not shown. */
  readonly reportArgs?: (file: string) => readonly string[];
  /** Where it runs if not in the project: what cannot be kept from writing gets a copy. */
  readonly workIn?: (ground: WorkGround) => Promise<WorkPlace>;
  readonly env?: (cwd: AbsPath) => Readonly<Record<string, string>>;
  /** What its columns count, if not UTF-16 units. */
  readonly columns?: Encoding;
  readonly reader: (place: RunPlace) => OutputReader;
  /** What to do when the program is not there. */
  readonly install: string;
}

export interface RunTarget {
  /** Relative to the project, with forward slashes; `.` is the project itself. */
  readonly path: string;
  readonly isDirectory: boolean;
}

export interface WorkGround {
  readonly cwd: AbsPath;
  readonly boundary: AbsPath;
  /** An empty directory that is removed after the run. */
  readonly scratch: AbsPath;
  readonly signal: AbortSignal;
}

export interface WorkPlace {
  readonly cwd: AbsPath;
  /** A line of output, with the project's own paths in it. */
  shown(line: string): string;
  /** What is unusual about it. */
  readonly note: string;
}

/** Where a run takes place, for readers that need to know. */
export interface RunPlace {
  readonly cwd: AbsPath;
  /** Where the report was asked for; undefined for runners without one. */
  readonly report: string | undefined;
  /** Wall-clock milliseconds: reports that are older belong to another run. */
  readonly startedAt: number;
}

/** Takes the output line by line, so that its size does not matter, and says at the end what it means. */
export interface OutputReader {
  /** Returns the line as a person would want to read it; empty for what is only for programs. */
  line(text: string): string;
  done(): OutputReading | Promise<OutputReading>;
}

export interface OutputReading {
  readonly findings: readonly BuildFinding[];
  /** How many tests ran; undefined when the output does not tell. */
  readonly total?: number | undefined;
  /** How many failed, when that is more than there are findings. */
  readonly failed?: number | undefined;
  readonly skipped?: number | undefined;
  /** For compilers that take several projects in one run. */
  readonly projects?: CheckedProjects | undefined;
  /** Why this may not be all; said to the agent. */
  readonly doubt?: string | undefined;
}

export interface CheckedProjects {
  readonly checked: number;
  /** By their configuration file. */
  readonly unchecked: readonly { readonly config: string; readonly why: string }[];
}

/** A problem of a build or a test that failed. */
export interface BuildFinding {
  /** As it was printed: absolute, or relative to `base`. */
  readonly file?: string | undefined;
  /** The run's directory if not said. */
  readonly base?: string | undefined;
  /** 1-based. */
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly test?: string | undefined;
  readonly severity?: 'error' | 'warning' | undefined;
  readonly message: string;
}

/** The names under which failures stand among tests that kept tests from running: compiling, and loading a file. */
export const BUILD_STEP = '[build]';
export const FILE_STEP = '[file]';

export function isOutsideTests({ test }: BuildFinding): boolean {
  return test === BUILD_STEP || test === FILE_STEP;
}
