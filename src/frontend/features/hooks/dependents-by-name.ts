/** Files that may be broken by edits elsewhere: those with a name at stake in their text, as the server's workspace has them. */
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import type { ServerLink } from '../../../shared/link/server-link.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { namesAtStake } from './names-at-stake.ts';

export interface EditedFile {
  readonly file: AbsPath;
  readonly former: string;
  /** Undefined when the file is gone. */
  readonly source: SourceFile | undefined;
}

/** Files with names of an edit in their text, and how likely it is that the edit has broken them. */
export type Mentions = ReadonlyMap<AbsPath, number>;

const MOST_NAMES = 8;
const LOOK_MS = 2_000;

export async function mentionsOf(
  context: ToolContext,
  link: ServerLink,
  edited: EditedFile,
): Promise<Mentions> {
  const weights = new Map<AbsPath, number>();
  const names = (await namesOf(context, link, edited)).slice(0, MOST_NAMES);
  await eachBounded([...names.entries()], 4, async ([index, name]) => {
    // A name that is gone breaks whoever has it; of one that was changed it is only possible.
    for (const file of await filesWith(context, link, { name, file: edited.file }))
      weights.set(file, (weights.get(file) ?? 0) + MOST_NAMES - index);
  });
  return weights;
}

/** The likeliest first, without the edited files. */
export function likeliest(
  mentions: readonly Mentions[],
  edited: ReadonlySet<AbsPath>,
  most: number,
): readonly AbsPath[] {
  const weights = new Map<AbsPath, number>();
  for (const [file, weight] of mentions.flatMap((each) => [...each]))
    if (!edited.has(file)) weights.set(file, (weights.get(file) ?? 0) + weight);
  const files = [...weights].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([file]) => file);
  return files.slice(0, most);
}

/** Of a file that is gone it is its own name that others write to get it. */
function namesOf(
  context: ToolContext,
  link: ServerLink,
  { file, former, source }: EditedFile,
): Promise<readonly string[]> {
  if (source !== undefined) return namesAtStake(context, link, { source, former });
  return Promise.resolve([path.basename(file).replace(/\..*$/, '')]);
}

async function filesWith(
  context: ToolContext,
  link: ServerLink,
  about: { readonly name: string; readonly file: AbsPath },
): Promise<readonly AbsPath[]> {
  const lookMs = Math.min(LOOK_MS, context.remainingMs() / 4);
  const { mentions } = await context.servers.reach(link, { ...about, wantsMentions: true }, lookMs);
  const family = context.servers.familyOfFile(about.file);
  return (mentions?.files ?? [])
    .map(({ file }) => file)
    .filter((file) => context.roots.holds(file) && context.servers.familyOfFile(file) === family);
}
