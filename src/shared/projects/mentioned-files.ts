/** Which source files of a workspace have a name in their text, so that an answer can account for each of them. */
import type { AbsPath } from '../base/brand.ts';
import { type Clock, delay } from '../base/lifetime.ts';
import { isInside } from '../base/paths.ts';
import type { About, Mention, Mentions } from '../link/reach-question.ts';
import type { MentionIndex } from './mention-index.ts';
import type { ReachDeps } from './reach-deps.ts';
import type { Survey } from './survey.ts';

/** Between two looks at whether the time is over, and for others to be served. */
const SLICE_MS = 10;

interface LookDeps extends ReachDeps {
  /** The files are read once for all names; otherwise for this one alone, which is quicker. */
  readonly learns: boolean;
}

export async function mentionedFiles(
  { projectOf, others, whole }: Survey,
  about: About,
  deps: LookDeps,
): Promise<Mentions> {
  const own = await filesWith(projectOf.keys(), about, deps);
  // Of these it is only heard that they come and go.
  const other = await filesWith(others, about, { ...deps, verify: true, learns: true });
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
  { index, verify, isOver, learns }: LookDeps,
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
    const count = countIn(file, word, { index, verify, learns });
    if (count === undefined) unread.push(file);
    else if (count > 0) found.push({ file, count });
  }
  return { files: found, unread, whole: true };
}

/** Learns the words of all files in slices, between which others are served as long as it takes again. */
export async function learnAll(
  files: Iterable<AbsPath>,
  index: MentionIndex,
  bounds: { readonly clock: Clock; readonly signal: AbortSignal | undefined },
): Promise<void> {
  let since = performance.now();
  for (const file of files) {
    if (performance.now() - since > SLICE_MS) {
      await delay(SLICE_MS, bounds);
      since = performance.now();
    }
    index.learn(file, false);
  }
}

function countIn(
  file: AbsPath,
  word: string,
  { index, verify, learns }: { index: MentionIndex; verify: boolean; learns: boolean },
): number | undefined {
  if (learns) index.learn(file, verify);
  else if (verify) index.forget(file);
  return index.countIn(file, word);
}

/** `#field` as it stands among words. */
function withoutMarks(name: string): string {
  return name.replace(/^[^\p{ID_Start}_$]+/u, '');
}
