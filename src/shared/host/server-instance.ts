/**
 * One life of one server process: from the handshake to its end. A restart makes a new instance,
 * so that nothing of a dead server (documents, registrations, diagnostics, pending ids) can leak into the next.
 */
import { setMaxListeners } from 'node:events';
import {
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  ExitNotification,
  InitializedNotification,
  type InitializeParams,
  InitializeRequest,
  type InitializeResult,
  type ProgressToken,
  ShutdownRequest,
} from 'vscode-languageserver-protocol';
import { type Clock, deferred, Listeners, withTimeout } from '../base/lifetime.ts';
import type { Log } from '../base/log.ts';
import { pathToUri } from '../base/paths.ts';
import type { Encoding } from '../base/positions.ts';
import { isSettled, type ServerFacts } from '../link/server-link.ts';
import type { ServerPlan } from '../link/server-plan.ts';
import { VERSION } from '../version.ts';
import { Connection } from '../wire/connection.ts';
import { FrameReader, FrameWriter } from '../wire/frame-stream.ts';
import { SharedQuestions } from './calls/shared-questions.ts';
import type { DiagnosedServer } from './diagnostics/diagnosed-server.ts';
import { DiagnosticsStore } from './diagnostics/diagnostics-store.ts';
import { type PublishingServer, publishingServer } from './diagnostics/publishing-server.ts';
import type { WatchedFiles } from './disk/watched-files.ts';
import { watchedFilesOf } from './disk/watched-instance.ts';
import { type DocumentBooks, Documents } from './documents/documents.ts';
import type { FolderBook } from './documents/folder-book.ts';
import { ServerFolders } from './documents/server-folders.ts';
import { EngineWatch } from './process/engine-watch.ts';
import { openTransport } from './process/open-transport.ts';
import type { Death } from './process/server-death.ts';
import type { ServerTransport } from './process/transport.ts';
import { CommandEdits } from './protocol/command-edits.ts';
import { OfferedMethods } from './protocol/offered-methods.ts';
import { ourCapabilities } from './protocol/our-capabilities.ts';
import { factsOf, type Quirks } from './protocol/quirks.ts';
import { quirksOf } from './protocol/server-quirks.ts';
import { answerServerRequest, settingsTree } from './protocol/server-requests.ts';
import { withOptions } from './protocol/with-options.ts';
import { awaitFolder, awaitReadiness } from './readiness/canary.ts';
import { Readiness } from './readiness/readiness.ts';
import { hearServerNotification } from './server-notifications.ts';

export interface InstanceDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly books: DocumentBooks;
  readonly folders: FolderBook;
  stateChanged(): void;
  processStarted(pid: number | undefined): void;
}

const MAX_RESULT_BYTES = 256 * 1024 * 1024;
export const SHUTDOWN_MS = 3000;
const LAST_WORDS_MS = 200;

export class ServerInstance implements DiagnosedServer {
  readonly number: number;
  readonly plan: ServerPlan;
  readonly quirks: Quirks;
  readonly transport: ServerTransport;
  readonly connection: Connection;
  readonly documents: Documents;
  readonly diagnostics: DiagnosticsStore;
  readonly publishing: PublishingServer;
  readonly readiness: Readiness;
  readonly watchedFiles: WatchedFiles;
  readonly folders: ServerFolders;
  readonly engine: EngineWatch;
  readonly commands: CommandEdits;
  readonly questions = new SharedQuestions(() => this.readiness.answered());
  /** Resolves once when this life is over, however it ends. */
  readonly died: Promise<Death>;
  /** Aborted as soon as the connection or the process ends; `died` follows with the reason. */
  readonly ended: AbortSignal;
  readonly #deps: InstanceDeps;
  readonly #registrations = new Listeners<void>();
  #offered = new OfferedMethods({});
  #result: InitializeResult | undefined;

  /** Spawns or dials; the handshake is a separate step so that a slow one can be seen and waited for. */
  static async open(plan: ServerPlan, number: number, deps: InstanceDeps): Promise<ServerInstance> {
    const transport = await openTransport(plan, deps.clock);
    deps.processStarted(transport.pid);
    return new ServerInstance(plan, number, transport, deps);
  }

