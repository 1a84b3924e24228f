/**
 * The project a file belongs to, for one language: the same file can have another root for another language.
 * Pure over an injected view of the disk, and never outside the boundary it is given.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import type { AbsPath } from '../base/brand.ts';
import { fail } from '../base/failure.ts';
import { absolutePath, isInside } from '../base/paths.ts';
import { directoriesUpTo } from './ancestors.ts';
import type { LanguageFamily, WorkspaceMarker } from './family.ts';

export interface RootQuery {
  readonly file: AbsPath;
  readonly isDirectory?: boolean;
  readonly family: LanguageFamily;
  /** The allowed root that the file lies in. */
  readonly boundary: AbsPath;
}

export interface RootChoice {
  readonly root: AbsPath;
  /** What decided: a workspace that joins projects, the project itself, the repository, or only the boundary. */
  readonly by: 'workspace' | 'project' | 'repository' | 'boundary';
  /** The file that decided, relative to the root; undefined for the boundary. */
  readonly marker: string | undefined;
}

export interface RootProbe {
  exists(file: string): boolean;
  /** Names in a directory; empty when it cannot be read. */
  names(directory: string): readonly string[];
  /** The text of a file; undefined when it cannot be read. */
  read(file: string): string | undefined;
}

export function findRoot(query: RootQuery, probe: RootProbe = diskProbe): RootChoice {
  const { file, family, boundary } = query;
  if (!isInside(file, boundary)) fail({ kind: 'outside-roots', path: file, roots: [boundary] });
  const directory = query.isDirectory ? file : path.dirname(file);
  const directories = directoriesUpTo(outsideDependencies(directory, boundary), boundary);

  const workspace = nearestWorkspace(family.workspaceMarkers ?? [], directories, probe);
  if (workspace) return { ...workspace, by: 'workspace' };
  const project =
    family.rootRule === 'package-with-config'
      ? nearestPackage(directories, probe)
      : nearest(family.rootMarkers, directories, probe);
  if (project) return { ...project, by: project.marker === '.git' ? 'repository' : 'project' };
  const outermost = nearest(family.fallbackMarkers ?? [], directories.toReversed(), probe);
  if (outermost) return { ...outermost, by: 'project' };
  // In a worktree or submodule `.git` is a file, which is just as good.
  const repository = nearest(['.git'], directories, probe);
  if (repository) return { ...repository, by: 'repository' };
  return { root: boundary, by: 'boundary', marker: undefined };
}

export const diskProbe: RootProbe = {
  exists: existsSync,
  names(directory) {
    try {
      return readdirSync(directory);
    } catch {
      return [];
    }
  },
  read(file) {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return undefined;
    }
  },
};

/** Whether a name is what a marker means; `*` stands for any part of a name. */
export function matchesMarker(name: string, marker: string): boolean {
  if (!marker.includes('*')) return name === marker;
  const [before = '', after = ''] = marker.split('*');
  return name.length > before.length + after.length && name.startsWith(before) && name.endsWith(after);
}

interface Hit {
  readonly root: AbsPath;
  readonly marker: string;
}

/** A dependency in node_modules or site-packages has markers of its own, but belongs to the project that uses it. */
function outsideDependencies(directory: string, boundary: string): string {
  const parts = path.relative(boundary, directory).split(path.sep);
  const first = parts.findIndex((part) => DEPENDENCY_DIRECTORIES.has(part));
  return first < 0 ? directory : path.join(boundary, ...parts.slice(0, first));
}

const DEPENDENCY_DIRECTORIES: ReadonlySet<string> = new Set([
  'node_modules',
  'site-packages',
  '.venv',
  'bower_components',
]);

function nearest(
  markers: readonly string[],
  directories: readonly string[],
  probe: RootProbe,
): Hit | undefined {
  if (markers.length === 0) return undefined;
  for (const directory of directories) {
    const marker = markerIn(directory, markers, probe);
    if (marker !== undefined) return { root: absolutePath(directory), marker };
  }
  return undefined;
}

function markerIn(directory: string, markers: readonly string[], probe: RootProbe): string | undefined {
  for (const marker of markers) {
    if (!marker.includes('*')) {
      if (probe.exists(path.join(directory, marker))) return marker;
      continue;
    }
    const name = probe.names(directory).find((entry) => matchesMarker(entry, marker));
    if (name !== undefined) return name;
  }
  return undefined;
}

function nearestWorkspace(
  markers: readonly WorkspaceMarker[],
  directories: readonly string[],
  probe: RootProbe,
): Hit | undefined {
  for (const directory of directories) {
    for (const { name, containing } of markers) {
      const marker = markerIn(directory, [name], probe);
      if (marker === undefined) continue;
      const file = path.join(directory, marker);
      if (containing && !containing.test(probe.read(file) ?? '')) continue;
      if (marker === 'Cargo.toml' && isExcludedFromCargo(file, directories[0] ?? directory, probe)) continue;
      return { root: absolutePath(directory), marker };
    }
  }
  return undefined;
}

/** Cargo lets a workspace name directories below it that are projects of their own. */
function isExcludedFromCargo(manifest: string, member: string, probe: RootProbe): boolean {
  const directory = path.dirname(manifest);
  return excludedPaths(probe.read(manifest) ?? '').some((excluded) =>
    isInside(member, path.join(directory, excluded)),
  );
}

function excludedPaths(manifest: string): readonly string[] {
  try {
    const { workspace } = parseToml(manifest);
    if (typeof workspace !== 'object' || !('exclude' in workspace) || !Array.isArray(workspace.exclude))
      return [];
    return workspace.exclude.filter((entry) => typeof entry === 'string');
  } catch {
    // A manifest that is being edited is still the workspace's manifest.
    return [];
  }
}

/**
 * For TypeScript the nearest package.json is often only a stub inside a project, and the nearest tsconfig.json only
 * a part of one. The project is the nearest package that has its own configuration.
 */
function nearestPackage(directories: readonly string[], probe: RootProbe): Hit | undefined {
  const configs = ['deno.json', 'deno.jsonc', 'tsconfig.json', 'jsconfig.json'];
  const complete = directories.find((directory) => {
    const config = markerIn(directory, configs, probe);
    return config?.startsWith('deno.') || (config && probe.exists(path.join(directory, 'package.json')));
  });
  if (complete) return nearest(configs, [complete], probe);

  const config = nearest(configs, directories, probe);
  const above = config ? directories.slice(directories.indexOf(config.root)) : directories;
  return nearest(['package.json'], above, probe) ?? config;
}
