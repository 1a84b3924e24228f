/**
 * The projects of a server's workspace, surveyed once and then kept up by what is heard of the disk, and the words of
 * their files: from these follows what has to be open before a question, for every session alike.
 */
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import type { Clock } from '../base/lifetime.ts';
import { isInside } from '../base/paths.ts';
import { languageFacts } from '../languages/facts.ts';
import { isCompiled } from '../languages/file-kinds.ts';
import { languageById } from '../languages/lookup.ts';
import { NOTHING_TO_SHOW, type ReachPlan, type ReachQuestion } from '../link/reach-question.ts';
import type { FileChange } from '../link/server-link.ts';
import type { ServerPlan } from '../link/server-plan.ts';
import { besideRule, elsewhereBeside, spokenOf } from './beside.ts';
import { MentionIndex } from './mention-index.ts';
import { mentionedFiles } from './mentioned-files.ts';
import { misreadProjects, unreadProjects } from './misread.ts';
import { elsewhere, type Folders, homeOf, joinedPlans, otherFolderRule } from './other-folders.ts';
import { otherKindsOf } from './other-kinds.ts';
import { isProjectFile } from './project-files.ts';
import { type Elsewhere, reachOf } from './reach.ts';
import { sampleProjects } from './samples.ts';
import { type KeptSurvey, projectRule, type Rule, type Survey, survey } from './survey.ts';
import { type UnbuiltPackage, unbuiltPackages } from './unbuilt-packages.ts';
import { WordLearning } from './word-learning.ts';

export interface ReachScope extends Folders {
  /** Whether the disk is known to be as it was heard of. */
  readonly certain: boolean;
  /** See reach.ts. */
  readonly mostProjects: number;
}

/** How long a new file may go unnoticed where nothing tells of it. */
const UNHEARD_AGE_MS = 10_000;
const UNBUILT_AGE_MS = 2_000;

interface Asked {
  readonly question: ReachQuestion;
  readonly scope: ReachScope;
  isOver(): boolean;
}

interface Kept {
  readonly rule: Rule;
  readonly survey: KeptSurvey;
  unbuilt: { readonly at: number; readonly packages: readonly UnbuiltPackage[] } | undefined;
  readonly at: number;
}

export class WorkspaceProjects {
  readonly #plan: ServerPlan;
  readonly #clock: Clock;
  readonly #isOfOtherKind: (file: string) => boolean;
  readonly #index = new MentionIndex();
  readonly #kept = new Map<string, Promise<Kept | undefined>>();
  #moves = 0;
  readonly #learning: WordLearning;

  constructor(plan: ServerPlan, clock: Clock) {
    this.#plan = plan;
    this.#isOfOtherKind = otherKindsOf(plan.language);
    this.#clock = clock;
    this.#learning = new WordLearning(this.#index, clock);
  }

  /** Rises when files come or go, or what a project consists of changes. */
  get moves(): number {
    return this.#moves;
  }

  /** A new server process has a new watcher: what was heard before may have a gap. */
  follow(
    disk: { onDiskChanged(listener: (changes: readonly FileChange[]) => void): Disposable },
    ended: AbortSignal,
  ): void {
    this.#learning.follow(ended);
    this.#kept.clear();
    this.#index.clear();
    disk.onDiskChanged((changes) => this.#heard(changes));
  }

  #heard(changes: readonly FileChange[]): void {
    for (const change of changes) {
      this.#index.forget(change.path);
      if (change.type !== 'change' || isProjectFile(change.path)) this.#moves++;
      if (isProjectFile(change.path)) this.#kept.clear();
      else if (change.type !== 'change') this.#moved(change);
    }
  }

