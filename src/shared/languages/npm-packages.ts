/** Servers that come as npm packages: the project's own, and the ones we bring along. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { directoriesUpTo } from '../base/ancestors.ts';
import { absolutePath, realPath } from '../base/paths.ts';
import { isObject } from '../base/unknown-value.ts';
import type { Environment } from './environment.ts';

export interface NpmPackage {
  /** The real directory of its package.json. */
  readonly directory: string;
  readonly version: string;
  /** Command name to script, relative to the directory. */
  readonly bin: Readonly<Record<string, string>>;
}

/** The package in the nearest node_modules of these directories. */
export function installedPackage(name: string, directories: readonly string[]): NpmPackage | undefined {
  for (const directory of directories) {
    const found = packageAt(path.join(directory, 'node_modules', name));
    if (found) return found;
  }
  return undefined;
}

/** A dependency of our own package, wherever the package manager has put it. */
export function embeddedPackage(name: string, environment: Environment): NpmPackage | undefined {
  const manifest = resolveFrom(environment.packageRoot, `${name}/package.json`);
  return manifest === undefined ? undefined : packageAt(path.dirname(manifest));
}

export function packageAt(directory: string): NpmPackage | undefined {
  const file = path.join(directory, 'package.json');
  if (!existsSync(file)) return undefined;
  const manifest: unknown = parsed(file);
  if (!isObject(manifest) || typeof manifest.version !== 'string') return undefined;
  const { name, bin, version } = manifest;
  return { directory: realPath(absolutePath(directory)), version, bin: binsOf(name, bin) };
}

export function scriptOf(npmPackage: NpmPackage, command: string): string | undefined {
  const script = npmPackage.bin[command];
  if (script === undefined) return undefined;
  const file = path.join(npmPackage.directory, script);
  return existsSync(file) ? file : undefined;
}

/**
 * The file of a package by what `require.resolve` says in that directory; undefined when it finds nothing. Nearly always it
 * lies in a node_modules above, and looking there takes a tenth of the time.
 */
export function resolveFrom(directory: string, request: string): string | undefined {
  const real = realPath(absolutePath(directory));
  for (const above of directoriesUpTo(real, path.parse(real).root)) {
    const file = path.join(above, 'node_modules', request);
    if (existsSync(file)) return realPath(absolutePath(file));
  }
  try {
    return createRequire(path.join(directory, 'package.json')).resolve(request);
  } catch {
    return undefined;
  }
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // Half an installation is no installation.
    return undefined;
  }
}

function binsOf(name: unknown, bin: unknown): Record<string, string> {
  if (typeof bin === 'string' && typeof name === 'string') return { [path.posix.basename(name)]: bin };
  if (!isObject(bin)) return {};
  return Object.fromEntries(
    Object.entries(bin).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
