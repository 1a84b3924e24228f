/**
 * The messages between front end and broker. JSON-RPC in Content-Length frames on a local socket.
 *
 * `hello`, `status` and `stop` are frozen for ever: any front end may greet, look at or stop any broker.
 * Everything else belongs to BROKER_PROTOCOL and may change with that number.
 * A wire type is a promise: these are separate from the types used inside, even where they look alike.
 */
import type { AbsPath } from '../base/brand.ts';
import type { ReachQuestion } from '../link/reach-question.ts';
import type {
  CommandOutcome,
  DiagnosticReport,
  Evaluation,
  FileChange,
  FileRename,
  LinkEvent,
  OpenDocument,
  ServerCommand,
  ServerFacts,
  ServerState,
} from '../link/server-link.ts';
import type { ServerPlan } from '../link/server-plan.ts';

// ---- frozen ----------------------------------------------------------------------------------------------

/** Must be the first message of a connection; anything else before it closes the connection. */
export interface HelloParams {
  readonly token: string;
  /** Lowest and highest protocol number the front end speaks. */
  readonly protocol: readonly [number, number];
  readonly version: string;
  readonly clientPid: number;
}

export interface HelloResult {
  /** The number both will use, or null when there is none: then only `status` and `stop` work. */
  readonly protocol: number | null;
  readonly version: string;
  readonly generation: string;
  readonly state: 'serving' | 'draining';
}

/**
 * `status` takes no parameters and answers BrokerStatus. It does not count as activity. What is optional came later,
 * and brokers that are older do not have it.
 */
export interface BrokerStatus {
  readonly pid: number;
  readonly generation: string;
  readonly version: string;
  readonly root: string;
  readonly language: string;
  readonly command: string;
  readonly socketPath: string;
  readonly logPath: string;
  readonly state: ServerState;
  readonly draining: boolean;
  readonly uptimeMs: number;
  /** Milliseconds until idle exit; null while sessions are attached or a call is running. */
  readonly idleExitInMs: number | null;
  readonly sessions: readonly {
    readonly id: number;
    readonly pid: number;
    readonly pending: number;
    /** What the session calls itself, where its process has several. */
    readonly label?: string;
  }[];
  readonly server: {
    readonly pid?: number;
    readonly instance: number;
    readonly crashes: number;
    readonly openDocuments: number;
  };
  readonly memory: {
    readonly brokerRssBytes: number;
    readonly treeRssBytes: number;
    readonly cpuPercent: number;
  };
  readonly requests: {
    readonly total: number;
    readonly failed: number;
    readonly p50Ms: number;
    readonly p95Ms: number;
  };
  /** How the server is used; times in milliseconds on the broker's own monotonic clock. */
  readonly use?: {
    /** Calls of all sessions, also of those that have left, that are not answered yet. */
    readonly running: number;
    /** Since the server was last asked anything. */
    readonly quietMs: number;
    /** Since the server was last woken; null when it was never put to sleep. */
    readonly awakeMs: number | null;
  };
  /** What this broker lets all brokers of the state directory take together. */
  readonly budget?: { readonly maxBytes: number };
}

/** `stop` answers null at once; `drain` lets running calls finish, `now` does not. */
export interface StopParams {
  readonly mode: 'drain' | 'now';
  readonly reason: string;
}

/**
 * `sleep` stops the server while sessions stay attached; their next call starts it again. Asked by other brokers when
 * all together take too much memory. Answers false when the server is in use, was just started or was woken not long
 * ago. Brokers that are older answer that there is no such method.
 */
export interface SleepParams {
  readonly reason: string;
}

// ---- BROKER_PROTOCOL 8 -----------------------------------------------------------------------------------

/**
 * `attach` joins the broker's server; the answer does not wait for its handshake.
 * Afterwards `state` notifications (StateParams) arrive whenever the state changes, before any answer it affects.
 * An `idle` server is asleep: any call that goes to it wakes it, waiting for another state alone does not.
 */
export interface AttachParams {
  /** For `status`. */
  readonly label?: string;
}

export interface AttachResult {
  readonly session: number;
  readonly state: ServerState;
}

export interface StateParams {
  readonly state: ServerState;
}

/** Common to the calls below. A call ends early by `$/cancelRequest {id}` from the same connection. */
export interface BrokerRequestParams {
  readonly timeoutMs?: number;
}

/** `facts` */
export type FactsResult = ServerFacts;

/** `request`: the answer's result is the server's own, byte for byte for large ones. */
export interface RequestParams extends BrokerRequestParams {
  readonly method: string;
  readonly params: unknown;
  readonly documents: readonly AbsPath[];
  readonly idempotent: boolean;
  readonly whenReady: boolean;
  /** After it the answer is the failure `still-working`; the server goes on with the question. */
  readonly patienceMs?: number | undefined;
}

/** `executeCommand`; nothing of its edits is applied by the broker. */
export interface ExecuteCommandParams extends BrokerRequestParams {
  readonly command: ServerCommand;
  readonly documents: readonly AbsPath[];
}
export type ExecuteCommandResult = CommandOutcome;

/** `diagnostics` */
export interface FileParams extends BrokerRequestParams {
  readonly file: AbsPath;
}
export type DiagnosticsResult = DiagnosticReport;

/** `evaluate` answers EvaluationResult. */
export interface EvaluateParams extends BrokerRequestParams {
  readonly evaluation: Evaluation;
  readonly whenReady: boolean;
}

/** `watch` answers null; from then on `event` notifications (EventParams) arrive. */
export interface EventParams {
  readonly event: LinkEvent;
}

/** `openDocument`, `closeDocument` take FileParams; `openDocuments` takes nothing. */
export type OpenDocumentResult = OpenDocument;

/** `setFolders` answers null. They replace what the session had, and are the server's until the session ends. Starts nothing. */
export interface FoldersParams extends BrokerRequestParams {
  readonly folders: readonly AbsPath[];
}

/** `reach` answers Reach; what it names is open in the server then. */
export interface ReachParams extends BrokerRequestParams {
  readonly question: ReachQuestion;
}

/** `tellChanges` answers null. */
export interface TellChangesParams extends BrokerRequestParams {
  readonly changes: readonly FileChange[];
}

/** `tellRenamed` answers null. */
export interface TellRenamedParams extends BrokerRequestParams {
  readonly renames: readonly FileRename[];
}

/** `restart` answers ServerFacts; `ping` answers null and does not count as activity. */

/** What a starting broker reads from its standard input, as one JSON text. */
export interface BrokerLaunch {
  readonly plan: ServerPlan;
  readonly idleTimeoutMs: number;
}
