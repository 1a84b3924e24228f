/**
 * Finds or starts servers for the folders of a session that no server works in yet, for questions about the whole
 * workspace.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import { isInside } from '../../shared/base/paths.ts';
import type { LanguageFamily } from '../../shared/languages/family.ts';
import type { ServerLink } from '../../shared/link/server-link.ts';
import { tryEach } from '../ask/try-each.ts';
import type { WorkspaceServers } from '../tools/context.ts';
import type { Roots } from '../workspace/roots.ts';
import type { Router } from './router.ts';

export interface FolderSearch {
  readonly roots: Roots;
  readonly router: Router;
  /** Only this language, if not all. */
  readonly family: LanguageFamily | undefined;
  /** More servers than this are not started for one question. */
  readonly most: number;
  languagesIn(folder: AbsPath): Promise<readonly LanguageFamily[]>;
}

export async function acrossFolders(
  found: WorkspaceServers,
  search: FolderSearch,
): Promise<WorkspaceServers> {
  const { roots, router, family, most } = search;
  const uncovered: { readonly folder: AbsPath; readonly family: LanguageFamily }[] = [];
  for (const { path: folder } of roots.folders) {
    const languages = (await search.languagesIn(folder)).filter(({ id }) => !family || id === family.id);
    for (const each of languages)
      if (!found.links.some((link) => link.language === each.id && isNear(link, folder)))
        uncovered.push({ folder, family: each });
  }
  const { done, notDone } = await tryEach(
    uncovered.slice(0, most),
    (one) => one.family.id,
    (one) => router.linkAround(one.folder, one.family, { isDirectory: true }),
  );
  const late = uncovered
    .slice(most)
    .map((one) => ({ language: one.family.id, why: `pass a file of ${one.folder}`, isFault: true }));
  return {
    links: [...new Set([...found.links, ...done])],
    notAsked: [...found.notAsked, ...notDone, ...late],
  };
}

/** A server somewhere in the folder counts, as it does for the root. */
function isNear(link: ServerLink, folder: AbsPath): boolean {
  return [link.root, ...link.folders].some((root) => isInside(folder, root) || isInside(root, folder));
}