  private constructor(plan: ServerPlan, number: number, transport: ServerTransport, deps: InstanceDeps) {
    this.plan = plan;
    this.number = number;
    this.transport = transport;
    this.#deps = deps;
    this.quirks = quirksOf(plan.serverId);
    this.diagnostics = new DiagnosticsStore(deps.clock, this.quirks);
    // An engine that is ready by its first answer computes each in one go.
    const worksInOrder = this.quirks.oneAtATime && this.quirks.ready.by === 'first-answer';
    this.readiness = new Readiness(this.quirks, deps.clock, () => {
      this.questions.heard({ worksInOrder });
      deps.stateChanged();
    });
    const reader = new FrameReader(transport.input, { maxBodyBytes: MAX_RESULT_BYTES, oversize: 'skip' });
    const closed = deferred<string>();
    const ended = new AbortController();
    this.ended = ended.signal;
    // Each pending call listens; there may be many.
    setMaxListeners(0, ended.signal);
    this.connection = new Connection(reader, new FrameWriter(transport.output), {
      request: (method, params) => {
        // Whatever it wants to be asked again, or be asked about from now on: it knows something new.
        this.questions.heard({ worksInOrder });
        return answerServerRequest(method, params, this.#requestContext());
      },
      notification: (method, params) => {
        this.watchedFiles.hear(method, params);
        hearServerNotification(method, params, this, deps.log);
      },
      closed: (reason) => {
        ended.abort();
        closed.resolve(reason);
      },
    });
    this.commands = new CommandEdits(this.connection, deps.clock);
    this.documents = new Documents(plan, this.#documentPort(), deps.books, deps.clock);
    this.publishing = publishingServer(this, deps.clock);
    this.watchedFiles = watchedFilesOf(this, deps);
    this.folders = new ServerFolders(this.#foldersPort());
    this.engine = new EngineWatch({
      pid: transport.owned ? transport.pid : undefined,
      engine: this.quirks.engine,
      clock: deps.clock,
      heard: () => this.connection.heard,
      isSettled: () => isSettled(this.readiness.state),
      lost: (reason) => void this.destroy(reason),
    });
    this.died = this.#watchForDeath(closed.promise);
  }

  async handshake(timeoutMs: number): Promise<void> {
    this.watchedFiles.begin();
    const result = (await withTimeout(
      this.connection.request(InitializeRequest.method, this.#initializeParams()),
      timeoutMs,
      () => {
        throw new Error(`no answer to initialize within ${Math.round(timeoutMs / 1000)} s`);
      },
      this.#deps.clock,
    )) as InitializeResult;
    this.#result = result;
    const early = this.#offered;
    this.#offered = new OfferedMethods(result.capabilities);
    this.#offered.register(early.registrations());
    this.#watch();
    this.connection.notify(InitializedNotification.method, {});
    if (!this.quirks.asksForSettings)
      this.connection.notify(DidChangeConfigurationNotification.method, {
        settings: settingsTree(this.plan.settings),
      });
    await awaitReadiness(this, this.#deps.clock);
  }

  get facts(): ServerFacts {
    const result = this.#result;
    if (!result) throw new Error('facts are known after the handshake only');
    const { serverInfo } = result;
    const { capabilities } = this.#offered;
    return {
      serverName: serverInfo?.name ?? this.plan.serverId,
      ...(serverInfo?.version === undefined ? {} : { serverVersion: shortVersion(serverInfo.version) }),
      capabilities,
      methods: this.#offered.all(),
      encoding: (capabilities.positionEncoding ?? 'utf-16') as Encoding,
      ...(this.folders.others.length > 0 ? { folders: this.folders.others } : {}),
      ...factsOf(this.quirks),
      instance: this.number,
      ...(this.transport.pid === undefined ? {} : { pid: this.transport.pid }),
    };
  }

  onRegistrations(listener: () => void): Disposable {
    return this.#registrations.add(listener);
  }

  get offered(): OfferedMethods {
    return this.#offered;
  }

  /** shutdown, exit, 3 s in all; then whatever is left is ended. A dialled server is only hung up on. */
  async stop(): Promise<void> {
    // Before the handshake there is nothing to shut down in order.
    if (this.transport.owned && this.#result && !this.connection.closed) {
      const polite = this.connection
        .request(ShutdownRequest.method, undefined)
        .then(() => {
          this.connection.notify(ExitNotification.method, undefined);
          return this.transport.gone;
        })
        .catch(() => undefined);
      await withTimeout(polite, SHUTDOWN_MS, () => undefined, this.#deps.clock);
    }
    await this.destroy('stopped');
  }

  async destroy(reason: string): Promise<void> {
    this.connection.close(reason);
    this.readiness.dispose();
    this.engine.dispose();
    await Promise.all([this.transport.destroy(), this.watchedFiles.dispose()]);
  }

  async #watchForDeath(closed: Promise<string>): Promise<Death> {
    const first = await Promise.race([closed, this.transport.gone]);
    // A dying process closes its pipes and exits in either order. The last answers may still be on their way,
    // and the exit explains more than the closed pipe; but a bad header or a closed socket stands for itself.
    const both = Promise.all([closed, this.transport.gone]).then(([, exit]) => exit);
    const reason = await withTimeout(both, LAST_WORDS_MS, () => first, this.#deps.clock);
    await this.destroy(reason);
    return { reason: reason === first ? reason : `${reason} (${first})`, stderr: this.transport.stderr() };
  }

  #watch(): void {
    this.watchedFiles.registered(this.#offered.registrationsOf(DidChangeWatchedFilesNotification.method));
  }

  #requestContext() {
    return {
      plan: this.plan,
      quirks: this.quirks,
      offered: this.#offered,
      commands: this.commands,
      folders: this.folders.list,
      registrationsChanged: () => {
        this.#watch();
        this.#registrations.emit();
      },
      progressCreated: (token: ProgressToken) => this.readiness.progressCreated(token),
      diagnosticsRefreshed: () => this.diagnostics.refreshRequested(),
    };
  }

  #documentPort() {
    const instance = this;
    return {
      notify: (method: string, params: unknown) => {
        instance.diagnostics.sending(method, params);
        instance.connection.notify(method, params);
      },
      beforeChange: (...change: Parameters<DiagnosticsStore['textChanges']>) =>
        instance.diagnostics.textChanges(...change),
      withChange: this.quirks.withChange,
      keepsIncluded: this.quirks.keepsIncluded,
      checkerReadsDisk: this.quirks.checkerReadsDisk,
      get save() {
        return instance.offered.save;
      },
    };
  }

  #foldersPort(): ConstructorParameters<typeof ServerFolders>[0] {
    const { clock, folders: book } = this.#deps;
    return {
      root: this.plan.root,
      book,
      facts: () => this.facts,
      notify: (method, params) => this.connection.notify(method, params),
      beforeChange: (folders, added) => {
        this.watchedFiles.follow(folders);
        this.readiness.foldersAdded(added);
      },
      added: (folder) => void awaitFolder(this, clock, folder),
      removed: (folder) => this.documents.closeIn(folder),
    };
  }

  #initializeParams(): InitializeParams {
    const rootUri = pathToUri(this.plan.root);
    return {
      // A server ends itself when this process does; one that we only dialled must not.
      processId: this.transport.owned ? process.pid : null,
      clientInfo: { name: 'agent-lsp', version: VERSION },
      locale: 'en',
      rootUri,
      rootPath: this.plan.root,
      workspaceFolders: this.folders.begin(),
      capabilities: ourCapabilities,
      initializationOptions: withOptions(this.plan.initializationOptions, this.quirks.leaveWatchingToUs),
    };
  }
}

/** gopls sends its whole build information as JSON. */
function shortVersion(version: string): string {
  const named = /^\{.*"Version":"([^"]+)"\}$/s.exec(version)?.[1];
  return named ?? version.split('\n', 1)[0]?.slice(0, 80) ?? '';
}
