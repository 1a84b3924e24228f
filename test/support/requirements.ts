/**
 * Tests with servers that npm cannot bring run where these are installed.
 * Where they are not, a skipped test says by its name what is missing, and the reason is printed.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, it } from 'vitest';

export type Tool =
  | 'gopls'
  | 'clangd'
  | 'rust-analyzer'
  | 'go'
  | 'git'
  | 'cargo'
  | 'python3'
  | 'pytest'
  | 'make'
  | 'cmake'
  | 'cc'
  | 'nginx'
  | 'caddy'
  | 'openssl';

export type Requirement =
  | { readonly kind: 'found'; readonly path: string; readonly version: string }
  | { readonly kind: 'missing'; readonly reason: string };

/** Looks for the tool and runs it once: a proxy of a toolchain manager may be there and still not work. */
export function requirement(tool: Tool): Requirement {
  const candidates = [...directories()].flatMap((directory) => executablesIn(directory, NAMES[tool]));
  const [first] = candidates;
  if (first === undefined) return { kind: 'missing', reason: `${tool} is not installed` };
  const failures: string[] = [];
  for (const candidate of candidates) {
    const run = spawnSync(candidate, VERSION_ARGS[tool], { encoding: 'utf8', timeout: 20_000 });
    const version = run.stdout?.trim().split('\n')[0] ?? '';
    if (run.status === 0) return { kind: 'found', path: candidate, version };
    failures.push(
      `${candidate} does not work: ${run.stderr?.trim().split('\n')[0] || run.error?.message || run.status}`,
    );
  }
  return { kind: 'missing', reason: failures.join('; ') };
}

/** A describe that is skipped, with a reason, unless all the tools work. `paths` are absolute. */
export function describeWith<Tools extends Tool>(
  tools: Tools | readonly Tools[],
  name: string,
  body: (paths: Readonly<Record<Tools, string>>) => void,
): void {
  const wanted: readonly Tools[] = typeof tools === 'string' ? [tools] : tools;
  const found = wanted.map((tool) => [tool, requirement(tool)] as const);
  const reasons = found.flatMap(([, each]) => (each.kind === 'missing' ? [each.reason] : []));
  if (reasons.length > 0) {
    process.stderr.write(`skipped: ${name}: ${reasons.join('; ')}\n`);
    describe.skipIf(true)(`${name} (skipped: ${reasons.join('; ')})`, () =>
      it(`needs ${wanted.join(', ')}`, () => {}),
    );
    return;
  }
  const paths = Object.fromEntries(
    found.map(([tool, each]) => [tool, each.kind === 'found' ? each.path : '']),
  );
  // Object.fromEntries forgets which keys it was given.
  describe(name, () => body(paths as Record<Tools, string>));
}

/**
 * The part of the environment that programs need to run at all. Toolchains that live in the home directory
 * are named explicitly, because tests give their processes another home.
 */
export function toolchainEnvironment(): Record<string, string> {
  const home = os.homedir();
  const inHome = (name: string) => (existsSync(path.join(home, name)) ? path.join(home, name) : undefined);
  const { PATH, LANG, GOPATH, GOCACHE, GOMODCACHE, RUSTUP_HOME, CARGO_HOME, PYENV_ROOT, NODE_V8_COVERAGE } =
    process.env;
  const known = {
    PATH: [PATH, inHome('go/bin'), inHome('.cargo/bin')]
      .filter((each) => each !== undefined)
      .join(path.delimiter),
    LANG,
    GOPATH: GOPATH ?? inHome('go'),
    GOCACHE: GOCACHE ?? inHome('.cache/go-build'),
    GOMODCACHE,
    RUSTUP_HOME: RUSTUP_HOME ?? inHome('.rustup'),
    CARGO_HOME: CARGO_HOME ?? inHome('.cargo'),
    PYENV_ROOT: PYENV_ROOT ?? inHome('.pyenv'),
    NODE_V8_COVERAGE,
  };
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

const NAMES: Readonly<Record<Tool, RegExp>> = {
  gopls: /^gopls$/,
  // Debian installs clangd only under the name of its version.
  clangd: /^clangd(-\d+)?$/,
  'rust-analyzer': /^rust-analyzer$/,
  go: /^go$/,
  git: /^git$/,
  cargo: /^cargo$/,
  python3: /^python3$/,
  pytest: /^pytest$/,
  make: /^make$/,
  cmake: /^cmake$/,
  cc: /^cc$/,
  nginx: /^nginx$/,
  caddy: /^caddy$/,
  openssl: /^openssl$/,
};

const VERSION_ARGS: Readonly<Record<Tool, readonly string[]>> = {
  gopls: ['version'],
  clangd: ['--version'],
  'rust-analyzer': ['--version'],
  go: ['version'],
  git: ['--version'],
  cargo: ['--version'],
  python3: ['--version'],
  pytest: ['--version'],
  make: ['--version'],
  cmake: ['--version'],
  cc: ['--version'],
  nginx: ['-v'],
  caddy: ['version'],
  openssl: ['version'],
};

function directories(): ReadonlySet<string> {
  const { PATH = '' } = toolchainEnvironment();
  return new Set(PATH.split(path.delimiter).filter((each) => each !== ''));
}

function executablesIn(directory: string, name: RegExp): readonly string[] {
  return namesIn(directory)
    .filter((each) => name.test(each))
    .sort((a, b) => a.length - b.length || b.localeCompare(a))
    .map((each) => path.join(directory, each));
}

/** Entries of PATH need not exist. */
function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
