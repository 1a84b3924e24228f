/**
 * What a program is promised that imports this package. The names here are public: nothing in them refers to another
 * file of ours, so that their declarations stand alone. Lines and columns of tools start at 1, paths are absolute or
 * relative to the root.
 */
import type { Diagnostic, ProtocolRequestType, ServerCapabilities } from 'vscode-languageserver-protocol';
import type { ToolTypes } from './tool-types.ts';

export type ToolName = keyof ToolTypes & string;

export type ErrorKind =
  | 'ambiguous'
  | 'unexpected'
  | 'invalid-input'
  | 'not-permitted'
  | 'phase-violation'
  | 'outside-roots'
  | 'no-such-file'
  | 'not-a-text-file'
  | 'unknown-language'
  | 'server-missing'
  | 'server-disabled'
  | 'program-missing'
  | 'program-failed'
  | 'unreadable-output'
  | 'server-failed'
  | 'server-crashed'
  | 'server-error'
  | 'left-out'
  | 'unsupported'
  | 'timeout'
  | 'still-working'
  | 'cancelled'
  | 'result-too-large'
  | 'draining'
  | 'broker-unavailable'
  | 'connection-lost'
  | 'overloaded'
  | 'base-changed'
  | 'write-refused'
  | 'edit-invalid'
  | 'edit-not-applied'
  | 'speculation-refused';

/** Everything that is left out is as it is for the command `agent-lsp`, with its configuration files and variables. */
export interface OpenOptions {
  /** The directories to work in; nothing outside them is touched. The working directory if not said. */
  readonly root?: string | readonly string[];
  /** `read`: nothing is written or run; `ask`: `confirm` decides; `write`: tools do what they are called for. */
  readonly permission?: 'read' | 'ask' | 'write';
  /** Shows a question to the person who decides; without it what would have to be asked for is refused. */
  readonly confirm?: (question: string, signal: AbortSignal) => boolean | Promise<boolean>;
  /** Which TypeScript serves projects that have version 5 or 6. */
  readonly typescript?: 'auto' | 'own' | '7';
  /** Whether servers are shared with other sessions and stay warm afterwards. */
  readonly daemon?: 'auto' | 'always' | 'never';
  /** A configuration file, like `--config`. */
  readonly config?: string;
  /** Where the log goes; nowhere if not said. */
  readonly log?: (
    level: 'debug' | 'info' | 'warn' | 'error',
    event: string,
    fields?: Record<string, unknown>,
  ) => void;
}

export interface ToolCallOptions {
  readonly signal?: AbortSignal;
  /** Told what a long call is at. */
  readonly onProgress?: (message: string) => void;
}

/** What a tool has found. What it could not do is thrown as an `AgentLspError`. */
export interface ToolAnswer<Data> {
  /** What an agent would read: compact, and enough by itself. */
  readonly text: string;
  /** The same in the one shape that the tool declares. */
  readonly data: Data;
  /** False: this may not be all there is, and `reason` says why. Undefined where nobody claims either. */
  readonly complete: boolean | undefined;
  readonly reason: string | undefined;
  /** When the same call may be answered completely. */
  readonly retryAfterMs: number | undefined;
  /** Of answers about errors: whether they are proven to be about the text on disk. */
  readonly fresh: boolean | undefined;
  /** What was run for it has failed, such as a build or tests. */
  readonly failed: boolean;
  /** Of lists: how many there are, and what gets the next of them as `cursor`. */
  readonly total: number | undefined;
  readonly nextCursor: string | undefined;
  readonly notes: readonly string[];
}

export type ToolFunctions = {
  readonly [Name in ToolName]: (
    args: ToolTypes[Name]['input'],
    options?: ToolCallOptions,
  ) => Promise<ToolAnswer<ToolTypes[Name]['data']>>;
};

