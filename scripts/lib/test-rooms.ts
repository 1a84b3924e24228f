/** Holds where unit tests live, and that tests and scripts keep apart, except for what both take from `test/support`. */
import { posix } from 'node:path';
import type { Problem } from './report.ts';
import type { SourceFile } from './source-file.ts';

export interface TestRules {
  /** Each folder below has the path of a folder of `src`, except those that are named. */
  readonly unitTests: { readonly folder: string; readonly beside: readonly string[] };
  /** Files of the one side import nothing of the other side, except the files that both share. */
  readonly apart: readonly {
    readonly from: string;
    readonly to: string;
    readonly except?: string;
    readonly reason: string;
  }[];
}

export function testRoomProblems(
  { unitTests, apart }: TestRules,
  sources: readonly SourceFile[],
  others: readonly SourceFile[],
): Problem[] {
  const mirrored = new Set(sources.map(({ path }) => posix.dirname(path).replace(/^src/, unitTests.folder)));
  mirrored.delete(unitTests.folder);
  for (const name of unitTests.beside) mirrored.add(`${unitTests.folder}/${name}`);
  const homeless = others
    .filter(({ path }) => path.startsWith(`${unitTests.folder}/`) && !mirrored.has(posix.dirname(path)))
    .map(({ path }) => ({
      file: path,
      message: `belongs to no room: what tests src/a/b.ts is in ${unitTests.folder}/a`,
    }));
  const crossing = others.flatMap((file) =>
    file.imports.flatMap(({ specifier, line }) => {
      const target = specifier.startsWith('.') ? posix.join(posix.dirname(file.path), specifier) : '';
      return apart
        .filter(({ from, to, except }) => isIn(from, file.path) && isIn(to, target) && !isIn(except, target))
        .map(({ reason }) => ({ file: file.path, line, message: `imports ${target}: ${reason}` }));
    }),
  );
  return [...homeless, ...crossing];
}

function isIn(folder: string | undefined, path: string): boolean {
  return folder !== undefined && path.startsWith(`${folder}/`);
}
