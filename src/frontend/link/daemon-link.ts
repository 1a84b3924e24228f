/**
 * A server behind a broker, seen as a link. The broker is an optimisation: when it vanishes the link looks for another
 * once, and when it cannot be used the link runs the server in this process and says why. No call fails only because
 * the broker did.
 */
import type { AbsPath } from '../../shared/base/brand.ts';
import { FailureError, failureOf, messageOf } from '../../shared/base/failure.ts';
import { type Clock, Listeners, systemClock } from '../../shared/base/lifetime.ts';
import { type Log, silentLog } from '../../shared/base/log.ts';
import type { Reach, ReachQuestion } from '../../shared/link/reach-question.ts';
import type {
  CallOptions,
  CommandOutcome,
  DiagnosticReport,
  Evaluation,
  EvaluationResult,
  FileChange,
  FileRename,
  LinkEvent,
  LinkMode,
  OpenDocument,
  ServerCommand,
  ServerFacts,
  ServerLink,
  ServerState,
} from '../../shared/link/server-link.ts';
import type { ServerPlan } from '../../shared/link/server-plan.ts';
import { BROKER, type BrokerMethod } from '../../shared/rendezvous/broker-methods.ts';
import type { BrokerSession, SessionCall } from './broker-session.ts';
import { boundCall } from './call-bounds.ts';
import { describeServer, describeSurroundings } from './describe-server.ts';
import { EventRelay } from './event-relay.ts';
import { Holdings, placeAt } from './holdings.ts';

export interface DaemonLinkOptions {
  readonly plan: ServerPlan;
  /** Finds or starts the broker and attaches to it. */
  join(signal: AbortSignal): Promise<BrokerSession>;
  openDirect(plan: ServerPlan): Promise<ServerLink>;
  readonly clock?: Clock;
  readonly log?: Log;
}

export class DaemonLink implements ServerLink {
  readonly root: AbsPath;
  readonly language: string;
  readonly command: string;
  readonly surroundings: string | undefined;
  readonly #options: DaemonLinkOptions;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #states = new Listeners<ServerState>();
  readonly #events = new EventRelay();
  readonly #closing = new AbortController();
  readonly #held: Holdings;
  #session: BrokerSession | undefined;
  #joining: Promise<BrokerSession> | undefined;
  #direct: ServerLink | undefined;
  #goingDirect: Promise<ServerLink> | undefined;
  #notice: string | undefined;

  constructor(options: DaemonLinkOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#log = options.log ?? silentLog;
    this.#held = new Holdings(this.#log);
    this.root = options.plan.root;
    this.language = options.plan.language;
    this.command = describeServer(options.plan);
    this.surroundings = describeSurroundings(options.plan);
  }

  get mode(): LinkMode {
    return this.#direct?.mode ?? 'daemon';
  }

  get folders(): readonly AbsPath[] {
    return this.#held.folders;
  }

  get notice(): string | undefined {
    return this.#direct?.notice ?? this.#notice;
  }

  get state(): ServerState {
    return this.#direct?.state ?? this.#joined()?.state ?? { kind: 'idle' };
  }

  facts(options: CallOptions = {}): Promise<ServerFacts> {
    return this.#call(BROKER.facts, {}, options, (link, call) => link.facts(call));
  }

  request(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    const { documents = [], idempotent = true, whenReady = false, patienceMs } = options;
    const request = { method, params, documents, idempotent, whenReady, patienceMs };
    return this.#call(BROKER.request, request, options, (link, call) => link.request(method, params, call));
  }

