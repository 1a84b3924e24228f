/** What a runner found, as places that can be used in the next call: absolute files, 1-based UTF-16 columns. */
import { existsSync } from 'node:fs';
import { directoriesUpTo } from '../../../shared/base/ancestors.ts';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { absolutePath, realPath } from '../../../shared/base/paths.ts';
import { type Encoding, type TextLines, toPoint } from '../../../shared/base/positions.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { BuildFinding } from './runner.ts';

export interface PlacedFinding extends BuildFinding {
  readonly file?: AbsPath | undefined;
}

export interface RunGround {
  readonly cwd: AbsPath;
  readonly boundary: AbsPath;
  readonly columns: Encoding | undefined;
}

export async function placeFindings(
  { files }: Pick<ToolContext, 'files'>,
  findings: readonly BuildFinding[],
  ground: RunGround,
): Promise<readonly PlacedFinding[]> {
  const placed = withoutRepeats(findings.map((finding) => ({ ...finding, file: fileOf(finding, ground) })));
  const encoding = ground.columns ?? 'utf-16';
  if (encoding === 'utf-16') return placed;
  const texts = await files.readAll(placed.flatMap(({ file }) => file ?? []));
  return placed.map((finding) => {
    const lines = finding.file && texts.get(finding.file);
    return lines ? { ...finding, column: columnIn(lines, finding, encoding) } : finding;
  });
}

/** A file that belongs to several targets is compiled, and complained about, once for each. */
function withoutRepeats(findings: readonly PlacedFinding[]): readonly PlacedFinding[] {
  const keyOf = ({ file, line, column, test, message }: PlacedFinding) =>
    JSON.stringify([file, line, column, test, message]);
  return [...new Map(findings.map((finding) => [keyOf(finding), finding])).values()];
}

/** Compilers print paths relative to where they were started, which in a workspace may be above the project. */
function fileOf({ file, base }: BuildFinding, { cwd, boundary }: RunGround): AbsPath | undefined {
  if (file === undefined || file === '') return undefined;
  const candidates = [base ?? cwd, ...directoriesUpTo(cwd, boundary)].map((each) => absolutePath(file, each));
  const found = candidates.find((each) => existsSync(each)) ?? candidates[0];
  return found && realPath(found);
}

function columnIn(lines: TextLines, { line, column }: BuildFinding, encoding: Encoding): number | undefined {
  if (line === undefined || column === undefined) return column;
  return toPoint({ line: line - 1, character: column - 1 }, () => lines, encoding).column;
}
