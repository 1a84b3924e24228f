/** The server to use for a family in a root: what the user named, or the best candidate of the table. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fail } from '../base/failure.ts';
import type { Json, JsonObject } from '../link/server-plan.ts';
import { isExecutable, type Launch, launchOf } from './executables.ts';
import type { LanguageFamily, ServerCandidate, ServerOverride, Settings } from './family.ts';
import {
  findTypescript,
  tsserverIdentity,
  tsserverOptions,
  typescriptLibOptions,
} from './find-typescript.ts';
import { mergeJson, mergeObjects, nestSections } from './json.ts';
import { type InstallPlace, locateFirst, type Search, searchDirectories } from './locate.ts';
import { findPython } from './python-environment.ts';

export interface FoundServer {
  readonly serverId: string;
  /** The command as a person would type it. */
  readonly command: string;
  readonly place: InstallPlace | 'configured';
  readonly launch: Launch;
  /** The server's arguments, without those that the launch needs itself. */
  readonly args: readonly string[];
  readonly settings: Settings;
  readonly initializationOptions: Json;
}

/** Undefined when no candidate of the family is on this machine. */
export function findServer(
  family: LanguageFamily,
  search: Search,
  override?: ServerOverride,
): FoundServer | undefined {
  const located = override?.command
    ? locateConfigured(override.command, family, search)
    : locateBuiltIn(family, search);
  if (!located) return undefined;
  const { candidate, place, launch, args } = located;
  const settings = mergeObjects(
    mergeObjects(candidate.settings ?? {}, family.interpreter === 'python' ? pythonSettings(search) : {}),
    nestSections(override?.settings ?? {}),
  );
  const binary = candidate.serverId === 'typescript-language-server' ? tsserverIdentity(search) : undefined;
  return {
    serverId: candidate.serverId,
    command: candidate.command,
    place,
    launch: binary ? { ...launch, binary } : launch,
    args,
    settings,
    initializationOptions: optionsFor(candidate, settings, search, override),
  };
}

export function requireServer(
  family: LanguageFamily,
  search: Search,
  override?: ServerOverride,
): FoundServer {
  if (override?.disabled)
    return fail({ kind: 'server-disabled', language: family.id, origin: override.origin });
  const found = findServer(family, search, override);
  if (found) return found;
  const configured = override?.command;
  return fail({
    kind: 'server-missing',
    language: family.id,
    command: configured?.[0] ?? family.servers[0]?.command ?? family.id,
    install: configured
      ? `${family.install}, or correct the command given in ${override.origin}`
      : family.install,
  });
}

interface LocatedWithArgs {
  readonly candidate: ServerCandidate;
  readonly place: FoundServer['place'];
  readonly launch: Launch;
  readonly args: readonly string[];
}

function locateBuiltIn(family: LanguageFamily, search: Search): LocatedWithArgs | undefined {
  const located =
    family.versions === 'typescript' ? findTypescript(family, search) : locateFirst(family.servers, search);
  return located && { ...located, args: argsOf(located.candidate, search) };
}

function argsOf(candidate: ServerCandidate, search: Search): readonly string[] {
  const { file, args } = candidate.argsIfPresent ?? { file: '', args: [] };
  const present = path.join(search.root, file);
  if (args.length === 0 || !existsSync(present)) return candidate.args;
  return [...candidate.args, ...args.map((arg) => arg.replace('{file}', present))];
}

/** A command of the user's own: a path, or a name that is looked up like those of the table. */
function locateConfigured(
  [command, ...args]: readonly [string, ...string[]],
  family: LanguageFamily,
  search: Search,
): LocatedWithArgs | undefined {
  const { environment } = search;
  const candidate = knownCandidate([command, ...args], family) ?? unknownCandidate(command);
  if (/[\\/]/.test(command)) {
    if (!path.isAbsolute(command) || !isExecutable(command, environment)) return undefined;
    return { candidate, place: 'configured', launch: launchOf(command, environment), args };
  }
  const sought = candidate.command === command ? candidate : unknownCandidate(command);
  const located = locateFirst([{ ...sought, npm: sought.npm ?? command }], search);
  return located && { candidate, place: 'configured', launch: located.launch, args };
}

/** `npx pyright-langserver --stdio` is pyright, too, and `clangd-19` is clangd. */
function knownCandidate(words: readonly string[], family: LanguageFamily): ServerCandidate | undefined {
  const names = words.map((word) => path.basename(word).replace(/\.(exe|cmd|bat)$/i, ''));
  return family.servers.find((candidate) => {
    // `tsc` alone is a compiler; only with its argument it is a server.
    const needed = candidate.command === 'tsc' ? ['tsc', '--lsp'] : [candidate.command];
    const isNamed = (word: string) =>
      names.some((name) => (candidate.versioned ? name.replace(/-\d+$/, '') : name) === word);
    return needed.every(isNamed);
  });
}

function unknownCandidate(command: string): ServerCandidate {
  const serverId = path.basename(command).replace(/\.(exe|cmd|bat)$/i, '');
  return { serverId, command, args: [] };
}

function pythonSettings(search: Search): JsonObject {
  const python = findPython(searchDirectories(search), search.environment);
  return python ? { python: { pythonPath: python.interpreter } } : {};
}

function optionsFor(
  candidate: ServerCandidate,
  settings: Settings,
  search: Search,
  override: ServerOverride | undefined,
): Json {
  const section =
    candidate.optionsFromSection === undefined ? undefined : settings[candidate.optionsFromSection];
  const layers: readonly (Json | undefined)[] = [
    section,
    candidate.initializationOptions,
    candidate.serverId === 'typescript-language-server' ? tsserverOptions(search) : undefined,
    candidate.needsTypescriptLib ? typescriptLibOptions(search) : undefined,
    override?.initializationOptions,
  ];
  return layers.reduce<Json>(
    (options, layer) => (layer === undefined ? options : mergeJson(options, layer)),
    {},
  );
}
