/** A text search that an agent can run at once when no language server can answer. */
import path from 'node:path';
import { fieldOf } from '../../shared/base/unknown-value.ts';
import { wordAt, wordsOf } from '../lexical/words.ts';
import { parseNamePath } from '../symbols/symbol-lookup.ts';
import type { TextSearch } from '../tools/face.ts';
import type { Roots } from '../workspace/roots.ts';
import type { SourceFiles } from '../workspace/source-files.ts';

/** The name that the call was about, looked for in files of the same kind. */
export async function searchSuggestion(args: unknown, roots: Roots, files: SourceFiles): Promise<TextSearch> {
  const name = (await nameIn(args, roots, files))?.replaceAll("'", '');
  const extension = path.extname(textOf(args, 'file_path') ?? '');
  const include = extension === '' ? '' : ` --include='*${extension}'`;
  const command = `grep -rnw${include} -- '${name ?? '<name>'}' ${roots.primary}`;
  return { command, name, extension };
}

async function nameIn(args: unknown, roots: Roots, files: SourceFiles): Promise<string | undefined> {
  const symbol = textOf(args, 'symbol') ?? textOf(args, 'query');
  if (symbol !== undefined) return parseNamePath(symbol).segments.at(-1);
  const pattern = textOf(args, 'position_pattern');
  if (pattern !== undefined) return wordsOf(pattern.split('@@')[1] ?? '')[0]?.text;
  const file = textOf(args, 'file_path');
  const line = fieldOf(args, 'line');
  if (file === undefined || typeof line !== 'number') return undefined;
  const lines = await linesOf(file, roots, files);
  if (!lines) return undefined;
  const column = fieldOf(args, 'column');
  const text = lines.at(line);
  return typeof column === 'number' ? wordAt(text, column)?.text : wordsOf(text).at(-1)?.text;
}

/** What cannot be read has no name to suggest: the call fails for its own reason, not for this one. */
async function linesOf(file: string, roots: Roots, files: SourceFiles) {
  try {
    return (await files.read(roots.resolve(file))).lines;
  } catch {
    return undefined;
  }
}

function textOf(args: unknown, name: string): string | undefined {
  const value = fieldOf(args, name);
  return typeof value === 'string' ? value : undefined;
}
