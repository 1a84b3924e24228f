/** Which source files of a workspace have a name in their text, so that an answer can account for each of them. */
import type { AbsPath } from '../base/brand.ts';
import { isInside } from '../base/paths.ts';
import type { MentionIndex } from './mention-index.ts';
import type { ReachDeps } from './reach.ts';
import type { About, Mention, Mentions } from './reach-question.ts';

/** Between two looks at whether the time is over, and for others to be served. */
const SLICE_MS = 10;

/** With `learns` the files are read once for all names; otherwise for this one alone, which is quicker. */
export async function mentionedFiles(
  files: Iterable<AbsPath>,
  { name, except = [] }: About,
  { index, verify, isOver, learns }: ReachDeps & { readonly learns: boolean },
): Promise<Mentions> {
  const word = withoutMarks(name);
  const found: Mention[] = [];
  let since = performance.now();
  for (const file of files) {
    if (performance.now() - since > SLICE_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
      if (isOver()) return { files: found, whole: false };
    }
    if (except.some((directory) => isInside(file, directory))) continue;
    const count = countIn(file, word, { index, verify, learns });
    if (count > 0) found.push({ file, count });
  }
  return { files: found, whole: true };
}

function countIn(
  file: AbsPath,
  word: string,
  { index, verify, learns }: { index: MentionIndex; verify: boolean; learns: boolean },
): number {
  if (learns) index.learn(file, verify);
  else if (verify) index.forget(file);
  return index.countIn(file, word);
}

/** `#field` as it stands among words. */
function withoutMarks(name: string): string {
  return name.replace(/^[^\p{ID_Start}_$]+/u, '');
}
