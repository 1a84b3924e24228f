/**
 * One language server under management, for any number of users: what direct and passive links run in their own
 * process and what a broker puts behind its socket. Knows nothing of MCP and nothing of sockets.
 */
import type { AbsPath } from '../base/brand.ts';
import type { Clock } from '../base/lifetime.ts';
import type { Log } from '../base/log.ts';
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
import type { HostCallOptions } from './calls/call-scope.ts';
import type { HostUser } from './documents/pin-book.ts';

/** What a host needs of the process that it runs in. */
export interface HostDeps {
  readonly clock?: Clock;
  readonly log?: Log;
  /** Told the pid of each server process that is started, and undefined when it has ended. */
  readonly onServerProcess?: (pid: number | undefined) => void;
}

export interface HostCounters {
  readonly instance: number;
  readonly pid: number | undefined;
  readonly crashes: number;
  readonly openDocuments: number;
}

export interface Host {
  readonly plan: ServerPlan;
  readonly state: ServerState;
  readonly counters: HostCounters;
  facts(options?: CallOptions): Promise<ServerFacts>;
  request(method: string, params: unknown, options?: HostCallOptions): Promise<unknown>;
  executeCommand(command: ServerCommand, options?: CallOptions): Promise<CommandOutcome>;
  diagnostics(file: AbsPath, options?: CallOptions): Promise<DiagnosticReport>;
  evaluate(evaluation: Evaluation, options?: CallOptions): Promise<EvaluationResult>;
  openDocument(user: HostUser, file: AbsPath, options?: CallOptions): Promise<OpenDocument>;
  closeDocument(user: HostUser, file: AbsPath): Promise<void>;
  openDocuments(user: HostUser): readonly OpenDocument[];
  /** All folders beside the root that a user works in; the server has those of all its users. Starts nothing. */
  setFolders(user: HostUser, folders: readonly AbsPath[]): Promise<void>;
  reach(user: HostUser, question: ReachQuestion, options?: CallOptions): Promise<Reach>;
  tellChanges(changes: readonly FileChange[], options?: CallOptions): Promise<void>;
  tellRenamed(renames: readonly FileRename[], options?: CallOptions): Promise<void>;
  /** Drops everything a user holds; called when its session ends in any way. */
  releaseUser(user: HostUser): void;
  whenSettled(options?: CallOptions): Promise<ServerState>;
  restart(options?: CallOptions): Promise<ServerFacts>;
  /**
   * Stops the server until the next call, which starts it again with everything its users hold. False when a call is
   * under way or no server runs; then nothing happens.
   */
  sleep(reason: string): boolean;
  onState(listener: (state: ServerState) => void): Disposable;
  onEvent(listener: (event: LinkEvent) => void): Disposable;
  /** Spawned: shutdown, exit, 3 s, then the process group is killed. Dialled: only hangs up. Settles all calls. */
  stop(): Promise<void>;
}
