/**
 * From a file to the server that answers for it: language, then project root, then plan, then link. One link per
 * plan, opened once however many calls ask for it at the same time, and kept for the life of the session.
 */
import path from 'node:path';
import type { AbsPath } from '../../shared/base/brand.ts';
import { fail } from '../../shared/base/failure.ts';
import type { Clock } from '../../shared/base/lifetime.ts';
import { absolutePath, isInside, realPath } from '../../shared/base/paths.ts';
import type { Config } from '../../shared/config/config.ts';
import { rolesLine } from '../../shared/languages/describe-roles.ts';
import type { Environment } from '../../shared/languages/environment.ts';
import type { LanguageFamily } from '../../shared/languages/family.ts';
import { knownLanguages, languageById, languageOfFile } from '../../shared/languages/lookup.ts';
import { makeConnectPlan, makePlan, planKey, whyNotTypescript7 } from '../../shared/languages/plan.ts';
import { ROLES, type Role } from '../../shared/languages/roles.ts';
import { findRoot } from '../../shared/languages/roots.ts';
import type { CallOptions, ServerLink } from '../../shared/link/server-link.ts';
import type { ServerPlan } from '../../shared/link/server-plan.ts';
import type { DialTarget } from '../access/dial.ts';
import type { LinkWish } from '../tools/context.ts';
import type { Roots } from '../workspace/roots.ts';
import { SharedLinks, type Sharing } from './shared-links.ts';

export interface RouterOptions {
  readonly config: Config;
  readonly roots: Roots;
  readonly environment: Environment;
  readonly clock: Clock;
  /** Makes the link for a plan; the router keeps it and closes it. */
  open(plan: ServerPlan, family: LanguageFamily): Promise<ServerLink>;
}

/** How long a new project may go unnoticed in a directory that was asked about before. */
const DIRECTORY_AGE_MS = 1_000;

interface ChosenRoot {
  readonly family: string;
  readonly root: AbsPath;
  /** The server that is dialled there for everything; undefined where one is started for each role. */
  readonly dialled: Promise<ServerLink> | undefined;
}

/** A root of a family, and what is asked about there. */
interface PlannedPlace {
  readonly root: AbsPath;
  readonly boundary: AbsPath;
  readonly role: Role;
  readonly file?: AbsPath | undefined;
}

