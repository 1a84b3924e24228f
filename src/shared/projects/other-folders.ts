/**
 * Questions about a name when the session works in several folders: a server searches the folder that the name is in,
 * and what the others have to do with it is looked for here, to be opened or to be named as not searched.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { isInside } from '../base/paths.ts';
import { textOrNothing } from '../base/read-text.ts';
import { languageFacts } from '../languages/facts.ts';
import type { Modules } from '../languages/family.ts';
import { importedNames } from '../languages/manifests.ts';
import type { About, Mention, Mentions, ReachPlan } from '../link/reach-question.ts';
import type { Elsewhere } from './reach.ts';
import { projectRule, type Rule, searchesOpened } from './survey.ts';

/** Where a server works: its root and the folders that it was given. */
export interface Folders {
  readonly root: AbsPath;
  readonly folders: readonly AbsPath[];
}

/** The root of the server, or the folder it was given, that a question is about. */
export function homeOf({ root, folders }: Folders, { file }: About): AbsPath {
  if (!file || isInside(file, root)) return root;
  return folders.find((folder) => isInside(file, folder)) ?? root;
}

/** How the files of another folder are divided, and whether the server searches them once they are open. */
export function otherFolderRule(language: string, folder: AbsPath, { root, folders }: Folders): Rule {
  const rule = projectRule(language, folder, folder) ?? { base: folder, projectIn: () => folder };
  // A server that has the folder keeps its files apart; one that has not takes them for loose files of its own.
  const opensHelp = searchesOpened(language) && ![root, ...folders].includes(folder);
  return { ...rule, base: folder, opensHelp };
}

/** How a folder and the others of the session speak of each other. */
export function elsewhere(
  folder: AbsPath,
  folders: readonly AbsPath[],
  language: string,
  { file }: About,
): Elsewhere {
  const others = folders.filter((other) => other !== folder);
  // A header is known by its own name wherever it lies.
  const header = file && languageFacts(language).includesFiles ? [path.basename(file)] : [];
  const text = file === undefined ? '' : textOrNothing(file);
  const isMeant = namesOf(folder, language).some((name) => text.includes(name));
  return {
    names: [...others.flatMap((other) => namesOf(other, language)), ...header],
    isMeant: () => isMeant,
  };
}

/** What other projects write when they import something of the one there. */
export function namesOf(folder: string, language: string): readonly string[] {
  const { modules } = languageFacts(language);
  if (!modules) return importedNames(folder);
  // Modules have everyday names, so only the import tells.
  const names = [folder, path.join(folder, 'src')].flatMap((directory) => modulesIn(directory, modules));
  return names.flatMap((name) => modules.behind.map((word) => `${word} ${name}`));
}

/** Whether a directory is none itself, and others in it are: several projects can have a part of it. */
function isNamespace(directory: string, directoryWith: string): boolean {
  return namesIn(directory).some((name) => existsSync(path.join(directory, name, directoryWith)));
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // A file, or what this user may not read.
    return [];
  }
}

/** What can be imported from a directory. */
function modulesIn(directory: string, { file, directoryWith, never }: Modules): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
      if (entry.isFile()) return file.exec(entry.name)?.[1] ?? [];
      const inside = path.join(directory, entry.name);
      const isModule = existsSync(path.join(inside, directoryWith)) || isNamespace(inside, directoryWith);
      return isModule && !never.includes(entry.name) ? [entry.name] : [];
    });
  } catch {
    return [];
  }
}

export function joinedPlans(parts: readonly ReachPlan[]): ReachPlan {
  return {
    documents: [...new Set(parts.flatMap(({ documents }) => documents))],
    behind: new Map(parts.flatMap(({ behind }) => [...behind])),
    unopened: [...new Set(parts.flatMap(({ unopened }) => unopened))],
    misread: [...new Set(parts.flatMap(({ misread }) => misread))],
    unread: parts.flatMap(({ unread }) => unread),
    unbuilt: parts.flatMap(({ unbuilt }) => unbuilt),
    forbidden: [...new Set(parts.flatMap(({ forbidden }) => forbidden))],
    whole: parts.every(({ whole }) => whole),
    ...mentionsOf(parts),
  };
}

function mentionsOf(parts: readonly ReachPlan[]): Pick<ReachPlan, 'mentions'> {
  const known = parts.flatMap(({ mentions }) => mentions ?? []);
  if (known.length === 0) return {};
  const once = (of: (part: Mentions) => readonly Mention[]) => {
    const files = new Map(known.flatMap((each) => of(each).map((mention) => [mention.file, mention])));
    return [...files.values()];
  };
  return {
    mentions: {
      files: once(({ files }) => files),
      others: once(({ others }) => others),
      unread: [...new Set(known.flatMap(({ unread }) => unread))],
      unreadSources: [...new Set(known.flatMap(({ unreadSources }) => unreadSources))],
      whole: known.every(({ whole }) => whole),
    },
  };
}
