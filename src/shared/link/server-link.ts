/**
 * What a tool sees of a language server. The host behind it may run in this process (direct, passive)
 * or in a broker (daemon); nothing above this interface can tell, and `mode` is for display only.
 * All positions here are the server's own (see ServerFacts.encoding); conversion happens in the front end.
 */
import type {
  Diagnostic,
  ProtocolRequestType,
  ServerCapabilities,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../base/brand.ts';
import type { Failure } from '../base/failure.ts';
import type { Encoding } from '../base/positions.ts';
import type { Reach, ReachQuestion } from './reach-question.ts';

export type LinkMode = 'direct' | 'daemon' | 'passive';

export interface ServerFacts {
  readonly serverName: string;
  readonly serverVersion?: string;
  readonly capabilities: ServerCapabilities;
  /** Methods that the server offers, statically or by dynamic registration. */
  readonly methods: readonly string[];
  readonly encoding: Encoding;
  /** Where it works beside its root, for whichever session. */
  readonly folders?: readonly AbsPath[];
  /** References without the declaration lack imports and re-exports as well. */
  readonly importsAreDeclarations?: boolean;
  /** Its search by name leaves out files of no project, also those that are open. */
  readonly searchesTrackedOnly?: boolean;
  /** Its search by name leaves out symbols of files that it knows. */
  readonly leavesSymbolsOut?: boolean;
  /** Asked for the definition at a definition, it answers with a declaration elsewhere. */
  readonly definitionToggles?: boolean;
  /** Asked for the definition of a variable, it leads to each of its assignments. */
  readonly assignmentsDeclare?: boolean;
  /** Its call hierarchy leaves out calls that its references have. */
  readonly callsArePartial?: boolean;
  /** Its rename stops at what is passed on to other modules, which keep the old name by an alias. */
  readonly renamesByAlias?: boolean;
  /** Where one argument of `new` does not fit, it forgets what the keys of the others mean. */
  readonly losesKeysOfNew?: boolean;
  /** What a package declares ties names together only in projects that have the name that was asked about. */
  readonly tiesInOwnProjects?: boolean;
  /** A word may be two names at once, as in `{ stop }`: only the server can tell how to rename it. */
  readonly namesShareWords?: boolean;
  /** Offers to rename a file where it is imported, and would move it without its importers. */
  readonly renamesImportedFiles?: boolean;
  /** Reads every project below its root. */
  readonly readsProjectsBelow?: boolean;
  /** In what files are not that it knows nothing of; in none of its projects if not said. */
  readonly leftOutOf?: string;
  /** More symbols than this are not listed for one query. */
  readonly mostSymbols?: number;
  /** Rises with each start of the server process: answers of different instances never mix. */
  readonly instance: number;
  readonly pid?: number;
}

/** `starting | indexing | ready` is the ordinary way up; the others say why a server cannot be trusted now. */
export type ServerState =
  /** Not started before the first request. `asleep` says why it was stopped though it had been running. */
  | { kind: 'idle'; asleep?: string }
  | { kind: 'starting'; sinceMs: number }
  /** `again`: it has been ready and has answered before. */
  | { kind: 'indexing'; sinceMs: number; what: string; percent?: number; again?: true }
  | { kind: 'ready'; proof: string }
  | { kind: 'degraded'; reason: string }
  /** Died; starts again by itself after `retryMs`. */
  | { kind: 'crashed'; reason: string; stderr: string; retryMs: number }
  /** Will not be started again until an agent or a user asks for a restart. */
  | { kind: 'failed'; reason: string; stderr: string }
  | { kind: 'stopped' };

/** All states, so that a new one has to say here what it is. */
const SETTLED: Readonly<Record<ServerState['kind'], boolean>> = {
  idle: false,
  starting: false,
  indexing: false,
  crashed: false,
  ready: true,
  degraded: true,
  failed: true,
  stopped: true,
};

/** False while the server is on its way up by itself; then waiting may help. */
export function isSettled(state: ServerState): boolean {
  return SETTLED[state.kind];
}

/** Whether a server can be given more roots, and taken some away, while it runs. */
export function takesFolders({ workspace }: ServerCapabilities): boolean {
  const { supported, changeNotifications } = workspace?.workspaceFolders ?? {};
  return supported === true && changeNotifications !== undefined && changeNotifications !== false;
}

/** What happened to a file on disk. */
export interface FileChange {
  readonly path: AbsPath;
  readonly type: 'create' | 'change' | 'delete';
}

export interface CallOptions {
  /** Files whose text the request depends on; they are made equal to disk before it is sent. */
  readonly documents?: readonly AbsPath[];
  readonly signal?: AbortSignal | undefined;
  /** Upper bound for the whole call, waiting for a start included. */
  readonly timeoutMs?: number;
  /** False for requests with side effects: they are not sent again after a crash. */
  readonly idempotent?: boolean;
  /** The answer spans files: hold it back while the server is indexing, also after a restart in between. */
  readonly whenReady?: boolean;
  /**
   * For answers that span files: after this time the call fails with `still-working`. The server goes on with the question,
   * and who asks again soon gets the answer to it. Not before the server has answered its first such question.
   */
  readonly patienceMs?: number | undefined;
}

/** A file or directory that has another name now. */
export interface FileRename {
  readonly from: AbsPath;
  readonly to: AbsPath;
}

export interface ServerCommand {
  readonly command: string;
  /** The server's own: nothing in them is converted. */
  readonly arguments?: unknown[];
}

export interface CommandOutcome {
  readonly result: unknown;
  /** What the server asked to be edited meanwhile, all about the text on disk. Nothing of it was applied. */
  readonly edits: readonly WorkspaceEdit[];
}

/** How it is known that diagnostics belong to the text on disk. */
export type Freshness =
  | { kind: 'exact'; proof: 'pull' | 'version' }
  /** `quiet`: published after the change, then nothing more. `idle`: nothing published, and the server does not compute. */
  | { kind: 'inferred'; proof: 'quiet' | 'idle' | 'watch' }
  | { kind: 'timeout'; afterMs: number; lastKnownAgeMs?: number }
  | { kind: 'restarted' };

export interface DiagnosticReport {
  readonly file: AbsPath;
  /** The document version these diagnostics were asked for. */
  readonly version: number;
  readonly freshness: Freshness;
  readonly diagnostics: readonly Diagnostic[];
}

/** Text to be tried out. It never reaches the disk, and nobody else sees it. */
export interface OverlayFile {
  readonly file: AbsPath;
  readonly text: string;
  /** `textHash` of the text on disk that this one was made from; null when there must be no such file. */
  readonly base: string | null;
}

/** Questions about text that is only tried out, asked while nobody else uses the server. */
export interface Evaluation {
  readonly overlay: readonly OverlayFile[];
  readonly requests: readonly { readonly method: string; readonly params: unknown }[];
  /** Files of the overlay or others whose diagnostics are wanted, without the overlay and with it. */
  readonly diagnosticsFor: readonly AbsPath[];
}

export interface EvaluationResult {
  /** In the order of the requests; one that failed does not spoil the others. */
  readonly answers: readonly ({ readonly result: unknown } | { readonly failure: Failure })[];
  readonly before: readonly DiagnosticReport[];
  readonly after: readonly DiagnosticReport[];
  /**
   * `analysis` when the server also has a checker that reads the disk, which cannot know of the overlay; `apart` when
   * every file was looked at with the others as they are on disk, so that texts that belong together seem wrong.
   */
  readonly coverage: 'full' | 'analysis' | 'apart';
}

/** What happens at a server without being asked for. */
export type LinkEvent =
  | { readonly kind: 'diagnostics'; readonly file: AbsPath; readonly diagnostics: readonly Diagnostic[] }
  /** Created, changed or deleted on disk. */
  | { readonly kind: 'files-changed'; readonly files: readonly AbsPath[] }
  /** Some events were left out because nobody read them; what is known from earlier ones may be old. */
  | { readonly kind: 'missed' };

export interface OpenDocument {
  readonly file: AbsPath;
  readonly version: number;
}

export interface ServerLink {
  readonly mode: LinkMode;
  readonly root: AbsPath;
  /** Where else the server works for this session. */
  readonly folders: readonly AbsPath[];
  readonly language: string;
  /** For people: the command line, or the address that was dialled. */
  readonly command: string;
  /** What the server takes for the surroundings of the project, such as the interpreter; for people. */
  readonly surroundings: string | undefined;
  /** Why the link is not what was asked for, e.g. that the daemon could not be used. */
  readonly notice: string | undefined;
  /** The newest state that is known here, without asking. */
  readonly state: ServerState;

  /** Starts or joins the server if needed and waits for its handshake. */
  facts(options?: CallOptions): Promise<ServerFacts>;
  /** Sends a request; use `ask` for a typed one. */
  request(method: string, params: unknown, options?: CallOptions): Promise<unknown>;
  /** Never sent twice, whatever the options say: it may do anything. */
  executeCommand(command: ServerCommand, options?: CallOptions): Promise<CommandOutcome>;
  diagnostics(file: AbsPath, options?: CallOptions): Promise<DiagnosticReport>;
  /** Fails with `base-changed` when the disk is not what the overlay was made from. */
  evaluate(evaluation: Evaluation, options?: CallOptions): Promise<EvaluationResult>;
  /** Pins a file open until closeDocument, so that it counts as "open" in whole-session answers. */
  openDocument(file: AbsPath, options?: CallOptions): Promise<OpenDocument>;
  closeDocument(file: AbsPath): Promise<void>;
  openDocuments(): Promise<readonly OpenDocument[]>;
  /**
   * All folders beside the root that this session works in; the server has them as long as the link is open, also after
   * a restart. Starts nothing. Fails with `unsupported` when the server runs and does not take folders.
   */
  setFolders(folders: readonly AbsPath[]): Promise<void>;
  /**
   * What has to be open, and what the server still knows nothing of, when a name is asked about across files. Opens a file
   * of each project that has to do with it and keeps it open: servers know a project only then.
   */
  reach(question: ReachQuestion, options?: CallOptions): Promise<Reach>;
  /** Tells the server of changes on disk that an agent or a client has noticed. */
  tellChanges(changes: readonly FileChange[], options?: CallOptions): Promise<void>;
  /** Tells a server that wants to know of files that were renamed through us; whether it wants is in its facts. */
  tellRenamed(renames: readonly FileRename[], options?: CallOptions): Promise<void>;
  /** Resolves with the first state that is settled, or the state at the deadline. */
  whenSettled(options?: CallOptions): Promise<ServerState>;
  restart(options?: CallOptions): Promise<ServerFacts>;
  onState(listener: (state: ServerState) => void): Disposable;
  onEvent(listener: (event: LinkEvent) => void): Disposable;
  /** Lets go of the server: direct stops it, daemon leaves it warm, passive hangs up. */
  close(): Promise<void>;
}

/** A request whose method, parameters and result are tied together by one value of the LSP library. */
export function ask<P, R, PR, E, RO>(
  link: ServerLink,
  type: ProtocolRequestType<P, R, PR, E, RO>,
  params: P,
  options?: CallOptions,
): Promise<R> {
  return link.request(type.method, params, options) as Promise<R>;
}
