/** The projects of a repository as the compiler reads them, and which of them a file belongs to. */
import path from 'node:path';
import type typescript from 'typescript5';
import type { Compiler } from './compiler.ts';

export interface Project {
  readonly config: string;
  readonly directory: string;
  readonly parsed: typescript.ParsedCommandLine;
  readonly files: ReadonlySet<string>;
  /** Configuration files that it refers to. */
  readonly references: readonly string[];
}

export interface Owner {
  /** The first one counts most; none where there is no configuration file at all. */
  readonly projects: readonly Project[];
  /** False when the project is only the nearest one: the file is in none. */
  readonly belongs: boolean;
}

export function readProjects(ts: Compiler, configs: readonly string[]): readonly Project[] {
  return configs.map((config) => {
    const directory = path.dirname(config);
    // Mistakes in a configuration leave us with what could be read, as they do in an editor.
    const { config: json = {} } = ts.readConfigFile(config, ts.sys.readFile);
    const parsed = ts.parseJsonConfigFileContent(json, ts.sys, directory, undefined, config);
    return {
      config,
      directory,
      parsed,
      files: new Set(parsed.fileNames.map((name) => path.normalize(name))),
      references: (parsed.projectReferences ?? []).map((each) =>
        path.normalize(ts.resolveProjectReferencePath(each)),
      ),
    };
  });
}

/**
 * The projects of a file, the one that an editor would take first: named as editors expect or referred to from such a
 * one, and near. Other configurations, such as those of a test runner, come after them.
 */
export function ownersOf(projects: readonly Project[]): (file: string) => Owner {
  const found = foundByEditors(projects);
  const order = [...projects].sort((a, b) => rank(found, a) - rank(found, b) || byNearness(a, b));
  const known = new Map<string, Owner>();
  return (file) => {
    const owner = known.get(file) ?? ownerOf(file);
    known.set(file, owner);
    return owner;
  };

  function ownerOf(file: string): Owner {
    const holding = order.filter(({ files }) => files.has(file));
    if (holding.length > 0) return { projects: holding, belongs: true };
    // What no project includes, such as tests beside a library, is still run with what its neighbours are compiled with.
    const above = order.filter(({ directory }) => file.startsWith(`${directory}${path.sep}`));
    return { projects: above.sort(byNearness).slice(0, 1), belongs: false };
  }
}

function foundByEditors(projects: readonly Project[]): ReadonlySet<string> {
  const byConfig = new Map(projects.map((project) => [project.config, project]));
  const found = new Set(
    projects.map(({ config }) => config).filter((config) => EXPECTED.has(path.basename(config))),
  );
  // What is added while the set is walked through is walked through as well.
  for (const config of found) for (const next of byConfig.get(config)?.references ?? []) found.add(next);
  return found;
}

const EXPECTED: ReadonlySet<string> = new Set(['tsconfig.json', 'jsconfig.json']);

function rank(found: ReadonlySet<string>, { config }: Project): number {
  return found.has(config) ? 0 : 1;
}

function byNearness(a: Project, b: Project): number {
  const depth = ({ directory }: Project) => directory.split(path.sep).length;
  const length = ({ config }: Project) => (EXPECTED.has(path.basename(config)) ? 0 : config.length);
  return depth(b) - depth(a) || length(a) - length(b) || (a.config < b.config ? -1 : 1);
}
