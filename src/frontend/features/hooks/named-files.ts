/** Edits, and the files that may be broken by them, as far as names tell. */
import type { AbsPath } from '../../../shared/base/brand.ts';
import type { AskedSymbols } from '../../symbols/ask-symbols.ts';
import type { SourceFile } from '../../workspace/source-files.ts';

export interface Edit {
  readonly file: AbsPath;
  readonly former: string;
  /** Undefined when the file is gone. */
  readonly source: SourceFile | undefined;
  /** Undefined where there are none, or the server does not tell them. */
  readonly symbols: AskedSymbols | undefined;
}

/** Files with names of an edit in their text, and how likely it is that the edit has broken them. */
export type NamedFiles = ReadonlyMap<AbsPath, number>;

/** The likeliest first, without the edited files. */
export function likeliest(
  found: readonly NamedFiles[],
  edited: ReadonlySet<AbsPath>,
  most: number,
): readonly AbsPath[] {
  const weights = new Map<AbsPath, number>();
  for (const [file, weight] of found.flatMap((each) => [...each]))
    if (!edited.has(file)) weights.set(file, (weights.get(file) ?? 0) + weight);
  const files = [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([file]) => file);
  return files.slice(0, most);
}
