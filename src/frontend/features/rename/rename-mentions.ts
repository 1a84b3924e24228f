/**
 * Where the old name stands in comments, strings and documents, which no server renames. The answer counts these
 * mentions, the certain ones first, and changes them only when the agent asks for it.
 */
import type { TextEdit } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { type Encoding, type TextLines, toServerPosition } from '../../../shared/base/positions.ts';
import { occurrences, withoutMarks } from '../../lexical/words.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { Occurrence } from '../references/accounting/occurrences.ts';

export interface RenameMention extends Occurrence {
  /** Written as code is: imported, with what it belongs to, in code quotes, or with a bracket behind it. */
  readonly isQualified: boolean;
  /** Part of the path of a file, which keeps its name. */
  readonly isPath: boolean;
}

/** `documents` are files that are no sources, with the lines on which the name stands. */
export async function mentionsAt(
  { files }: ToolContext,
  name: string,
  inText: readonly Occurrence[],
  documents: ReadonlyMap<AbsPath, readonly number[]>,
): Promise<readonly RenameMention[]> {
  const texts = await files.readAll([...inText.map(({ file }) => file), ...documents.keys()]);
  const inDocuments = [...documents].flatMap(([file, lines]) => {
    const text = texts.get(file);
    return text
      ? lines.flatMap((line) => occurrences(name, text, line, line).map((at) => ({ file, at })))
      : [];
  });
  const found = [...inText, ...inDocuments].map((each) => ({
    ...each,
    isQualified: isQualified(texts.get(each.file), each, withoutMarks(name).length),
    isPath: /(?<!\/)\/$/.test(
      texts
        .get(each.file)
        ?.at(each.at.line)
        .slice(0, each.at.column - 1) ?? '',
    ),
  }));
  return found.sort((a, b) => Number(b.isQualified) - Number(a.isQualified));
}

/** An everyday word in prose most likely means something else. */
export function areChanged(mentions: readonly RenameMention[], name: string): readonly RenameMention[] {
  const isEveryday = /^[A-Z]?[a-z]+$/.test(name);
  return mentions.filter(({ isPath, isQualified }) => !isPath && (isQualified || !isEveryday));
}

export async function mentionEdits(
  { files }: ToolContext,
  mentions: readonly RenameMention[],
  { name, newName, encoding }: { name: string; newName: string; encoding: Encoding },
): Promise<ReadonlyMap<string, readonly TextEdit[]>> {
  const texts = await files.readAll(mentions.map(({ file }) => file));
  const byUri = new Map<string, TextEdit[]>();
  for (const { file, at } of mentions) {
    const lines = texts.get(file);
    if (!lines) continue;
    const end = { line: at.line, column: at.column + withoutMarks(name).length };
    const [start, stop] = [at, end].map((point) => toServerPosition(point, lines, encoding));
    if (!start || !stop) continue;
    const uri = pathToUri(file);
    const edit = { range: { start, end: stop }, newText: withoutMarks(newName) };
    byUri.set(uri, [...(byUri.get(uri) ?? []), edit]);
  }
  return byUri;
}

/** Of a component or a notebook; prose does not begin like this. */
const IMPORTED = /^[\s"']*(?:import\b.*\bfrom\s*['"]|from\s+\S+\s+import\b)/;

function isQualified(lines: TextLines | undefined, { at }: Occurrence, width: number): boolean {
  const line = lines?.at(at.line) ?? '';
  const [before, after] = [line.slice(0, at.column - 1), line.slice(at.column - 1 + width)];
  if (IMPORTED.test(line)) return true;
  return /[\w$)\]](?:\.|#|::|->)$/.test(before) || /`$/.test(before) || /^(?:`|\(|\.\w|::)/.test(after);
}
