/**
 * Builds once before the tests, because the process tests run the built program, as users do.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

export default function setup(): void {
  const root = path.resolve(import.meta.dirname, '../..');
  const script = path.join(root, 'scripts/build.mjs');
  if (!existsSync(script)) return;
  const build = spawnSync(process.execPath, [script], { cwd: root, encoding: 'utf8' });
  if (build.status === 0) return;
  throw new Error(
    `the build failed (${build.status ?? build.signal ?? build.error})\n${build.stdout}\n${build.stderr}`,
  );
}
