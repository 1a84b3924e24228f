/**
 * The requests of an attached session, translated to the host. Parameters are checked here, once: they come from another
 * process, possibly of another version.
 */
import { ErrorCodes, ResponseError } from 'vscode-languageserver-protocol';
import { type AbsPath, assertNever } from '../shared/base/brand.ts';
import { absolutePath } from '../shared/base/paths.ts';
import { isObject } from '../shared/base/unknown-value.ts';
import type { HostUser } from '../shared/host/documents/pin-book.ts';
import type { Host } from '../shared/host/host.ts';
import type { ReachQuestion } from '../shared/link/reach-question.ts';
import type {
  CallOptions,
  Evaluation,
  FileChange,
  FileRename,
  ServerCommand,
} from '../shared/link/server-link.ts';
import { BROKER } from '../shared/rendezvous/broker-methods.ts';

export type BrokerRequest =
  | { method: 'facts' | 'openDocuments' | 'restart' }
  | { method: 'diagnostics' | 'openDocument' | 'closeDocument'; file: AbsPath }
  | { method: 'setFolders'; folders: AbsPath[] }
  | { method: 'reach'; question: ReachQuestion }
  | { method: 'tellChanges'; changes: FileChange[] }
  | { method: 'tellRenamed'; renames: FileRename[] }
  | { method: 'executeCommand'; command: ServerCommand; documents: AbsPath[] }
  | { method: 'evaluate'; evaluation: Evaluation; whenReady: boolean }
  | {
      method: 'request';
      lsp: string;
      params: unknown;
      documents: AbsPath[];
      idempotent: boolean;
      whenReady: boolean;
      patienceMs: number | undefined;
    };

export interface ParsedRequest {
  readonly request: BrokerRequest;
  readonly timeoutMs: number | undefined;
}

type RequestName = BrokerRequest['method'];

/** Throws InvalidParams. */
export function parseRequest(method: RequestName, params: unknown): ParsedRequest {
  const fields = isObject(params) ? params : {};
  const request = parseFields(method, fields);
  return { request, timeoutMs: milliseconds(fields.timeoutMs, 'timeoutMs') };
}

function milliseconds(value: unknown, name: string): number | undefined {
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  throw invalid(name);
}

/** Requests that go to the language server wait for their turn; the others only ask or tell the host. */
export function takesTurn(request: BrokerRequest): boolean {
  return TAKING_TURNS.has(request.method);
}

/** What needs the server to be there, and shows that a session works with it. */
export function asksServer(request: BrokerRequest): boolean {
  return takesTurn(request) || request.method === BROKER.facts.name || request.method === BROKER.restart.name;
}

/** Answered from many files, and therefore in a time in which others could get many answers. */
export function isLong(request: BrokerRequest): boolean {
  return request.method === BROKER.request.name && request.whenReady;
}

const TAKING_TURNS: ReadonlySet<RequestName> = new Set([
  BROKER.request.name,
  BROKER.executeCommand.name,
  BROKER.diagnostics.name,
  BROKER.openDocument.name,
  BROKER.tellChanges.name,
  BROKER.tellRenamed.name,
  BROKER.evaluate.name,
]);

export function perform(
  request: BrokerRequest,
  host: Host,
  user: HostUser,
  options: CallOptions,
): Promise<unknown> {
  switch (request.method) {
    case BROKER.facts.name:
      return host.facts(options);
    case BROKER.restart.name:
      return host.restart(options);
    case BROKER.openDocuments.name:
      return Promise.resolve(host.openDocuments(user));
    case BROKER.closeDocument.name:
      return host.closeDocument(user, request.file);
    case BROKER.openDocument.name:
      return host.openDocument(user, request.file, options);
    case BROKER.diagnostics.name:
      return host.diagnostics(request.file, options);
    case BROKER.setFolders.name:
      return host.setFolders(user, request.folders);
    case BROKER.reach.name:
      return host.reach(user, request.question, options);
    case BROKER.tellChanges.name:
      return host.tellChanges(request.changes, options);
    case BROKER.tellRenamed.name:
      return host.tellRenamed(request.renames, options);
    case BROKER.executeCommand.name:
      return host.executeCommand(request.command, { ...options, documents: request.documents });
    case BROKER.evaluate.name:
      return host.evaluate(request.evaluation, { ...options, whenReady: request.whenReady });
    case BROKER.request.name: {
      const { lsp, params, documents, idempotent, whenReady, patienceMs } = request;
      const bounds = { ...options, documents, idempotent, whenReady, patienceMs };
      return host.request(lsp, params, { ...bounds, raw: true });
    }
    default:
      return assertNever(request);
  }
}

