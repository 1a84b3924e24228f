/**
 * Questions about a name in a project that stands alone in the folder of the session, with others around it that may
 * import it: these have servers of their own, and what they have to do with the name is looked for here.
 */
import type { AbsPath } from '../base/brand.ts';
import { isInside } from '../base/paths.ts';
import { textOrNothing } from '../base/read-text.ts';
import { languageFacts } from '../languages/facts.ts';
import { projectAround } from '../languages/manifests.ts';
import type { About, ReachPlan, ReachQuestion } from '../link/reach-question.ts';
import { namesOf } from './other-folders.ts';
import type { Elsewhere } from './reach.ts';
import { type Rule, searchesOpened, workspaceAround } from './survey.ts';

/** Undefined where nothing is around it, or where the text of an import does not tell which project it means. */
export function besideRule(
  language: string,
  home: AbsPath,
  { boundary, isWide }: Pick<ReachQuestion, 'boundary' | 'isWide'>,
): Rule | undefined {
  if (!languageFacts(language).modules || !isInside(home, boundary)) return undefined;
  const base = isWide ? workspaceAround(home, boundary) : boundary;
  if (base === home) return undefined;
  return { base, projectIn: () => undefined, opensHelp: searchesOpened(language) };
}

/** How the project and those around it speak of each other. */
export function elsewhereBeside(language: string, home: AbsPath, base: AbsPath, { file }: About): Elsewhere {
  const text = file === undefined ? '' : textOrNothing(file);
  const meant = new Map<string, boolean>();
  return {
    names: namesOf(home, language),
    isMeant(other) {
      const project = projectAround(other, base);
      if (project === undefined) return false;
      const known = meant.get(project) ?? namesOf(project, language).some((name) => text.includes(name));
      meant.set(project, known);
      return known;
    },
  };
}

/** Of the files that have the name only those that were found to speak of the project. */
export function spokenOf({ mentions, ...plan }: ReachPlan): ReachPlan {
  const found = new Set([...plan.documents, ...plan.unopened]);
  if (!mentions) return plan;
  const files = mentions.files.filter(({ file }) => found.has(file));
  return { ...plan, mentions: { ...mentions, files, others: [], unread: [] } };
}
