/**
 * A language server with nothing in between: the reference that tests compare answers with and benchmarks compare
 * times with. It does what any client must (answer the server's requests) and nothing more.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import {
  CancellationTokenSource,
  createMessageConnection,
  ErrorCodes,
  type MessageConnection,
  ResponseError,
} from 'vscode-jsonrpc/node';
import type { ClientCapabilities, InitializeResult } from 'vscode-languageserver-protocol';
import type { AbsPath, DocUri } from '../../src/shared/base/brand.ts';
import { pathToUri } from '../../src/shared/base/paths.ts';
import type { Json } from '../../src/shared/link/server-plan.ts';
import { until } from './events.ts';

export interface RawLspOptions {
  readonly root: AbsPath;
  /** Answers to workspace/configuration by section; null for the others. */
  readonly settings?: { readonly [section: string]: Json };
  readonly initializationOptions?: Json;
  readonly capabilities?: ClientCapabilities;
  /** False leaves the handshake to the caller. */
  readonly initialize?: boolean;
}

export interface SpawnOptions extends RawLspOptions {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface Incoming {
  readonly method: string;
  readonly params: unknown;
}

export interface RawLsp extends AsyncDisposable {
  readonly pid: number | undefined;
  readonly initializeResult: InitializeResult;
  /** Everything the server sent on its own, oldest first. */
  readonly notifications: readonly Incoming[];
  readonly serverRequests: readonly Incoming[];
  /** Resolves when the process or the connection has ended. */
  readonly closed: Promise<RawExit>;
  stderr(): string;
  request<Result = unknown>(method: string, params?: unknown, signal?: AbortSignal): Promise<Result>;
  notify(method: string, params?: unknown): Promise<void>;
  /** Opens the file with its text on disk, or the one given, as version 1 or the one given. */
  open(file: AbsPath, options?: { languageId?: string; text?: string; version?: number }): Promise<DocUri>;
  change(file: AbsPath, text: string, version: number): Promise<void>;
  /** Waits for the first notification that passes, also among those that came earlier. */
  notification<Params = unknown>(
    method: string,
    test?: (params: Params) => boolean,
    timeoutMs?: number,
  ): Promise<Params>;
  /** Asks politely, waits for the end, and kills what does not go. */
  shutdown(timeoutMs?: number): Promise<RawExit>;
  kill9(): void;
}

export interface RawExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export async function startRawLsp(options: SpawnOptions): Promise<RawLsp> {
  const child = spawn(options.command, options.args ?? [], {
    cwd: options.root,
    env: options.env,
    stdio: 'pipe',
  });
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject));
  // A server that dies while we write to it shows up as its exit, not as an error of the pipe.
  child.stdin.on('error', () => {});
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const closed = new Promise<RawExit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  return converse(options, { input: child.stdout, output: child.stdin, child, closed, stderr: () => stderr });
}

/** Joins a server that listens; letting go of it never stops it. */
export async function dialRawLsp(options: RawLspOptions & { host: string; port: number }): Promise<RawLsp> {
  const socket = connect(options.port, options.host);
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  socket.on('error', () => {});
  const closed = new Promise<RawExit>((resolve) =>
    socket.once('close', () => resolve({ code: null, signal: null })),
  );
  return converse(options, { input: socket, output: socket, child: undefined, closed, stderr: () => '' });
}

interface Peer {
  readonly input: Readable;
  readonly output: Writable;
  readonly child: ChildProcess | undefined;
  readonly closed: Promise<RawExit>;
  readonly stderr: () => string;
}

