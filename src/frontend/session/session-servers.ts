/**
 * Servers for questions about the whole workspace, one for each of its languages, and servers that an agent starts by
 * a tool.
 */
import { statSync } from 'node:fs';
import type { AbsPath } from '../../shared/base/brand.ts';
import { fail } from '../../shared/base/failure.ts';
import { abandonable, type Clock } from '../../shared/base/lifetime.ts';
import type { Config } from '../../shared/config/config.ts';
import { type Detection, detectServers } from '../../shared/languages/detect.ts';
import type { Environment } from '../../shared/languages/environment.ts';
import type { LanguageFamily } from '../../shared/languages/family.ts';
import type { CallOptions, ServerLink } from '../../shared/link/server-link.ts';
import { dialTarget } from '../access/dial.ts';
import { tryEach } from '../ask/try-each.ts';
import type { DetectedServers, StartOutcome, StartRequest, WorkspaceServers } from '../tools/context.ts';
import type { Roots } from '../workspace/roots.ts';
import { coveringServers } from './covering-servers.ts';
import { acrossFolders } from './folder-servers.ts';
import { languagesToAsk, MOST_AT_ONCE } from './root-languages.ts';
import type { Router } from './router.ts';
import { UncoveredFiles } from './uncovered-files.ts';

const DETECTION_AGE_MS = 60_000;

export interface SessionServersOptions {
  readonly router: Router;
  readonly config: Config;
  readonly roots: Roots;
  readonly environment: Environment;
  readonly clock: Clock;
}

export interface WorkspaceWish {
  /** Only this language, if not all. */
  readonly languageId: string | undefined;
  /** What is asked about, if not everything. */
  readonly name?: string | undefined;
  readonly signal: AbortSignal;
  readonly lookMs: number;
}

export class ServersOfSession {
  readonly #options: SessionServersOptions;
  readonly #uncovered: UncoveredFiles;
  readonly #detections = new Map<AbsPath, { readonly at: number; readonly detection: Promise<Detection> }>();

  constructor(options: SessionServersOptions) {
    this.#options = options;
    this.#uncovered = new UncoveredFiles(options.clock);
  }

  /**
   * Servers that are running, and one for each language of the workspace that has none yet; for a name also those that
   * may know more of it.
   */
  async workspace({ languageId, name, signal, lookMs }: WorkspaceWish): Promise<WorkspaceServers> {
    const { router, roots } = this.#options;
    const family = languageId === undefined ? undefined : router.familyNamed(languageId);
    const found = await (family ? this.#ofFamily(family) : this.#ofRoot(name, signal));
    const languagesIn = (folder: AbsPath) => this.languagesIn(folder, signal);
    const most = MOST_AT_ONCE;
    const across =
      roots.folders.length === 1
        ? found
        : await acrossFolders(found, { roots, router, family, most, languagesIn });
    const uncovered = this.#uncovered;
    const all =
      name === undefined
        ? across
        : await coveringServers(across, { roots, router, uncovered, name, lookMs, most });
    if (all.links.length === 0) {
      const [missing] = all.notAsked;
      fail({
        kind: 'invalid-input',
        message: `no language server to ask about ${roots.primary}${missing ? '' : ': no source files of a known language'}`,
        next: missing?.why ?? 'Pass file_path, or language_id',
      });
    }
    return all;
  }

  async #ofRoot(name: string | undefined, signal: AbortSignal): Promise<WorkspaceServers> {
    const { router, roots } = this.#options;
    const running = [...router.navigators];
    const detection = await this.#detectedIn(roots.primary, signal);
    const { wanted, notAsked } = languagesToAsk(detection, {
      running: running.map((link) => link.language),
      display: (file) => roots.display(file),
      filesThat: name === undefined ? undefined : (nearness, few) => this.#uncovered.few(name, nearness, few),
    });
    const { started, notStarted } = await this.#openAll(wanted);
    return { links: [...running, ...started], notAsked: [...notStarted, ...notAsked] };
  }

  async start(request: StartRequest, call: CallOptions): Promise<StartOutcome> {
    const { router } = this.#options;
    requireDirectory(request.root);
    if (request.connect !== undefined) {
      const family = await this.#familyFor(request, call.signal);
      const link = await router.choose(family, request.root, await dialTarget(request.connect));
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

  /** What a folder is written in, as far as there are servers for it on this machine. */
  async languagesIn(folder: AbsPath, signal: AbortSignal | undefined): Promise<readonly LanguageFamily[]> {
    const { languages, installed, disabled } = await this.#detectedIn(folder, signal);
    return languages
      .filter(({ family }) => !disabled.includes(family.id))
      .filter(({ family }) => installed.some((server) => server.language === family.id))
      .map(({ family }) => family);
  }

  async #ofFamily(family: LanguageFamily): Promise<WorkspaceServers> {
    const { router } = this.#options;
    const running = router.navigators.filter((link) => link.language === family.id);
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
      message: `which language ${request.connect?.plan.given} serves is not known`,
      next: 'Pass language_id',
    });
  }

  /** Walking the tree takes time; what languages a workspace has does not change by the second. */
  #detectedIn(folder: AbsPath, signal: AbortSignal | undefined): Promise<Detection> {
    const { clock } = this.#options;
    const last = this.#detections.get(folder);
    if (last && clock.now() - last.at < DETECTION_AGE_MS) return abandonable(last.detection, signal);
    // Others may wait for it, too, so that it does not end with this call.
    const detection = this.#detect(folder, undefined);
    this.#detections.set(folder, { at: clock.now(), detection });
    detection.catch(() => this.#detections.delete(folder));
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
