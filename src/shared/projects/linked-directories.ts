/**
 * Directories outside a root that its sources are taken from: packages that are linked into node_modules, and what
 * configurations refer to, map to or inherit from.
 */
import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { directoriesUpTo } from '../base/ancestors.ts';
import type { AbsPath } from '../base/brand.ts';
import { absolutePath, isInside } from '../base/paths.ts';
import { readTsProject } from '../tsconfig/tsconfig.ts';

/** Links are looked for in the root and above it, up to and including `top`. */
export function linkedDirectories(root: AbsPath, top: AbsPath): readonly AbsPath[] {
  const modules = directoriesUpTo(root, top).map((directory) => path.join(directory, 'node_modules'));
  const links = modules.flatMap((directory) => [
    ...linksIn(directory),
    ...namesIn(directory, (entry) => entry.name.startsWith('@')).flatMap(linksIn),
  ]);
  const targets = [...links.flatMap(targetOf), ...configured(root)];
  const outside = targets.filter((target) => !isInside(target, root) && !isInside(root, target));
  return [...new Set(outside)].filter((target) => !target.split(path.sep).includes('node_modules'));
}

function linksIn(directory: string): readonly string[] {
  return namesIn(directory, (entry) => entry.isSymbolicLink());
}

function namesIn(directory: string, wanted: (entry: Dirent) => boolean): readonly string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter(wanted).map(({ name }) => path.join(directory, name));
  } catch {
    return [];
  }
}

function targetOf(link: string): readonly AbsPath[] {
  try {
    return [absolutePath(realpathSync(link))];
  } catch {
    return [];
  }
}

function configured(root: AbsPath): readonly AbsPath[] {
  const configs = new Set(namesIn(root, ({ name }) => /^tsconfig.*\.json$/.test(name)));
  for (const config of configs) for (const to of readTsProject(config).references) configs.add(to);
  return [...configs].flatMap((config) => {
    const here = path.dirname(config);
    const { baseUrl, pathsFrom = here, compilerOptions } = readTsProject(config);
    const base = baseUrl ?? pathsFrom;
    const mapped = Object.values(Object(compilerOptions.paths)).flat();
    const fixed = mapped.flatMap((target) =>
      typeof target === 'string' ? [path.resolve(base, target.split('*')[0] ?? '')] : [],
    );
    return [
      here,
      ...fixed.map((target) => (path.extname(target) === '' ? target : path.dirname(target))),
    ].map((directory) => absolutePath(directory));
  });
}
