/** A host that runs in this process, seen as a link: direct when we started the server, passive when we dialled it. */
import type { AbsPath } from '../../shared/base/brand.ts';
import type { Host } from '../../shared/host/host.ts';
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
import { describeServer, describeSurroundings } from './describe-server.ts';

const USER = 'front end';

export class HostLink implements ServerLink {
  readonly mode: LinkMode;
  readonly command: string;
  readonly surroundings: string | undefined;
  readonly notice: string | undefined;
  readonly #host: Host;
  #folders: readonly AbsPath[] = [];

  constructor(host: Host, notice?: string) {
    this.#host = host;
    this.mode = host.plan.server.kind === 'connect' ? 'passive' : 'direct';
    this.command = describeServer(host.plan);
    this.surroundings = describeSurroundings(host.plan);
    this.notice = notice;
  }

  get root(): AbsPath {
    return this.#host.plan.root;
  }

  get folders(): readonly AbsPath[] {
    return this.#folders;
  }

  get language(): string {
    return this.#host.plan.language;
  }

  get state(): ServerState {
    return this.#host.state;
  }

  facts(options?: CallOptions): Promise<ServerFacts> {
    return this.#host.facts(options);
  }

  request(method: string, params: unknown, options?: CallOptions): Promise<unknown> {
    return this.#host.request(method, params, options);
  }

  executeCommand(command: ServerCommand, options?: CallOptions): Promise<CommandOutcome> {
    return this.#host.executeCommand(command, options);
  }

  diagnostics(file: AbsPath, options?: CallOptions): Promise<DiagnosticReport> {
    return this.#host.diagnostics(file, options);
  }

  evaluate(evaluation: Evaluation, options?: CallOptions): Promise<EvaluationResult> {
    return this.#host.evaluate(evaluation, options);
  }

  openDocument(file: AbsPath, options?: CallOptions): Promise<OpenDocument> {
    return this.#host.openDocument(USER, file, options);
  }

  closeDocument(file: AbsPath): Promise<void> {
    return this.#host.closeDocument(USER, file);
  }

  async openDocuments(): Promise<readonly OpenDocument[]> {
    return this.#host.openDocuments(USER);
  }

  async setFolders(folders: readonly AbsPath[]): Promise<void> {
    await this.#host.setFolders(USER, folders);
    this.#folders = folders;
  }

  reach(question: ReachQuestion, options?: CallOptions): Promise<Reach> {
    return this.#host.reach(USER, question, options);
  }

  tellChanges(changes: readonly FileChange[], options?: CallOptions): Promise<void> {
    return this.#host.tellChanges(changes, options);
  }

  tellRenamed(renames: readonly FileRename[], options?: CallOptions): Promise<void> {
    return this.#host.tellRenamed(renames, options);
  }

  whenSettled(options?: CallOptions): Promise<ServerState> {
    return this.#host.whenSettled(options);
  }

  restart(options?: CallOptions): Promise<ServerFacts> {
    return this.#host.restart(options);
  }

  onState(listener: (state: ServerState) => void): Disposable {
    return this.#host.onState(listener);
  }

  onEvent(listener: (event: LinkEvent) => void): Disposable {
    return this.#host.onEvent(listener);
  }

  close(): Promise<void> {
    this.#host.releaseUser(USER);
    return this.#host.stop();
  }
}
