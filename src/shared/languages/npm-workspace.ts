/**
 * The workspace that a file belongs to in the world of npm, pnpm and yarn. Servers for TypeScript find the projects below
 * their root by themselves, so that one server is enough for everything that is installed together.
 * Decision: docs/decisions/languages-and-projects.md#the-root-is-the-workspace
 */
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import picomatch from 'picomatch';
import { isInside } from '../base/paths.ts';
import type { RootProbe } from './root-probe.ts';

export interface WorkspaceHit {
  readonly directory: string;
  readonly marker: string;
  /** `workspace`: it joins several packages. `project`: a package that is installed alone. */
  readonly by: 'workspace' | 'project';
}

/** What package managers write where they install. */
const LOCK_FILES = [
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
];

/**
 * The directories go from the file's own upwards. Of workspaces inside of workspaces the outermost counts that takes the
 * package. Undefined when nothing there says what belongs together.
 */
export function npmWorkspace(directories: readonly string[], probe: RootProbe): WorkspaceHit | undefined {
  const nearest = directories.find((directory) => probe.exists(path.join(directory, 'package.json')));
  const member = nearest ?? directories[0] ?? '';
  let alone: WorkspaceHit | undefined;
  let joined: WorkspaceHit | undefined;
  for (const directory of directories) {
    const list = membersOf(directory, probe);
    // A package with a lock file of its own counts only if the workspace names it.
    const takes = list && (directory === nearest || (list.takes ? list.takes(member) : !alone));
    if (takes) joined = { directory, marker: list.marker, by: 'workspace' };
    const lock = LOCK_FILES.find((name) => probe.exists(path.join(directory, name)));
    if (lock !== undefined) alone ??= { directory, marker: lock, by: 'project' };
  }
  return joined ?? alone;
}

interface MemberList {
  readonly marker: string;
  /** Undefined where the file only says that there are several packages, and not which. */
  takes?(directory: string): boolean;
}

/** What a directory says about packages below it; undefined when it does not join any. */
function membersOf(directory: string, probe: RootProbe): MemberList | undefined {
  const read = (name: string) => probe.read(path.join(directory, name));
  const pnpm = read('pnpm-workspace.yaml');
  // The file may also hold settings only, and then there is one package.
  if (pnpm !== undefined && /^packages\s*:/m.test(pnpm))
    return listed(directory, 'pnpm-workspace.yaml', yamlList(pnpm, 'packages'));
  const workspaces = Object(parsed(read('package.json'))).workspaces;
  const globs = Array.isArray(workspaces) ? workspaces : Object(workspaces).packages;
  if (Array.isArray(globs)) return listed(directory, 'package.json', globs);
  const lerna = read('lerna.json');
  if (lerna !== undefined) {
    const { packages } = Object(parsed(lerna));
    return Array.isArray(packages) ? listed(directory, 'lerna.json', packages) : { marker: 'lerna.json' };
  }
  const rush = read('rush.json');
  if (rush !== undefined) {
    const { projects } = Object(parsed(rush));
    const folders = Array.isArray(projects) ? projects.map((each) => Object(each).projectFolder) : [];
    return listed(directory, 'rush.json', folders);
  }
  const marker = ['nx.json', 'turbo.json'].find((name) => probe.exists(path.join(directory, name)));
  return marker === undefined ? solutionIn(directory, probe) : { marker };
}

function listed(directory: string, marker: string, globs: readonly unknown[]): MemberList {
  const names = globs.flatMap((glob) => (typeof glob === 'string' ? [withoutDots(glob)] : []));
  const included = picomatch(names.filter((name) => !name.startsWith('!')));
  const excluded = picomatch(
    names.flatMap((name) => (name.startsWith('!') ? [withoutDots(name.slice(1))] : [])),
  );
  const takes = (member: string) => {
    const relative = path.relative(directory, member).replaceAll(path.sep, '/');
    return included(relative) && !excluded(relative);
  };
  return { marker, takes };
}

/** More configurations are not followed to see whether a solution leads to a package. */
const MOST_CONFIGS = 300;

/** A configuration that consists of references joins what they lead to, also packages that are installed apart. */
function solutionIn(directory: string, probe: RootProbe): MemberList | undefined {
  const top = path.join(directory, 'tsconfig.json');
  const { isSolution } = referencesIn(top, probe);
  return isSolution ? { marker: 'tsconfig.json', takes: (member) => leadsTo(top, member, probe) } : undefined;
}

function leadsTo(top: string, member: string, probe: RootProbe): boolean {
  const configs = new Set([top]);
  for (const config of configs) {
    if (config !== top && isInside(config, member)) return true;
    if (configs.size < MOST_CONFIGS) for (const to of referencesIn(config, probe).references) configs.add(to);
  }
  return false;
}

function referencesIn(
  config: string,
  probe: RootProbe,
): { isSolution: boolean; references: readonly string[] } {
  const { files, references } = Object(parsed(probe.read(config)));
  const paths = Array.isArray(references) ? references.map((each) => Object(each).path) : [];
  const named = paths.flatMap((to) =>
    typeof to === 'string' ? [path.resolve(path.dirname(config), to)] : [],
  );
  return {
    isSolution: Array.isArray(files) && files.length === 0 && named.length > 0,
    references: named.map((to) => (to.endsWith('.json') ? to : path.join(to, 'tsconfig.json'))),
  };
}

function withoutDots(glob: string): string {
  return glob.replace(/^\.\//, '').replace(/\/$/, '');
}

/** The strings of one top-level list. Enough of YAML for a file that holds such lists and settings. */
function yamlList(text: string, key: string): readonly string[] {
  const [, rest = ''] = text.split(new RegExp(`^${key}\\s*:`, 'm'));
  const inline = /^\s*\[([^\]]*)\]/.exec(rest)?.[1];
  if (inline !== undefined) return inline.split(',').map(unquoted);
  const block = rest.split(/^\S/m, 1)[0] ?? '';
  return [...block.matchAll(/^\s*-\s*(.+?)\s*(?:#.*)?$/gm)].map(([, item = '']) => unquoted(item));
}

function unquoted(item: string): string {
  return item.trim().replace(/^(['"])(.*)\1$/, '$2');
}

/** Most of these files are plain JSON, and what reads them with comments need not be loaded then. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return parseJsonc(text, [], { allowTrailingComma: true });
  }
}
