/**
 * Outlines of many files, to name what each place of an answer is inside of. The number of files is fixed, not bound
 * to time, so that the same question gets the same names each time; notes say which files have no names, and why.
 */
import { DocumentSymbolRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../shared/base/brand.ts';
import { counted } from '../../shared/base/counted.ts';
import { withTimeout } from '../../shared/base/lifetime.ts';
import { isSettled, type ServerFacts, type ServerLink } from '../../shared/link/server-link.ts';
import type { ToolContext } from '../tools/context.ts';
import type { SourceFile } from '../workspace/source-files.ts';
import type { FileOutline } from './containers.ts';
import { symbolsOf } from './document-symbols.ts';
import type { SymbolNode } from './symbol-tree.ts';

export type Outlines = ReadonlyMap<AbsPath, FileOutline>;

export interface FoundOutlines {
  readonly outlines: Outlines;
  /** Why containers are missing in an answer; empty when none are. */
  readonly notes: readonly string[];
}

/** More files would be opened in the server for more names than anybody reads. */
const MOST_FILES = 12;
/** Servers answer this from the text that they have just searched; only one that hangs takes as long. */
const BUDGET_MS = 5_000;

/** What a use is inside of can only change with the text that it stands in. */
const known = new WeakMap<SourceFile, readonly SymbolNode[]>();

/** The outlines of the first of these files. */
export async function outlinesOf(
  context: ToolContext,
  link: ServerLink,
  facts: ServerFacts,
  files: readonly AbsPath[],
): Promise<FoundOutlines> {
  const outlines = new Map<AbsPath, FileOutline>();
  if (!facts.methods.includes(DocumentSymbolRequest.method)) return { outlines, notes: [] };
  const asked = [...new Set(files)];
  const first = asked.slice(0, MOST_FILES);
  const all = Promise.all(
    first.map(async (file) => {
      try {
        const source = await context.files.read(file);
        outlines.set(file, { tree: await outlineOf(context, link, source), lines: source.lines });
      } catch (error) {
        context.log.debug('containers unknown', { file, error: String(error) });
      }
    }),
  );
  await withTimeout(all, Math.min(BUDGET_MS, context.remainingMs() / 2), () => undefined, context.clock);
  // What comes later than this is not part of the answer.
  return { outlines: new Map(outlines), notes: notesOn(facts, asked.length, first.length, outlines.size) };
}

function notesOn({ serverName }: ServerFacts, all: number, asked: number, told: number): readonly string[] {
  return [
    ...(told < asked
      ? [`containers not named in ${counted(asked - told, 'file')}: ${serverName} did not tell`]
      : []),
    ...(asked < all ? [`containers named in the first ${asked} of ${counted(all, 'file')}`] : []),
  ];
}

/** Whether its outline needs no question. */
export function isOutlined(source: SourceFile): boolean {
  return known.has(source);
}

/** The symbols of a file, asked for once per text. */
export async function outlineOf(
  context: ToolContext,
  link: ServerLink,
  source: SourceFile,
): Promise<readonly SymbolNode[]> {
  const before = known.get(source);
  if (before) return before;
  const isReady = isSettled(link.state);
  const tree = await symbolsOf(context, link, source);
  // A server that starts may know nothing yet of a file that has symbols.
  if (tree.length > 0 || isReady) known.set(source, tree);
  return tree;
}

export async function outlineIn(
  context: ToolContext,
  link: ServerLink,
  file: AbsPath,
): Promise<readonly SymbolNode[]> {
  return outlineOf(context, link, await context.files.read(file));
}
