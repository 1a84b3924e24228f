/**
 * Questions about a name when the session works in several folders: a server searches the folder that the name is in,
 * and what the others have to do with it is looked for here, to be opened or to be named as not searched.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { isInside } from '../base/paths.ts';
import type { LanguageFamily } from '../languages/family.ts';
import type { ServerLink } from '../server-link.ts';
import type { About, Elsewhere, Reach } from './reach.ts';
import { identityOf, projectRule, type Rule } from './survey.ts';

/** The root of the server, or the folder it was given, that a question is about. */
export function homeOf(link: ServerLink, { source }: About): AbsPath {
  if (!source || isInside(source.path, link.root)) return link.root;
  return link.folders.find((folder) => isInside(source.path, folder)) ?? link.root;
}

/** How the files of another folder are divided, and whether the server searches them once they are open. */
export function otherFolderRule(family: LanguageFamily, folder: AbsPath, link: ServerLink): Rule {
  const rule = projectRule(family, folder, folder) ?? { base: folder, projectIn: () => folder };
  // A server that has the folder keeps its files apart; one that has not takes them for loose files of its own.
  const opensHelp =
    ['typescript', 'python'].includes(family.id) && ![link.root, ...link.folders].includes(folder);
  return { ...rule, base: folder, opensHelp };
}

/** How a folder and the others of the session speak of each other. */
export function elsewhere(
  folder: AbsPath,
  folders: readonly AbsPath[],
  family: LanguageFamily,
  { source }: About,
): Elsewhere {
  const others = folders.filter((other) => other !== folder);
  // A header is known by its own name wherever it lies.
  const header = source && family.id === 'cpp' ? [path.basename(source.path)] : [];
  return {
    names: [...others.flatMap((other) => namesOf(other, family)), ...header],
    isMeant: namesOf(folder, family).some((name) => source?.text.includes(name)),
  };
}

function namesOf(folder: AbsPath, family: LanguageFamily): readonly string[] {
  if (family.id !== 'python') return identityOf(folder);
  // Modules have everyday names, so only the import tells.
  const names = [folder, path.join(folder, 'src')].flatMap(pythonNames);
  return names.flatMap((name) => [`import ${name}`, `from ${name}`]);
}

/** What can be imported from a directory. */
function pythonNames(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
      if (entry.isFile()) return /^(?!conftest|setup|test_)(\w+)\.pyi?$/.exec(entry.name)?.[1] ?? [];
      const isPackage = existsSync(path.join(directory, entry.name, '__init__.py'));
      return isPackage && entry.name !== 'tests' ? [entry.name] : [];
    });
  } catch {
    return [];
  }
}

export function joined(parts: readonly Reach[]): Reach {
  return {
    documents: [...new Set(parts.flatMap(({ documents }) => documents))],
    unopened: [...new Set(parts.flatMap(({ unopened }) => unopened))],
    whole: parts.every(({ whole }) => whole),
  };
}