export interface AgentSession extends AsyncDisposable {
  /** The root that paths are relative to, with its links resolved. */
  readonly root: string;
  /** The tools as functions, under their names. */
  readonly tools: ToolFunctions;
  call<Name extends ToolName>(
    tool: Name,
    args: ToolTypes[Name]['input'],
    options?: ToolCallOptions,
  ): Promise<ToolAnswer<ToolTypes[Name]['data']>>;
  /** The server that answers for a file, as tools use it: started or joined when it is first asked something. */
  serverFor(file: string, role?: 'navigation' | 'types'): Promise<LanguageServer>;
  /** The servers that this session has come to use. */
  readonly servers: readonly LanguageServer[];
  /** Lets go of all servers; shared ones stay warm. */
  close(): Promise<void>;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** Files that the request is about; the server has them as they are on disk before it is sent. */
  readonly documents?: readonly string[];
  /** The answer spans files: it is held back while the server is indexing. */
  readonly whenReady?: boolean;
  /** False for what has effects: it is not sent again after a crash. */
  readonly idempotent?: boolean;
}

/** One language server, whoever runs it. Params and results are the protocol's own, with its positions from 0. */
export interface LanguageServer {
  readonly language: string;
  readonly root: string;
  /** For display: in this process, shared through a broker, or run by somebody else. */
  readonly mode: 'direct' | 'daemon' | 'passive';
  readonly command: string;
  /** Why it is not what was asked for, such as that it could not be shared. */
  readonly notice: string | undefined;
  /** The newest state that is known here, without asking. */
  readonly state: LanguageServerState;
  /** Starts or joins it if needed. */
  facts(options?: RequestOptions): Promise<LanguageServerFacts>;
  request<P, R, PR, E, RO>(
    type: ProtocolRequestType<P, R, PR, E, RO>,
    params: P,
    options?: RequestOptions,
  ): Promise<R>;
  request(method: string, params: unknown, options?: RequestOptions): Promise<unknown>;
  /** What the server says of a file as it is on disk now. */
  diagnostics(file: string, options?: RequestOptions): Promise<FileDiagnostics>;
  /** The first state in which waiting does not help any more, or the state when time is up. */
  whenSettled(options?: RequestOptions): Promise<LanguageServerState>;
  onState(listener: (state: LanguageServerState) => void): Disposable;
  restart(options?: RequestOptions): Promise<LanguageServerFacts>;
}

export interface LanguageServerState {
  readonly kind: 'idle' | 'starting' | 'indexing' | 'ready' | 'degraded' | 'crashed' | 'failed' | 'stopped';
  /** The same in words, with what proves or explains it. */
  readonly text: string;
}

export interface LanguageServerFacts {
  readonly name: string;
  readonly version: string | undefined;
  readonly capabilities: ServerCapabilities;
  /** Methods that it offers, statically or by registration. */
  readonly methods: readonly string[];
  /** What its columns count. */
  readonly encoding: 'utf-8' | 'utf-16' | 'utf-32';
}

export interface FileDiagnostics {
  readonly file: string;
  readonly diagnostics: readonly Diagnostic[];
  /** True only when the server proved that they are about the text on disk. */
  readonly fresh: boolean;
  /** How that is known, or why not. */
  readonly proof: string;
}

/** A server to be run in this process, without a broker. */
export interface HostOptions {
  readonly root: string;
  /** A language that is known, or the name of another one. */
  readonly language: string;
  /** Program and arguments; the usual server of the language if not said. */
  readonly command?: readonly [string, ...string[]];
  /** Without the dot; needed for a language that is not known. */
  readonly extensions?: readonly string[];
  /** By section, as the server asks for them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly initializationOptions?: unknown;
  readonly env?: Readonly<Record<string, string>>;
  readonly log?: OpenOptions['log'];
}

/** It lives until it is closed: shutdown, exit, and after three seconds its processes are killed. */
export interface LanguageServerHost extends LanguageServer, AsyncDisposable {
  close(): Promise<void>;
}
