/** The workspace that a Python project belongs to: uv's, or that of a project which takes it in by its path. */
import path from 'node:path';
import picomatch from 'picomatch';
import { parse as parseToml } from 'smol-toml';
import type { RootProbe } from './root-probe.ts';

const MANIFEST = 'pyproject.toml';

/** The directories go from the file's own upwards. Undefined when the nearest project stands alone. */
export function pythonWorkspace(directories: readonly string[], probe: RootProbe): string | undefined {
  const own = directories.findIndex((directory) => probe.exists(path.join(directory, MANIFEST)));
  const member = directories[own];
  if (member === undefined || hasOwnChecks(member, probe)) return undefined;
  return directories.slice(own + 1).find((directory) => {
    const { tool } = manifestIn(directory, probe);
    return isUvMember(Object(tool).uv, directory, member) || isMemberByPath(directory, member, probe);
  });
}

/** Pyright reads one configuration, that of its root: a project with another one cannot be judged from above. */
function hasOwnChecks(directory: string, probe: RootProbe): boolean {
  const { tool } = manifestIn(directory, probe);
  const { pyright, basedpyright } = Object(tool);
  return (
    pyright !== undefined ||
    basedpyright !== undefined ||
    probe.exists(path.join(directory, 'pyrightconfig.json'))
  );
}

function isUvMember(uv: unknown, directory: string, member: string): boolean {
  const { members, exclude } = Object(Object(uv).workspace);
  const relative = path.relative(directory, member).replaceAll(path.sep, '/');
  const matches = (globs: unknown) => Array.isArray(globs) && picomatch(strings(globs))(relative);
  return matches(members) && !matches(exclude);
}

/** More projects are not followed to see whether one leads to a member. */
const MOST_PROJECTS = 300;

/** Poetry has no workspaces: projects that belong together name each other by path, one through another. */
function isMemberByPath(directory: string, member: string, probe: RootProbe): boolean {
  const projects = new Set([directory]);
  for (const project of projects) {
    const named = namedByPath(project, probe);
    if (named.includes(member)) return true;
    if (projects.size < MOST_PROJECTS) for (const each of named) projects.add(each);
  }
  return false;
}

function namedByPath(directory: string, probe: RootProbe): readonly string[] {
  const { tool, project } = manifestIn(directory, probe);
  const { poetry, uv } = Object(tool);
  const groups = Object.values(Object(Object(poetry).group)).map((each) => Object(each).dependencies);
  const tables = [
    Object(poetry).dependencies,
    Object(poetry)['dev-dependencies'],
    ...groups,
    Object(uv).sources,
  ];
  const paths = tables
    .flatMap((table) => Object.values(Object(table)).flat())
    .map((entry): unknown => Object(entry).path);
  const { dependencies } = Object(project);
  const urls = Array.isArray(dependencies)
    ? strings(dependencies).flatMap((each) => FILE_URL.exec(each)?.[1] ?? [])
    : [];
  return [...paths, ...urls].flatMap((to) => (typeof to === 'string' ? [path.resolve(directory, to)] : []));
}

/** As Poetry writes what it was given as a path: `core @ file:///work/core`. */
const FILE_URL = /@\s*file:(?:\/\/)?([^\s;#]+)/;

function manifestIn(
  directory: string,
  probe: RootProbe,
): { readonly tool?: unknown; readonly project?: unknown } {
  try {
    return parseToml(probe.read(path.join(directory, MANIFEST)) ?? '');
  } catch {
    // A manifest that is being edited says nothing.
    return {};
  }
}

function strings(values: readonly unknown[]): string[] {
  return values.flatMap((value) => (typeof value === 'string' ? [value.replace(/\/$/, '')] : []));
}