export class Router {
  readonly #options: RouterOptions;
  readonly #byPlan = new Map<string, Promise<ServerLink>>();
  readonly #byRoot = new Map<string, Promise<ServerLink>>();
  readonly #shared: SharedLinks;
  /** Roots that start_lsp named: they hold for the files below them, the newest first. */
  readonly #chosen: ChosenRoot[] = [];
  /** Links by language and directory, also those that are being found, to be looked up again before long: markers come and go. */
  readonly #byDirectory = new Map<string, { readonly link: Promise<ServerLink>; readonly at: number }>();
  /** Links in order of use, the last used at the end. */
  #open: ServerLink[] = [];
  /** Those that search and navigate; the others only judge. */
  readonly #navigators = new Set<ServerLink>();
  readonly #judges = new Set<ServerLink>();
  #closed = false;

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#shared = new SharedLinks(options.roots);
  }

  get open(): readonly ServerLink[] {
    return this.#open;
  }

  /** Of the open links those to ask about a workspace: where two engines serve one root, the one that serves it best. */
  get navigators(): readonly ServerLink[] {
    const rank = (link: ServerLink) => {
      const id = this.#shared.planOf(link)?.serverId;
      return this.familyNamed(link.language).servers.findIndex(({ serverId }) => serverId === id);
    };
    const links = this.#open.filter((link) => this.#navigators.has(link));
    return links.filter(
      (link) =>
        !links.some(
          (other) => other.language === link.language && other.root === link.root && rank(other) < rank(link),
        ),
    );
  }

  /** Whether what it says of errors counts: not where another server of the same root has been asked for that. */
  isJudge(link: ServerLink): boolean {
    const isRival = (other: ServerLink) => other.language === link.language && other.root === link.root;
    return this.#judges.has(link) || ![...this.#judges].some(isRival);
  }

  familyNamed(languageId: string, path = languageId): LanguageFamily {
    const { languages } = this.#options.config;
    const language = languageById(languageId, languages);
    if (language) return language.family;
    return fail({ kind: 'unknown-language', path, language: languageId, known: knownLanguages(languages) });
  }

  async linkFor(file: AbsPath, { languageId, role = 'navigation' }: LinkWish = {}): Promise<ServerLink> {
    const family = this.#familyOf(file, languageId);
    const key = `${family.id}\0${path.dirname(file)}\0${role}`;
    const known = this.#byDirectory.get(key);
    const now = this.#options.clock.now();
    if (known && now - known.at < DIRECTORY_AGE_MS) return this.#used(await known.link);
    const chosen = this.#chosenFor(file, family);
    const link = chosen ? this.#linkIn(chosen, family, role, file) : this.linkAround(file, family, { role });
    const found = { link, at: now };
    this.#byDirectory.set(key, found);
    link.catch(() => this.#byDirectory.get(key) === found && this.#byDirectory.delete(key));
    return link;
  }

  /** The link for the project that a file or directory belongs to. */
  async linkAround(
    file: AbsPath,
    family: LanguageFamily,
    { isDirectory = false, role = 'navigation' }: { isDirectory?: boolean; role?: Role } = {},
  ): Promise<ServerLink> {
    const boundary = this.#options.roots.around(file);
    const isWide = this.#options.roots.isTooWide(boundary);
    const { root } = findRoot({ file, family, boundary, isWide, isDirectory });
    const place = { root: realPath(root), boundary, role, file: isDirectory ? undefined : file };
    return this.#linkAt(family, place);
  }

  /** Who does what for a file, or for the workspace, in one line; undefined where one server does everything. */
  async rolesOf(family: LanguageFamily, root: AbsPath, file?: AbsPath): Promise<string | undefined> {
    if (family.workspaceRule !== 'npm') return undefined;
    const { config, environment, roots } = this.#options;
    const request = { family, root, boundary: roots.around(root), file, config, environment };
    const [navigation, types] = await Promise.all(ROLES.map((role) => makePlan({ ...request, role })));
    return navigation && types && rolesLine({ navigation, types }, await whyNotTypescript7(request));
  }

  /** Takes exactly this root for the family from now on. */
  async choose(family: LanguageFamily, root: AbsPath, target?: DialTarget): Promise<ServerLink> {
    const dialled = target === undefined ? undefined : this.#linkTo(family, root, target);
    const chosen: ChosenRoot = { family: family.id, root, dialled };
    this.#chosen.unshift(chosen);
    this.#byDirectory.clear();
    const link = this.#linkIn(chosen, family, 'navigation');
    link.catch(() => this.#chosen.splice(this.#chosen.indexOf(chosen), 1));
    return link;
  }

  hasChosen({ id }: LanguageFamily): boolean {
    return this.#chosen.some(({ family }) => family === id);
  }

  /** Has a running server of the family work in a folder of the session, if it can and that is safe. */
  async share(family: LanguageFamily, folder: AbsPath, call: CallOptions): Promise<Sharing | undefined> {
    const key = `${family.id}\0${folder}\0navigation`;
    if (this.#byRoot.has(key) || !this.#shared.mayConcern(family.id, folder)) return undefined;
    const { config, environment } = this.#options;
    const plan = await makePlan({ family, root: folder, boundary: folder, config, environment });
    const sharing = await this.#shared.join(plan, call);
    if (sharing && 'link' in sharing) this.#byRoot.set(key, Promise.resolve(sharing.link));
    return sharing;
  }

  /** Lets go of what lies outside the roots now. */
  async followRoots(): Promise<void> {
    this.#byDirectory.clear();
    const { roots } = this.#options;
    const outside = [...this.#shared.links].filter((link) => !roots.holds(link.root));
    for (const link of outside) this.#forget(link);
    for (const key of this.#byRoot.keys()) if (!roots.holds(rootIn(key))) this.#byRoot.delete(key);
    await Promise.allSettled([...outside.map((link) => link.close()), this.#shared.followRoots()]);
  }

  async close(): Promise<void> {
    this.#closed = true;
    const links = await Promise.allSettled(this.#byPlan.values());
    await Promise.allSettled(
      links.map((link) => (link.status === 'fulfilled' ? link.value.close() : undefined)),
    );
  }

  #familyOf(file: AbsPath, languageId: string | undefined): LanguageFamily {
    if (languageId !== undefined) return this.familyNamed(languageId, file);
    const { languages } = this.#options.config;
    const language = languageOfFile(file, languages);
    return (
      language?.family ?? fail({ kind: 'unknown-language', path: file, known: knownLanguages(languages) })
    );
  }

  #chosenFor(file: AbsPath, family: LanguageFamily): ChosenRoot | undefined {
    const holding = this.#chosen.filter(
      (chosen) => chosen.family === family.id && isInside(file, chosen.root),
    );
    return holding.sort((a, b) => b.root.length - a.root.length)[0];
  }

  async #linkIn(chosen: ChosenRoot, family: LanguageFamily, role: Role, file?: AbsPath): Promise<ServerLink> {
    const { root, dialled } = chosen;
    if (!dialled)
      return this.#linkAt(family, { root, boundary: this.#options.roots.around(root), role, file });
    const link = await dialled;
    this.#navigators.add(link);
    return this.#used(link);
  }

  /** Planning looks at the disk, so each root is planned once; what failed is tried again by the next call. */
  async #linkAt(family: LanguageFamily, place: PlannedPlace): Promise<ServerLink> {
    const { root, role, file } = place;
    const { config, environment } = this.#options;
    const planned = async () => {
      const plan = await makePlan({ family, ...place, config, environment });
      const sharing = await this.#shared.join(plan);
      return sharing && 'link' in sharing ? sharing.link : this.#linkOf(plan, family);
    };
    // Packages of one workspace may have tools and configurations of their own, and these may change.
    const dependsOnFile = family.workspaceRule === 'npm' && file !== undefined;
    const key = `${family.id}\0${root}\0${role}`;
    const link = await (dependsOnFile ? planned() : once(this.#byRoot, key, planned));
    (role === 'navigation' ? this.#navigators : this.#judges).add(link);
    return this.#used(link);
  }

  #linkTo(family: LanguageFamily, root: AbsPath, target: DialTarget): Promise<ServerLink> {
    const server = { kind: 'connect', ...target } as const;
    const plan = makeConnectPlan({ family, root, config: this.#options.config, server });
    return this.#linkOf(plan, family);
  }

  #linkOf(plan: ServerPlan, family: LanguageFamily): Promise<ServerLink> {
    if (this.#closed) fail({ kind: 'cancelled' });
    return once(this.#byPlan, planKey(plan), async () => {
      const link = await this.#options.open(plan, family);
      this.#shared.opened(link, plan);
      return link;
    });
  }

  #forget(link: ServerLink): void {
    this.#navigators.delete(link);
    this.#judges.delete(link);
    const plan = this.#shared.forget(link);
    if (plan) this.#byPlan.delete(planKey(plan));
    this.#open = this.#open.filter((other) => other !== link);
    for (const [index, { root }] of [...this.#chosen.entries()].reverse())
      if (root === link.root) this.#chosen.splice(index, 1);
    // Others may have shared it; they are served anew.
    for (const [key, shared] of this.#byRoot)
      void shared.then(
        (other) => other === link && this.#byRoot.get(key) === shared && this.#byRoot.delete(key),
      );
  }

  #used(link: ServerLink): ServerLink {
    if (this.#open.at(-1) === link) return link;
    this.#open = [...this.#open.filter((other) => other !== link), link];
    return link;
  }
}

function rootIn(key: string): AbsPath {
  return absolutePath(key.split('\0')[1] ?? '');
}

/** One attempt at a time, whose success is kept and whose failure is not. */
function once<T>(kept: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const existing = kept.get(key);
  if (existing) return existing;
  const made = make();
  kept.set(key, made);
  made.catch(() => kept.delete(key));
  return made;
}