function parseFields(method: RequestName, fields: Record<string, unknown>): BrokerRequest {
  switch (method) {
    case BROKER.facts.name:
    case BROKER.openDocuments.name:
    case BROKER.restart.name:
      return { method };
    case BROKER.diagnostics.name:
    case BROKER.openDocument.name:
    case BROKER.closeDocument.name:
      return { method, file: file(fields.file) };
    case BROKER.setFolders.name:
      if (!Array.isArray(fields.folders)) throw invalid('folders');
      return { method, folders: fields.folders.map(file) };
    case BROKER.reach.name:
      return { method, question: parseQuestion(fields.question) };
    case BROKER.tellChanges.name:
      if (!Array.isArray(fields.changes)) throw invalid('changes');
      return { method, changes: fields.changes.map(parseChange) };
    case BROKER.tellRenamed.name:
      if (!Array.isArray(fields.renames)) throw invalid('renames');
      return { method, renames: fields.renames.map(parseRename) };
    case BROKER.executeCommand.name:
      if (!Array.isArray(fields.documents)) throw invalid('documents');
      return { method, command: parseCommand(fields.command), documents: fields.documents.map(file) };
    case BROKER.evaluate.name:
      return {
        method,
        evaluation: parseEvaluation(fields.evaluation),
        whenReady: fields.whenReady === true,
      };
    case BROKER.request.name: {
      if (typeof fields.method !== 'string') throw invalid('method');
      if (!Array.isArray(fields.documents)) throw invalid('documents');
      return {
        method,
        lsp: fields.method,
        params: fields.params,
        documents: fields.documents.map(file),
        idempotent: fields.idempotent === true,
        whenReady: fields.whenReady === true,
        patienceMs: milliseconds(fields.patienceMs, 'patienceMs'),
      };
    }
    default:
      return assertNever(method);
  }
}

function parseQuestion(value: unknown): ReachQuestion {
  const fields = isObject(value) ? value : {};
  const {
    name,
    also,
    file: at,
    except,
    wantsMentions,
    wantsOwnKindOnly,
    wantsDeclarations,
    boundary,
    isWide,
    folders,
    lookMs,
    showMs,
    stateDir,
  } = fields;
  if (typeof name !== 'string') throw invalid('name');
  if (typeof lookMs !== 'number') throw invalid('lookMs');
  const list = (values: unknown) => (Array.isArray(values) ? values.map(file) : []);
  return {
    name,
    also: Array.isArray(also) ? also.filter((each) => typeof each === 'string') : [],
    file: at === undefined ? undefined : file(at),
    except: list(except),
    wantsMentions: wantsMentions === true,
    wantsOwnKindOnly: wantsOwnKindOnly === true,
    wantsDeclarations: wantsDeclarations === true,
    boundary: file(boundary),
    isWide: isWide === true,
    folders: list(folders),
    lookMs,
    showMs: milliseconds(showMs, 'showMs'),
    stateDir: file(stateDir),
  };
}

function parseChange(value: unknown): FileChange {
  const { path, type } = isObject(value) ? value : {};
  if (type !== 'create' && type !== 'change' && type !== 'delete') throw invalid('changes');
  return { path: file(path), type };
}

function parseRename(value: unknown): FileRename {
  const { from, to } = isObject(value) ? value : {};
  return { from: file(from), to: file(to) };
}

function parseCommand(value: unknown): ServerCommand {
  const { command, arguments: args } = isObject(value) ? value : {};
  if (typeof command !== 'string' || (args !== undefined && !Array.isArray(args))) throw invalid('command');
  return { command, ...(args === undefined ? {} : { arguments: args }) };
}

function parseEvaluation(value: unknown): Evaluation {
  const { overlay, requests, diagnosticsFor } = isObject(value) ? value : {};
  if (!Array.isArray(overlay)) throw invalid('overlay');
  if (!Array.isArray(requests)) throw invalid('requests');
  if (!Array.isArray(diagnosticsFor)) throw invalid('diagnosticsFor');
  return {
    overlay: overlay.map((entry: unknown) => {
      const { text, base, file: path } = isObject(entry) ? entry : {};
      if (typeof text !== 'string' || (typeof base !== 'string' && base !== null)) throw invalid('overlay');
      return { file: file(path), text, base };
    }),
    requests: requests.map((entry: unknown) => {
      const { method, params } = isObject(entry) ? entry : {};
      if (typeof method !== 'string') throw invalid('requests');
      return { method, params };
    }),
    diagnosticsFor: diagnosticsFor.map(file),
  };
}

function file(value: unknown): AbsPath {
  if (typeof value !== 'string' || value === '') throw invalid('file');
  return absolutePath(value, '/');
}

function invalid(name: string): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, `bad or missing parameter: ${name}`);
}
