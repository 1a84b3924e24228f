/** The servers of a session beyond the one for a file: what the workspace is made of, and explicit starts. */
import { statSync } from 'node:fs';
import type { AbsPath } from '../shared/base/brand.ts';
import { fail } from '../shared/base/failure.ts';
import { abandonable, type Clock } from '../shared/base/lifetime.ts';
import type { Config } from '../shared/config/config.ts';
import { type DetectedLanguage, type Detection, detectServers } from '../shared/languages/detect.ts';
import type { Environment } from '../shared/languages/environment.ts';
import type { LanguageFamily } from '../shared/languages/family.ts';
import type { CallOptions, ServerLink } from '../shared/server-link.ts';
import { sampleProjects } from './project-samples.ts';
import { type About, EVERYTHING, type Reach, reachOf } from './projects/reach.ts';
import { projectRule, type Survey, survey } from './projects/survey.ts';
import type { Roots } from './roots.ts';
import type { Router } from './router.ts';
import type { DetectedServers, StartOutcome, StartRequest, WorkspaceServers } from './tool-context.ts';
import { tryEach } from './try-each.ts';

/** More servers than this are not started for one question about the workspace. */
const MOST_AT_ONCE = 3;
const DETECTION_AGE_MS = 60_000;
const SURVEY_AGE_MS = 10_000;

export interface SessionServersOptions {
  readonly router: Router;
  readonly config: Config;
  readonly roots: Roots;
  readonly environment: Environment;
  readonly clock: Clock;
}

export class ServersOfSession {
  readonly #options: SessionServersOptions;
  readonly #surveys = new WeakMap<ServerLink, { at: number; survey: Promise<Survey | undefined> }>();
  #lastDetection: { readonly at: number; readonly detection: Promise<Detection> } | undefined;

  constructor(options: SessionServersOptions) {
    this.#options = options;
  }

  /** Servers that are running, and one for each language of the workspace that has none yet. */
  async workspace(languageId: string | undefined, signal: AbortSignal): Promise<WorkspaceServers> {
    const { router } = this.#options;
    if (languageId !== undefined) return this.#ofFamily(router.familyNamed(languageId));
    const running = [...router.open];
    const covered = new Set(running.map((link) => link.language));
    const { languages, installed, disabled } = await this.#detected(signal);
    const present = languages.filter(
      ({ family }) => !covered.has(family.id) && !disabled.includes(family.id),
    );
    const available = present.filter(({ family }) =>
      installed.some((server) => server.language === family.id),
    );
    const wanted = available.slice(0, Math.max(0, MOST_AT_ONCE - running.length));
    const opened = await this.#openAll(wanted.map(({ family }) => family));
    const total = languages.reduce((sum, language) => sum + language.sourceFiles, 0);
    const notAsked = present.filter(
      (language) => !wanted.includes(language) && (available.includes(language) || matters(language, total)),
    );
    const links = [...running, ...opened.started];
    if (links.length === 0) {
      const missing = [
        ...opened.notStarted.map(({ why }) => why),
        ...notAsked.map(({ family }) => installWith(family)),
      ];
      fail({
        kind: 'invalid-input',
        message: `no language server to ask about ${this.#options.roots.primary}${missing.length === 0 ? ': no source files of a known language' : ''}`,
        next: missing[0] ?? 'Pass file_path, or language_id',
      });
    }
    return {
      links,
      notAsked: [
        ...opened.notStarted,
        ...notAsked.map(({ family }) => ({
          language: family.id,
          why: available.some((other) => other.family.id === family.id)
            ? `pass language_id:"${family.id}"`
            : installWith(family),
        })),
      ],
    };
  }

