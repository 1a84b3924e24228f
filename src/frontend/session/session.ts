/** One session of an agent: its roots, its files and its servers. All tool calls of the session run in it. */
import type { AbsPath } from '../../shared/base/brand.ts';
import { messageOf } from '../../shared/base/failure.ts';
import { abandonable, type Clock, Listeners, systemClock, withTimeout } from '../../shared/base/lifetime.ts';
import type { Log } from '../../shared/base/log.ts';
import type { SwitchableProfile } from '../../shared/config/choices.ts';
import { type CommandLineConfig, type Config, usesDaemon } from '../../shared/config/config.ts';
import { type Environment, withVariables } from '../../shared/languages/environment.ts';
import { IgnoreRules } from '../../shared/languages/ignore-rules.ts';
import { languageOfFile } from '../../shared/languages/lookup.ts';
import type { About, Reach } from '../../shared/link/reach-question.ts';
import type { CallOptions, ServerLink } from '../../shared/link/server-link.ts';
import { type AuditNotes, NO_NOTES } from '../access/audit-facts.ts';
import { AuditLog } from '../access/audit-log.ts';
import { READ_ONLY } from '../access/call-permission.ts';
import { planDial } from '../access/dial.ts';
import type { Permission } from '../access/permission.ts';
import type { AccessedTool } from '../access/tool-access.ts';
import { openLink } from '../link/open-link.ts';
import type { SessionServers, ToolContext } from '../tools/context.ts';
import { KnownFacts } from '../tools/known-facts.ts';
import type { LogThreshold } from '../tools/log-levels.ts';
import { SessionState } from '../tools/session-state.ts';
import { Roots } from '../workspace/roots.ts';
import { SourceFiles } from '../workspace/source-files.ts';
import { Router } from './router.ts';
import { FoldersOfSession } from './session-folders.ts';
import type { ServersOfSession } from './session-servers.ts';

export interface SessionOptions {
  readonly environment: Environment;
  /** The script of this program, which also is the broker's. */
  readonly entryScript: string;
  /** What Node is told when a broker is started; what this process was told if not said. */
  readonly execArgv?: readonly string[];
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly commandLine: CommandLineConfig;
  readonly log: Log;
  /** What brokers and the audit call it, where the process has several sessions. */
  readonly label?: string;
  /** Where the sessions of a process read the same files; a session's own if not said. */
  readonly files?: SourceFiles | undefined;
  readonly clock?: Clock;
  readonly features: SessionFeatures;
  setLogLevel(level: LogThreshold): void;
  /** Gives the connection another set of tools. */
  switchTools(profile: SwitchableProfile): void;
}

/** What a session has to know of the features that work in it. */
export interface SessionFeatures {
  /** The tools that rules of access may name: those of every profile, since one configuration serves them all. */
  tools(config: Config): Promise<readonly AccessedTool[]>;
  /** Loads the code of what `prepare` needs, ahead of time. */
  load(): Promise<unknown>;
  /** Runs before the session can be used. */
  prepare(session: Session): Promise<void>;
}

/** What distinguishes one call from the others of the session. */
export interface ToolCallScope {
  readonly signal: AbortSignal;
  /** Milliseconds until the call must have answered. */
  remainingMs(): number;
  /** Milliseconds that it waits for a server that goes on afterwards; as long as it can if not said. */
  patienceMs?(): number;
  /** It changes nothing, so that it can be called again at any point. */
  readonly isReading?: boolean;
  readonly tools: ToolContext['tools'];
  /** To read only if not said. */
  readonly permission?: Permission;
  readonly audit?: AuditNotes;
  /** That of the session if not said. */
  readonly log?: Log;
  /** Told of each server that the call comes to use. */
  watch(link: ServerLink): void;
  report(message: string): void;
}

const CLOSE_MS = 4_000;
/** For files that no server has in its root; what takes longer is named. */
const LOOK_MS = 2_000;
/** Inner waits end a little before the call's own deadline, because they know better what they waited for. */
const MARGIN_MS = 300;

export async function openSession(config: Config, options: SessionOptions): Promise<Session> {
  const session = new Session(config, options);
  await options.features.prepare(session);
  return session;
}

export class Session {
  readonly config: Config;
  readonly roots: Roots;
  readonly files: SourceFiles;
  readonly clock: Clock;
  readonly log: Log;
  readonly state: SessionState;
  readonly audit: AuditLog;
  readonly #facts = new KnownFacts();
  readonly #ignored: IgnoreRules;
  readonly #options: SessionOptions;
  readonly #opened = new Listeners<ServerLink>();
  readonly #router: Router;
  #makingServers: Promise<ServersOfSession> | undefined;
  readonly folders: FoldersOfSession;

