/** The package as it is published, installed in a place of its own by npm's and tar's means, without a network. */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const project = path.resolve(import.meta.dirname, '../..');

export interface InstalledPackage {
  readonly directory: string;
  /** What is in it. */
  readonly files: readonly string[];
}

/** Below `place/node_modules`. What the package depends on is installed beside it. */
export async function installPackage(place: string): Promise<InstalledPackage> {
  const directory = path.join(place, 'node_modules/agent-lsp');
  mkdirSync(directory, { recursive: true });
  const packing = ['pack', '--ignore-scripts', '--json', '--pack-destination', place];
  const { stdout } = await run('npm', packing, { cwd: project });
  const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
  const tarball = path.join(place, packed?.filename ?? '');
  await run('tar', ['-xzf', tarball, '--strip-components=1', '-C', directory]);
  symlinkSync(path.join(project, 'node_modules'), path.join(directory, 'node_modules'));
  return { directory, files: packed?.files.map((file) => file.path) ?? [] };
}
