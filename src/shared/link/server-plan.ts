/**
 * Everything needed to have one particular server for one root: made by languages/, carried to the broker,
 * executed by the host. Two equal plans may share a server; any difference keeps them apart.
 */
import type { AbsPath } from '../base/brand.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json };

export interface SpawnedServer {
  readonly kind: 'spawn';
  /** Absolute path of the executable, resolved before the plan is made. */
  readonly executable: AbsPath;
  readonly args: readonly string[];
  /** Added to the environment of the starting process. */
  readonly env: Readonly<Record<string, string>>;
  /** Identity of the binary, so that an upgrade in place gives a new key. */
  readonly binary: { readonly path: AbsPath; readonly size: number; readonly mtimeMs: number };
}

export interface DialledServer {
  readonly kind: 'connect';
  /** As it was written. */
  readonly host: string;
  readonly port: number;
  /** What the host was found to be when it was allowed. Nothing else is dialled, whatever its name means later. */
  readonly addresses: readonly string[];
}

export interface ServerPlan {
  readonly root: AbsPath;
  /** Language family: ts, tsx, js and jsx are all `typescript`. */
  readonly language: string;
  /** Names the row of host/protocol/server-quirks.ts, e.g. `pyright`, `typescript-7`, `gopls`. */
  readonly serverId: string;
  readonly server: SpawnedServer | DialledServer;
  /** LSP language ids by file extension (without dot) or exact file name; others get `language`. */
  readonly languageIds: Readonly<Record<string, string>>;
  readonly initializationOptions: Json;
  /** Answers to workspace/configuration, by dotted section. */
  readonly settings: { readonly [section: string]: Json };
}
