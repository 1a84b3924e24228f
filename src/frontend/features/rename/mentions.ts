/**
 * Where a word stands in the files of a root, by their text alone: code, documents and settings. No server renames a
 * name in strings, comments or other languages, so an agent has to look at these places after a rename.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { DirectoryWalk } from '../../../shared/base/directory-walk.ts';
import { escapePattern } from '../../../shared/base/escape-pattern.ts';
import { isForbidden } from '../../../shared/base/list-directory.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { TextLines } from '../../../shared/base/positions.ts';
import { isSkippedDirectory } from '../../../shared/languages/detect.ts';
import { occurrences, withoutMarks } from '../../lexical/words.ts';
import type { ToolContext } from '../../tools/context.ts';

export interface MentionedLines {
  /** 1-based lines, in order. */
  readonly lines: ReadonlyMap<AbsPath, readonly number[]>;
  /** Files that import one of the modules asked for, with the word or without. */
  readonly importers: ReadonlySet<AbsPath>;
  /** False when there was too much to look at, or something that may not be read. */
  readonly whole: boolean;
}

/** A remark on what is left must not make the answer wait. */
const MOST_MS = 1_500;
const AT_ONCE = 16;
const LARGEST = 1024 * 1024;
const DOCUMENTS: ReadonlySet<string> = new Set(
  '.md .mdx .rst .txt .adoc .json .jsonc .yaml .yml .toml .ini .cfg .xml .html .css .sh .sql .graphql .proto'.split(
    ' ',
  ),
);

export interface MentionSearch {
  /** Files whose importers are looked for on the way. */
  readonly modules?: readonly AbsPath[];
  /** Whether a file of no language that is known here may hold code as well. */
  isCode?(file: AbsPath): boolean;
}

export async function mentionsOf(
  context: ToolContext,
  word: string,
  root: AbsPath,
  { modules = [], isCode = () => false }: MentionSearch = {},
): Promise<MentionedLines> {
  const { clock, signal } = context;
  const end = clock.now() + Math.min(MOST_MS, context.remainingMs() / 10);
  const isOver = () => signal.aborted || clock.now() > end;
  const found = new Map<AbsPath, readonly number[]>();
  const importers = new Set<AbsPath>();
  const imports = importOf(modules);
  let whole = true;
  const missed = () => {
    whole = false;
  };
  async function* sources() {
    for await (const file of filesBelow(context, root, { missed, isCode })) {
      if (isOver()) return missed();
      yield file;
    }
  }
  await eachBounded(sources(), AT_ONCE, async (file) => {
    const text = textOf(file, missed);
    if (text === undefined) return;
    if (imports?.test(text)) importers.add(file);
    const lines = linesWith(word, text);
    if (lines.length > 0) found.set(file, lines);
  });
  return { lines: new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1))), importers, whole };
}

/** A line that names a module as other files of most languages would import it; undefined when there is none. */
function importOf(modules: readonly AbsPath[]): RegExp | undefined {
  const names = modules.map((file) => {
    const stem = path.basename(file).replace(/\..*$/, '');
    return /^(index|mod|__init__)$/.test(stem) ? path.basename(path.dirname(file)) : stem;
  });
  if (names.length === 0) return undefined;
  const any = [...new Set(names)].map((name) => escapePattern(name)).join('|');
  return new RegExp(`\\b(?:import|from|require|include|use)\\b.*(?<![\\w$])(?:${any})(?![\\w$])`);
}

/** Undefined for what is no text or too long. Not asynchronous: most files are read faster than the thread pool is asked to. */
function textOf(file: AbsPath, missed: () => void): string | undefined {
  try {
    if (statSync(file).size > LARGEST) return undefined;
    const bytes = readFileSync(file);
    return bytes.includes(0) ? undefined : bytes.toString('utf8');
  } catch (error) {
    if (isForbidden(error)) missed();
    return undefined;
  }
}

/** Lines on which it is a word of its own, each once. */
export function linesWith(word: string, text: string): readonly number[] {
  if (!text.includes(withoutMarks(word))) return [];
  return [...new Set(occurrences(word, new TextLines(text)).map(({ line }) => line))];
}

async function* filesBelow(
  { servers, ignored }: ToolContext,
  root: AbsPath,
  { missed, isCode }: { missed(): void; isCode(file: AbsPath): boolean },
): AsyncGenerator<AbsPath> {
  const walk = new DirectoryWalk(root, { enters: (name) => !isSkippedDirectory(name) });
  for await (const { inside, entries } of walk)
    for (const entry of entries) {
      if (!entry.isFile()) continue;
      const file = absolutePath(`${inside}${entry.name}`);
      const isText =
        DOCUMENTS.has(path.extname(entry.name).toLowerCase()) ||
        servers.familyOfFile(file) !== undefined ||
        isCode(file);
      if (isText && !ignored.ignoredPart(file, root)) yield file;
    }
  if (walk.forbidden.length > 0) missed();
}
