/**
 * Answers every request that a server sends, at once and without asking a session: a server that waits for its client
 * answers no call. A request that the host does not know gets MethodNotFound, never silence.
 */
import {
  type ApplyWorkspaceEditParams,
  ApplyWorkspaceEditRequest,
  CodeLensRefreshRequest,
  ConfigurationRequest,
  DiagnosticRefreshRequest,
  FoldingRangeRefreshRequest,
  InlayHintRefreshRequest,
  InlineValueRefreshRequest,
  type ProgressToken,
  type RegistrationParams,
  RegistrationRequest,
  SemanticTokensRefreshRequest,
  ShowDocumentRequest,
  ShowMessageRequest,
  type UnregistrationParams,
  UnregistrationRequest,
  type WorkDoneProgressCreateParams,
  WorkDoneProgressCreateRequest,
  type WorkspaceFolder,
  WorkspaceFoldersRequest,
} from 'vscode-languageserver-protocol';
import { isObject } from '../../base/unknown-value.ts';
import type { Json, ServerPlan } from '../../link/server-plan.ts';
import { methodNotFound } from '../../wire/errors.ts';
import type { CommandEdits } from './command-edits.ts';
import type { OfferedMethods } from './offered-methods.ts';
import type { Quirks } from './quirks.ts';

export interface ServerRequestContext {
  readonly plan: ServerPlan;
  readonly quirks: Quirks;
  readonly offered: OfferedMethods;
  readonly commands: Pick<CommandEdits, 'take'>;
  /** The root first. */
  readonly folders: WorkspaceFolder[];
  registrationsChanged(): void;
  progressCreated(token: ProgressToken): void;
  diagnosticsRefreshed(): void;
}

export function answerServerRequest(method: string, params: unknown, context: ServerRequestContext): unknown {
  switch (method) {
    case ConfigurationRequest.method:
      return configurationItems(params).map((section) => settingsOf(section, context));
    case RegistrationRequest.method:
      context.offered.register((params as RegistrationParams).registrations);
      context.registrationsChanged();
      return null;
    case UnregistrationRequest.method:
      context.offered.unregister((params as UnregistrationParams).unregisterations);
      context.registrationsChanged();
      return null;
    case WorkDoneProgressCreateRequest.method:
      context.progressCreated((params as WorkDoneProgressCreateParams).token);
      return null;
    case WorkspaceFoldersRequest.method:
      return context.folders;
    case ApplyWorkspaceEditRequest.method:
      return context.commands.take(params as ApplyWorkspaceEditParams);
    case ShowDocumentRequest.method:
      return { success: false };
    case DiagnosticRefreshRequest.method:
      context.diagnosticsRefreshed();
      return null;
    case SemanticTokensRefreshRequest.method:
    case InlayHintRefreshRequest.method:
    case InlineValueRefreshRequest.method:
    case CodeLensRefreshRequest.method:
    case FoldingRangeRefreshRequest.method:
    // Nothing else that could be outdated is kept.
    case ShowMessageRequest.method:
      return null;
    default:
      if (context.quirks.editorRequests.includes(method)) return null;
      throw methodNotFound(method);
  }
}

function configurationItems(params: unknown): (string | undefined)[] {
  const items = (params as { items?: readonly { section?: string }[] }).items ?? [];
  return items.map((item) => item.section);
}

/** Sections are dotted; a request for a parent or for a child of a configured section finds its part. */
function settingsOf(section: string | undefined, { plan, quirks }: ServerRequestContext): Json {
  const tree = settingsTree(plan.settings);
  if (!section) return tree;
  const value = section.split('.').reduce<Json | undefined>((node, key) => member(node, key), tree);
  return value ?? quirks.unknownSection;
}

/** The settings as one nested object, as didChangeConfiguration and initializationOptions want them. */
export function settingsTree(settings: ServerPlan['settings']): Json {
  const tree: Record<string, Json> = {};
  for (const [section, value] of Object.entries(settings)) {
    const keys = section.split('.');
    const last = keys.pop() ?? section;
    let node = tree;
    for (const key of keys) {
      const child = node[key];
      const copy: Record<string, Json> = isObject(child) ? { ...child } : {};
      node[key] = copy;
      node = copy;
    }
    const present = node[last];
    node[last] = isObject(present) && isObject(value) ? { ...present, ...value } : value;
  }
  return tree;
}

function member(node: Json | undefined, key: string): Json | undefined {
  return isObject(node) ? node[key] : undefined;
}
