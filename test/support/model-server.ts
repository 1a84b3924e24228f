/**
 * A language server in small, inside the test's own process: hundreds of random histories in seconds. It answers with
 * the texts that it sees, when a question comes in and again when it is answered, and keeps the rules of the protocol.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { AbsPath, DocUri } from '../../src/shared/base/brand.ts';
import { uriToPath } from '../../src/shared/base/paths.ts';
import type { ServerPlan } from '../../src/shared/link/server-plan.ts';
import { Connection } from '../../src/shared/wire/connection.ts';
import { methodNotFound } from '../../src/shared/wire/errors.ts';
import { FrameReader, FrameWriter } from '../../src/shared/wire/frame-stream.ts';

/** The text of each file, null where there is none. */
export type Snapshot = Readonly<Record<string, string | null>>;

export interface ModelOptions {
  /** How diagnostics get out. Each file has one, and its message is the text of the file. */
  readonly diagnostics: 'pull' | 'push';
  /** How long a publication is held back, in turn. */
  readonly delaysMs: readonly number[];
}

export interface ModelServer extends AsyncDisposable {
  readonly plan: (root: AbsPath) => ServerPlan;
  /** What the client did against the rules of the protocol. */
  readonly violations: readonly string[];
  /** The open texts of the newest connection. */
  open(): ReadonlyMap<DocUri, string>;
  /** Ends all connections at once, in the middle of whatever goes on. */
  crash(): void;
}

interface Document {
  text: string;
  version: number;
}

type Params = Readonly<Record<string, never>> & {
  readonly textDocument: { readonly uri: DocUri; readonly version: number; readonly text: string };
  readonly contentChanges: readonly { readonly text: string }[];
  readonly uris: readonly DocUri[];
  readonly ms: number;
};

export async function modelServer(options: ModelOptions): Promise<ModelServer> {
  const violations: string[] = [];
  const versions = new Map<DocUri, number>();
  const sockets = new Set<net.Socket>();
  let newest = new Map<DocUri, Document>();
  const listener = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    newest = serve(socket, options, versions, violations);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as net.AddressInfo;
  const crash = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    violations,
    crash,
    open: () => new Map([...newest].map(([uri, { text }]) => [uri, text])),
    plan: (root) => ({
      root,
      language: 'model',
      // A server that somebody else runs may only be tried out on if it keeps its sessions apart, as this one does.
      serverId: 'gopls',
      server: { kind: 'connect', host: '127.0.0.1', port, addresses: ['127.0.0.1'] },
      languageIds: {},
      initializationOptions: null,
      settings: {},
    }),
    async [Symbol.asyncDispose]() {
      crash();
      listener.close();
      await once(listener, 'close');
    },
  };
}

/** One connection; returns its documents. */
function serve(
  socket: net.Socket,
  options: ModelOptions,
  versions: Map<DocUri, number>,
  violations: string[],
): Map<DocUri, Document> {
  const documents = new Map<DocUri, Document>();
  let publications = 0;

  const textOf = (uri: DocUri): string | null => documents.get(uri)?.text ?? onDisk(uri);
  const snapshot = (uris: readonly DocUri[]): Snapshot =>
    Object.fromEntries(uris.map((uri) => [uri, textOf(uri)]));
  const diagnose = (text: string | null) => [
    {
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
      message: text ?? 'no file',
    },
  ];
  const store = ({ uri, version }: Params['textDocument'], text: string) => {
    if (version <= (versions.get(uri) ?? 0)) violations.push(`version ${version} of ${uri} does not rise`);
    versions.set(uri, version);
    documents.set(uri, { text, version });
    if (options.diagnostics === 'push') void publish(uri, version, text);
  };
  const publish = async (uri: DocUri, version: number, text: string) => {
    const delay = options.delaysMs[publications++ % options.delaysMs.length] ?? 0;
    if (delay > 0) await pause(delay);
    connection.notify('textDocument/publishDiagnostics', { uri, version, diagnostics: diagnose(text) });
  };

  const request = async (method: string, params: Params): Promise<unknown> => {
    switch (method) {
      case 'initialize': {
        const pull = { interFileDependencies: false, workspaceDiagnostics: false };
        return {
          capabilities: {
            textDocumentSync: { openClose: true, change: 1 },
            ...(options.diagnostics === 'pull' ? { diagnosticProvider: pull } : {}),
          },
        };
      }
      case 'model/look': {
        const first = snapshot(params.uris);
        if (params.ms > 0) await pause(params.ms);
        return [first, snapshot(params.uris)];
      }
      case 'textDocument/diagnostic':
        return { kind: 'full', items: diagnose(textOf(params.textDocument.uri)) };
      default:
        throw methodNotFound(method);
    }
  };
  const notification = (method: string, params: Params) => {
    switch (method) {
      case 'initialized': {
        const token = 'loading';
        connection.notify('$/progress', { token, value: { kind: 'begin', title: 'Loading' } });
        connection.notify('$/progress', { token, value: { kind: 'end' } });
        return;
      }
      case 'textDocument/didOpen':
        if (documents.has(params.textDocument.uri))
          violations.push(`${params.textDocument.uri} opened twice`);
        return store(params.textDocument, params.textDocument.text);
      case 'textDocument/didChange':
        if (!documents.has(params.textDocument.uri))
          violations.push(`${params.textDocument.uri} changed but not open`);
        return store(params.textDocument, params.contentChanges[0]?.text ?? '');
      case 'textDocument/didClose':
        if (!documents.delete(params.textDocument.uri))
          violations.push(`${params.textDocument.uri} closed but not open`);
    }
  };
  const connection = new Connection(
    new FrameReader(socket, { maxBodyBytes: 1e6, oversize: 'refuse' }),
    new FrameWriter(socket),
    {
      request: (method, params) => request(method, params as Params),
      notification: (method, params) => notification(method, params as Params),
      closed: () => socket.destroy(),
    },
  );
  return documents;
}

function onDisk(uri: DocUri): string | null {
  try {
    return readFileSync(uriToPath(uri) ?? '', 'utf8');
  } catch {
    return null;
  }
}