async function converse(options: RawLspOptions, peer: Peer): Promise<RawLsp> {
  const notifications: Incoming[] = [];
  const serverRequests: Incoming[] = [];
  const connection = createMessageConnection(peer.input, peer.output);
  connection.onNotification((method, params) => void notifications.push({ method, params }));
  // The library keeps this notification for itself.
  connection.onUnhandledProgress((params) => void notifications.push({ method: '$/progress', params }));
  connection.onRequest((method, params) => {
    serverRequests.push({ method, params });
    return answerServer(method, params, options);
  });
  connection.onError(() => {});
  // Disposing fails what is still pending; closing alone would leave it waiting for ever.
  connection.onClose(() => connection.dispose());
  connection.listen();

  const request = <Result>(method: string, params?: unknown, signal?: AbortSignal) =>
    sendRequest<Result>(connection, method, params, signal);
  const notify = (method: string, params?: unknown) => connection.sendNotification(method, params ?? {});
  const kill9 = () => void peer.child?.kill('SIGKILL');
  const shutdown = async (timeoutMs = 5_000): Promise<RawExit> => {
    if (!peer.child) {
      peer.output.destroy();
      return peer.closed;
    }
    const killer = setTimeout(kill9, timeoutMs);
    await request('shutdown').catch(ignoreDeath);
    // Without parameters: TypeScript 7 refuses the notification otherwise and stays.
    await connection.sendNotification('exit').catch(ignoreDeath);
    // Some servers leave only when their input ends.
    peer.output.end();
    return peer.closed.finally(() => clearTimeout(killer));
  };

  let initializeResult: InitializeResult = { capabilities: {} };
  try {
    if (options.initialize !== false) {
      initializeResult = await request<InitializeResult>('initialize', initializeParams(options));
      await notify('initialized');
    }
  } catch (error) {
    kill9();
    throw new Error(`the handshake failed: ${String(error)}\n${peer.stderr()}`, { cause: error });
  }

  return {
    pid: peer.child?.pid,
    initializeResult,
    notifications,
    serverRequests,
    closed: peer.closed,
    stderr: peer.stderr,
    request,
    notify,
    open: async (
      file,
      { languageId = path.extname(file).slice(1), text = readFileSync(file, 'utf8'), version = 1 } = {},
    ) => {
      const uri = pathToUri(file);
      await notify('textDocument/didOpen', { textDocument: { uri, languageId, version, text } });
      return uri;
    },
    change: (file, text, version) =>
      notify('textDocument/didChange', {
        textDocument: { uri: pathToUri(file), version },
        contentChanges: [{ text }],
      }),
    notification: <Params>(
      method: string,
      test: (params: Params) => boolean = () => true,
      timeoutMs?: number,
    ) =>
      until(() => paramsOf<Params>(notifications, method).find(test), {
        what: `the notification ${method}`,
        seen: () => `came so far: ${notifications.map((each) => each.method).join(', ')}`,
        ...(timeoutMs === undefined ? {} : { timeoutMs }),
      }),
    shutdown,
    kill9,
    [Symbol.asyncDispose]: async () => {
      kill9();
      peer.output.destroy();
      await peer.closed;
      connection.dispose();
    },
  };
}

async function sendRequest<Result>(
  connection: MessageConnection,
  method: string,
  params: unknown,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const given = params === undefined ? [] : [params];
  if (!signal) return connection.sendRequest<Result>(method, ...given);
  const cancellation = new CancellationTokenSource();
  const cancel = () => cancellation.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await connection.sendRequest<Result>(method, ...given, cancellation.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    cancellation.dispose();
  }
}

function initializeParams({ root, initializationOptions, capabilities }: RawLspOptions): unknown {
  const uri = pathToUri(root);
  return {
    processId: process.pid,
    rootUri: uri,
    workspaceFolders: [{ uri, name: path.basename(root) }],
    capabilities: capabilities ?? OUR_CAPABILITIES,
    initializationOptions: initializationOptions ?? null,
  };
}

function answerServer(method: string, params: unknown, options: RawLspOptions): unknown {
  switch (method) {
    case 'workspace/configuration':
      return sectionsOf(params).map((section) => options.settings?.[section] ?? null);
    case 'workspace/workspaceFolders':
      return [{ uri: pathToUri(options.root), name: path.basename(options.root) }];
    case 'client/registerCapability':
    case 'client/unregisterCapability':
    case 'window/workDoneProgress/create':
    case 'window/showMessageRequest':
      return null;
    case 'workspace/applyEdit':
      return { applied: false, failureReason: 'this client does not edit' };
    default:
      return method.endsWith('/refresh')
        ? null
        : new ResponseError(ErrorCodes.MethodNotFound, `no ${method} here`);
  }
}

function sectionsOf(params: unknown): readonly string[] {
  // The shape of this one request is fixed by the protocol.
  return (params as { items: { section?: string }[] }).items.map(({ section }) => section ?? '');
}

function paramsOf<Params>(incoming: readonly Incoming[], method: string): readonly Params[] {
  // The caller names the method and with it the type.
  return incoming.filter((each) => each.method === method).map(({ params }) => params as Params);
}

function ignoreDeath(): void {}

const OUR_CAPABILITIES: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  window: { workDoneProgress: true },
  workspace: {
    configuration: true,
    workspaceFolders: true,
    didChangeConfiguration: { dynamicRegistration: true },
  },
  textDocument: {
    synchronization: { didSave: true },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    definition: { linkSupport: true },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
    publishDiagnostics: { versionSupport: true, relatedInformation: true },
    diagnostic: { dynamicRegistration: true },
  },
};
