/**
 * The servers that a question about a name goes to: together they search every file of the session's folders that may
 * have it, and what they leave out is named. Decision: docs/decisions/symbols.md#servers-of-a-search-by-name
 */
import path from 'node:path';
import type { AbsPath } from '../../shared/base/brand.ts';
import { counted } from '../../shared/base/counted.ts';
import { isInside } from '../../shared/base/paths.ts';
import { isSkippedDirectory } from '../../shared/languages/detect.ts';
import type { LanguageFamily } from '../../shared/languages/family.ts';
import { findRoot } from '../../shared/languages/roots.ts';
import type { ServerLink } from '../../shared/link/server-link.ts';
import { tryEach } from '../ask/try-each.ts';
import type { NotDone, WorkspaceServers } from '../tools/context.ts';
import type { Roots } from '../workspace/roots.ts';
import type { Router } from './router.ts';
import type { UncoveredFiles } from './uncovered-files.ts';

export interface NamedSearch {
  readonly roots: Roots;
  readonly router: Router;
  readonly uncovered: UncoveredFiles;
  readonly name: string;
  /** How long to look for files that no server has. */
  readonly lookMs: number;
  /** More servers than this are not started for one question. */
  readonly most: number;
}

const RETRY_MS = 5_000;

export async function coveringServers(
  found: WorkspaceServers,
  search: NamedSearch,
): Promise<WorkspaceServers> {
  const languages = [...new Set(found.links.map(({ language }) => language))];
  const parts = await Promise.all(
    languages.map((language) => {
      const family = search.router.familyNamed(language);
      return coverFamily(
        family,
        found.links.filter((link) => link.language === language),
        search,
      );
    }),
  );
  return {
    links: parts.flatMap(({ links }) => links),
    notAsked: [...found.notAsked, ...parts.flatMap(({ notAsked }) => notAsked)],
  };
}

async function coverFamily(
  family: LanguageFamily,
  links: readonly ServerLink[],
  search: NamedSearch,
): Promise<WorkspaceServers> {
  const roots = links.flatMap((link) => [link.root, ...link.folders]);
  const bare = search.roots.folders
    .map((folder) => folder.path)
    .filter((folder) => !roots.some((root) => isInside(folder, root)));
  const parts = await Promise.all(bare.map((folder) => coverFolder(family, folder, roots, search)));
  const all = [...new Set([...links, ...parts.flatMap((part) => part.links)])];
  return {
    // Such a server is shown the projects below its root; a second one for some of them would only have to start, too.
    links:
      family.workspaceRule === 'npm' ? all.filter((link) => !all.some((other) => has(other, link))) : all,
    notAsked: parts.flatMap((part) => part.notAsked),
  };
}

async function coverFolder(
  family: LanguageFamily,
  folder: AbsPath,
  taken: readonly AbsPath[],
  { roots, router, uncovered, name, lookMs, most }: NamedSearch,
): Promise<WorkspaceServers> {
  const { id: language } = family;
  // Looking through it would take each call its time, and never come to an end.
  if (roots.isTooWide(folder)) {
    const why = `${folder} is a home or a disk: only projects of which a file was asked about are searched there`;
    return { links: [], notAsked: [{ language, why, isFault: true }] };
  }
  const { files, whole } = await uncovered.that(name, { folder, family, roots: taken }, lookMs);
  const notAsked: NotDone[] = whole
    ? []
    : [
        {
          language,
          why: `there was no time to look for ${name} in all files of ${folder}; call again`,
          isFault: true,
          retryMs: RETRY_MS,
        },
      ];
  const [first] = files;
  if (first === undefined) return { links: [], notAsked };
  const unsearched = (left: readonly AbsPath[]): NotDone => ({
    language,
    why: `${counted(left.length, 'file')} that may have ${name}, such as ${roots.display(left[0] ?? first)}; ask for symbols of that file first`,
    isFault: true,
  });
  // Who named a root, or a server to dial, has chosen what runs.
  if (router.hasChosen(family)) return { links: [], notAsked: [...notAsked, unsearched(files)] };
  if (family.workspaceRule === 'npm') {
    const { done, notDone } = await tryEach(
      [folder],
      () => language,
      () => router.linkAround(folder, family, { isDirectory: true }),
    );
    return { links: done, notAsked: [...notAsked, ...notDone] };
  }
  const byRoot = new Map<AbsPath, AbsPath[]>();
  for (const file of files) {
    const boundary = roots.around(file);
    const { root } = findRoot({ file, family, boundary, isWide: roots.isTooWide(boundary) });
    byRoot.set(root, [...(byRoot.get(root) ?? []), file]);
  }
  const groups = [...byRoot.values()];
  const { done, notDone } = await tryEach(
    groups.slice(0, most),
    () => language,
    ([file = first]) => router.linkFor(file, { languageId: language }),
  );
  const left = groups.slice(most).flat();
  return {
    links: done,
    notAsked: [...notAsked, ...notDone, ...(left.length > 0 ? [unsearched(left)] : [])],
  };
}

/** Whether a server searches all that another one does: directories of made things are left to their own. */
function has(outer: ServerLink, inner: ServerLink): boolean {
  if (outer.root === inner.root) return false;
  return [inner.root, ...inner.folders].every(
    (root) =>
      isInside(root, outer.root) && !path.relative(outer.root, root).split(path.sep).some(isSkippedDirectory),
  );
}
