/**
 * A copy of a workspace's sources, for checking a TypeScript solution. No version of the compiler can check projects that
 * refer to each other without writing: it takes what one exports from the files that it has written for it.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { directoriesUpTo } from '../../../shared/base/ancestors.ts';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { absolutePath, isInside } from '../../../shared/base/paths.ts';
import { readTsProject, type TsProject } from '../../../shared/tsconfig/tsconfig.ts';
import { copySources } from './copy-sources.ts';
import type { WorkGround, WorkPlace } from './runner.ts';

/** Lies in the scratch directory as deep as the original, so that `../..` in a configuration does not lead out of it. */
export async function solutionCopy({ cwd, boundary, scratch, signal }: WorkGround): Promise<WorkPlace> {
  const projects = projectsOf(path.join(cwd, 'tsconfig.json'));
  refuseFixedOutputs(projects);
  const configs = projects.flatMap(({ config, bases }) => [config, ...bases]);
  const top = commonDirectory(
    boundary,
    configs.filter((file) => existsSync(file) && !/[\\/]node_modules[\\/]/.test(file)),
  );
  const { root } = path.parse(top);
  const mirrored = (file: string) => path.join(scratch, path.relative(root, file));
  await copySources({ top, above: directoriesUpTo(path.dirname(top), root), mirrored, signal });
  const spellings = [scratch + path.sep, `${scratch.replaceAll(path.sep, '/')}/`];
  return {
    cwd: absolutePath(mirrored(cwd)),
    shown: (line) => spellings.reduce((text, spelling) => text.replaceAll(spelling, root), line),
    note: 'checked in a copy of the sources: nothing was written to the workspace',
  };
}

/** The configuration and all that it leads to, each once. */
function projectsOf(config: string): readonly TsProject[] {
  const found = new Map<string, TsProject>();
  const queue = [config];
  for (const each of queue) {
    if (found.has(each)) continue;
    const project = readTsProject(each);
    found.set(each, project);
    queue.push(...project.references);
  }
  return [...found.values()];
}

const OUTPUTS = ['outDir', 'outFile', 'declarationDir', 'tsBuildInfoFile'];

function refuseFixedOutputs(projects: readonly TsProject[]): void {
  for (const { config, compilerOptions } of projects) {
    const name = OUTPUTS.find((option) => path.isAbsolute(String(compilerOptions[option] ?? '')));
    if (name === undefined) continue;
    fail({
      kind: 'invalid-input',
      message: `${config} cannot be checked without writing: its ${name} is ${compilerOptions[name]}`,
      next: 'Make it relative, or run tsc --build yourself',
    });
  }
}

function commonDirectory(first: AbsPath, files: readonly string[]): AbsPath {
  return files.reduce<AbsPath>((directory, file) => {
    let common = directory;
    while (!isInside(file, common)) common = absolutePath(path.dirname(common));
    return common;
  }, first);
}