  constructor(config: Config, options: SessionOptions) {
    this.config = config;
    const environment = withVariables(options.environment, config.variables);
    this.#options = { ...options, environment };
    this.clock = options.clock ?? systemClock;
    this.log = options.log;
    this.files = options.files ?? new SourceFiles();
    this.#ignored = new IgnoreRules(this.clock);
    const { roots: given, cwd, label } = options;
    this.audit = new AuditLog(config.auditLog, { clock: this.clock, log: this.log, client: label });
    const { homedir } = environment;
    this.roots = new Roots({ given, cwd, alsoAllowed: config.allowedPaths, homedir });
    this.state = new SessionState(this);
    this.#router = new Router({
      config,
      roots: this.roots,
      environment,
      clock: this.clock,
      open: async (plan, family) => {
        const link = await openLink(plan, {
          daemon: usesDaemon(config, family),
          stateDir: config.stateDir,
          idleTimeoutMs: config.idleTimeoutMs,
          environment,
          entryScript: options.entryScript,
          execArgv: options.execArgv ?? process.execArgv,
          clock: this.clock,
          log: this.log,
          label,
        });
        this.log.info('server in use', { language: link.language, root: link.root, command: link.command });
        this.#opened.emit(link);
        return link;
      },
    });
    this.folders = new FoldersOfSession({
      roots: this.roots,
      router: this.#router,
      languagesIn: async (folder, signal) => (await this.#servers()).languagesIn(folder, signal),
    });
  }

  /** The links to servers so far, the one used last at the end. */
  get links(): readonly ServerLink[] {
    return this.#router.open;
  }

  /** Whether what a server says of errors counts, where two serve one root. */
  isJudge(link: ServerLink): boolean {
    return this.#router.isJudge(link);
  }

  /** Called with each new link, before its server is started. */
  onLink(listener: (link: ServerLink) => void): Disposable {
    return this.#opened.add(listener);
  }

  /** The language family of a file, by its name; undefined for what no server is for. */
  familyOf(file: AbsPath): string | undefined {
    return languageOfFile(file, this.config.languages)?.family.id;
  }

  context(scope: ToolCallScope): ToolContext {
    const { signal, remainingMs, permission = READ_ONLY, audit = NO_NOTES } = scope;
    const { patienceMs = remainingMs, isReading = false, log = this.log } = scope;
    return {
      roots: this.roots,
      files: this.files,
      ignored: this.#ignored,
      servers: this.#serversFor(scope, { signal, timeoutMs: remainingMs() - MARGIN_MS }),
      folders: this.folders,
      facts: this.#facts,
      state: this.state,
      tools: scope.tools,
      permission,
      audit,
      clock: this.clock,
      environment: this.#options.environment,
      log,
      signal,
      remainingMs,
      patienceMs,
      during: (...documents: AbsPath[]): CallOptions => ({
        signal,
        timeoutMs: Math.max(1, remainingMs() - MARGIN_MS),
        ...(isReading ? { patienceMs: patienceMs() } : {}),
        ...(documents.length === 0 ? {} : { documents }),
      }),
      source: (path) => this.files.read(this.roots.resolve(path)),
      report: scope.report,
      setLogLevel: (level) => this.#options.setLogLevel(level),
      switchTools: (profile) => this.#options.switchTools(profile),
    };
  }

  /** Starts the servers of what the root is written in, so that the first question finds them warm. Nothing waits for it. */
  async warm(signal: AbortSignal): Promise<void> {
    try {
      const servers = await this.#servers();
      const { notStarted } = await servers.start({ root: this.roots.primary }, { signal });
      for (const { language, why } of notStarted) this.log.info('server not started', { language, why });
    } catch (error) {
      if (!signal.aborted) this.log.info('servers not started', { why: messageOf(error) });
    }
  }

  /** Lets go of all servers; what does not leave in time is left behind. */
  async close(): Promise<void> {
    await withTimeout(this.#router.close(), CLOSE_MS, () => undefined, this.clock);
    await this.state.close();
    // Last, because calls that end only now are recorded as well.
    await this.audit.close();
  }

  /** Loaded with the first question about more than files that are named. */
  #servers(): Promise<ServersOfSession> {
    this.#makingServers ??= import('./session-servers.ts').then(
      ({ ServersOfSession }) =>
        new ServersOfSession({
          router: this.#router,
          config: this.config,
          roots: this.roots,
          environment: this.#options.environment,
          clock: this.clock,
        }),
    );
    return this.#makingServers;
  }

  /** What has to be open for the server to know all that a question is about. */
  #reach(link: ServerLink, about: About, lookMs: number, call: CallOptions): Promise<Reach> {
    const boundary = this.roots.around(about.file ?? link.root);
    const folders = this.roots.folders.map((folder) => folder.path);
    const { patienceMs: showMs } = call;
    const isWide = this.roots.isTooWide(boundary);
    const { stateDir } = this.config;
    return link.reach({ ...about, boundary, isWide, folders, lookMs, showMs, stateDir }, call);
  }

  #serversFor(scope: ToolCallScope, call: CallOptions): SessionServers {
    const router = this.#router;
    const servers = () => this.#servers();
    const watched = async <T>(links: Promise<T>, of: (found: T) => readonly ServerLink[]): Promise<T> => {
      const found = await abandonable(links, scope.signal);
      for (const link of of(found)) scope.watch(link);
      return found;
    };
    return {
      linkFor: (file, wish) => watched(router.linkFor(file, wish), (link) => [link]),
      workspace: (languageId, name) => {
        const { signal } = scope;
        const lookMs = Math.min(scope.remainingMs() / 3, LOOK_MS, scope.patienceMs?.() ?? LOOK_MS);
        const wanted = { languageId, name, signal, lookMs };
        const found = servers().then((all) => all.workspace(wanted));
        return watched(found, ({ links }) => links);
      },
      planDial: (address) => planDial(address, this.config.allowedAddresses),
      start: (request) =>
        watched(
          servers().then((all) => all.start(request, call)),
          ({ started }) => started,
        ),
      detect: async (directory) => (await servers()).detect(directory, scope.signal),
      open: () => router.open,
      rolesOf: (link, file) => router.rolesOf(router.familyNamed(link.language), link.root, file),
      reach: (link, about, lookMs) => {
        const patienceMs = scope.isReading ? scope.patienceMs?.() : undefined;
        return this.#reach(link, about, lookMs, { ...call, patienceMs });
      },
      familyOfFile: (file) => this.familyOf(file),
      familyOf: (languageId) => router.familyNamed(languageId).id,
    };
  }
}
