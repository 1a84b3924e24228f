/** The server alone, as the reference: same command, same workspace, no product in between. */
import { absolutePath, pathToUri } from '../../src/shared/base/paths.ts';
import { TextLines, toServerPosition } from '../../src/shared/base/positions.ts';
import { currentEnvironment, packageRootOf } from '../../src/shared/languages/environment.ts';
import { languageById } from '../../src/shared/languages/lookup.ts';
import { makePlan } from '../../src/shared/languages/plan.ts';
import type { ServerPlan } from '../../src/shared/server-plan.ts';
import { type RawLsp, startRawLsp } from '../../test/support/raw-lsp.ts';
import type { BenchWorkspace } from './workspaces.ts';

export interface RawServer {
  hover(): Promise<unknown>;
  definition(): Promise<unknown>;
  references(): Promise<unknown[]>;
  symbols(): Promise<unknown>;
  stop(): Promise<void>;
}

export async function planOf(workspace: BenchWorkspace, stateDir: string): Promise<ServerPlan> {
  const language = languageById(workspace.name);
  if (!language) throw new Error(`no language ${workspace.name}`);
  const environment = currentEnvironment(packageRootOf(import.meta.filename));
  const config = { overrides: new Map(), stateDir: absolutePath(stateDir) };
  return makePlan({ family: language.family, root: absolutePath(workspace.root), config, environment });
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
  await opened(lsp, workspace.target.file, plan);
  await opened(lsp, workspace.large, plan);
  const { line, column, file } = workspace.target;
  const textDocument = { uri: pathToUri(absolutePath(file)) };
  const position = toServerPosition({ line, column }, new TextLines(''), 'utf-16');
  return {
    hover: () => lsp.request('textDocument/hover', { textDocument, position }),
    definition: () => lsp.request('textDocument/definition', { textDocument, position }),
    references: () =>
      lsp.request('textDocument/references', {
        textDocument,
        position,
        context: { includeDeclaration: true },
      }),
    symbols: () =>
      lsp.request('textDocument/documentSymbol', {
        textDocument: { uri: pathToUri(absolutePath(workspace.large)) },
      }),
    stop: async () => void (await lsp.shutdown()),
  };
}

async function opened(lsp: RawLsp, file: string, plan: ServerPlan): Promise<void> {
  await lsp.open(absolutePath(file), { languageId: plan.language });
}
