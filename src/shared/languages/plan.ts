/** Makes the plan for one server in one root, and the key under which equal plans share a server. */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { absolutePath } from '../base/paths.ts';
import type { DialledServer, Json, ServerPlan, SpawnedServer } from '../link/server-plan.ts';
import { type Environment, variable } from './environment.ts';
import type { LanguageFamily, ServerOverride } from './family.ts';
import { type FoundServer, requireServer } from './find-server.ts';
import { canonicalJson, mergeJson, mergeObjects, nestSections } from './json.ts';
import type { Search } from './locate.ts';
import type { Role, TypescriptChoice } from './roles.ts';
import { type EngineChoice, typescriptEngine } from './typescript-engine.ts';

/** What a plan needs of the configuration. */
export interface PlanConfig {
  /** By family id. */
  readonly overrides: ReadonlyMap<string, ServerOverride>;
  readonly stateDir: AbsPath;
  /** `auto` if not said. */
  readonly typescript?: TypescriptChoice;
}

export interface PlanRequest {
  readonly family: LanguageFamily;
  /** A real path: two spellings of one root would get two servers. */
  readonly root: AbsPath;
  /** The allowed root around it, the end of searches for project-local servers. */
  readonly boundary?: AbsPath | undefined;
  readonly config: PlanConfig;
  readonly environment: Environment;
  /** What the server is for; navigation if not said. */
  readonly role?: Role | undefined;
  /** The file that is asked about, if it is one: packages of one workspace may have tools of their own. */
  readonly file?: AbsPath | undefined;
}

/** Fails with `server-missing` when nothing on this machine serves the family. */
export async function makePlan(request: PlanRequest): Promise<ServerPlan> {
  const { family, root, config, environment } = request;
  const override = config.overrides.get(family.id);
  const found = requireServer(family, await searchFor(request), override);
  const { launch, serverId, settings, initializationOptions } = found;
  const server: SpawnedServer = {
    kind: 'spawn',
    executable: launch.executable,
    args: [
      ...launch.args,
      ...found.args.map((arg) => arg.replace('{dataDir}', dataDirectory(found, root, config))),
    ],
    env: { ...inheritedVariables(family, launch.executable, environment), ...override?.env },
    binary: launch.binary,
  };
  return {
    root,
    language: family.id,
    serverId,
    server,
    languageIds: languageIdsByName(family),
    initializationOptions,
    settings,
  };
}

/** Why version 7 does not navigate where it could; undefined where it does, or has nothing to do with it. */
export async function whyNotTypescript7(request: PlanRequest): Promise<string | undefined> {
  return (await engineFor(request))?.complaint;
}

async function searchFor(request: PlanRequest): Promise<Search> {
  return { ...placeOf(request), engine: (await engineFor(request))?.engine };
}

function placeOf({ root, boundary, environment, file }: PlanRequest): Search {
  return { root, boundary, environment, from: file && absolutePath(path.dirname(file)) };
}

async function engineFor(request: PlanRequest): Promise<EngineChoice | undefined> {
  const { family, config, role = 'navigation', file } = request;
  if (family.versions !== 'typescript' || config.overrides.get(family.id)?.command) return undefined;
  const { typescript: choice = 'auto', stateDir } = config;
  return typescriptEngine({ role, choice, search: placeOf(request), file, stateDir });
}

/** The plan for a server that agent-lsp did not start. */
export function makeConnectPlan(
  request: Omit<PlanRequest, 'environment' | 'boundary'> & { readonly server: DialledServer },
): ServerPlan {
  const { family, root, config } = request;
  const override = config.overrides.get(family.id);
  const candidate = family.servers[0];
  const defaults = { settings: candidate?.settings ?? {}, options: candidate?.initializationOptions ?? {} };
  return {
    root,
    language: family.id,
    serverId: candidate?.serverId ?? family.id,
    server: request.server,
    languageIds: languageIdsByName(family),
    initializationOptions: mergeJson(defaults.options, override?.initializationOptions ?? {}),
    settings: mergeObjects(defaults.settings, nestSections(override?.settings ?? {})),
  };
}

/** First 20 hex digits of a digest over the whole plan. */
export function planKey(plan: ServerPlan): string {
  const json: Json = { ...plan, server: { ...plan.server } };
  return createHash('sha256').update(canonicalJson(json)).digest('hex').slice(0, 20);
}

export function languageIdsByName(family: LanguageFamily): Record<string, string> {
  return { ...family.extensions, ...family.fileNames };
}

/**
 * Variables that change a server's answers travel in the plan, so that they are part of the key
 * and hold whichever process starts the server.
 */
function inheritedVariables(
  family: LanguageFamily,
  executable: string,
  environment: Environment,
): Record<string, string> {
  const names = [
    ...(family.variables ?? []),
    ...(executable === environment.execPath ? ['NODE_OPTIONS'] : []),
  ];
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = variable(environment, name);
    if (value !== undefined) values[name] = value;
  }
  return values;
}

function dataDirectory(found: FoundServer, root: AbsPath, config: PlanConfig): string {
  const digest = createHash('sha256')
    .update(`${root}\0${found.launch.executable}`)
    .digest('hex')
    .slice(0, 16);
  return path.join(config.stateDir, 'servers', found.serverId, digest);
}
