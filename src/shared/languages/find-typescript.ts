/**
 * TypeScript's server depends on the version the project itself uses: from 7 on the compiler is the server,
 * before that tsserver needs typescript-language-server in front of it. Without a version of its own,
 * a project gets the one we bring; typescript-engine.ts says when it gets that one all the same.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Json } from '../link/server-plan.ts';
import type { Environment } from './environment.ts';
import { type BinaryIdentity, binaryIdentity, isExecutable, type Launch, launchOf } from './executables.ts';
import type { LanguageFamily } from './family.ts';
import { type Located, locateFirst, type Search, searchDirectories } from './locate.ts';
import {
  embeddedPackage,
  installedPackage,
  type NpmPackage,
  packageAt,
  resolveFrom,
  scriptOf,
} from './npm-packages.ts';

export function findTypescript(family: LanguageFamily, search: Search): Located | undefined {
  const candidatesNamed = (id: string) => family.servers.filter((candidate) => candidate.serverId === id);
  if (isDenoProject(search.root)) return locateFirst(candidatesNamed('deno'), search);

  const own = projectTypescript(search);
  if (own && !isNative(own) && search.engine !== '7') {
    const server = locateFirst(candidatesNamed('typescript-language-server'), search);
    if (server) return server;
  }
  const [candidate] = candidatesNamed('typescript-7');
  if (!candidate) return undefined;
  const ownLaunch = own && isNative(own) ? nativeLaunch(own, search.environment) : undefined;
  if (ownLaunch) return { candidate, place: 'project', launch: ownLaunch };
  const launch = embeddedTypescript7(search.environment);
  return launch && { candidate, place: 'embedded', launch };
}

/** The version that we bring. */
export function embeddedTypescript7(environment: Environment): Launch | undefined {
  const ours = embeddedPackage('typescript', environment);
  return ours && isNative(ours) ? nativeLaunch(ours, environment) : undefined;
}

/** Whether a project has a TypeScript of its own that is older than the one that is a server itself. */
export function hasOlderTypescript(search: Search): boolean {
  const own = projectTypescript(search);
  return own !== undefined && !isNative(own) && !isDenoProject(search.root);
}

/** Options that point typescript-language-server at the project's own tsserver. */
export function tsserverOptions(search: Search): { readonly [key: string]: Json } {
  const own = projectTypescript(search);
  const tsserver = own && path.join(own.directory, 'lib', 'tsserver.js');
  return tsserver && existsSync(tsserver) ? { tsserver: { path: tsserver } } : {};
}

/** What decides the answers of typescript-language-server is the library it is put in front of. */
export function tsserverIdentity(search: Search): BinaryIdentity | undefined {
  const own = projectTypescript(search);
  const library = own && path.join(own.directory, 'lib', 'typescript.js');
  return library && existsSync(library) ? binaryIdentity(library) : undefined;
}

/** Options for servers that load the TypeScript library themselves; version 7 has none to load. */
export function typescriptLibOptions(search: Search): { readonly [key: string]: Json } {
  const own = projectTypescript(search);
  return own && !isNative(own) ? { typescript: { tsdk: path.join(own.directory, 'lib') } } : {};
}

/** Of equal versions in a package and in the workspace around it, the workspace's: one server is enough for both. */
function projectTypescript(search: Search): NpmPackage | undefined {
  const directories = searchDirectories(search);
  const above = installedPackage('typescript', directories);
  const nearest = installedPackage(
    'typescript',
    searchDirectories({ ...search, root: search.from ?? search.root }),
  );
  const installed = servable(nearest && nearest.version !== above?.version ? nearest : above);
  if (installed) return installed;
  // Yarn's Plug'n'Play has no node_modules; its SDK directory is made for editors.
  for (const directory of directories) {
    const sdk = packageAt(path.join(directory, '.yarn', 'sdks', 'typescript'));
    if (sdk) return sdk;
  }
  return undefined;
}

/** Projects that move to version 7 may have an older one behind a package that only passes on its library. */
function servable(installed: NpmPackage | undefined): NpmPackage | undefined {
  if (!installed || isNative(installed) || existsSync(path.join(installed.directory, 'lib', 'tsserver.js')))
    return installed;
  const behind = resolveFrom(installed.directory, '@typescript/old/package.json');
  return behind === undefined ? undefined : packageAt(path.dirname(behind));
}

function isNative(typescript: NpmPackage): boolean {
  return Number.parseInt(typescript.version, 10) >= 7;
}

/** The package's command only starts the binary of its platform package; starting that directly saves a process. */
function nativeLaunch(typescript: NpmPackage, environment: Environment): Launch | undefined {
  const { platform, arch } = environment;
  const manifest = resolveFrom(
    typescript.directory,
    `@typescript/typescript-${platform}-${arch}/package.json`,
  );
  const binary =
    manifest && path.join(path.dirname(manifest), 'lib', platform === 'win32' ? 'tsc.exe' : 'tsc');
  if (binary && isExecutable(binary, environment)) return launchOf(binary, environment);
  const shim = scriptOf(typescript, 'tsc');
  return shim === undefined ? undefined : launchOf(shim, environment);
}

function isDenoProject(root: string): boolean {
  const has = (name: string) => existsSync(path.join(root, name));
  return (has('deno.json') || has('deno.jsonc')) && !has('package.json');
}
