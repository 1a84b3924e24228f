/** Says which files a ready server has not searched, so that an agent does not take its answer for complete. */
import type { AbsPath } from '../../shared/base/brand.ts';
import { counted } from '../../shared/base/counted.ts';
import type { Reach } from '../../shared/link/reach-question.ts';
import type { ServerFacts } from '../../shared/link/server-link.ts';
import { forbiddenReason } from '../render/forbidden.ts';
import { type Incomplete, untilRetry } from '../render/incomplete.ts';
import type { ToolContext } from '../tools/context.ts';

export function unreached(
  context: ToolContext,
  { serverName: server, leftOutOf = 'in none of its projects' }: ServerFacts,
  { later, unopened, misread, unread, unbuilt, forbidden, mentions, whole }: Reach,
): Incomplete | undefined {
  const [next] = later;
  if (next !== undefined) {
    const files = counted(later.length, 'file that mentions', { many: 'files that mention' });
    return {
      reason: `${server} has not loaded the projects of ${files} the name yet, such as ${context.roots.display(next)}; ask again, it goes on with them`,
      retryMs: 1_000,
    };
  }
  const [first, ...others] = unopened;
  if (first !== undefined) {
    const which =
      others.length === 0
        ? '1 file that mentions the name and is'
        : `${unopened.length} files that mention the name and are`;
    return {
      reason: `${server} has not searched ${which} ${leftOutOf}, such as ${context.roots.display(first)}; search their text as well`,
    };
  }
  const [broken] = unread;
  if (broken !== undefined)
    return {
      reason: `${broken.why}, and ${server} may have missed ${counted(unread.length, 'file that mentions', { many: 'files that mention' })} the name, such as ${context.roots.display(broken.file)}; repair it, or search their text as well`,
    };
  const [doubtful] = misread;
  if (doubtful !== undefined)
    return {
      reason: `${server} does not accept the configuration of ${counted(misread.length, 'file that mentions', { many: 'files that mention' })} the name, such as ${context.roots.display(doubtful)}, and may have misread them; ask from there, or search their text as well`,
    };
  const [behind] = unbuilt;
  if (behind !== undefined) return unbuiltReason(context, server, unbuilt);
  // What git ignores is hidden from answers anyway.
  const isShown = (each: AbsPath) => !context.ignored.ignoredPart(each, context.roots.around(each));
  const closed = forbidden.filter(isShown);
  if (closed.length > 0) return forbiddenReason(closed, context.roots);
  const [large, ...more] = mentions?.unreadSources.filter(isShown) ?? [];
  if (large !== undefined)
    return {
      reason: `${more.length === 0 ? '1 source file' : `${more.length + 1} source files`} could not be searched for the name (more than 16 MB, or not readable), such as ${context.roots.display(large)}; search the text as well`,
    };
  if (!whole)
    return untilRetry(
      5_000,
      (retry) =>
        `${server} may not know all projects: the workspace is too large to look for them in time, ${retry}`,
    );
  return undefined;
}

/** What can be done about imports that lead nowhere. */
export function unbuiltReason(context: ToolContext, server: string, unbuilt: Reach['unbuilt']): Incomplete {
  const packages = [...new Set(unbuilt.flatMap((each) => each.packages))];
  const named = packages.length > 3 ? `${packages.slice(0, 3).join(', ')}, …` : packages.join(', ');
  const files =
    unbuilt.length === 1
      ? '1 file that mentions the name imports'
      : `${unbuilt.length} files that mention the name import`;
  const first = unbuilt[0]?.file;
  const shown = first === undefined ? '' : `, such as ${context.roots.display(first)}`;
  if (packages.length === 0)
    return {
      reason: `${server} does not follow the import of the name in ${counted(unbuilt.length, 'file')}${shown}; search their text as well`,
    };
  if (unbuilt[0]?.lacks === 'maps')
    return {
      reason: `${files} ${named}, built without maps to its sources, so that ${server} takes what it uses for another symbol${shown}; build with declarationMap, or search their text as well`,
    };
  return {
    reason: `${files} ${named}, not built here, so that ${server} cannot follow the import${shown}; build first, or search their text as well`,
  };
}