  executeCommand(command: ServerCommand, options: CallOptions = {}): Promise<CommandOutcome> {
    const params = { command, documents: options.documents ?? [] };
    const once = { ...options, idempotent: false };
    return this.#call(BROKER.executeCommand, params, once, (link, call) =>
      link.executeCommand(command, call),
    );
  }

  diagnostics(file: AbsPath, options: CallOptions = {}): Promise<DiagnosticReport> {
    return this.#call(BROKER.diagnostics, { file }, options, (link, call) => link.diagnostics(file, call));
  }

  evaluate(evaluation: Evaluation, options: CallOptions = {}): Promise<EvaluationResult> {
    const params = { evaluation, whenReady: options.whenReady === true };
    return this.#call(BROKER.evaluate, params, options, (link, call) => link.evaluate(evaluation, call));
  }

  async openDocument(file: AbsPath, options: CallOptions = {}): Promise<OpenDocument> {
    const directly = (link: ServerLink, call: CallOptions) => link.openDocument(file, call);
    const opened = await this.#call(BROKER.openDocument, { file }, options, directly);
    this.#held.pinned.add(file);
    return opened;
  }

  async closeDocument(file: AbsPath): Promise<void> {
    this.#held.pinned.delete(file);
    // Without a server there is nothing to close, and no reason to start one.
    if (!this.#direct && !this.#joined()) return;
    const asked = (session: BrokerSession) => session.call(BROKER.closeDocument, { file }, {});
    await this.#run({}, asked, (link) => link.closeDocument(file));
  }

  async openDocuments(): Promise<readonly OpenDocument[]> {
    if (this.#held.pinned.size === 0) return [];
    const pinned = () => this.#held.whenPinned();
    const asked = (session: BrokerSession) => pinned().then(() => session.call(BROKER.openDocuments, {}, {}));
    const directly = (link: ServerLink) => pinned().then(() => link.openDocuments());
    return await this.#run({}, asked, directly);
  }

  async setFolders(folders: readonly AbsPath[]): Promise<void> {
    const before = this.#held.folders;
    this.#held.folders = folders;
    await this.#joining?.catch(() => {});
    // Whatever is joined later is given them first.
    if (!this.#goingDirect && !this.#joined()) return;
    const params = { folders };
    const told = (session: BrokerSession) => session.call(BROKER.setFolders, params, {});
    await this.#run({}, told, (link) => link.setFolders(folders)).catch((error: unknown) => {
      this.#held.folders = before;
      throw error;
    });
  }

  reach(question: ReachQuestion, options: CallOptions = {}): Promise<Reach> {
    const params = { question };
    return this.#call(BROKER.reach, params, options, (link, call) => link.reach(question, call));
  }

  async tellChanges(changes: readonly FileChange[], options: CallOptions = {}): Promise<void> {
    const params = { changes };
    await this.#call(BROKER.tellChanges, params, options, (link, call) => link.tellChanges(changes, call));
  }

  async tellRenamed(renames: readonly FileRename[], options: CallOptions = {}): Promise<void> {
    const params = { renames };
    await this.#call(BROKER.tellRenamed, params, options, (link, call) => link.tellRenamed(renames, call));
  }

  async whenSettled(options: CallOptions = {}): Promise<ServerState> {
    const asked = (session: BrokerSession, call: SessionCall) => session.settled(call);
    return await this.#run(options, asked, (link, call) => link.whenSettled(call));
  }

  restart(options: CallOptions = {}): Promise<ServerFacts> {
    return this.#call(BROKER.restart, {}, options, (link, call) => link.restart(call));
  }

  onState(listener: (state: ServerState) => void): Disposable {
    return this.#states.add(listener);
  }

  onEvent(listener: (event: LinkEvent) => void): Disposable {
    return this.#events.add(listener);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#session?.close();
    this.#session = undefined;
    const direct = await this.#goingDirect?.catch(() => undefined);
    await direct?.close();
  }

  /** One that the broker has under a name of its own. */
  #call<Params extends object, Result, Direct>(
    method: BrokerMethod<string, Params, Result>,
    params: Params,
    options: CallOptions,
    directly: (link: ServerLink, call: CallOptions) => Promise<Direct>,
  ): Promise<Result | Direct> {
    const asked = (session: BrokerSession, call: SessionCall) => session.call(method, params, call);
    return this.#run(options, asked, directly);
  }

  /** Through the broker, through the next one, or in this process: the caller cannot tell. */
  async #run<Result, Direct>(
    options: CallOptions,
    viaBroker: (session: BrokerSession, call: SessionCall) => Promise<Result>,
    viaDirect: (link: ServerLink, call: CallOptions) => Promise<Direct>,
  ): Promise<Result | Direct> {
    const call = boundCall(options, this.#clock, () => this.state.kind);
    let why = 'the daemon went away twice';
    for (let attempt = 0; attempt < 2 && !this.#goingDirect; attempt++) {
      let session: BrokerSession;
      try {
        session = this.#joined() ?? (await call.wait(this.#join()));
      } catch (error) {
        if (call.over() || this.#closing.signal.aborted) throw error;
        why = reasonOf(error);
        break;
      }
      try {
        return await viaBroker(session, call.remaining());
      } catch (error) {
        const kind = failureOf(error)?.kind;
        const draining = kind === 'draining';
        // A broker that is told to leave at once loses its server before its connections.
        if (!draining && kind !== 'connection-lost' && session.end === undefined) throw error;
        if (draining) session.retire();
        else session.close();
        if (this.#session === session) this.#session = undefined;
        if (call.over() || this.#closing.signal.aborted) throw error;
        // It may have been executed; only the caller can know whether once more is right.
        if (!draining && options.idempotent === false) throw error;
        why = reasonOf(error);
        if (session.end === 'silent') break;
      }
    }
    const direct = await call.wait(this.#fallBack(why));
    return viaDirect(direct, call.remaining());
  }

  #joined(): BrokerSession | undefined {
    return this.#session?.end === undefined ? this.#session : undefined;
  }

  #join(): Promise<BrokerSession> {
    if (this.#closing.signal.aborted) return Promise.reject(new FailureError({ kind: 'cancelled' }));
    this.#joining ??= this.#attach().finally(() => {
      this.#joining = undefined;
    });
    return this.#joining;
  }

  async #attach(): Promise<BrokerSession> {
    const session = await this.#options.join(this.#closing.signal);
    await this.#held.moveTo(placeAt(session));
    if (this.#closing.signal.aborted) {
      session.close();
      throw new FailureError({ kind: 'cancelled' });
    }
    this.#session = session;
    session.onState((state) => this.#session === session && this.#states.emit(state));
    this.#states.emit(session.state);
    this.#events.follow(session);
    return session;
  }

  /** From here on the link is a direct one, until it is closed. */
  #fallBack(why: string): Promise<ServerLink> {
    this.#goingDirect ??= this.#openDirect(why);
    return this.#goingDirect;
  }

  async #openDirect(why: string): Promise<ServerLink> {
    this.#log.warn('running the server without the daemon', { why });
    this.#notice = `the daemon could not be used (${why}); the server runs in this process instead`;
    const direct = await this.#options.openDirect(this.#options.plan).catch((error: unknown) => {
      this.#goingDirect = undefined;
      throw error;
    });
    await this.#held.moveTo(direct);
    this.#direct = direct;
    direct.onState((state) => this.#states.emit(state));
    this.#events.follow(direct);
    return direct;
  }
}

function reasonOf(error: unknown): string {
  const failure = failureOf(error);
  if (failure?.kind === 'broker-unavailable') return failure.reason;
  if (failure?.kind === 'connection-lost') return failure.what;
  return failure ? failure.kind : messageOf(error);
}
