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
  /** Undefined where there is no configuration file at all. */
  readonly project: Project | undefined;
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

/** Of several projects the nearest one, and beside each other the one that editors look for. */
export function ownerIn(
  projects: readonly Pick<Project, 'config' | 'directory' | 'files'>[],
): (file: string) => { project: number | undefined; belongs: boolean } {
  const order = projects.map((_, index) => index).sort((a, b) => byNearness(projects, a, b));
  const known = new Map<string, { project: number | undefined; belongs: boolean }>();
  return (file) => {
    const answer = known.get(file) ?? owner(file);
    known.set(file, answer);
    return answer;
  };

  function owner(file: string) {
    const above = (index: number) => file.startsWith(`${projects[index]?.directory}${path.sep}`);
    const holds = (index: number) => projects[index]?.files.has(file) === true;
    const belonging = order.find((index) => holds(index) && above(index)) ?? order.find(holds);
    if (belonging !== undefined) return { project: belonging, belongs: true };
    // What no project includes, such as tests beside a library, is still run with what its neighbours are compiled with.
    return { project: order.find(above), belongs: false };
  }
}

export function ownersOf(projects: readonly Project[]): (file: string) => Owner {
  const owner = ownerIn(projects);
  return (file) => {
    const { project, belongs } = owner(file);
    return { project: project === undefined ? undefined : projects[project], belongs };
  };
}

function byNearness(projects: readonly Pick<Project, 'config'>[], a: number, b: number): number {
  const [left, right] = [projects[a]?.config ?? '', projects[b]?.config ?? ''];
  const depth = (config: string) => config.split(path.sep).length;
  const rank = (config: string) => (path.basename(config) === 'tsconfig.json' ? 0 : config.length);
  return depth(right) - depth(left) || rank(left) - rank(right) || (left < right ? -1 : 1);
}
