/**
 * Which files have to be open before a question about a name, so that the server knows every project that could have to
 * do with it: those that mention the name and are not in the project that is asked anyway.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { isInside } from '../base/paths.ts';
import { identityOf, type Survey } from './survey.ts';

/** The name that a question is about. Without a place any part of a name counts, in either case. */
export interface About {
  readonly name: string;
  /** More names of the same source that are asked about together with it. */
  readonly also?: readonly string[];
  readonly source?: { readonly path: AbsPath; readonly text: string };
  /** Directories that are searched by others. */
  readonly except?: readonly AbsPath[];
}

export interface Reach {
  /** To be opened with the question. */
  readonly documents: readonly AbsPath[];
  /** Files that mention the name and that the server may still know nothing of. */
  readonly unopened: readonly AbsPath[];
  /** Whether all files could be looked at. */
  readonly whole: boolean;
}

/** A folder that the name is not in, and how it is seen whether it has to do with it. */
export interface Elsewhere {
  /** What its files write when they mean one of the other folders. */
  readonly names: readonly string[];
  /** The file that the name is in speaks of this folder. */
  readonly isMeant: boolean;
}

export const EVERYTHING: Reach = { documents: [], unopened: [], whole: true };

/** More files of no project are not opened for one question: each costs the server a project of its own. */
const MOST_LOOSE = 64;
const MOST_PROJECTS = 32;
const FEW_PROJECTS = 8;
const AT_ONCE = 16;
const LARGEST = 2 * 1024 * 1024;

export async function reachOf(
  { projectOf, whole, opensHelp }: Survey,
  root: AbsPath,
  about: About,
  signal?: AbortSignal | undefined,
  elsewhere?: Elsewhere,
): Promise<Reach> {
  // Few projects are all shown to the server, so that it can find names that are not written the same way.
  const showAll = about.source === undefined && new Set(projectOf.values()).size <= FEW_PROJECTS;
  const asked = about.source && projectOf.get(about.source.path);
  const others: [AbsPath, string | undefined][] = [];
  // Of thousands of files mostly all are in the project that is asked, and this is done for every question.
  projectOf.forEach((project, file) => {
    const isAsked = file === about.source?.path || (project !== undefined && project === asked);
    if (!isAsked && !about.except?.some((directory) => isInside(file, directory)))
      others.push([file, project]);
  });
  if (others.length === 0) return { documents: [], unopened: [], whole };
  const found = await filesWith(others, mentionOf(root, about, { showAll, opensHelp, elsewhere }), {
    ...about,
    signal,
  });
  const byProject = new Map<string, AbsPath[]>();
  const loose: AbsPath[] = [];
  for (const [file, project] of others) {
    if (!found.files.has(file)) continue;
    if (project === undefined) loose.push(file);
    else byProject.set(project, [...(byProject.get(project) ?? []), file]);
  }
  const groups = [...byProject.values()];
  if (about.source && !opensHelp)
    return { documents: [], unopened: [...groups.flat(), ...loose], whole: whole && found.whole };
  return {
    documents: [
      ...groups.slice(0, MOST_PROJECTS).flatMap(([first]) => first ?? []),
      ...loose.slice(0, MOST_LOOSE),
    ],
    unopened: [...groups.slice(MOST_PROJECTS).flat(), ...loose.slice(MOST_LOOSE)],
    whole: whole && found.whole,
  };
}

type Mention = (file: AbsPath, text: string, project: string | undefined) => boolean;

function mentionOf(
  root: AbsPath,
  { name, also = [], source }: About,
  {
    showAll,
    opensHelp,
    elsewhere,
  }: { showAll: boolean; opensHelp: boolean; elsewhere: Elsewhere | undefined },
): Mention {
  if (!source) {
    const wanted = name.toLowerCase();
    return (file, text, project) =>
      isInside(file, root) && ((showAll && project !== undefined) || text.toLowerCase().includes(wanted));
  }
  const names = [name, ...also];
  const words = new RegExp(`(?<![\\p{L}\\p{N}_$])(${names.map(escaped).join('|')})(?![\\p{L}\\p{N}_$])`, 'u');
  // What a module exports as its default has another name wherever it is imported.
  const module = path.basename(source.path).replace(/\.\w+$/, '');
  const imported = /export default|export =|module\.exports/.test(source.text)
    ? new RegExp(`['"/]${escaped(module)}(\\.\\w+)?['"]`)
    : undefined;
  // The same word in another package is something else, unless that package speaks of this one.
  const identity = elsewhere?.names ?? identityOf(root);
  const isNear = (file: AbsPath, project: string | undefined) =>
    isInside(file, root) && (opensHelp || project === undefined);
  return (file, text, project) =>
    ((names.some((each) => text.includes(each)) && words.test(text)) || imported?.test(text) === true) &&
    (elsewhere?.isMeant || isNear(file, project) || identity.some((each) => text.includes(each)));
}

interface Search {
  /** With a place, all files are wanted, because those that cannot be opened are named. */
  readonly source?: unknown;
  readonly signal: AbortSignal | undefined;
}

async function filesWith(
  files: readonly (readonly [AbsPath, string | undefined])[],
  mentions: Mention,
  { source, signal }: Search,
): Promise<{ files: ReadonlySet<AbsPath>; whole: boolean }> {
  const found = new Set<AbsPath>();
  const shown = new Set<string>();
  const queue = files[Symbol.iterator]();
  const work = async () => {
    for (const [file, project] of queue) {
      if (signal?.aborted) return;
      if (!source && project !== undefined && shown.has(project)) continue;
      // What cannot be read or is no text cannot be opened either.
      const text = await readFile(file, 'utf8').catch(() => '\0');
      if (text.length > LARGEST || text.includes('\0') || !mentions(file, text, project)) continue;
      found.add(file);
      if (project !== undefined) shown.add(project);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { files: found, whole: !signal?.aborted };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
