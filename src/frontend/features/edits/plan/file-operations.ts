/** Which renames of files and folders a server wants to be asked about or told of, by the filters that it announced. */
import path from 'node:path';
import picomatch from 'picomatch';
import type { FileOperationRegistrationOptions } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import type { FileRename, ServerFacts, ServerLink } from '../../../../shared/link/server-link.ts';
import type { ToolContext } from '../../../tools/context.ts';
import type { EditPlan } from './edit-plan.ts';

export interface MovedEntry {
  readonly path: AbsPath;
  readonly kind: 'file' | 'folder';
  /** The sources of a folder; the file itself. */
  readonly sources: readonly AbsPath[];
}

/**
 * A folder is also wanted through the files in it, unless the filter says that it is about files alone: some servers
 * deal with folders and announce only the endings of sources.
 */
export function isWanted(
  { capabilities }: ServerFacts,
  operation: 'willRename' | 'didRename',
  { path: entry, kind, sources }: MovedEntry,
  root: AbsPath,
): boolean {
  const filters = capabilities.workspace?.fileOperations?.[operation]?.filters ?? [];
  return filters.some((filter) => {
    const { matches } = filter.pattern;
    if ((filter.scheme ?? 'file') !== 'file' || (matches !== undefined && matches !== kind)) return false;
    const fits = matcherOf(filter, root);
    return fits(entry) || (kind === 'folder' && matches === undefined && sources.some(fits));
  });
}

/** Tells the servers that run of what an applied edit has renamed. They notice on their own, only later or less well. */
export async function tellRenames(context: ToolContext, plan: EditPlan): Promise<void> {
  const renames = plan.files.flatMap((file) =>
    file.kind === 'rename' ? [{ from: file.path, to: file.newPath }] : [],
  );
  if (renames.length === 0) return;
  await Promise.all(
    context.servers.open().map((link) =>
      tellRenamesTo(context, link, renames).catch((error: unknown) => {
        context.log.debug('a server was not told of renamed files', { language: link.language, error });
      }),
    ),
  );
}

async function tellRenamesTo(
  context: ToolContext,
  link: ServerLink,
  renames: readonly FileRename[],
): Promise<void> {
  // One that is not there yet reads the files as they are.
  if (link.state.kind !== 'ready' && link.state.kind !== 'indexing') return;
  const facts = await context.facts.of(link, context.during());
  const wanted = renames.filter(({ from }) =>
    isWanted(facts, 'didRename', { path: from, kind: 'file', sources: [from] }, link.root),
  );
  if (wanted.length > 0) await link.tellRenamed(wanted, context.during());
}

type Filter = FileOperationRegistrationOptions['filters'][number];

function matcherOf({ pattern: { glob, options } }: Filter, root: AbsPath) {
  const matches = picomatch(glob, { dot: true, nocase: options?.ignoreCase === true });
  return (file: AbsPath) => matches(file) || matches(path.relative(root, file).split(path.sep).join('/'));
}
