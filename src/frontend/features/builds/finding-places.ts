/** Where a failure is, looked for in the text that a runner printed about it. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isInside, uriToPath } from '../../../shared/base/paths.ts';
import type { BuildFinding } from './runner.ts';

export interface PrintedPlace extends Pick<BuildFinding, 'column'> {
  readonly file: string;
  readonly line: number;
}

/** `path:3:5`, `path:3`, `path(3,5)`, `"path", line 3` and `path:line 3`, anywhere in a line. */
const PLACES = [
  /(?<file>(?:file:\/\/)?(?:[A-Za-z]:)?[^\s:()'"`<>|,[][^\s:()'"`<>|,]*\.\w+):(?:line )?(?<line>\d+)(?::(?<column>\d+))?/g,
  /"(?<file>[^"]+)", line (?<line>\d+)/g,
  /(?<file>[^\s:()'"]+\.\w+)\((?<line>\d+)(?:,(?<column>\d+))?\)/g,
];

function findingPlaces(text: string): readonly PrintedPlace[] {
  return PLACES.flatMap((pattern) => [...text.matchAll(pattern)])
    .sort((a, b) => a.index - b.index)
    .flatMap(({ groups }) => {
      if (groups?.file === undefined) return [];
      const column = groups.column === undefined ? undefined : Number(groups.column);
      return [{ file: uriToPath(groups.file) ?? groups.file, line: Number(groups.line), column }];
    });
}

/**
 * Of all places in a stack or a message, the one to look at: in the test's own file if it is there, else the first
 * in the project that is not in a dependency.
 */
export function placeIn(
  text: string,
  cwd: string,
  ownFile?: string,
  pick: 'first' | 'last' = 'first',
): PrintedPlace | undefined {
  const all = findingPlaces(text);
  const places = pick === 'last' ? all.toReversed() : all;
  const own = ownFile && path.resolve(cwd, ownFile);
  return (
    (own === undefined ? undefined : spelledOut(own, text)) ??
    places.find(({ file }) => own !== undefined && path.resolve(cwd, file) === own) ??
    places.find(({ file }) => isOfProject(path.resolve(cwd, file), cwd))
  );
}

/** A known path is also found with blanks and other characters in it. */
function spelledOut(file: string, text: string): PrintedPlace | undefined {
  const at = text.indexOf(`${file}:`);
  const numbers = at < 0 ? undefined : /^:(\d+)(?::(\d+))?/.exec(text.slice(at + file.length));
  if (!numbers) return undefined;
  return {
    file,
    line: Number(numbers[1]),
    column: numbers[2] === undefined ? undefined : Number(numbers[2]),
  };
}

function isOfProject(file: string, cwd: string): boolean {
  return isInside(file, cwd) && !DEPENDENCY.test(path.relative(cwd, file)) && existsSync(file);
}

const DEPENDENCY = /(^|[\\/])(node_modules|site-packages|vendor|\.venv|venv|deps|target|\.build)[\\/]/;
