/**
 * Places that a server does not look at, because the code there never runs for it: below a check for another platform
 * or version, behind a return, under a condition of the build. It then knows nothing of the names there, which proves
 * nothing about them. Servers mark such code in their diagnostics, for editors to show it faded.
 * Decision: docs/decisions/references.md#code-that-never-runs-for-the-server
 */
import { type Diagnostic, DiagnosticTag, type Range, ResponseError } from 'vscode-languageserver-protocol';
import { failureOf } from '../../shared/base/failure.ts';
import { type Point, toServerPosition } from '../../shared/base/positions.ts';
import type { ServerLink } from '../../shared/link/server-link.ts';
import { wordAt } from '../lexical/words.ts';
import { comparePositions } from '../places/places.ts';
import type { Incomplete } from '../render/incomplete.ts';
import { markupText } from '../render/markup.ts';
import type { ToolContext } from '../tools/context.ts';
import type { SourceFile } from '../workspace/source-files.ts';

export interface AskedPlace {
  readonly link: ServerLink;
  readonly source: SourceFile;
  readonly point: Point;
  readonly name: string;
}

/** Longer than this nobody waits for a reason. */
const WAIT_MS = 5_000;
const SAYS_SO = /unreachable|not analyzed|inactive/i;

/** Why an empty answer about this place proves nothing; undefined where the server looks at the code. */
export async function unreachableAt(
  context: ToolContext,
  { link, source, point, name }: AskedPlace,
): Promise<Incomplete | undefined> {
  const { serverName, encoding } = await context.facts.of(link, context.during());
  const column = wordAt(source.lines.at(point.line), point.column)?.column ?? point.column;
  const start = toServerPosition({ line: point.line, column }, source.lines, encoding);
  const end = { line: start.line, character: start.character + name.length };
  const options = context.during(source.path);
  const timeoutMs = Math.min(options.timeoutMs ?? WAIT_MS, WAIT_MS);
  const report = await link.diagnostics(source.path, { ...options, timeoutMs }).catch((error: unknown) => {
    // A server that has no time for it, or refuses, names no reason either.
    if (error instanceof ResponseError) return undefined;
    const failure = failureOf(error);
    if (!failure || failure.kind === 'cancelled') throw error;
    return undefined;
  });
  const mark = report?.diagnostics.find((each) => isMark(each, { start, end }));
  if (!mark) return undefined;
  return {
    reason: `${serverName} takes the code at this place for unreachable and knows no names there ("${markupText(mark.message)}"); ask from another place, or by symbol`,
  };
}

/** A name that is not used is faded as well, but alone. */
function isMark(diagnostic: Diagnostic, { start, end }: Range): boolean {
  const { tags, range } = diagnostic;
  if (!tags?.includes(DiagnosticTag.Unnecessary)) return false;
  if (comparePositions(range.start, start) > 0 || comparePositions(end, range.end) > 0) return false;
  const isWider = comparePositions(range.start, start) < 0 || comparePositions(end, range.end) < 0;
  return SAYS_SO.test(markupText(diagnostic.message)) || (isWider && range.start.line < range.end.line);
}
