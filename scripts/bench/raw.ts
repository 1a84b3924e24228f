/** The server alone, as the reference: same command, same workspace, no product in between. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  FileChangeType,
  type Location,
  type SymbolInformation,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../src/shared/base/brand.ts';
import { absolutePath, pathToUri } from '../../src/shared/base/paths.ts';
import { TextLines, toServerPosition } from '../../src/shared/base/positions.ts';
import { currentEnvironment, packageRootOf } from '../../src/shared/languages/environment.ts';
import { languageById } from '../../src/shared/languages/lookup.ts';
import { makePlan } from '../../src/shared/languages/plan.ts';
import type { Role } from '../../src/shared/languages/roles.ts';
import type { ServerPlan } from '../../src/shared/link/server-plan.ts';
import { type RawLsp, startRawLsp } from '../../test/support/raw-lsp.ts';
import type { BenchWorkspace } from './workspaces.ts';

export type Spot = BenchWorkspace['target'];

/** Questions about a place are about the workspace's target if they name no other. */
export interface RawServer {
  readonly pid: number;
  hover(at?: Spot): Promise<unknown>;
  definition(at?: Spot): Promise<unknown>;
  references(at?: Spot): Promise<Location[]>;
  /** Opens a file, as a client must before it asks about it. */
  open(file: string): Promise<void>;
  symbols(): Promise<unknown>;
  symbolsNamed(query: string): Promise<readonly SymbolInformation[] | null>;
  rename(newName: string, at?: Spot): Promise<WorkspaceEdit | null>;
  /** Opens the files, if need be, and waits until the server has said what is wrong in each. */
  errorsIn(files: readonly AbsPath[]): Promise<void>;
  /** Tells the server about texts that are on disk now. */
  changed(texts: ReadonlyMap<AbsPath, string>): Promise<void>;
  /** Gives the target another text; milliseconds until the server has said its last word on it. */
  edited(text: string): Promise<number>;
  stop(): Promise<void>;
}

/** The server that the product would take; other roles may have another than navigation. */
export async function planOf(workspace: BenchWorkspace, stateDir: string, role?: Role): Promise<ServerPlan> {
  const language = languageById(workspace.language);
  if (!language) throw new Error(`no language ${workspace.language}`);
  const environment = currentEnvironment(packageRootOf(import.meta.filename));
  const config = { overrides: new Map(), stateDir: absolutePath(stateDir) };
  const root = absolutePath(workspace.root);
  return makePlan({ family: language.family, root, config, environment, role });
}

export async function startRaw(workspace: BenchWorkspace, plan: ServerPlan): Promise<RawServer> {
  if (plan.server.kind !== 'spawn') throw new Error('a benchmark starts its own server');
  const { executable, args, env } = plan.server;
  const lsp = await startRawLsp({
    command: executable,
    args,
    root: plan.root,
    settings: plan.settings,
    initializationOptions: plan.initializationOptions,
    env: { ...(process.env as Record<string, string>), ...env },
  });
  await lsp.notify('workspace/didChangeConfiguration', { settings: plan.settings });
  const open = new Set([workspace.target.file, workspace.large]);
  for (const file of open) await opened(lsp, file, plan);
  return {
    pid: lsp.pid ?? 0,
    hover: (at) => lsp.request('textDocument/hover', paramsFor(at ?? workspace.target)),
    definition: (at) => lsp.request('textDocument/definition', paramsFor(at ?? workspace.target)),
    references: (at) =>
      lsp.request('textDocument/references', {
        ...paramsFor(at ?? workspace.target),
        context: { includeDeclaration: true },
      }),
    open: async (file) => {
      if (!open.has(file)) await opened(lsp, file, plan);
      open.add(file);
    },
    symbols: () =>
      lsp.request('textDocument/documentSymbol', {
        textDocument: { uri: pathToUri(absolutePath(workspace.large)) },
      }),
    symbolsNamed: (query) => lsp.request('workspace/symbol', { query }),
    rename: (newName, at) =>
      lsp.request('textDocument/rename', { ...paramsFor(at ?? workspace.target), newName }),
    errorsIn: (files) => errorsIn(lsp, files, open, plan),
    changed: (texts) => changed(lsp, texts, open),
    edited: (text) => edited(lsp, absolutePath(workspace.target.file), text),
    stop: async () => void (await lsp.shutdown()),
  };
}

function paramsFor({ file, line, column }: Spot) {
  return {
    textDocument: { uri: pathToUri(absolutePath(file)) },
    position: toServerPosition({ line, column }, new TextLines(''), 'utf-16'),
  };
}

/** Longer than any gap between two publications for one change. */
const LAST_WORD_MS = 700;
const FIRST_WORD_MS = 60_000;
const versions = new WeakMap<RawLsp, number>();

async function edited(lsp: RawLsp, file: AbsPath, text: string): Promise<number> {
  const version = (versions.get(lsp) ?? 1) + 1;
  versions.set(lsp, version);
  const uri = pathToUri(file);
  const before = lsp.notifications.length;
  const began = performance.now();
  await lsp.change(file, text, version);
  if (answersPulls(lsp)) {
    await lsp.request('textDocument/diagnostic', { textDocument: { uri } });
    return performance.now() - began;
  }
  const heard = () => lsp.notifications.slice(before).filter(({ params }) => isAbout(params, uri, version));
  let last = Number.POSITIVE_INFINITY;
  for (let count = 0; performance.now() - last < LAST_WORD_MS; await delay(2)) {
    if (heard().length > count) [count, last] = [heard().length, performance.now()];
    if (count === 0 && performance.now() - began > FIRST_WORD_MS) throw new Error('nothing was published');
  }
  return last - began;
}

async function errorsIn(
  lsp: RawLsp,
  files: readonly AbsPath[],
  open: Set<string>,
  plan: ServerPlan,
): Promise<void> {
  if (!answersPulls(lsp)) throw new Error('only servers that can be asked about errors are compared');
  for (const file of files) {
    if (!open.has(file)) await opened(lsp, file, plan);
    open.add(file);
  }
  const about = files.map((file) => ({ textDocument: { uri: pathToUri(file) } }));
  await Promise.all(about.map((params) => lsp.request('textDocument/diagnostic', params)));
}

async function changed(
  lsp: RawLsp,
  texts: ReadonlyMap<AbsPath, string>,
  open: ReadonlySet<string>,
): Promise<void> {
  const type = FileChangeType.Changed;
  const changes = [...texts.keys()].map((file) => ({ uri: pathToUri(file), type }));
  await lsp.notify('workspace/didChangeWatchedFiles', { changes });
  const version = (versions.get(lsp) ?? 1) + 1;
  versions.set(lsp, version);
  for (const [file, text] of texts) if (open.has(file)) await lsp.change(file, text, version);
}

function answersPulls({ initializeResult, serverRequests }: RawLsp): boolean {
  const registered = JSON.stringify(serverRequests).includes('"textDocument/diagnostic"');
  return registered || initializeResult.capabilities.diagnosticProvider !== undefined;
}

/** Some servers name no version; what they publish from now on is about the newest text. */
function isAbout(params: unknown, uri: string, version: number): boolean {
  const about = params as { uri?: string; version?: number } | undefined;
  return about?.uri === uri && (about.version ?? version) === version;
}

async function opened(lsp: RawLsp, file: string, plan: ServerPlan): Promise<void> {
  await lsp.open(absolutePath(file), { languageId: plan.language });
}
