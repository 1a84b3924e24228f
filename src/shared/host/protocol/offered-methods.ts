/**
 * What a server offers: its static capabilities plus what it registers later. The method-to-capability table is the
 * LSP library's own, read from its request types.
 */

import type { Registration, ServerCapabilities, Unregistration } from 'vscode-languageserver-protocol';
import * as protocol from 'vscode-languageserver-protocol';
import { fail } from '../../base/failure.ts';
import type { ServerFacts } from '../../link/server-link.ts';

/** Capability path by method, e.g. `textDocument/references` -> `referencesProvider`. */
const CAPABILITY_OF = capabilityTable();

/** Methods that are registered under another method's name. */
const REGISTERED_AS: Readonly<Record<string, string>> = {
  'textDocument/prepareRename': 'textDocument/rename',
  'callHierarchy/incomingCalls': 'textDocument/prepareCallHierarchy',
  'callHierarchy/outgoingCalls': 'textDocument/prepareCallHierarchy',
  'typeHierarchy/supertypes': 'textDocument/prepareTypeHierarchy',
  'typeHierarchy/subtypes': 'textDocument/prepareTypeHierarchy',
  'textDocument/semanticTokens/full': 'textDocument/semanticTokens',
  'textDocument/semanticTokens/range': 'textDocument/semanticTokens',
};

export class OfferedMethods {
  readonly #capabilities: ServerCapabilities;
  readonly #registrations = new Map<string, Registration>();
  /** Made on demand, until the registrations change. */
  #all: readonly string[] | undefined;
  #effective: ServerCapabilities | undefined;

  constructor(capabilities: ServerCapabilities) {
    this.#capabilities = capabilities;
  }

  register(registrations: readonly Registration[]): void {
    for (const registration of registrations) this.#registrations.set(registration.id, registration);
    this.#forget();
  }

  unregister(unregistrations: readonly Unregistration[]): void {
    for (const { id } of unregistrations) this.#registrations.delete(id);
    this.#forget();
  }

  /** The static capabilities with what was registered for them: a legend or trigger characters may come only so. */
  get capabilities(): ServerCapabilities {
    this.#effective ??= withRegistered(this.#capabilities, this.#registrations.values());
    return this.#effective;
  }

  /** A method that the table does not know is the server's own affair and is let through. */
  supports(method: string): boolean {
    const capability = CAPABILITY_OF.get(method);
    if (capability === undefined) return true;
    return isOffered(valueAt(this.capabilities, capability)) || this.registrationsOf(method).length > 0;
  }

  registrationsOf(method: string): Registration[] {
    const name = REGISTERED_AS[method] ?? method;
    return [...this.#registrations.values()].filter((registration) => registration.method === name);
  }

  /** Whether it wants to hear of saved files, and with their text; several register for that later only. */
  get save(): false | { readonly includeText: boolean } {
    const { textDocumentSync } = this.#capabilities;
    const own = typeof textDocumentSync === 'object' ? textDocumentSync.save : undefined;
    const registered = this.registrationsOf('textDocument/didSave').map(
      ({ registerOptions }) => (registerOptions ?? {}) as { includeText?: boolean },
    );
    const wishes = [...(own ? [own] : []), ...registered];
    if (wishes.length === 0) return false;
    return { includeText: wishes.some((wish) => typeof wish === 'object' && wish.includeText === true) };
  }

  registrations(): Registration[] {
    return [...this.#registrations.values()];
  }

  all(): readonly string[] {
    this.#all ??= [...CAPABILITY_OF.keys()].filter((method) => this.supports(method)).sort();
    return this.#all;
  }

  #forget(): void {
    this.#all = undefined;
    this.#effective = undefined;
  }
}

/** Diagnostics are left as they are: each of their registrations is a source of its own. */
function withRegistered(
  capabilities: ServerCapabilities,
  registrations: Iterable<Registration>,
): ServerCapabilities {
  const effective: Record<string, unknown> = { ...capabilities };
  for (const { method, registerOptions } of registrations) {
    const capability = CAPABILITY_OF.get(method);
    if (capability === undefined || capability === 'diagnosticProvider') continue;
    if (capability.includes('.') && !capability.startsWith('workspace.fileOperations.')) continue;
    const { documentSelector: _, ...options } = Object(registerOptions) as Record<string, unknown>;
    addOptions(effective, capability.split('.'), options);
  }
  return effective;
}

/** Lists grow with each registration: commands, and the files that an operation is wanted for. */
function addOptions(
  node: Record<string, unknown>,
  [key = '', ...below]: readonly string[],
  options: Record<string, unknown>,
): void {
  const child: Record<string, unknown> = { ...Object(node[key]) };
  node[key] = child;
  if (below.length > 0) addOptions(child, below, options);
  else
    for (const [name, value] of Object.entries(options)) {
      const known = child[name];
      child[name] = Array.isArray(known) && Array.isArray(value) ? [...known, ...value] : value;
    }
}

function capabilityTable(): ReadonlyMap<string, string> {
  const table = new Map<string, string>([
    ['textDocument/semanticTokens', 'semanticTokensProvider'],
    ['typeHierarchy/supertypes', 'typeHierarchyProvider'],
    ['typeHierarchy/subtypes', 'typeHierarchyProvider'],
  ]);
  for (const value of Object.values(protocol) as unknown[]) {
    const entry = value as { method?: unknown; capabilities?: { server?: unknown } } | undefined;
    if (typeof entry?.method !== 'string' || typeof entry.capabilities?.server !== 'string') continue;
    table.set(entry.method, entry.capabilities.server);
  }
  return table;
}

function valueAt(capabilities: ServerCapabilities, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], capabilities);
}

/** `{}` offers a feature; `false`, `null` and a missing member do not. */
function isOffered(value: unknown): boolean {
  return value !== undefined && value !== null && value !== false;
}

/** Fails when the server does not have the method. */
export function requireOffer(
  { offered, facts }: { readonly offered: OfferedMethods; readonly facts: Pick<ServerFacts, 'serverName'> },
  method: string,
): void {
  if (!offered.supports(method)) fail({ kind: 'unsupported', server: facts.serverName, method });
}
