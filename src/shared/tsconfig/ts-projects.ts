/** Which TypeScript project a file belongs to, as the servers see it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { directoriesUpTo } from '../base/ancestors.ts';
import { readTsProject, type TsProject } from './tsconfig.ts';

/** The nearest configuration that includes the file, or one that it refers to. Nothing above `base` is looked at. */
export function tsProjects(base: string): (file: string) => TsProject | undefined {
  const projects = new Map<string, TsProject>();
  const nearest = new Map<string, string | undefined>();
  const read = (config: string): TsProject => {
    const project = projects.get(config) ?? readTsProject(config);
    projects.set(config, project);
    return project;
  };
  const configIn = (directory: string): string | undefined => {
    if (!nearest.has(directory))
      nearest.set(
        directory,
        ['tsconfig.json', 'jsconfig.json']
          .map((name) => path.join(directory, name))
          .find((name) => existsSync(name)),
      );
    return nearest.get(directory);
  };
  return (file) => {
    for (const directory of directoriesUpTo(path.dirname(file), base)) {
      const config = configIn(directory);
      if (config === undefined) continue;
      const found = new Set([config]);
      // Read one after the other: a solution can name hundreds.
      for (const each of found) {
        const project = read(each);
        if (project.includes(file)) return project;
        for (const other of project.references) found.add(other);
      }
    }
    return undefined;
  };
}
