/**
 * The source files of a workspace by the project that they belong to, found by looking at the disk alone.
 * Needed for servers that know a project only after one of its files was opened.
 */
import { existsSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { absolutePath } from '../base/paths.ts';
import { directoriesUpTo } from '../languages/ancestors.ts';
import { isSkippedDirectory } from '../languages/detect.ts';
import type { LanguageFamily } from '../languages/family.ts';
import { goProjects } from './go-files.ts';
import { compiledFiles, pyrightFiles } from './listed-files.ts';
import { tsProjects } from './ts-projects.ts';

export interface Survey {
  /** The directory that was looked through: the root of the server, or of the repository around it. */
  readonly base: AbsPath;
  /** The project of each source file; undefined for a file of no project. */
  readonly projectOf: ReadonlyMap<AbsPath, string | undefined>;
  /** False when there was too much to look at. */
  readonly whole: boolean;
  /** Whether the server searches what was opened, too. */
  readonly opensHelp: boolean;
}

const MOST_ENTRIES = 200_000;

/** How the servers of a family divide files; undefined for those that search everything below their root. */
export function projectRule(family: LanguageFamily, root: AbsPath, boundary: AbsPath): Rule | undefined {
  switch (family.id) {
    case 'typescript': {
      const base = workspaceAround(root, boundary);
      const projectOf = tsProjects(base);
      return { base, projectIn: (file) => projectOf(file)?.config, opensHelp: true };
    }
    case 'go': {
      const base = workspaceAround(root, boundary);
      return { base, projectIn: goProjects(base), opensHelp: false };
    }
    case 'python': {
      const projectIn = pyrightFiles(root);
      return projectIn && { base: root, projectIn, opensHelp: true };
    }
    case 'cpp': {
      const projectIn = compiledFiles(root);
      return projectIn && { base: root, projectIn, opensHelp: false };
    }
    default:
      return undefined;
  }
}

export interface Rule {
  readonly base: AbsPath;
  readonly projectIn: (file: string) => string | undefined;
  readonly opensHelp: boolean;
}

export async function survey(
  { base, projectIn, opensHelp }: Rule,
  family: LanguageFamily,
  signal?: AbortSignal | undefined,
): Promise<Survey> {
  const projectOf = new Map<AbsPath, string | undefined>();
  const queue: string[] = [base];
  let seen = 0;
  for (const directory of queue) {
    if (seen > MOST_ENTRIES || signal?.aborted) return { base, projectOf, opensHelp, whole: false };
    const inside = directory.endsWith(path.sep) ? directory : `${directory}${path.sep}`;
    const entries = await readdir(directory, { withFileTypes: true }).catch(() => []);
    seen += entries.length;
    for (const entry of entries) {
      // Joined by hand: both parts are as they should be, and there are thousands of them.
      const file = `${inside}${entry.name}`;
      // A build directory may hold anything but what was written by hand.
      if (entry.isDirectory() && !isSkippedDirectory(entry.name)) queue.push(file);
      else if (entry.isFile() && path.extname(entry.name).slice(1) in family.extensions)
        projectOf.set(file as AbsPath, projectIn(file));
    }
  }
  return { base, projectOf, opensHelp, whole: true };
}

/** The repository or the workspace of packages around a server's root, but nothing beyond the boundary. */
export function workspaceAround(root: AbsPath, boundary: AbsPath): AbsPath {
  const joins = (directory: string) =>
    ['.git', 'pnpm-workspace.yaml', 'go.work', 'lerna.json', 'nx.json', 'turbo.json'].some((name) =>
      existsSync(path.join(directory, name)),
    ) || /"workspaces"\s*:/.test(textOf(path.join(directory, 'package.json')));
  const outermost = directoriesUpTo(root, boundary).toReversed().find(joins);
  return outermost === undefined ? root : absolutePath(outermost);
}

/** What other projects write when they mean the one at this root. */
export function identityOf(root: AbsPath): readonly string[] {
  const name = /"name"\s*:\s*"([^"]+)"/.exec(textOf(path.join(root, 'package.json')))?.[1];
  const module = /^module\s+(\S+)/m.exec(textOf(path.join(root, 'go.mod')))?.[1];
  return module === undefined ? [name, path.basename(root)].flatMap((each) => each ?? []) : [module];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
