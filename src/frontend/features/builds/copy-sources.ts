/** Copies what a TypeScript compiler reads of a workspace; installed packages are linked, those of the workspace to their copies. */
import type { Dirent } from 'node:fs';
import { copyFile, mkdir, readdir, realpath, stat, symlink } from 'node:fs/promises';
import path from 'node:path';
import { DirectoryWalk } from '../../../shared/base/directory-walk.ts';
import { fail } from '../../../shared/base/failure.ts';
import { isInside } from '../../../shared/base/paths.ts';

export interface SourceCopy {
  readonly top: string;
  /** Directories above it, whose packages and manifests count as well. */
  readonly above: readonly string[];
  /** Where the copy of a file is. */
  mirrored(file: string): string;
  readonly signal: AbortSignal;
}

const READ = /\.([cm]?[jt]sx?|jsonc?)$/;
const PACKAGES = 'node_modules';
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', '.hg', '.svn']);
/** Some seconds' worth; beyond it the copy would take longer than the check. */
const MOST_FILES = 50_000;

export async function copySources(copy: SourceCopy): Promise<void> {
  const { top, mirrored, signal } = copy;
  const walk = new DirectoryWalk(top, { enters: (name) => name !== PACKAGES && !LEFT_OUT.has(name) });
  let files = 0;
  for await (const { directory, inside, entries } of walk) {
    if (signal.aborted) fail({ kind: 'cancelled' });
    await mkdir(mirrored(directory), { recursive: true });
    const wanted = entries.filter((entry) => entry.isFile() && READ.test(entry.name));
    files += wanted.length;
    if (files > MOST_FILES) refuseSize(top);
    const within = ({ name }: Dirent) => `${inside}${name}`;
    await Promise.all([
      ...wanted.map((entry) => copyFile(within(entry), mirrored(within(entry)))),
      ...entries.filter((entry) => entry.isSymbolicLink()).map((entry) => copyLink(copy, within(entry))),
      ...entries
        .filter((entry) => entry.isDirectory() && entry.name === PACKAGES)
        .map((entry) => linkPackages(copy, within(entry))),
    ]);
  }
  const [forbidden] = walk.forbidden;
  // A check of the rest would speak of a project that is another one.
  if (forbidden !== undefined) fail({ kind: 'not-a-text-file', path: forbidden, reason: 'forbidden' });
  for (const directory of copy.above) await copyAbove(copy, directory);
}

/** Not linked as a whole: compilers are told to write into it, and it links to packages of the workspace. */
async function linkPackages(copy: SourceCopy, directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true });
  await mkdir(copy.mirrored(directory), { recursive: true });
  const isPackage = ({ name }: Dirent) => !name.startsWith('.');
  await Promise.all(
    entries.filter(isPackage).map(async (entry) => {
      const at = path.join(directory, entry.name);
      if (entry.isSymbolicLink()) return copyLink(copy, at);
      if (!entry.isDirectory()) return undefined;
      return entry.name.startsWith('@') ? linkPackages(copy, at) : symlink(at, copy.mirrored(at), 'junction');
    }),
  );
}

/** A link into the workspace leads to the copy, any other to where it led before. */
async function copyLink({ top, mirrored }: SourceCopy, link: string): Promise<void> {
  const target = await realpath(link).catch(() => undefined);
  if (target === undefined) return;
  const isCopied = isInside(target, top) && !target.split(path.sep).includes(PACKAGES);
  if ((await stat(target)).isDirectory())
    await symlink(isCopied ? mirrored(target) : target, mirrored(link), 'junction');
  else if (READ.test(link)) await copyFile(target, mirrored(link));
}

async function copyAbove(copy: SourceCopy, directory: string): Promise<void> {
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const at = path.join(directory, entry.name);
    if (entry.isDirectory() && entry.name === PACKAGES) await linkPackages(copy, at);
    if (entry.isFile() && entry.name === 'package.json') await copyFile(at, copy.mirrored(at));
  }
}

function refuseSize(top: string): never {
  fail({
    kind: 'invalid-input',
    message: `${top} has more than ${MOST_FILES} sources, too many to check its projects in a copy`,
    next: 'Run tsc --build yourself, or pass path of a project without references',
  });
}
