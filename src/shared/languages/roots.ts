/**
 * The project a file belongs to, for one language: the same file can have another root for another language.
 * Pure over an injected view of the disk, and never outside the boundary it is given.
 */
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { directoriesUpTo } from '../base/ancestors.ts';
import type { AbsPath } from '../base/brand.ts';
import { fail } from '../base/failure.ts';
import { absolutePath, isInside } from '../base/paths.ts';
import type { LanguageFamily } from './family.ts';
import { npmWorkspace } from './npm-workspace.ts';
import { pythonWorkspace } from './python-workspace.ts';
import { diskProbe, type RootProbe } from './root-probe.ts';

export interface RootQuery {
  readonly file: AbsPath;
  readonly isDirectory?: boolean;
  readonly family: LanguageFamily;
  /** The allowed root that the file lies in. */
  readonly boundary: AbsPath;
  /** The boundary is a home or a disk: everything in it is no workspace. */
  readonly isWide?: boolean;
}

export interface RootChoice {
  readonly root: AbsPath;
  /** What decided: a workspace that joins projects, the project itself, the repository, or only the boundary. */
  readonly by: 'workspace' | 'project' | 'repository' | 'boundary';
  /** The file that decided, relative to the root; undefined for the boundary. */
  readonly marker: string | undefined;
}

export function findRoot(query: RootQuery, probe: RootProbe = diskProbe): RootChoice {
  const { file, family, boundary } = query;
  if (!isInside(file, boundary)) fail({ kind: 'outside-roots', path: file, roots: [boundary] });
  const directory = query.isDirectory ? file : path.dirname(file);
  const directories = directoriesUpTo(outsideDependencies(directory, boundary), boundary);

  const workspace = nearestWorkspace(family, directories, probe);
  if (workspace) return workspace;
  if (family.workspaceRule === 'npm') {
    const deno = denoProject(directories, probe);
    if (deno) return { ...deno, by: 'project' };
    const inside = query.isWide ? directories.slice(0, -1) : directories;
    const joined = npmWorkspace(inside, probe);
    if (joined) return { root: absolutePath(joined.directory), by: joined.by, marker: joined.marker };
    const repository = nearest(['.git'], inside, probe);
    if (repository) return { ...repository, by: 'repository' };
    const project = query.isWide ? nearestPackage(inside, probe) : undefined;
    return project ? { ...project, by: 'project' } : { root: boundary, by: 'boundary', marker: undefined };
  }
  const project = nearest(family.rootMarkers, directories, probe);
  if (project) return { ...project, by: project.marker === '.git' ? 'repository' : 'project' };
  const outermost = nearest(family.fallbackMarkers ?? [], directories.toReversed(), probe);
  if (outermost) return { ...outermost, by: 'project' };
  // In a worktree or submodule `.git` is a file, which is just as good.
  const repository = nearest(['.git'], directories, probe);
  if (repository) return { ...repository, by: 'repository' };
  return { root: boundary, by: 'boundary', marker: undefined };
}

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
  { workspaceMarkers = [], workspaceRule }: LanguageFamily,
  directories: readonly string[],
  probe: RootProbe,
): RootChoice | undefined {
  if (workspaceRule === 'python') {
    const root = pythonWorkspace(directories, probe);
    return root === undefined
      ? undefined
      : { root: absolutePath(root), by: 'workspace', marker: 'pyproject.toml' };
  }
  for (const directory of directories) {
    for (const { name, containing } of workspaceMarkers) {
      const marker = markerIn(directory, [name], probe);
      if (marker === undefined) continue;
      const file = path.join(directory, marker);
      if (containing && !containing.test(probe.read(file) ?? '')) continue;
      if (marker === 'Cargo.toml' && isExcludedFromCargo(file, directories[0] ?? directory, probe)) continue;
      return { root: absolutePath(directory), by: 'workspace', marker };
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

/** Deno has projects without a package, and a server of its own for them. */
function denoProject(directories: readonly string[], probe: RootProbe): Hit | undefined {
  const decided = nearest(['deno.json', 'deno.jsonc', 'package.json'], directories, probe);
  return decided?.marker.startsWith('deno.') ? decided : undefined;
}

/** The nearest package.json is often only a stub inside a project, so one beside a configuration comes first. */
function nearestPackage(directories: readonly string[], probe: RootProbe): Hit | undefined {
  const configs = ['tsconfig.json', 'jsconfig.json'];
  const complete = directories.find(
    (directory) =>
      markerIn(directory, configs, probe) !== undefined && probe.exists(path.join(directory, 'package.json')),
  );
  return nearest(['package.json', ...configs], complete ? [complete] : directories, probe);
}
