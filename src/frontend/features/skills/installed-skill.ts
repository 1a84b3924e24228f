/**
 * What is in the place of a skill: nothing, a skill that was installed from this package, or something else, which is
 * left alone. A link was installed from here if it leads into this package, a copy if it has our note, which also
 * tells whether the copy has been changed since.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import path from 'node:path';
import { systemCode } from '../../../shared/base/failure.ts';
import { isObject } from '../../../shared/base/unknown-value.ts';

/** In every copy. */
export const NOTE = '.agent-lsp.json';
const PACKAGE = 'agent-lsp';

export type InstalledSkill =
  | { readonly kind: 'free' }
  /** `target` is absolute. */
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'copy'; readonly digests: Digests; readonly isChanged: boolean }
  | { readonly kind: 'foreign'; readonly what: string };

/** Of files by their names. */
export type Digests = Readonly<Record<string, string>>;

export async function installedAt(place: string): Promise<InstalledSkill> {
  const entry = await lstat(place).catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (entry === undefined) return { kind: 'free' };
  if (entry.isSymbolicLink()) {
    const target = path.resolve(path.dirname(place), await readlink(place));
    return isOfPackage(target, path.basename(place))
      ? { kind: 'link', target }
      : { kind: 'foreign', what: `a link to ${target}` };
  }
  if (!entry.isDirectory()) return { kind: 'foreign', what: 'a file' };
  const noted = await notedDigests(place);
  if (!noted) return { kind: 'foreign', what: 'a folder that was not installed from here' };
  const now = await digestsOf(place);
  return { kind: 'copy', digests: noted, isChanged: !isSame(noted, now) };
}

/** A package that is gone is known by its name in the path. */
function isOfPackage(target: string, skill: string): boolean {
  const root = path.dirname(path.dirname(target));
  if (path.basename(target) !== skill || path.basename(path.dirname(target)) !== 'skills') return false;
  const isThere = existsSync(root);
  return isThere ? existsSync(path.join(root, 'dist', 'agent-lsp.cjs')) : path.basename(root) === PACKAGE;
}

async function notedDigests(place: string): Promise<Digests | undefined> {
  try {
    const note: unknown = JSON.parse(await readFile(path.join(place, NOTE), 'utf8'));
    return isObject(note) && note.from === PACKAGE && isObject(note.files)
      ? (note.files as Digests)
      : undefined;
  } catch {
    return undefined;
  }
}

export function noteText(version: string, files: Digests): string {
  return `${JSON.stringify({ from: PACKAGE, version, files }, undefined, 2)}\n`;
}

/** Of everything below a folder but the note; links and what is no file have a digest that no file has. */
export async function digestsOf(folder: string, inside = ''): Promise<Digests> {
  const entries = await readdir(path.join(folder, inside), { withFileTypes: true });
  const parts = await Promise.all(
    entries.map(async (entry): Promise<Digests> => {
      const name = inside === '' ? entry.name : `${inside}/${entry.name}`;
      if (name === NOTE) return {};
      if (entry.isDirectory()) return digestsOf(folder, name);
      if (!entry.isFile()) return { [name]: 'no file' };
      const bytes = await readFile(path.join(folder, name));
      return { [name]: createHash('sha256').update(bytes).digest('hex') };
    }),
  );
  return Object.assign({}, ...parts);
}

export function isSame(one: Digests, other: Digests): boolean {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].every((name) => one[name] === other[name]);
}
