/**
 * Which of a root's languages a question about all of it goes to, and what is said of the others. What the root is
 * written in is always asked, so that an answer does not depend on what was asked before. Of the rest, and of those that
 * have no server, the text of the files tells whether they can have the name that is looked for.
 * Decision: docs/decisions/symbols.md#languages-of-a-search-by-name
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import { counted } from '../../shared/base/counted.ts';
import type { DetectedLanguage, Detection } from '../../shared/languages/detect.ts';
import { languageFacts } from '../../shared/languages/facts.ts';
import type { LanguageFamily } from '../../shared/languages/family.ts';
import type { NotDone } from '../tools/context.ts';
import type { FewFiles } from './uncovered-files.ts';

/** More servers than this are not started for one question about the workspace. */
export const MOST_AT_ONCE = 3;
/** Unless it is written in more languages than that, or files of more have the very name. */
const MOST_OF_ROOT = 8;

/** How near a file comes to the name: it may match as servers match, or it has the name in a word. */
export type Nearness = 'matches' | 'has';

export interface RootSearch {
  /** Languages of servers that are running. */
  readonly running: readonly string[];
  /** Those of the files that have what is looked for; undefined where nothing in particular is. */
  readonly filesThat: ((nearness: Nearness, few: FewFiles) => readonly AbsPath[]) | undefined;
  display(file: AbsPath): string;
}

export interface ChosenLanguages {
  readonly wanted: readonly LanguageFamily[];
  readonly notAsked: readonly NotDone[];
}

interface Candidate extends DetectedLanguage {
  readonly hasServer: boolean;
  /** What the root is written in. Settings files of some language are everywhere. */
  readonly isMain: boolean;
  /** `unknown` where there are too many files to look at, or nothing in particular to look for. */
  readonly chance: Nearness | 'none' | 'unknown';
  /** One of the files that may have it. */
  readonly example: string;
}

export function languagesToAsk(
  { languages, installed, disabled }: Pick<Detection, 'languages' | 'installed' | 'disabled'>,
  search: RootSearch,
): ChosenLanguages {
  const { running, filesThat } = search;
  const total = languages.reduce((sum, language) => sum + language.sourceFiles, 0);
  const present = languages
    .filter(({ family }) => !running.includes(family.id) && !disabled.includes(family.id))
    .map((language) => candidateOf(language, { search, installed, total }));
  const available = present.filter(({ hasServer }) => hasServer);
  const main = available.filter(({ isMain }) => isMain).slice(0, MOST_OF_ROOT);
  const likely = available.filter((one) => !main.includes(one) && one.chance !== 'none');
  const near = likely.filter(({ chance }) => chance === 'has');
  const sure = running.length + main.length;
  const wanted = [
    ...main,
    ...near.slice(0, Math.max(0, MOST_OF_ROOT - sure)),
    ...likely.filter((one) => !near.includes(one)).slice(0, Math.max(0, MOST_AT_ONCE - sure - near.length)),
  ];
  // An answer needs a server, also one that finds nothing.
  const asked = running.length + wanted.length > 0 ? wanted : available.slice(0, MOST_AT_ONCE);
  const isNobodyThere = running.length + asked.length === 0;
  return {
    wanted: asked.map(({ family }) => family),
    notAsked: present
      .filter((one) => !asked.includes(one) && (mayBeMissed(one) || (isNobodyThere && one.isMain)))
      .map((one) => notAsked(one, filesThat !== undefined && mayBeMissed(one))),
  };
}

function candidateOf(
  language: DetectedLanguage,
  {
    search: { filesThat, display },
    installed,
    total,
  }: { search: RootSearch; installed: Detection['installed']; total: number },
): Candidate {
  const { family, files, sourceFiles, projectFiles } = language;
  const facts = {
    ...language,
    hasServer: installed.some((server) => server.language === family.id),
    isMain: projectFiles > 0 || sourceFiles > Math.max(3, total / 10),
  };
  if (!filesThat || !files) return { ...facts, chance: 'unknown', example: '' };
  for (const nearness of ['has', 'matches'] as const) {
    const found = filesThat(nearness, { files, family });
    const [first] = found;
    if (first === undefined) continue;
    const example = `${counted(found.length, 'file')} may have it, such as ${display(first)}; `;
    return { ...facts, chance: nearness, example };
  }
  return { ...facts, chance: 'none', example: '' };
}

/** A name in settings or in a page is not missed by somebody who looks for a symbol. */
function mayBeMissed({ family, hasServer, isMain, chance }: Candidate): boolean {
  if (hasServer) return chance !== 'none';
  const isCode = languageFacts(family.id).content === 'code';
  return isCode && (chance === 'has' || (chance === 'unknown' && isMain));
}

function notAsked({ family, hasServer, example }: Candidate, isFault: boolean): NotDone {
  const help = hasServer
    ? `pass language_id:"${family.id}"`
    : `no server found; install with: ${family.install}`;
  return { language: family.id, why: `${example}${help}`, isFault: hasServer || isFault };
}
