/**
 * Whether TypeScript 7 understands a project's configuration as the project means it. The compiler itself is asked,
 * because it knows best which options it has dropped. Complaints about options that only concern output are ignored,
 * since the server never writes any; those about imports count only where an import of the project means something
 * else by the newer rules.
 * Decision: docs/decisions/languages-and-projects.md#typescript-7-is-asked-for-its-verdict
 */
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import type { ServerPlan } from '../link/server-plan.ts';
import type { Launch } from './executables.ts';
import { differingImport, type ImportCheck } from './import-check.ts';
import { canonicalJson } from './json.ts';
import { runTypescript } from './run-typescript.ts';

export interface VerdictRequest extends ImportCheck {
  /** Verdicts are kept below it: the same options are asked about once on a machine. */
  readonly stateDir: AbsPath;
}

/** Options that were dropped, and values that are no longer among those of an option. */
const COMPLAINTS = /error TS(?:5102|5103|5107|5108|6046): (.+)/;
/** Options that decide what is written, not which file an import means or what a name is. */
const OUTPUT_ONLY =
  /'(?:target|outFile|out|downlevelIteration|esModuleInterop|allowSyntheticDefaultImports|alwaysStrict|importsNotUsedAsValues|preserveValueImports|keyofStringsOnly|noImplicitUseStrict|suppressExcessPropertyErrors|suppressImplicitAnyIndexErrors|charset|declarationDir|noStrictGenericChecks|ignoreDeprecations)(?:=\w+)?'/i;
const IMPORTS_ONLY = /'(?:baseUrl|module|moduleResolution)(?:=\w+)?'/i;
/** They are about the project's own files and packages, which are not there when it is asked. */
const LEFT_OUT = new Set(
  'plugins types typeRoots rootDir rootDirs paths lib composite incremental'.split(' '),
);
const NO_COMPLAINT = 'none';
/** Imports come and go, and so do packages. */
const IMPORTS_AGE_MS = 10 * 60_000;

/** How a plan starts TypeScript 7; undefined for the plans of other servers. */
export function typescript7In({ serverId, server }: ServerPlan): VerdictRequest['typescript7'] | undefined {
  if (serverId !== 'typescript-7' || server.kind !== 'spawn') return undefined;
  const { executable, binary } = server;
  return { executable, args: [], binary };
}

/** What it cannot do without harm, in TypeScript's words; undefined when it accepts the project. */
export async function complaintOfTypescript7(request: VerdictRequest): Promise<string | undefined> {
  const { compilerOptions, typescript7, config, stateDir } = request;
  const options = Object.fromEntries(Object.entries(compilerOptions).filter(([name]) => !LEFT_OUT.has(name)));
  const directory = path.join(stateDir, 'typescript-7');
  const { path: binary, size, mtimeMs } = typescript7.binary;
  const text = canonicalJson({ options: JSON.parse(JSON.stringify(options)), binary, size, mtimeMs });
  const complaint = await kept(path.join(directory, keyOf(text)), Number.POSITIVE_INFINITY, () =>
    asked(options, typescript7),
  );
  if (complaint === undefined || !IMPORTS_ONLY.test(complaint)) return complaint;
  const file = path.join(directory, keyOf(`${config}\0${JSON.stringify(compilerOptions)}\0${text}`));
  const differing = await kept(file, IMPORTS_AGE_MS, () => differingImport(request));
  return differing === undefined ? undefined : `${complaint} (it is needed for ${differing})`;
}

function keyOf(text: string): string {
  return `${createHash('sha256').update(text).digest('hex').slice(0, 24)}.txt`;
}

async function kept(
  file: string,
  maxAgeMs: number,
  find: () => Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    const known = readFileSync(file, 'utf8');
    // An empty file is one that is being written.
    if (known !== '' && Date.now() - statSync(file).mtimeMs < maxAgeMs)
      return known === NO_COMPLAINT ? undefined : known;
  } catch {
    // Not asked yet.
  }
  const found = await find();
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, found ?? NO_COMPLAINT, { mode: 0o600 });
  } catch {
    // Then the next session asks again.
  }
  return found;
}

/** The worst complaint: one that is about more than imports, if there is such a one. */
async function asked(
  options: Readonly<Record<string, unknown>>,
  typescript7: Launch,
): Promise<string | undefined> {
  const directory = mkdtempSync(path.join(tmpdir(), 'agent-lsp-options-'));
  try {
    const compilerOptions = { ...options, noEmit: true, noLib: true, types: [] };
    const config = { compilerOptions, files: ['empty.ts'] };
    writeFileSync(path.join(directory, 'tsconfig.json'), JSON.stringify(config));
    writeFileSync(path.join(directory, 'empty.ts'), 'export {};\n');
    const words = ['-p', directory, '--noCheck', '--pretty', 'false'];
    const output = await runTypescript(typescript7, words);
    // Not to be kept as its verdict.
    if (output === undefined) throw new Error('TypeScript 7 did not answer');
    const complaints = output
      .split('\n')
      .flatMap((line) => COMPLAINTS.exec(line)?.[1] ?? [])
      .filter((complaint) => !OUTPUT_ONLY.test(complaint));
    return complaints.find((complaint) => !IMPORTS_ONLY.test(complaint)) ?? complaints[0];
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