  async start(request: StartRequest, call: CallOptions): Promise<StartOutcome> {
    const { router } = this.#options;
    requireDirectory(request.root);
    if (request.connect !== undefined) {
      const family = await this.#familyFor(request, call.signal);
      const link = await router.choose(family, request.root, request.connect);
      await link.facts(call);
      return { started: [link], notStarted: [] };
    }
    if (request.languageId !== undefined) {
      const link = await router.choose(router.familyNamed(request.languageId), request.root);
      await link.facts(call);
      return { started: [link], notStarted: [] };
    }
    const families = await this.#familiesIn(request.root, call.signal);
    return this.#startEach(families, async (family) => {
      const link = await router.choose(family, request.root);
      await link.facts(call);
      return link;
    });
  }

  async detect(directory: AbsPath, signal: AbortSignal): Promise<DetectedServers> {
    const { languages, installed, notInstalled, disabled, suggestedConfig } = await this.#detect(
      directory,
      signal,
    );
    return {
      disabled,
      languages: languages.map(({ family }) => family.id),
      installed: installed.map(({ language, server, path, configEntry }) => ({
        language,
        server,
        path,
        configEntry,
      })),
      suggestedConfig,
      missing: notInstalled,
    };
  }

  /** What has to be open for the server to know all that a question is about. */
  async reach(link: ServerLink, about: About, signal: AbortSignal): Promise<Reach> {
    const family = this.#options.router.familyNamed(link.language);
    const found = await this.#surveyed(link, family, signal);
    if (found) return reachOf(found, link.root, about, signal);
    if (about.source) return EVERYTHING;
    return { ...EVERYTHING, documents: await sampleProjects(link.root, family) };
  }

  async #surveyed(
    link: ServerLink,
    family: LanguageFamily,
    signal: AbortSignal,
  ): Promise<Survey | undefined> {
    const { clock, roots } = this.#options;
    const known = this.#surveys.get(link);
    if (known && clock.now() - known.at < SURVEY_AGE_MS) return known.survey;
    const rule = projectRule(family, link.root, roots.around(link.root));
    const made = rule ? survey(rule, family, signal) : Promise.resolve(undefined);
    this.#surveys.set(link, { at: clock.now(), survey: made });
    // What was cut short is not kept: the next call may have more time.
    if ((await made)?.whole === false) this.#surveys.delete(link);
    return made;
  }

  async #ofFamily(family: LanguageFamily): Promise<WorkspaceServers> {
    const { router } = this.#options;
    const running = router.open.filter((link) => link.language === family.id);
    if (running.length > 0) return { links: running, notAsked: [] };
    return { links: [await this.#openForWorkspace(family)], notAsked: [] };
  }

  #openAll(families: readonly LanguageFamily[]): Promise<StartOutcome> {
    return this.#startEach(families, (family) => this.#openForWorkspace(family));
  }

  #openForWorkspace(family: LanguageFamily): Promise<ServerLink> {
    return this.#options.router.linkAround(this.#options.roots.primary, family, { isDirectory: true });
  }

  async #startEach(
    families: readonly LanguageFamily[],
    start: (family: LanguageFamily) => Promise<ServerLink>,
  ): Promise<StartOutcome> {
    const { done, notDone } = await tryEach(families, (family) => family.id, start);
    return { started: done, notStarted: notDone };
  }

  /** Languages the user named, else those that were found. */
  async #familiesIn(root: AbsPath, signal: AbortSignal | undefined): Promise<readonly LanguageFamily[]> {
    const { config, router } = this.#options;
    const { languages, installed, disabled } = await this.#detect(root, signal);
    const named = config.configuredLanguages
      .filter((id) => !disabled.includes(id))
      .map((id) => router.familyNamed(id));
    const found = languages.map(({ family }) => family).filter(({ id }) => !disabled.includes(id));
    const present = named.length > 0 ? named.filter((family) => found.includes(family)) : found;
    const startable = present.filter(
      ({ id }) => named.length > 0 || installed.some((server) => server.language === id),
    );
    return startable.length > 0 ? startable : present.slice(0, 1);
  }

  async #familyFor(request: StartRequest, signal: AbortSignal | undefined): Promise<LanguageFamily> {
    if (request.languageId !== undefined) return this.#options.router.familyNamed(request.languageId);
    const { languages } = await this.#detect(request.root, signal);
    if (languages[0]) return languages[0].family;
    return fail({
      kind: 'invalid-input',
      message: `which language ${request.connect} serves is not known`,
      next: 'Pass language_id',
    });
  }

  /** Walking the tree takes time; what languages a workspace has does not change by the second. */
  #detected(signal: AbortSignal): Promise<Detection> {
    const { clock, roots } = this.#options;
    const last = this.#lastDetection;
    if (last && clock.now() - last.at < DETECTION_AGE_MS) return abandonable(last.detection, signal);
    // Others may wait for it, too, so that it does not end with this call.
    const detection = this.#detect(roots.primary, undefined);
    this.#lastDetection = { at: clock.now(), detection };
    detection.catch(() => {
      this.#lastDetection = undefined;
    });
    return abandonable(detection, signal);
  }

  #detect(directory: AbsPath, signal: AbortSignal | undefined): Promise<Detection> {
    const { config, environment } = this.#options;
    return detectServers({
      directory,
      families: config.languages,
      overrides: config.overrides,
      environment,
      signal,
    });
  }
}

/** Settings files of some language are everywhere; only what the project is written in is worth a word. */
function matters({ projectFiles, sourceFiles }: DetectedLanguage, total: number): boolean {
  return projectFiles > 0 || sourceFiles > Math.max(3, total / 10);
}

function installWith(family: LanguageFamily): string {
  return `no server found; install with: ${family.install}`;
}

function requireDirectory(directory: AbsPath): void {
  const stat = statSync(directory, { throwIfNoEntry: false });
  if (!stat) fail({ kind: 'no-such-file', path: directory });
  if (!stat.isDirectory())
    fail({
      kind: 'invalid-input',
      message: `${directory} is not a directory`,
      next: 'Pass the directory of the project',
    });
}
