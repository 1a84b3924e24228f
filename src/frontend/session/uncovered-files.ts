/**
 * Source files that lie in the root of none of a session's servers. Which servers run depends on earlier questions,
 * and an answer about a name must not depend on that: so the text of these files is searched, to tell whether they can
 * have the name.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import type { Clock } from '../../shared/base/lifetime.ts';
import { isInside } from '../../shared/base/paths.ts';
import type { LanguageFamily } from '../../shared/languages/family.ts';
import { languageIdsByName } from '../../shared/languages/plan.ts';
import { MentionIndex } from '../../shared/projects/mention-index.ts';
import { survey } from '../../shared/projects/survey.ts';
import { wordsLike, wordsWith } from '../../shared/projects/words-like.ts';

export interface Uncovered {
  /** Those that may have the name. */
  readonly files: readonly AbsPath[];
  /** Whether all files could be looked at. */
  readonly whole: boolean;
}

export interface FewFiles {
  readonly files: readonly AbsPath[];
  readonly family: LanguageFamily;
}

/** Between two looks at whether the time is over, and for others to be served. */
const SLICE_MS = 10;

export class UncoveredFiles {
  readonly #clock: Clock;
  /** By family: the words of a file are read once for each of its texts. */
  readonly #indexes = new Map<string, MentionIndex>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** In a folder, outside of these roots. */
  async that(
    mayHave: string,
    { folder, family, roots }: { folder: AbsPath; family: LanguageFamily; roots: readonly AbsPath[] },
    lookMs: number,
  ): Promise<Uncovered> {
    const end = this.#clock.now() + lookMs;
    const isOver = () => this.#clock.now() > end;
    const rule = { base: folder, projectIn: () => folder, opensHelp: false };
    const { projectOf, whole, forbidden } = await survey(rule, languageIdsByName(family), isOver);
    const outside = [...projectOf.keys()].filter((file) => !roots.some((root) => isInside(file, root)));
    const index = this.#indexOf(family);
    let since = performance.now();
    for (const file of outside) {
      if (performance.now() - since > SLICE_MS) {
        await new Promise((resolve) => setImmediate(resolve));
        since = performance.now();
        if (isOver()) return { files: [], whole: false };
      }
      index.learn(file, true);
    }
    const words = wordsLike(mayHave, index);
    const files = outside.filter((file) => index.mentionsAny(file, words));
    return { files, whole: whole && forbidden.length === 0 };
  }

  /** Those of a few files that may have the name: as servers match it, or in a word. */
  few(name: string, nearness: 'matches' | 'has', { files, family }: FewFiles): readonly AbsPath[] {
    const index = this.#indexOf(family);
    for (const file of files) index.learn(file, true);
    const words = nearness === 'matches' ? wordsLike(name, index) : wordsWith(name, index);
    return files.filter((file) => index.mentionsAny(file, words));
  }

  #indexOf({ id }: LanguageFamily): MentionIndex {
    const index = this.#indexes.get(id) ?? new MentionIndex();
    this.#indexes.set(id, index);
    return index;
  }
}
