/** The workspace that a Python project belongs to: uv's, or the one of a Poetry project that takes it in by its path. */
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
    return (
      isUvMember(Object(tool).uv, directory, member) || isPoetryMember(Object(tool).poetry, directory, member)
    );
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

/** Poetry has no workspaces; projects that belong together name each other by path. */
function isPoetryMember(poetry: unknown, directory: string, member: string): boolean {
  const { dependencies, group } = Object(poetry);
  const groups = Object.values(Object(group)).map((each) => Object(each).dependencies);
  return [dependencies, ...groups]
    .flatMap((table) => Object.values(Object(table)))
    .some((entry) => {
      const to: unknown = Object(entry).path;
      return typeof to === 'string' && path.resolve(directory, to) === member;
    });
}

function manifestIn(directory: string, probe: RootProbe): { readonly tool?: unknown } {
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
