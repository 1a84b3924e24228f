/** Which source files of a workspace have a name in their text, so that an answer can account for each of them. */
import type { AbsPath } from '../base/brand.ts';
import { isInside } from '../base/paths.ts';
import type { About, Mention, Mentions } from '../link/reach-question.ts';
import type { ReachDeps } from './reach-deps.ts';
import type { Survey } from './survey.ts';

/** Between two looks at whether the time is over, and for others to be served. */
const SLICE_MS = 10;

export async function mentionedFiles(
  { projectOf, others, whole }: Survey,
  about: About,
  deps: ReachDeps,
): Promise<Mentions> {
  const own = await filesWith(projectOf.keys(), about, deps);
  // Of these it is only heard that they come and go.
  const other = await filesWith(about.wantsOwnKindOnly ? [] : others, about, { ...deps, verify: true });
  return {
    files: own.files,
    others: other.files,
    unread: other.unread,
    unreadSources: own.unread,
    whole: whole && own.whole && other.whole,
  };
}

async function filesWith(
  files: Iterable<AbsPath>,
  { name, except = [] }: About,
  { index, verify, isOver }: ReachDeps,
): Promise<Pick<Mentions, 'files' | 'unread' | 'whole'>> {
  const word = withoutMarks(name);
  const found: Mention[] = [];
  const unread: AbsPath[] = [];
  let since = performance.now();
  for (const file of files) {
    if (performance.now() - since > SLICE_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
      if (isOver()) return { files: found, unread, whole: false };
    }
    if (except.some((directory) => isInside(file, directory))) continue;
    const count = index.countIn(file, word, verify);
    if (count === undefined) unread.push(file);
    else if (count > 0) found.push({ file, count });
  }
  return { files: found, unread, whole: true };
}

/** `#field` as it stands among words. */
function withoutMarks(name: string): string {
  return name.replace(/^[^\p{ID_Start}_$]+/u, '');
}
