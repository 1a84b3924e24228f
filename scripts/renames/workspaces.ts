/** Real sources to rename in, with the compiler that judges them: packages of npm, and a part of Python's own library. */
import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface RenameWorkspace {
  readonly name: 'typescript' | 'python';
  readonly root: string;
  /** Sources relative to the root. */
  readonly files: readonly string[];
  /** How many errors of each kind the compiler finds in each of them. */
  errors(): Promise<ErrorCounts>;
}

/** By file and kind. */
export type ErrorCounts = ReadonlyMap<string, number>;

export function totalOf(counts: ErrorCounts): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

const PACKAGES = path.resolve(import.meta.dirname, '../../node_modules');
const PYTHON_LIBRARIES = ['/usr/lib/python3.13', '/usr/lib/python3.12', '/usr/lib/python3.11'];
/** Packages that refer to each other, few enough to be checked again and again. */
const PYTHON_PACKAGES = ['email', 'json', 'html', 'http', 'concurrent', 'logging', 'urllib'];

export function typescriptSources(root: string): RenameWorkspace {
  for (const name of ['rxjs', 'zod'])
    cpSync(path.join(PACKAGES, name, 'src'), path.join(root, name), {
      recursive: true,
      filter: (file) => !/\.test\.ts$|\/(tests|benchmarks)$|tsconfig/.test(file),
    });
  const compilerOptions = {
    target: 'esnext',
    module: 'esnext',
    moduleResolution: 'bundler',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    types: [],
    paths: { 'zod/*': ['./zod/*'] },
  };
  const settings = JSON.stringify({ compilerOptions, include: ['**/*.ts'] });
  writeFileSync(path.join(root, 'tsconfig.json'), settings);
  const compiler = path.join(PACKAGES, 'typescript/bin/tsc');
  return {
    name: 'typescript',
    root,
    files: sourcesIn(root, '.ts'),
    errors: async () => {
      const lines = await output(compiler, '-p', root, '--pretty', 'false');
      return counted(
        [...lines.matchAll(/^(?:(.+)\(\d+,\d+\): )?error (TS\d+)/gm)].map((at) => `${at[1]} ${at[2]}`),
      );
    },
  };
}

/** Undefined where this machine has no Python library. */
export function pythonSources(root: string): RenameWorkspace | undefined {
  const library = PYTHON_LIBRARIES.find((directory) => existsSync(path.join(directory, 'email')));
  if (library === undefined) return undefined;
  mkdirSync(root, { recursive: true });
  for (const name of PYTHON_PACKAGES) {
    const own = path.join(root, `own_${name}`);
    cpSync(path.join(library, name), own, {
      recursive: true,
      filter: (file) => !file.endsWith('__pycache__'),
    });
    for (const file of sourcesIn(own, '.py')) {
      const text = readFileSync(path.join(own, file), 'utf8');
      writeFileSync(path.join(own, file), withOwnNames(text));
    }
  }
  writeFileSync(path.join(root, 'pyrightconfig.json'), '{}\n');
  const compiler = path.join(PACKAGES, 'pyright/index.js');
  return {
    name: 'python',
    root,
    files: sourcesIn(root, '.py'),
    errors: async () => {
      const { generalDiagnostics } = JSON.parse(await output(compiler, '--outputjson', '-p', root)) as {
        readonly generalDiagnostics: readonly { file: string; severity: string; rule?: string }[];
      };
      const errors = generalDiagnostics.filter(({ severity }) => severity === 'error');
      return counted(errors.map(({ file, rule }) => `${path.relative(root, file)} ${rule}`));
    },
  };
}

/** Under their real names the stubs that pyright brings along would be found instead, and no other file would be concerned. */
function withOwnNames(text: string): string {
  const names = PYTHON_PACKAGES.join('|');
  return text
    .replace(new RegExp(`^(\\s*(?:from|import) )(${names})(?=[. ])`, 'gm'), '$1own_$2')
    .replace(new RegExp(`^(\\s*import )(${names})$`, 'gm'), '$1own_$2 as $2')
    .replace(new RegExp(`(?<![\\w.'"/])(${names})(?=\\.\\w+\\.\\w)`, 'g'), 'own_$1');
}

function sourcesIn(root: string, ending: string): readonly string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith(ending)).sort();
}

function counted(keys: readonly string[]): ErrorCounts {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** Both compilers end with 1 when they found something. */
function output(script: string, ...args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { maxBuffer: 1 << 28 }, (_, stdout) => resolve(stdout));
  });
}

/** Every source with its bytes, as text that keeps them apart. */
export function snapshot({ root, files }: RenameWorkspace): ReadonlyMap<string, string> {
  return new Map(files.map((file) => [file, readFileSync(path.join(root, file), 'latin1')]));
}
