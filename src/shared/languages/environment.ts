/**
 * What the machine says: variables, platform, and where things are. Passed in everywhere, so that tests can be
 * any machine; only `currentEnvironment` looks at the real one.
 */
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

export interface Environment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  readonly homedir: string;
  /** The Node that runs servers written in JavaScript. */
  readonly execPath: string;
  /** The directory of our own package.json: embedded servers are resolved from there. */
  readonly packageRoot: string;
}

export function currentEnvironment(packageRoot: string): Environment {
  return {
    env: { ...process.env },
    platform: process.platform,
    arch: process.arch,
    homedir: os.homedir(),
    execPath: process.execPath,
    packageRoot,
  };
}

/** Our package's directory, from any file in it: works from the sources and from the bundle alike. */
export function packageRootOf(file: string): string {
  for (let directory = path.dirname(file); ; directory = path.dirname(directory)) {
    if (isOurPackage(path.join(directory, 'package.json'))) return directory;
    if (path.dirname(directory) === directory) throw new Error(`no package.json of agent-lsp above ${file}`);
  }
}

/** A variable by name; Windows does not distinguish case, and a copied environment forgets that. */
export function variable(environment: Environment, name: string): string | undefined {
  const exact = environment.env[name];
  if (exact !== undefined || environment.platform !== 'win32') return exact || undefined;
  const key = Object.keys(environment.env).find(
    (candidate) => candidate.toUpperCase() === name.toUpperCase(),
  );
  return (key && environment.env[key]) || undefined;
}

/** The same machine with further variables. */
export function withVariables(environment: Environment, more: Readonly<Record<string, string>>): Environment {
  return { ...environment, env: { ...environment.env, ...more } };
}

function isOurPackage(file: string): boolean {
  return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'agent-lsp';
}
