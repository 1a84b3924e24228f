/**
 * Questions about a name when the session works in several folders: a server searches the folder that the name is in,
 * and what the others have to do with it is looked for here, to be opened or to be named as not searched.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import { isInside } from '../../shared/base/paths.ts';
import type { LanguageFamily } from '../../shared/languages/family.ts';
import type { ServerLink } from '../../shared/server-link.ts';
import type { About, Reach } from './reach.ts';
import { projectRule, type Rule } from './survey.ts';

/** The root of the server, or the folder it was given, that a question is about. */
export function homeOf(link: ServerLink, { source }: About): AbsPath {
  if (!source || isInside(source.path, link.root)) return link.root;
  return link.folders.find((folder) => isInside(source.path, folder)) ?? link.root;
}

/** How the files of another folder are divided, and whether the server searches them once they are open. */
export function otherFolderRule(family: LanguageFamily, folder: AbsPath, link: ServerLink): Rule {
  const rule = projectRule(family, folder, folder) ?? { base: folder, projectIn: () => folder };
  // A server that has the folder keeps its files apart; one that has not takes them for loose files of its own.
  const opensHelp = ['typescript', 'python'].includes(family.id) && !link.folders.includes(folder);
  return { ...rule, base: folder, opensHelp };
}

export function joined(parts: readonly Reach[]): Reach {
  return {
    documents: [...new Set(parts.flatMap(({ documents }) => documents))],
    unopened: [...new Set(parts.flatMap(({ unopened }) => unopened))],
    whole: parts.every(({ whole }) => whole),
  };
}
