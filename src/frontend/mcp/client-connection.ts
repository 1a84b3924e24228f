/**
 * Everything that belongs to one MCP client, however it is connected: its session with roots and tools, its resources and
 * skills, and what it is told without asking. A transport brings the messages and takes the answers.
 */
import type { Server } from '@modelcontextprotocol/server';
import type { ToolProfile } from '../../shared/config/choices.ts';
import { sessionFeatures } from '../features/session-features.ts';
import { type LazySession, lazySession } from '../session/lazy-session.ts';
import type { ServeOptions } from '../session/serve-options.ts';
import type { Session, SessionOptions } from '../session/session.ts';
import { type LogThreshold, thresholdOf } from '../tools/log-levels.ts';
import type { ChangeSink } from './change-sink.ts';
import { ClientRoots } from './client-roots.ts';
import { instructionsFor } from './instructions.ts';
import { ResourceCalls } from './resource-calls.ts';
import type { RoundTrips } from './round-trips.ts';
import type { SessionLog } from './session-log.ts';
import { SkillCalls } from './skill-calls.ts';
import { ToolCalls } from './tool-calls.ts';
import { ToolSet } from './tool-set.ts';

export interface ConnectionStart {
  readonly options: ServeOptions;
  /** The script of this program, which also is the broker's. */
  readonly entryScript: string;
  readonly log: SessionLog;
  /** What others are told who this is, where a process has several. */
  readonly label?: string;
  /** What it reads the sources through, where a process has several. */
  readonly files?: SessionOptions['files'];
  /** The tools that are configured, if that is known before the configuration is read. */
  readonly profile: ToolProfile | undefined;
  /** The session is there, which the first call opens. */
  onOpened(session: Session): void;
  /** A call has its answer. */
  onCalled(): void;
}

/** Sends a message as it is, but for what every message has; it never fails. */
export type Tell = (message: object) => void;

export class ClientConnection {
  readonly log: SessionLog;
  readonly roots: ClientRoots;
  readonly session: LazySession;
  readonly calls: ToolCalls;
  readonly skills: SkillCalls;
  readonly resources: ResourceCalls;
  readonly #profile: ToolProfile | undefined;
  readonly #toolSet: ToolSet;
  readonly #over = new AbortController();
  #roundTrips: RoundTrips | undefined;

  constructor(start: ConnectionStart) {
    const { log, entryScript, onOpened, onCalled } = start;
    this.log = log;
    this.#profile = start.profile;
    this.roots = new ClientRoots(log);
    this.#toolSet = new ToolSet(log);
    const opening = lazySession(
      () => this.#sessionOptions(start),
      (opened) => {
        log.setDefault(thresholdOf(opened.config.logLevel));
        onOpened(opened);
        void this.resources.openChannels(opened);
        if (opened.config.isEager) void opened.warm(this.#over.signal);
      },
    );
    this.session = this.roots.over(opening);
    this.resources = new ResourceCalls(this.session, log);
    this.calls = new ToolCalls(this.session, this.#toolSet, onCalled);
    this.skills = new SkillCalls(this.session, this.#toolSet, entryScript);
  }

  /** Reads every message of the client before it is dealt with; true for one that is dealt with thereby. */
  readonly saw = (message: object): boolean => {
    this.resources.saw(message);
    this.#toolSet.saw(message);
    return this.roots.saw(message);
  };

  /** A client that began with `initialize` is ready to be told and asked things. */
  initialized(tell: Tell): void {
    this.log.attach((level, data, logger = 'agent-lsp') =>
      tell({ method: 'notifications/message', params: { level, logger, data } }),
    );
    this.#toolSet.announce = (method) => tell({ method });
    this.roots.ask(tell);
    void this.#openIfEager();
  }

  /**
   * The SDK's server, loaded late; each that is made takes part in the same connection. The newest of them tells of changes
   * unless something else does.
   */
  async loadServer(changes?: ChangeSink): Promise<() => Server> {
    const [{ changesThrough, createMcpServer }, { RoundTrips }] = await Promise.all([
      import('./server.ts'),
      import('./round-trips.ts'),
    ]);
    const { calls, resources, skills, roots, log } = this;
    const roundTrips = this.#roundTrips ?? new RoundTrips();
    this.#roundTrips = roundTrips;
    if (changes) this.#announceBy(changes);
    return () => {
      const instructions = instructionsFor(this.#profile && this.#toolSet.profile(this.#profile));
      const server = createMcpServer({ calls, roundTrips, resources, skills, roots, log, instructions });
      if (!changes) this.#announceBy(changesThrough(server));
      return server;
    };
  }

  /** The client has gone. */
  async close(): Promise<void> {
    this.#over.abort();
    this.log.detach();
    this.resources.close();
    this.#roundTrips?.close();
    await this.session.close();
  }

  #announceBy(changes: ChangeSink): void {
    this.#toolSet.announce = (method) => changes.listChanged(method);
    this.resources.announce = (uri) => changes.resourceUpdated(uri);
  }

  async #sessionOptions({ options, entryScript, log, label, files }: ConnectionStart) {
    const { sessionOptions } = await import('../session/session-options.ts');
    const setLogLevel = (level: LogThreshold) => {
      log.threshold = level;
    };
    return sessionOptions(options, entryScript, {
      log,
      ...(label === undefined ? {} : { label }),
      files,
      setLogLevel,
      switchTools: this.#toolSet.switchTo,
      features: sessionFeatures,
    });
  }

  /** Other sessions are opened by their first call, or when their tools are listed. */
  async #openIfEager(): Promise<void> {
    const read = await this.session.config();
    if ('config' in read && read.config.isEager) await this.session.open();
  }
}
