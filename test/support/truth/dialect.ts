/** What a language must bring along to be soaked, and what all of them need to ask a compiler about many programs at once. */
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { toolchainEnvironment } from '../requirements.ts';
import type { Workspace } from '../workspace.ts';
import type { ModuleModel } from './model.ts';

/** Errors as `line code`, in order of the file. */
export type Errors = readonly string[];

export interface Snapshot {
  /** Texts by path relative to the root. */
  readonly files: ReadonlyMap<string, string>;
  /** The file that was asked about. */
  readonly target: string;
}

export interface Dialect {
  readonly server: string;
  readonly args: readonly string[];
  /** Why it cannot be used on this machine. */
  missing(): string | undefined;
  prepare(workspace: Workspace): void;
  fileOf(module: string): string;
  write(module: ModuleModel): string;
  /** An error as the tool reports it, in the compiler's form. */
  errorOf(finding: { readonly line: number; readonly code?: string | undefined }): string;
  /** For each snapshot the errors of its target; undefined where the compiler says nothing certain about it. */
  compile(snapshots: readonly Snapshot[], directory: string): Promise<readonly (Errors | undefined)[]>;
}

const run = promisify(execFile);

export function ofTargets(
  snapshots: readonly Snapshot[],
  found: readonly { readonly index: number; readonly file: string | undefined; readonly error: string }[],
): readonly Errors[] {
  return snapshots.map(({ target }, index) =>
    found
      .filter((each) => each.index === index && each.file === target)
      .map(({ error }) => error)
      .sort(),
  );
}

export function writeSnapshots(snapshots: readonly Snapshot[], directory: string): void {
  for (const [index, { files }] of snapshots.entries()) {
    for (const [name, text] of files) {
      const file = path.join(directory, `s${index}`, name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }
}

/** Compilers end with a code of their own when they find errors. */
export async function outputOf(command: string, args: readonly string[], cwd: string): Promise<string> {
  const env = { ...toolchainEnvironment(), HOME: process.env.HOME ?? cwd };
  try {
    const { stdout, stderr } = await run(command, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 });
    return stdout + stderr;
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    if (stdout === undefined || stderr === undefined) throw error;
    return stdout + stderr;
  }
}
