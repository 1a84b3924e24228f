/**
 * For long lists of places in which places of one file follow each other: each file is judged once, not once per
 * place.
 */
import type { AbsPath } from '../../shared/base/brand.ts';

interface InFile {
  readonly file: AbsPath | undefined;
}

/** Each file once, in the order of its first place. */
export function filesOf(places: readonly InFile[]): ReadonlySet<AbsPath> {
  const files = new Set<AbsPath>();
  let last: AbsPath | undefined;
  for (const { file } of places) {
    if (file === undefined || file === last) continue;
    files.add(file);
    last = file;
  }
  return files;
}

/** Keeps what was said of the last file, because the next place is most likely in the same. */
export function perFile<T>(judge: (file: AbsPath) => T): (file: AbsPath) => T {
  let last: { readonly file: AbsPath; readonly verdict: T } | undefined;
  return (file) => {
    if (last?.file !== file) last = { file, verdict: judge(file) };
    return last.verdict;
  };
}
