/** Import lines that name a file or folder, found in the text: what to correct where no server does it. */
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { escapePattern } from '../../../shared/base/escape-pattern.ts';
import { isInside } from '../../../shared/base/paths.ts';
import { languageFacts } from '../../../shared/languages/facts.ts';
import { importsOf } from '../../lexical/imports.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { MovedEntry } from '../edits/plan/file-operations.ts';
import { filesMentioning } from '../references/cross-repo/consumer-mentions.ts';

export interface ImportLine {
  readonly file: AbsPath;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

export interface Importers {
  readonly lines: readonly ImportLine[];
  /** False when there was too much to look at. */
  readonly isWhole: boolean;
}

/** Files that stand for their folder in imports. */
const FOLDER_FILES = new Set(['index', '__init__', 'mod']);
const RELATIVE = /['"]\.{1,2}\/|\bfrom\s+\.|#\s*include\s+"|\brequire_relative\b/;

/** Of one language: those that name it, and its own relative ones if it gets another folder. */
export async function importersOf(
  context: ToolContext,
  entry: MovedEntry,
  to: AbsPath,
  family: string,
): Promise<Importers> {
  const changesFolder = path.dirname(entry.path) !== path.dirname(to);
  const importsFolders = languageFacts(family).importsFolders && entry.kind === 'file';
  // Within its folder such a file can be called anything.
  if (importsFolders && !changesFolder) return { lines: [], isWhole: true };
  const name = importsFolders ? path.basename(path.dirname(entry.path)) : importedName(entry);
  const isSource = (file: AbsPath) => context.servers.familyOfFile(file) === family;
  const root = context.roots.around(entry.path);
  const found = await filesMentioning(root, name, isSource, context.signal);
  const own = entry.kind === 'file' && changesFolder ? [entry.path] : [];
  const sources = await context.files.readAll([...found.files, ...own]);
  const word = new RegExp(`(?<![\\p{L}\\p{N}_])${escapePattern(name)}(?![\\p{L}\\p{N}_])`, 'u');
  const lines = [...sources].flatMap(([file, text]) => {
    const isMoved = isInside(file, entry.path);
    const concerns = (each: string) => (isMoved ? RELATIVE.test(each) : word.test(each));
    if (isMoved && !changesFolder) return [];
    return importsOf(text, family).flatMap(({ line, endLine }) =>
      Array.from({ length: endLine - line + 1 }, (_, index) => line + index)
        .filter((each) => concerns(text.at(each)))
        .map((each) => ({ file, line: each, text: text.at(each).trim() })),
    );
  });
  return { lines, isWhole: found.isWhole };
}

function importedName({ path: entry, kind }: MovedEntry): string {
  const stem = kind === 'folder' ? path.basename(entry) : path.basename(entry).replace(/(\.d)?\.\w+$/, '');
  return FOLDER_FILES.has(stem) ? path.basename(path.dirname(entry)) : stem;
}
