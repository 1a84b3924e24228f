/**
 * The managed server as links and the broker see it: every call is bounded, ends exactly once, and is repeated after
 * a crash if that is safe. server-lives.ts decides which process answers.
 */
import { DidRenameFilesNotification, ExecuteCommandRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../base/brand.ts';
import { FailureError } from '../base/failure.ts';
import { abandonable, type Clock, Listeners, systemClock } from '../base/lifetime.ts';
import { silentLog } from '../base/log.ts';
import { pathToUri } from '../base/paths.ts';
import { describeState } from '../link/describe-state.ts';
import type { Reach, ReachQuestion } from '../link/reach-question.ts';
import type {
  CallOptions,
  CommandOutcome,
  DiagnosticReport,
  Evaluation,
  EvaluationResult,
  FileChange,
  FileRename,
  LinkEvent,
  OpenDocument,
  ServerCommand,
  ServerFacts,
  ServerState,
} from '../link/server-link.ts';
import type { ServerPlan } from '../link/server-plan.ts';
import { askServer, patienceOf } from './calls/ask-server.ts';
import {
  type CallScope,
  type HostCallOptions,
  openCallScope,
  type ScopeOptions,
} from './calls/call-scope.ts';
import { evaluate, refuseUnlessApart, subjectOf } from './calls/evaluate.ts';
import { firstSettled, whenSettledInTime } from './calls/first-settled.ts';
import { PoisonList } from './calls/poison.ts';
import { ShownProjects } from './calls/shown-projects.ts';
import { Turns } from './calls/turns.ts';
import { type FreshOptions, freshDiagnostics } from './diagnostics/fresh-diagnostics.ts';
import { orNothing } from './diagnostics/or-nothing.ts';
import type { DocumentBooks } from './documents/documents.ts';
import { FolderBook } from './documents/folder-book.ts';
import { type HostUser, PinBook } from './documents/pin-book.ts';
import type { Host, HostCounters, HostDeps } from './host.ts';
import { crashFailure, isCrash } from './process/server-death.ts';
import { askAgain, passesBy } from './protocol/ask-again.ts';
import { requireOffer } from './protocol/offered-methods.ts';
import { relayEvents } from './relay-events.ts';
import type { ServerInstance } from './server-instance.ts';
import { ServerLives } from './server-lives.ts';

export function createHost(plan: ServerPlan, deps: HostDeps = {}): Host {
  return new ManagedHost(plan, deps);
}

type Operation<T> = (instance: ServerInstance, scope: CallScope) => Promise<T>;

const CALL_MS = 50_000;
const TIMEOUT_REPORT_MS = 500;

class ManagedHost implements Host {
  readonly plan: ServerPlan;
  readonly #clock: Clock;
  readonly #lives: ServerLives;
  readonly #turns: Turns;
  readonly #books: DocumentBooks = { versions: new Map(), pins: new PinBook() };
  readonly #folders: FolderBook;
  readonly #poison = new PoisonList();
  readonly #projects: ShownProjects;
  readonly #events = new Listeners<LinkEvent>();

  constructor(plan: ServerPlan, deps: HostDeps) {
    this.plan = plan;
    this.#clock = deps.clock ?? systemClock;
    this.#turns = new Turns(this.#clock);
    this.#projects = new ShownProjects(plan, this.#books.pins, this.#clock);
    this.#folders = new FolderBook(plan.root);
    this.#lives = new ServerLives(plan, {
      books: this.#books,
      folders: this.#folders,
      clock: this.#clock,
      log: deps.log ?? silentLog,
      opened: (instance, isWoken) => {
        this.#projects.follow(instance);
        relayEvents(instance, isWoken, this.#turns, this.#events);
      },
      processChanged: deps.onServerProcess ?? (() => {}),
      crashed: () => this.#poison.died(this.#turns.labels),
    });
  }

  get state(): ServerState {
    return this.#lives.state;
  }

  get counters(): HostCounters {
    const { instance, started, crashes } = this.#lives;
    return {
      instance: started,
      pid: instance?.transport.pid,
      crashes,
      openDocuments: instance?.documents.count ?? 0,
    };
  }

  facts(options: CallOptions = {}): Promise<ServerFacts> {
    return this.#call('initialize', options, async (instance) => instance.facts);
  }

  request(method: string, params: unknown, options: HostCallOptions = {}): Promise<unknown> {
    const bounds = { ...options, clock: this.#clock, since: this.#clock.now() };
    return this.#call(method, options, async (instance, scope) => {
      requireOffer(instance, method);
      const patience = patienceOf(instance, method, bounds, { unasked: true });
      if (options.whenReady) await whenSettledInTime(this, scope, patience);
      const { signal } = scope;
      const ask = () => askServer(instance, method, params, { ...bounds, signal });
      // What has effects may have been half done when the server gave it up.
      if (options.idempotent === false) return this.#turns.read(instance, scope, ask);
      const isWorthIt = passesBy(instance.quirks);
      const asked = () => askAgain({ signal, clock: this.#clock, isWorthIt }, ask);
      return this.#turns.read(instance, scope, () => orNothing(instance.quirks.nothingThere, asked));
    });
  }

  executeCommand(command: ServerCommand, options: CallOptions = {}): Promise<CommandOutcome> {
    const once = { ...options, idempotent: false, subject: command.command };
    return this.#call(ExecuteCommandRequest.method, once, async (instance, scope) => {
      requireOffer(instance, ExecuteCommandRequest.method);
      return instance.commands.run(command, scope.signal, (send) =>
        this.#turns.read(instance, scope, async () => {
          await instance.watchedFiles.catchUp({ spansFiles: true });
          await instance.documents.syncAll(options.documents ?? []);
          return send().finally(() => instance.questions.forget());
        }),
      );
    });
  }

  diagnostics(file: AbsPath, options: CallOptions = {}): Promise<DiagnosticReport> {
    return this.#call('textDocument/diagnostic', { ...options, documents: [file] }, (instance, scope) =>
      this.#turns.read(instance, scope, async () => {
        await instance.watchedFiles.catchUp({ spansFiles: true });
        return freshDiagnostics(instance, file, this.#freshBounds(scope));
      }),
    );
  }

  async evaluate(evaluation: Evaluation, options: CallOptions = {}): Promise<EvaluationResult> {
    refuseUnlessApart(this.plan);
    const fileList = options.whenReady === true;
    return this.#call('evaluate', { ...options, subject: subjectOf(evaluation) }, async (instance, scope) => {
      if (options.whenReady) await firstSettled(this, scope);
      return evaluate(instance, evaluation, this.#turns, { scope, clock: this.#clock, fileList });
    });
  }

  openDocument(user: HostUser, file: AbsPath, options: CallOptions = {}): Promise<OpenDocument> {
    return this.#call('textDocument/didOpen', { ...options, documents: [file] }, (instance, scope) =>
      this.#turns.read(instance, scope, async () => {
        await instance.watchedFiles.catchUp({ spansFiles: false });
        const document = await instance.documents.sync(file);
        this.#books.pins.add(user, file);
        return document;
      }),
    );
  }

  async closeDocument(user: HostUser, file: AbsPath): Promise<void> {
    if (this.#books.pins.remove(user, file)) this.#lives.instance?.documents.close(file);
  }

  openDocuments(user: HostUser): readonly OpenDocument[] {
    const { pins, versions } = this.#books;
    return pins.of(user).map((file) => ({ file, version: versions.get(file) ?? 0 }));
  }

  async setFolders(user: HostUser, folders: readonly AbsPath[]): Promise<void> {
    const before = this.#folders.of(user);
    this.#folders.set(user, folders);
    const instance = this.#lives.running;
    if (!instance || instance.folders.follow()) return;
    this.#folders.set(user, before);
    const method = 'workspace/didChangeWorkspaceFolders';
    throw new FailureError({ kind: 'unsupported', server: instance.facts.serverName, method });
  }

  reach(user: HostUser, question: ReachQuestion, options: CallOptions = {}): Promise<Reach> {
    const asked = this.#clock.now();
    return this.#call('reach', options, (instance, scope) =>
      this.#turns.read(instance, scope, () =>
        this.#projects.reach(instance, this.#folders.of(user), question, asked),
      ),
    );
  }

  tellChanges(changes: readonly FileChange[], options: CallOptions = {}): Promise<void> {
    return this.#call('workspace/didChangeWatchedFiles', options, (instance, scope) =>
      this.#turns.read(instance, scope, async () => instance.watchedFiles.tell(changes)),
    );
  }

  tellRenamed(renames: readonly FileRename[], options: CallOptions = {}): Promise<void> {
    const { method } = DidRenameFilesNotification;
    const files = renames.map(({ from, to }) => ({ oldUri: pathToUri(from), newUri: pathToUri(to) }));
    return this.#call(method, options, (instance, scope) =>
      this.#turns.read(instance, scope, async () => {
        if (instance.offered.supports(method)) instance.connection.notify(method, { files });
      }),
    );
  }

  releaseUser(user: HostUser): void {
    void this.setFolders(user, []).catch(() => {});
    for (const file of this.#books.pins.of(user)) void this.closeDocument(user, file);
  }

  onState(listener: (state: ServerState) => void): Disposable {
    return this.#lives.onState(listener);
  }

  onEvent(listener: (event: LinkEvent) => void): Disposable {
    return this.#events.add(listener);
  }

  async whenSettled(options: CallOptions = {}): Promise<ServerState> {
    const scope = openCallScope('workspace readiness', options, CALL_MS, this.#clock);
    // Starting is what brings the state forward; if it fails, the state says so.
    this.#lives.obtain().catch(() => {});
    try {
      return await firstSettled(this, scope);
    } finally {
      scope.end();
    }
  }

  async restart(options: CallOptions = {}): Promise<ServerFacts> {
    this.#poison.clear();
    await this.#lives.renew();
    return this.facts(options);
  }

  sleep(reason: string): boolean {
    if (!this.#turns.isFree || !this.#lives.running) return false;
    this.#lives.sleep(reason);
    return true;
  }

  stop(): Promise<void> {
    return this.#lives.stop();
  }

  /** Ends a little before the call does, so that a timeout can still carry what was last known. */
  #freshBounds({ signal, deadline }: CallScope): FreshOptions {
    const margin = Math.min(TIMEOUT_REPORT_MS, (deadline - this.#clock.now()) / 5);
    return { signal, deadline: deadline - margin, clock: this.#clock };
  }

  async #call<T>(method: string, options: ScopeOptions, operation: Operation<T>): Promise<T> {
    const scope = openCallScope(method, options, CALL_MS, this.#clock);
    try {
      this.#poison.refuse(scope.label, this.plan.serverId);
      return await this.#attempt(scope, operation).catch((error: unknown) => {
        if (options.idempotent === false || !isCrash(error) || scope.signal.aborted) throw error;
        return this.#attempt(scope, operation);
      });
    } catch (error) {
      throw scope.explain(error, describeState(this.state));
    } finally {
      scope.end();
    }
  }

  async #attempt<T>(scope: CallScope, operation: Operation<T>): Promise<T> {
    if (scope.signal.aborted) throw new FailureError({ kind: 'cancelled' });
    const instance = this.#lives.running ?? (await abandonable(this.#lives.obtain(), scope.signal));
    this.#turns.begin(scope);
    scope.onEnd((reason) => {
      if (reason === 'timeout' && this.#turns.isRunning(scope)) void instance.engine.timedOut();
    });
    try {
      const answer = await instance.engine.guard(() =>
        abandonable(abandonable(operation(instance, scope), scope.signal), instance.ended),
      );
      this.#poison.survived(scope.label);
      return answer;
    } catch (error) {
      if (!instance.ended.aborted || scope.signal.aborted) throw error;
      const wasWaiting = !this.#turns.isRunning(scope);
      // The closed connection is noticed first; the death behind it says why.
      const death = await instance.died;
      // Of what was waiting for its turn nothing was sent, so this was no attempt.
      if (wasWaiting) return await this.#attempt(scope, operation);
      throw crashFailure(this.plan, death);
    } finally {
      this.#turns.end(scope);
    }
  }
}
