/**
 * Whether TypeScript 7 takes a project's configuration for what the project means by it. It is asked: it knows best what
 * it has dropped. What concerns only the output is no reason to do without it, since nothing is ever written by it here.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { AbsPath } from '../base/brand.ts';
import type { Launch } from './executables.ts';
import { canonicalJson } from './json.ts';

export interface VerdictRequest {
  /** The options in force, inherited ones included. */
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  readonly typescript7: Launch;
  /** Verdicts are kept below it: the same options are asked about once on a machine. */
  readonly stateDir: AbsPath;
}

/** Options that were dropped, and values that are no longer among those of an option. */
const COMPLAINTS = /error TS(?:5102|5103|5107|5108|6046): (.+)/;
/** Options that decide what is written, not which file an import means or what a name is. */
const OUTPUT_ONLY =
  /'(?:target|outFile|out|downlevelIteration|esModuleInterop|allowSyntheticDefaultImports|alwaysStrict|importsNotUsedAsValues|preserveValueImports|keyofStringsOnly|noImplicitUseStrict|suppressExcessPropertyErrors|suppressImplicitAnyIndexErrors|charset|declarationDir|noStrictGenericChecks|ignoreDeprecations)(?:=\w+)?'/i;
/** They are about the project's own files and packages, which are not there when it is asked. */
const LEFT_OUT = [
  'plugins',
  'types',
  'typeRoots',
  'rootDir',
  'rootDirs',
  'paths',
  'lib',
  'composite',
  'incremental',
];
const ANSWER_MS = 5_000;

/** The first complaint that matters, in TypeScript's words; undefined when it accepts the options. */
export async function complaintOfTypescript7({
  compilerOptions,
  typescript7,
  stateDir,
}: VerdictRequest): Promise<string | undefined> {
  const options = Object.fromEntries(
    Object.entries(compilerOptions).filter(([name]) => !LEFT_OUT.includes(name)),
  );
  const { path: binary, size, mtimeMs } = typescript7.binary;
  const text = canonicalJson({ options: JSON.parse(JSON.stringify(options)), binary, size, mtimeMs });
  const key = createHash('sha256').update(text).digest('hex').slice(0, 24);
  const file = path.join(stateDir, 'typescript-7', `${key}.txt`);
  try {
    return readFileSync(file, 'utf8') || undefined;
  } catch {
    // Not asked yet.
  }
  const complaint = await asked(options, typescript7);
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, complaint ?? '', { mode: 0o600 });
  } catch {
    // Then the next session asks again.
  }
  return complaint;
}

async function asked(
  options: Readonly<Record<string, unknown>>,
  { executable, args }: Launch,
): Promise<string | undefined> {
  const directory = mkdtempSync(path.join(tmpdir(), 'agent-lsp-options-'));
  try {
    const compilerOptions = { ...options, noEmit: true, noLib: true, types: [] };
    writeFileSync(
      path.join(directory, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['empty.ts'] }),
    );
    writeFileSync(path.join(directory, 'empty.ts'), 'export {};\n');
    const run = promisify(execFile)(
      executable,
      [...args, '-p', directory, '--noCheck', '--pretty', 'false'],
      {
        timeout: ANSWER_MS,
        encoding: 'utf8',
      },
    );
    // It says what is wrong with its options by failing.
    const output = await run.then(
      ({ stdout }) => stdout,
      (error: { stdout?: string; code?: unknown }) => {
        if (typeof error.stdout === 'string' && error.stdout !== '') return error.stdout;
        return 'error TS5102: TypeScript 7 did not answer';
      },
    );
    const complaints = output.split('\n').flatMap((line) => COMPLAINTS.exec(line)?.[1] ?? []);
    return complaints.find((complaint) => !OUTPUT_ONLY.test(complaint));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
