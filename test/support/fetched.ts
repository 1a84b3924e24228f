/**
 * Programs that tests need and npm ci does not bring, because each is large and few tests need it. They are fetched from
 * the registries once and kept beside the packages of this project; where that cannot be done the tests say why not.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { TestContext } from 'vitest';
import { requirement } from './requirements.ts';

const run = promisify(execFile);
const KEPT = path.resolve(import.meta.dirname, '../../node_modules/.cache/agent-lsp-tests');
const FIXTURES = path.resolve(import.meta.dirname, '../fixtures');
const PATIENCE_MS = 150_000;
const LARGEST_MB = 150;

/** The program of a version of Node; the packages of single platforms have no scripts to run. */
export function fetchedNode(context: TestContext, version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  return installed(context, `node-${version}`, `${name}@${version}`, `${name}/bin/node`);
}

/** Set where there is the time and the room for packages that are very large. */
const LARGE = 'AGENT_LSP_TEST_LARGE';

/**
 * A file of a package, which has its dependencies beside it. One that is very large is fetched only where that is asked
 * for; once it is there it is used.
 */
export function fetchedPackage(
  context: TestContext,
  name: string,
  version: string,
  file: string,
  megabytes = 0,
): Promise<string> {
  const place = `${name.replaceAll(/[@/]+/g, '-')}-${version}`.replace(/^-/, '');
  const isThere = existsSync(path.join(KEPT, place));
  if (megabytes > LARGEST_MB && !isThere && (process.env[LARGE] ?? '') === '')
    return context.skip(`${name} has ${megabytes} MB and is fetched with ${LARGE}=1 only`);
  return installed(context, place, `${name}@${version}`, `${name}/${file}`);
}

/** A file of what npm installs. */
function installed(context: TestContext, place: string, wanted: string, file: string): Promise<string> {
  return fetched(context, place, `node_modules/${file}`, async (directory) => {
    writeFileSync(path.join(directory, 'package.json'), '{}');
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=0'];
    await run('npm', ['install', ...options, wanted], { cwd: directory, timeout: PATIENCE_MS });
  });
}

/** The client of test/fixtures/go-client. */
export function fetchedGoClient(context: TestContext): Promise<string> {
  const go = requirement('go');
  if (go.kind === 'missing') return context.skip(go.reason);
  const sources = path.join(FIXTURES, 'go-client');
  // Another program when its sources are others.
  const digest = createHash('sha256');
  for (const name of readdirSync(sources)) digest.update(readFileSync(path.join(sources, name)));
  const place = `go-client-${digest.digest('hex').slice(0, 8)}`;
  return fetched(context, place, 'client', async (directory) => {
    cpSync(sources, directory, { recursive: true });
    await run(go.path, ['build', '-o', 'client', '.'], { cwd: directory, timeout: PATIENCE_MS });
  });
}

/** A Python with packages of its own. */
export function fetchedPython(
  context: TestContext,
  name: string,
  packages: readonly string[],
): Promise<string> {
  const python = requirement('python3');
  if (python.kind === 'missing') return context.skip(python.reason);
  // Environments of Python know their own path, so that this one cannot be made elsewhere and moved.
  return fetched(context, name, 'whole', async (directory) => {
    const place = path.join(KEPT, `${name}-venv`);
    rmSync(place, { recursive: true, force: true });
    await run(python.path, ['-m', 'venv', place], { timeout: PATIENCE_MS });
    const options = ['--quiet', '--disable-pip-version-check', '--retries', '0'];
    await run(path.join(place, 'bin/pip'), ['install', ...options, ...packages], { timeout: PATIENCE_MS });
    writeFileSync(path.join(directory, 'whole'), '');
  }).then(() => path.join(KEPT, `${name}-venv`, 'bin/python'));
}

/** The path of `wanted` in a directory that `fill` has filled, now or in an earlier run. Skips the test if it cannot. */
async function fetched(
  context: TestContext,
  name: string,
  wanted: string,
  fill: (directory: string) => Promise<void>,
): Promise<string> {
  const place = path.join(KEPT, name);
  if (existsSync(path.join(place, wanted))) return path.join(place, wanted);
  mkdirSync(KEPT, { recursive: true });
  const unfinished = mkdtempSync(path.join(KEPT, `${name}-`));
  try {
    await fill(unfinished);
    rmSync(place, { recursive: true, force: true });
    renameSync(unfinished, place);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(path.join(place, wanted))) context.skip(reasonOf(name, error));
  }
  return path.join(place, wanted);
}

function reasonOf(name: string, error: unknown): string {
  const { stderr, message } = error as { stderr?: unknown; message: string };
  const [line = message] = String(stderr ?? '')
    .split(os.EOL)
    .filter((each) => each.trim() !== '' && !/\bwarn\b/i.test(each));
  return `${name} cannot be fetched here: ${line.slice(0, 200)}`;
}
