/** Which source files look like declaring a name, so that a server's list of symbols can be checked against them. */
import type { AbsPath } from '../base/brand.ts';
import { escapePattern } from '../base/escape-pattern.ts';
import type { Declarations, DeclaringFile } from '../link/reach-question.ts';
import type { ReachDeps } from './reach-deps.ts';

/** Between two looks at whether the time is over, and for others to be served. */
const SLICE_MS = 10;
const SOURCE = /\.[cm]?[jt]sx?$/;

/** Names with a word in them that begins like the query. Files of other languages are left out: nothing is known of those. */
export async function declaringFiles(
  files: Iterable<readonly [AbsPath, string | undefined]>,
  query: string,
  { index, isOver }: ReachDeps,
): Promise<Declarations> {
  const meant = nameLike(query);
  const words = index.wordsThat((word) => meant.test(word));
  const found: DeclaringFile[] = [];
  let since = performance.now();
  for (const [file] of files) {
    if (performance.now() - since > SLICE_MS) {
      await new Promise((resolve) => setImmediate(resolve));
      since = performance.now();
      if (isOver()) return { files: found, whole: false };
    }
    if (!SOURCE.test(file) || !index.mentionsAny(file, words)) continue;
    const names = index.declarationsIn(file, words);
    if (names.length > 0) found.push({ file, names });
  }
  return { files: found, whole: true };
}

/** As all servers understand it: a small letter means either case, and parts of a name count from where a word of it begins. */
function nameLike(query: string): RegExp {
  const letters = escapePattern(query.replace(/^#/, ''));
  const eitherCase = letters.replace(/\p{Ll}/gu, (small) => `[${small}${small.toUpperCase()}]`);
  // Without letters nothing is meant.
  return letters === '' ? /(?!)/ : new RegExp(`(?:^|[_$]|(?<=[\\p{Ll}\\d])(?=\\p{Lu}))${eitherCase}`, 'u');
}