  async reach(question: ReachQuestion, scope: ReachScope): Promise<ReachPlan> {
    const { language, root } = this.#plan;
    const end = this.#clock.now() + question.lookMs;
    const isOver = () => this.#clock.now() > end;
    const home = homeOf(scope, question);
    const ownRule = () => projectRule(language, home, question.boundary);
    const own = await this.#surveyed(`${home}\0${question.boundary}`, ownRule, { question, scope, isOver });
    const depsFor = ({ rule }: Kept) => ({
      index: this.#index,
      verify: !this.#isHeard(rule.base, scope),
      mostProjects: scope.mostProjects,
      isOver,
    });
    const reach = own ? await reachOf(this.#surveyOf(own), home, question, depsFor(own)) : NOTHING_TO_SHOW;
    if (question.file === undefined) {
      const family = languageById(language)?.family;
      const samples = [...(own ? [] : [root]), ...scope.folders];
      const more = family ? await Promise.all(samples.map((each) => sampleProjects(each, family))) : [];
      return { ...reach, documents: [...reach.documents, ...more.flat()] };
    }
    const { folders } = question;
    const withMentions = async (part: ReachPlan, kept: Kept | undefined): Promise<ReachPlan> => {
      if (!question.wantsMentions || !kept) return part;
      const mentions = await mentionedFiles(kept.survey, question, depsFor(kept));
      this.#learning.asked(kept.survey);
      // Also of servers that search all below their root: what this user may not read they may not, either.
      return { ...part, forbidden: kept.survey.forbidden, mentions };
    };
    const asked = { question, scope, isOver };
    const all = own ?? (question.wantsMentions ? await this.#allBelow(home, asked) : own);
    const here = await withMentions(reach, all);
    const beside = this.#beside(home, asked, async (kept, about, elsewhere) =>
      withMentions(await reachOf(this.#surveyOf(kept), home, about, depsFor(kept), elsewhere), kept),
    );
    const others = folders.filter((folder) => !isInside(home, folder) && !isInside(folder, home));
    const parts = others.map(async (folder) => {
      const key = `${folder} from ${[scope.root, ...scope.folders].join()}`;
      const rule = () => otherFolderRule(language, folder, scope);
      const found = await this.#surveyed(key, rule, asked);
      const others = elsewhere(folder, folders, language, question);
      if (!found) return NOTHING_TO_SHOW;
      const part = await reachOf(this.#surveyOf(found), home, question, depsFor(found), others);
      return withMentions(part, found);
    });
    const more = await Promise.all([beside, ...parts]);
    const found = more.filter((part) => part !== undefined);
    return found.length === 0 ? here : joinedPlans([here, ...found]);
  }

  /** What other projects have to do with the name, that lie around one which stands alone. */
  async #beside(
    home: AbsPath,
    asked: Asked,
    reachIn: (kept: Kept, about: ReachQuestion, elsewhere: Elsewhere) => Promise<ReachPlan>,
  ): Promise<ReachPlan | undefined> {
    const { language } = this.#plan;
    const { question } = asked;
    const rule = besideRule(language, home, question);
    const kept = rule && (await this.#surveyed(`beside ${home} in ${rule.base}`, () => rule, asked));
    if (!kept) return undefined;
    const about = { ...question, except: [...(question.except ?? []), home] };
    return spokenOf(await reachIn(kept, about, elsewhereBeside(language, home, rule.base, question)));
  }

  /** The files of a server that searches everything below its root: only needed to account for a name. */
  #allBelow(home: AbsPath, asked: Asked): Promise<Kept | undefined> {
    const rule = { base: home, projectIn: () => home, opensHelp: true };
    return this.#surveyed(`all of ${home}`, () => rule, asked);
  }

  async #surveyed(
    key: string,
    makeRule: () => Rule | undefined,
    { question, scope, isOver }: Asked,
  ): Promise<Kept | undefined> {
    const known = await this.#kept.get(key)?.catch(() => undefined);
    if (known && (this.#isHeard(known.rule.base, scope) || this.#clock.now() - known.at < UNHEARD_AGE_MS))
      return known;
    const made = this.#make(makeRule(), question, isOver);
    this.#kept.set(key, made);
    const kept = await made.catch((error: unknown) => {
      this.#kept.delete(key);
      throw error;
    });
    // What was cut short is not kept: the next call may have more time.
    if (!kept?.survey.whole) this.#kept.delete(key);
    return kept;
  }

  /** Builds write where nothing is heard of, so what is built is looked at again before long. */
  #surveyOf(kept: Kept): Survey {
    const now = this.#clock.now();
    if (languageFacts(this.#plan.language).projects !== 'tsconfig') return kept.survey;
    if (kept.unbuilt === undefined || now - kept.unbuilt.at > UNBUILT_AGE_MS)
      kept.unbuilt = {
        at: now,
        packages: unbuiltPackages(kept.survey.manifests, sourceDirectories(kept.survey)),
      };
    return { ...kept.survey, unbuilt: kept.unbuilt.packages };
  }

  async #make(
    rule: Rule | undefined,
    { stateDir }: ReachQuestion,
    isOver: () => boolean,
  ): Promise<Kept | undefined> {
    if (!rule) return undefined;
    const at = this.#clock.now();
    const found = await survey(rule, this.#plan.languageIds, isOver, this.#isOfOtherKind);
    const misread = await misreadProjects(this.#plan, found.sampleOf.keys(), stateDir);
    const unread = unreadProjects(this.#plan, found.sampleOf.keys());
    return {
      rule,
      at,
      survey: {
        ...found,
        misread: (project) => misread.has(project),
        unread: (project) => unread.get(project),
      },
      unbuilt: undefined,
    };
  }

  /** Whether changes there are told: in what the server works in, if nothing can be missed. */
  #isHeard(base: AbsPath, { certain, root, folders }: ReachScope): boolean {
    return certain && [root, ...folders].some((folder) => isInside(base, folder));
  }

  #moved({ path: file, type }: FileChange): void {
    const isSource = path.extname(file).slice(1) in this.#plan.languageIds;
    if (!isSource && !this.#isOfOtherKind(file)) return;
    for (const made of this.#kept.values())
      void made.then((kept) => {
        if (!kept || !isInside(file, kept.rule.base)) return;
        const { projectOf, sampleOf, others } = kept.survey;
        if (!isSource) {
          if (type === 'create') others.add(file);
          else others.delete(file);
          return;
        }
        if (type === 'create') projectOf.set(file, kept.rule.projectIn(file));
        else projectOf.delete(file);
        const project = kept.rule.projectIn(file);
        if (project === undefined) return;
        if (type === 'create') sampleOf.set(project, sampleOf.get(project) ?? file);
        else if (sampleOf.get(project) === file) {
          const other = [...projectOf].find(([, of]) => of === project)?.[0];
          if (other === undefined) sampleOf.delete(project);
          else sampleOf.set(project, other);
        }
      });
  }
}

/** The directories with something below them that a build makes other files from. */
function sourceDirectories({ projectOf }: Survey): ReadonlySet<string> {
  const found = new Set<string>();
  for (const file of projectOf.keys()) {
    if (!isCompiled(file)) continue;
    for (let at = path.dirname(file); !found.has(at); at = path.dirname(at)) found.add(at);
  }
  return found;
}
