/** What a place in a file is inside of, for many files at once: a comfort with a small budget, never worth a wait. */
import { DocumentSymbolRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../shared/base/brand.ts';
import { withTimeout } from '../shared/base/lifetime.ts';
import type { ServerFacts, ServerLink } from '../shared/server-link.ts';
import type { SourceFile } from './source-files.ts';
import { symbolsOf } from './symbol-lookup.ts';
import type { SymbolNode } from './symbol-tree.ts';
import type { ToolContext } from './tool-context.ts';

export type Outlines = ReadonlyMap<AbsPath, readonly SymbolNode[]>;

const MOST_FILES = 8;
const BUDGET_MS = 400;

/** What a use is inside of can only change with the text that it stands in. */
const known = new WeakMap<SourceFile, readonly SymbolNode[]>();

/** The symbols of the first of these files; what is not known in time is left out. */
export async function outlinesOf(
  context: ToolContext,
  link: ServerLink,
  facts: ServerFacts,
  files: readonly AbsPath[],
): Promise<Outlines> {
  const trees = new Map<AbsPath, readonly SymbolNode[]>();
  if (!facts.methods.includes(DocumentSymbolRequest.method)) return trees;
  const all = Promise.all(
    files.slice(0, MOST_FILES).map(async (file) => {
      trees.set(file, await outlineIn(context, link, file));
    }),
  ).then(
    () => undefined,
    (error: unknown) => context.log.debug('containers unknown', { error: String(error) }),
  );
  await withTimeout(all, BUDGET_MS, () => undefined, context.clock);
  return new Map(trees);
}

/** The symbols of a file, asked for once per text. */
export async function outlineOf(
  context: ToolContext,
  link: ServerLink,
  source: SourceFile,
): Promise<readonly SymbolNode[]> {
  const tree = known.get(source) ?? (await symbolsOf(context, link, source));
  known.set(source, tree);
  return tree;
}

export async function outlineIn(
  context: ToolContext,
  link: ServerLink,
  file: AbsPath,
): Promise<readonly SymbolNode[]> {
  return outlineOf(context, link, await context.files.read(file));
}
