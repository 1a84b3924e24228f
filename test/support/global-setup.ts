/**
 * Builds before the first test of the projects that run the built program, as users do. Each of these projects calls
 * this, and they share nothing but the process.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const BUILT = Symbol.for('agent-lsp: built for the tests');

export default function setup(): void {
  if (Reflect.has(globalThis, BUILT)) return;
  const root = path.resolve(import.meta.dirname, '../..');
  const script = path.join(root, 'scripts/build.mjs');
  const build = spawnSync(process.execPath, [script], { cwd: root, encoding: 'utf8' });
  if (build.status !== 0)
    throw new Error(
      `the build failed (${build.status ?? build.signal ?? build.error})\n${build.stdout}\n${build.stderr}`,
    );
  Reflect.set(globalThis, BUILT, true);
}
