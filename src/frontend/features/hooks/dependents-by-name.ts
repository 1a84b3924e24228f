/** Files that may be broken by edits elsewhere: those with a name at stake in their text, as the server's workspace has them. */
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import type { ServerLink } from '../../../shared/link/server-link.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { Edit, NamedFiles } from './named-files.ts';
import { namesAtStake } from './names-at-stake.ts';

const MOST_NAMES = 8;
const LOOK_MS = 2_000;

export async function filesNamedBy(context: ToolContext, link: ServerLink, edit: Edit): Promise<NamedFiles> {
  const weights = new Map<AbsPath, number>();
  const names = (await namesOf(link, edit)).slice(0, MOST_NAMES);
  await eachBounded([...names.entries()], 4, async ([index, name]) => {
    // A name that is gone breaks whoever has it; of one that was changed it is only possible.
    for (const file of await filesWith(context, link, { name, file: edit.file }))
      weights.set(file, (weights.get(file) ?? 0) + MOST_NAMES - index);
  });
  return weights;
}

/** Of a file that is gone it is its own name that others write to get it. */
function namesOf(link: ServerLink, { file, former, source, symbols }: Edit): Promise<readonly string[]> {
  if (source !== undefined) return namesAtStake(link, { source, former }, symbols);
  return Promise.resolve([path.basename(file).replace(/\..*$/, '')]);
}

async function filesWith(
  context: ToolContext,
  link: ServerLink,
  about: { readonly name: string; readonly file: AbsPath },
): Promise<readonly AbsPath[]> {
  const lookMs = Math.min(LOOK_MS, context.remainingMs() / 4);
  const wanted = { wantsMentions: true, wantsOwnKindOnly: true };
  const { mentions } = await context.servers.reach(link, { ...about, ...wanted }, lookMs);
  const family = context.servers.familyOfFile(about.file);
  return (mentions?.files ?? [])
    .map(({ file }) => file)
    .filter((file) => context.roots.holds(file) && context.servers.familyOfFile(file) === family);
}
