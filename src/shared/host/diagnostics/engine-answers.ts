/**
 * Some servers pass a question about all projects on to their engine for one project only: that of the last file, or
 * that of the file in question. The engine has loaded more projects, so the host asks it about all of them here.
 */
import {
  ErrorCodes,
  ExecuteCommandRequest,
  ImplementationRequest,
  type Location,
  type LocationLink,
  ResponseError,
  type SymbolInformation,
  SymbolKind,
  type TextDocumentPositionParams,
  WorkspaceSymbolRequest,
} from 'vscode-languageserver-protocol';
import { absolutePath, pathToUri } from '../../base/paths.ts';
import { textOrNothing } from '../../base/read-text.ts';
import type { Documents } from '../documents/documents.ts';
import { engineCommandOf } from '../protocol/engine-projects.ts';
import type { SpokenServer } from '../protocol/spoken-server.ts';
import { nameIn } from './declared-name.ts';

type Engine = Pick<SpokenServer, 'connection' | 'offered' | 'quirks'> & {
  readonly documents: Pick<Documents, 'files'>;
};

type Send = (signal: AbortSignal) => Promise<unknown>;

/** How the question is asked instead; undefined when the server's own way is as good. */
export function askedOfEngine(engine: Engine, method: string, params: unknown, send: Send): Send | undefined {
  const command = engineCommandOf(engine);
  if (command === undefined) return undefined;
  switch (method) {
    case WorkspaceSymbolRequest.method: {
      const { query } = params as { query: string };
      return (signal) => symbols(questionsTo(engine, command, signal), query);
    }
    case ImplementationRequest.method:
      return async (signal) => {
        const own = locationsIn(await send(signal));
        const more = await implementations(engine, questionsTo(engine, command, signal), params as AtPlace);
        return [...own, ...more];
      };
    default:
      return undefined;
  }
}

type AtPlace = TextDocumentPositionParams;
type Ask = (command: string, args: object) => Promise<unknown>;

/** Undefined where the engine refuses, as it does about files that a project does not have. */
function questionsTo({ connection }: Engine, command: string, signal: AbortSignal): Ask {
  return async (name, args) => {
    const params = { command, arguments: [name, args] };
    const answer = await connection
      .request(ExecuteCommandRequest.method, params, { signal })
      .catch((error) => {
        if (signal.aborted) throw error;
        return undefined;
      });
    const { success, body } = Object(answer) as { success?: unknown; body?: unknown };
    return success === true ? body : undefined;
  };
}

interface Span {
  readonly file: string;
  readonly start: { readonly line: number; readonly offset: number };
  readonly end: { readonly line: number; readonly offset: number };
}

interface FoundSymbol extends Span {
  readonly name: string;
  readonly kind: string;
  readonly containerName?: string;
}

/** Of all projects that are loaded, because no file is named. */
async function symbols(ask: Ask, query: string): Promise<SymbolInformation[]> {
  const found = (await ask('navto', { searchValue: query })) as readonly FoundSymbol[] | undefined;
  // That it did not search must not look like nothing found.
  if (!found) throw new ResponseError(ErrorCodes.InternalError, 'its engine did not search');
  // An import is no declaration, also where it leads nowhere.
  const declared = found.filter(({ kind }) => kind !== 'alias');
  const texts = new Map<string, readonly string[]>();
  const linesOf = (file: string) => {
    const known = texts.get(file) ?? textOrNothing(absolutePath(file)).split(/\r?\n/);
    texts.set(file, known);
    return known;
  };
  return declared.map(({ name, kind, containerName, file, start, end }) => ({
    name,
    kind: KINDS[kind] ?? SymbolKind.Variable,
    location: locationOf({ file, start: nameIn(linesOf(file), name, start), end }),
    ...(containerName ? { containerName } : {}),
  }));
}

/** From each project that has the file: another one may have types that implement it. */
async function implementations(
  { documents }: Engine,
  ask: Ask,
  { textDocument, position }: AtPlace,
): Promise<Location[]> {
  const infos = await Promise.all(
    documents.files().map((file) => ask('projectInfo', { file: pathToUri(file), needFileNameList: false })),
  );
  const projects = new Set(infos.flatMap((info) => projectIn(info) ?? []));
  const at = { file: textDocument.uri, line: position.line + 1, offset: position.character + 1 };
  const answers = await Promise.all(
    [...projects].map((projectFileName) => ask('implementation', { ...at, projectFileName })),
  );
  return answers.flatMap((answer) => ((answer ?? []) as readonly Span[]).map(locationOf));
}

function projectIn(info: unknown): string | undefined {
  const { configFileName } = Object(info) as { configFileName?: unknown };
  return typeof configFileName === 'string' ? configFileName : undefined;
}

function locationsIn(result: unknown): Location[] {
  const all = Array.isArray(result) ? result : result ? [result] : [];
  return all.map((each: Location | LocationLink) =>
    'targetUri' in each ? { uri: each.targetUri, range: each.targetSelectionRange } : each,
  );
}

function locationOf({ file, start, end }: Span): Location {
  return {
    uri: pathToUri(absolutePath(file)),
    range: {
      start: { line: start.line - 1, character: start.offset - 1 },
      end: { line: end.line - 1, character: end.offset - 1 },
    },
  };
}

const KINDS: Readonly<Record<string, SymbolKind>> = {
  module: SymbolKind.Module,
  'external module name': SymbolKind.Module,
  class: SymbolKind.Class,
  'local class': SymbolKind.Class,
  interface: SymbolKind.Interface,
  type: SymbolKind.Class,
  enum: SymbolKind.Enum,
  'enum member': SymbolKind.EnumMember,
  var: SymbolKind.Variable,
  'local var': SymbolKind.Variable,
  const: SymbolKind.Constant,
  let: SymbolKind.Variable,
  function: SymbolKind.Function,
  'local function': SymbolKind.Function,
  method: SymbolKind.Method,
  getter: SymbolKind.Property,
  setter: SymbolKind.Property,
  property: SymbolKind.Property,
  accessor: SymbolKind.Property,
  constructor: SymbolKind.Constructor,
};
