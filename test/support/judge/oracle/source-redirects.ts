/**
 * What one project writes is another one's import: `dist/index.d.ts` of a referenced project means its `src/index.ts`,
 * also while nothing is built. Editors follow this for project references, and so must whoever judges them.
 */
import path from 'node:path';
import type { Compiler } from './compiler.ts';
import type { Project } from './projects.ts';

export interface Redirects {
  /** From a declaration file that would be written to the source that it is written from. */
  readonly sourceOf: ReadonlyMap<string, string>;
  /** Directories that would be there after a build. */
  readonly directories: ReadonlySet<string>;
}

const NONE: Redirects = { sourceOf: new Map(), directories: new Set() };

export interface AllRedirects {
  /** What is written by all that a project refers to, directly or not. */
  of(project: Project): Redirects;
  /** What a build of everything would write. */
  all(): Redirects;
}

export function redirectsOf(ts: Compiler, projects: readonly Project[]): AllRedirects {
  const byConfig = new Map(projects.map((project) => [project.config, project]));
  const outputs = new Map<Project, ReadonlyMap<string, string>>();
  const known = new Map<Project, Redirects>();
  let everything: Redirects | undefined;
  return {
    of(project) {
      const redirects = known.get(project) ?? collect([...reached(project)]);
      known.set(project, redirects);
      return redirects;
    },
    all() {
      everything ??= collect(projects);
      return everything;
    },
  };

  function collect(from: readonly Project[]): Redirects {
    const sourceOf = new Map(from.flatMap((each) => [...outputsOf(each)]));
    if (sourceOf.size === 0) return NONE;
    const directories = new Set<string>();
    for (const output of sourceOf.keys())
      for (let up = path.dirname(output); !directories.has(up); up = path.dirname(up)) directories.add(up);
    return { sourceOf, directories };
  }

  function reached(project: Project, seen = new Set<Project>()): ReadonlySet<Project> {
    for (const config of project.references) {
      const referred = byConfig.get(config);
      if (!referred || seen.has(referred)) continue;
      seen.add(referred);
      reached(referred, seen);
    }
    return seen;
  }

  function outputsOf(project: Project): ReadonlyMap<string, string> {
    const found = outputs.get(project) ?? new Map(written(project));
    outputs.set(project, found);
    return found;
  }

  function written({ parsed }: Project): [string, string][] {
    return parsed.fileNames
      .filter((file) => !/\.d\.[cm]?ts$/.test(file))
      .flatMap((file) => {
        const names = ts.getOutputFileNames(parsed, file, false);
        return names
          .filter((name) => /\.d\.[cm]?ts$/.test(name))
          .map((name): [string, string] => [path.normalize(name), file]);
      });
  }
}
