/**
 * The source files of a workspace by the project that they belong to, found by looking at the disk alone.
 * Needed for servers that know a project only after one of its files was opened.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { directoriesUpTo } from '../base/ancestors.ts';
import { type AbsPath, assertNever } from '../base/brand.ts';
import { DirectoryWalk } from '../base/directory-walk.ts';
import { systemClock } from '../base/lifetime.ts';
import { absolutePath } from '../base/paths.ts';
import { textOrNothing } from '../base/read-text.ts';
import { isMadeDirectory } from '../languages/detect.ts';
import { languageFacts } from '../languages/facts.ts';
import { tsProjects } from '../tsconfig/ts-projects.ts';
import { goProjects } from './go-files.ts';
import { HiddenDirectories } from './hidden-directories.ts';
import { compiledFiles, pyrightFiles } from './listed-files.ts';
import type { UnbuiltPackage } from './unbuilt-packages.ts';

export interface Survey {
  /** The project of each source file; undefined for a file of no project. */
  readonly projectOf: ReadonlyMap<AbsPath, string | undefined>;
  /** False when there was too much to look at. */
  readonly whole: boolean;
  /** A file of each project: opening it makes the server load the project. */
  readonly sampleOf: ReadonlyMap<string, AbsPath>;
  /** Whether the server searches what was opened, too. */
  readonly opensHelp: boolean;
  /** Whether the server takes a project for something else than it is. */
  misread?(project: string): boolean;
  /** Why the configuration of a project could not be read whole. */
  unread?(project: string): string | undefined;
  /** The package.json files that were seen. */
  readonly manifests: readonly string[];
  /** Source files that are links: to a server each is a file of its own. */
  readonly links: readonly AbsPath[];
  /** Files of other kinds that may hold code with names of the language. */
  readonly others: ReadonlySet<AbsPath>;
  /** Directories that this user may not read. */
  readonly forbidden: readonly AbsPath[];
  /** Packages that cannot be imported before they are built. */
  readonly unbuilt?: readonly UnbuiltPackage[];
}

/** One that can be kept up to date. */
export interface KeptSurvey extends Survey {
  readonly projectOf: Map<AbsPath, string | undefined>;
  readonly sampleOf: Map<string, AbsPath>;
  readonly others: Set<AbsPath>;
}

const MOST_ENTRIES = 200_000;

/** How the servers of a family divide files; undefined for those that search everything below their root. */
export function projectRule(language: string, root: AbsPath, boundary: AbsPath): Rule | undefined {
  const { projects } = languageFacts(language);
  switch (projects) {
    case 'tsconfig': {
      const base = workspaceAround(root, boundary);
      const projectOf = tsProjects(base);
      return { base, projectIn: (file) => projectOf(file)?.config, opensHelp: true };
    }
    case 'go-modules': {
      const base = workspaceAround(root, boundary);
      return { base, projectIn: goProjects(base), opensHelp: false };
    }
    case 'pyright': {
      const projectIn = pyrightFiles(root);
      return projectIn && { base: root, projectIn, opensHelp: true };
    }
    case 'compilation-database': {
      const projectIn = compiledFiles(root);
      return projectIn && { base: root, projectIn, opensHelp: false };
    }
    case undefined:
      return undefined;
    default:
      return assertNever(projects);
  }
}

/** Whether the servers of a family search what was opened, too, be it of whatever folder. */
export function searchesOpened(language: string): boolean {
  const { projects } = languageFacts(language);
  return projects === 'tsconfig' || projects === 'pyright';
}

export interface Rule {
  readonly base: AbsPath;
  readonly projectIn: (file: string) => string | undefined;
  readonly opensHelp: boolean;
}

export async function survey(
  { base, projectIn, opensHelp }: Rule,
  languageIds: Readonly<Record<string, string>>,
  isOver: () => boolean = () => false,
  isOfOtherKind: (name: string) => boolean = () => false,
  hidden: HiddenDirectories = new HiddenDirectories(base, systemClock),
): Promise<KeptSurvey> {
  const projectOf = new Map<AbsPath, string | undefined>();
  const sampleOf = new Map<string, AbsPath>();
  const manifests: string[] = [];
  const links: AbsPath[] = [];
  const others = new Set<AbsPath>();
  const walk = new DirectoryWalk(base, {
    // A build directory may hold anything but what was written by hand.
    enters: (name, directory) => !isMadeDirectory(name) && !hidden.isLeftOut(directory),
    mostEntries: MOST_ENTRIES,
    isOver,
  });
  const { forbidden } = walk;
  const result = (whole: boolean): KeptSurvey => {
    return { projectOf, sampleOf, manifests, links, others, forbidden, opensHelp, whole };
  };
  for await (const { inside, entries } of walk) {
    for (const entry of entries) {
      // Joined by hand: both parts are as they should be, and there are thousands of them.
      const file = `${inside}${entry.name}`;
      if (path.extname(entry.name).slice(1) in languageIds) {
        if (entry.isFile()) addTo({ projectOf, sampleOf }, file as AbsPath, projectIn(file));
        else if (entry.isSymbolicLink()) links.push(file as AbsPath);
      } else if (entry.name === 'package.json') manifests.push(file);
      else if (entry.isFile() && isOfOtherKind(entry.name)) others.add(file as AbsPath);
    }
  }
  return result(!walk.isCut);
}

function addTo(
  { projectOf, sampleOf }: { projectOf: Map<AbsPath, string | undefined>; sampleOf: Map<string, AbsPath> },
  file: AbsPath,
  project: string | undefined,
): void {
  projectOf.set(file, project);
  if (project !== undefined && !sampleOf.has(project)) sampleOf.set(project, file);
}

/** The repository or the workspace of packages around a server's root, but nothing beyond the boundary. */
export function workspaceAround(root: AbsPath, boundary: AbsPath): AbsPath {
  const joins = (directory: string) =>
    ['.git', 'pnpm-workspace.yaml', 'go.work', 'lerna.json', 'nx.json', 'turbo.json'].some((name) =>
      existsSync(path.join(directory, name)),
    ) || /"workspaces"\s*:/.test(textOrNothing(path.join(directory, 'package.json')));
  const outermost = directoriesUpTo(root, boundary).toReversed().find(joins);
  return outermost === undefined ? root : absolutePath(outermost);
}
