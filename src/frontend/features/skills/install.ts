/**
 * Installs skills into the folder of a client and takes them out again. A place is filled in one step, so that a client
 * never sees half a skill; what was not installed from here stays unless the user insists.
 * Decision: docs/decisions/skills.md#installed-in-one-step-and-known-again
 */
import {
  cp,
  lstat,
  mkdir,
  readdir,
  realpath,
  rename,
  rm,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { makeDirectories } from '../../../shared/base/directories.ts';
import { fail, systemCode } from '../../../shared/base/failure.ts';
import { absolutePath, isInside } from '../../../shared/base/paths.ts';
import type { SkillFolder } from './client-folders.ts';
import { digestsOf, type InstalledSkill, installedAt, isSame, NOTE, noteText } from './installed-skill.ts';

export type SkillOutcome =
  | { readonly kind: 'linked' | 'copied' | 'present' | 'removed' }
  /** Something else was there before. */
  | { readonly kind: 'replaced'; readonly by: 'link' | 'copy' }
  | { readonly kind: 'left'; readonly why: string };

export interface InstallOptions {
  readonly version: string;
  readonly copies: boolean;
  readonly force: boolean;
}

/** Makes the folder. Fails when it leads out of its base by a link: whoever put that there would choose what is written. */
export async function prepareFolder(folder: SkillFolder): Promise<void> {
  const out = await wayOut(folder);
  if (out !== undefined)
    fail({
      kind: 'not-permitted',
      reason: `${folder.path} leads out of ${folder.base}: ${out}`,
      next: 'Remove that link, or install for another client',
    });
  makeDirectories(folder.path, 0o755);
}

/** The link by which a folder of skills is not where it seems to be; undefined when it is below its base, or is to be made there. */
async function wayOut({ path: folder, base }: SkillFolder): Promise<string | undefined> {
  const there = await nearestThere(folder);
  // Nothing of the base is there yet, or nothing below it.
  if (isInside(absolutePath(base), absolutePath(there))) return undefined;
  const [leads, real] = await Promise.all([realpath(there).catch(() => 'nowhere'), realpath(base)]);
  const isBelow = leads !== 'nowhere' && isInside(absolutePath(leads), absolutePath(real));
  return isBelow ? undefined : `${there} is ${leads}`;
}

/** `source` is the folder of the skill in the package. What the system refuses is an outcome: others may still succeed. */
export function installSkill(source: string, folder: string, options: InstallOptions): Promise<SkillOutcome> {
  return orRefused(() => installed(source, folder, options));
}

async function installed(
  source: string,
  folder: string,
  { version, copies, force }: InstallOptions,
): Promise<SkillOutcome> {
  const place = path.join(folder, path.basename(source));
  const before = await installedAt(place);
  if (await isPresent(before, source, copies)) return { kind: 'present' };
  const obstacle = obstacleIn(before);
  if (obstacle !== undefined && !force) return { kind: 'left', why: `${obstacle}; --force replaces it` };
  const unfinished = asideName(place, 'new');
  await rm(unfinished, { recursive: true, force: true });
  try {
    if (copies) await copySkill(source, unfinished, version);
    else await symlink(source, unfinished, 'junction');
    await put(unfinished, place);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  if (before.kind !== 'free') return { kind: 'replaced', by: copies ? 'copy' : 'link' };
  return { kind: copies ? 'copied' : 'linked' };
}

/** Only what was installed from here, and a copy that was changed only when the user insists. */
export function removeSkill(place: string, force: boolean): Promise<SkillOutcome> {
  return orRefused(() => removed(place, force));
}

async function orRefused(work: () => Promise<SkillOutcome>): Promise<SkillOutcome> {
  try {
    return await work();
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return { kind: 'left', why: `the system refuses it: ${code}` };
  }
}

async function removed(place: string, force: boolean): Promise<SkillOutcome> {
  const there = await installedAt(place);
  if (there.kind === 'free') return { kind: 'left', why: 'not installed' };
  if (there.kind === 'foreign') return { kind: 'left', why: there.what };
  if (there.kind === 'copy' && there.isChanged && !force)
    return { kind: 'left', why: 'changed since it was copied; --force removes it all the same' };
  if (there.kind === 'link') await unlink(place);
  else await takeAway(place);
  return { kind: 'removed' };
}

/** What was installed from here; nothing is looked for behind a link that leads out. */
export async function installedIn(
  skillFolder: SkillFolder,
): Promise<readonly { readonly name: string; readonly skill: InstalledSkill }[]> {
  if ((await wayOut(skillFolder)) !== undefined) return [];
  const { path: folder } = skillFolder;
  const names = await readdir(folder).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw error;
  });
  const found = await Promise.all(
    names
      .filter((name) => !name.startsWith('.'))
      .map(async (name) => ({ name, skill: await installedAt(path.join(folder, name)) })),
  );
  return found
    .filter(({ skill }) => skill.kind === 'link' || skill.kind === 'copy')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

async function isPresent(there: InstalledSkill, source: string, copies: boolean): Promise<boolean> {
  if (there.kind === 'link') return !copies && there.target === source;
  return (
    there.kind === 'copy' && copies && !there.isChanged && isSame(there.digests, await digestsOf(source))
  );
}

function obstacleIn(there: InstalledSkill): string | undefined {
  if (there.kind === 'foreign') return there.what;
  return there.kind === 'copy' && there.isChanged ? 'changed since it was copied' : undefined;
}

async function copySkill(source: string, to: string, version: string): Promise<void> {
  await mkdir(to);
  await cp(source, to, { recursive: true, errorOnExist: true, force: false, verbatimSymlinks: true });
  await writeFile(path.join(to, NOTE), noteText(version, await digestsOf(source)), { flag: 'wx' });
}

/** What was there is moved aside first, since a folder cannot be replaced by another in one step, and back if that fails. */
async function put(made: string, place: string): Promise<void> {
  const aside = asideName(place, 'old');
  const hadOld = await rename(place, aside).then(
    () => true,
    (error: unknown) => {
      if (systemCode(error) === 'ENOENT') return false;
      throw error;
    },
  );
  try {
    await rename(made, place);
  } catch (error) {
    if (hadOld) await rename(aside, place);
    throw error;
  }
  if (hadOld) await rm(aside, { recursive: true, force: true });
}

async function takeAway(place: string): Promise<void> {
  const aside = asideName(place, 'old');
  await rename(place, aside);
  await rm(aside, { recursive: true, force: true });
}

/** Clients look for skills by folders without a dot. */
function asideName(place: string, what: string): string {
  return path.join(path.dirname(place), `.${path.basename(place)}.${process.pid}.${what}`);
}

async function nearestThere(folder: string): Promise<string> {
  const isThere = await lstat(folder).then(
    () => true,
    () => false,
  );
  return isThere || path.dirname(folder) === folder ? folder : nearestThere(path.dirname(folder));
}
