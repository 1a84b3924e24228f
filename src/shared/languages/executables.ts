/**
 * Finding executables, and turning what was found into something that can be started without a shell:
 * scripts for Node run in our own Node, which also works where none is on PATH.
 */
import { accessSync, closeSync, constants, openSync, readdirSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { absolutePath, realPath } from '../base/paths.ts';
import { type Environment, variable } from './environment.ts';

export interface BinaryIdentity {
  readonly path: AbsPath;
  readonly size: number;
  readonly mtimeMs: number;
}

/** How to start a file: `args` come before the server's own. */
export interface Launch {
  readonly executable: AbsPath;
  readonly args: readonly string[];
  readonly binary: BinaryIdentity;
}

/** Every executable of that name on PATH, in order. Relative entries are skipped: they would mean the project. */
export function* executablesOnPath(command: string, environment: Environment): Generator<string> {
  for (const directory of pathDirectories(environment)) {
    const file = executableIn(directory, command, environment);
    if (file) yield file;
  }
}

export function executableIn(
  directory: string,
  command: string,
  environment: Environment,
): string | undefined {
  return executableNames(command, environment)
    .map((name) => path.join(directory, name))
    .find((file) => isExecutable(file, environment));
}

/** The executable `<command>-<number>` with the highest number on PATH. */
export function highestVersionOnPath(command: string, environment: Environment): string | undefined {
  let best: { readonly version: number; readonly file: string } | undefined;
  for (const directory of pathDirectories(environment)) {
    for (const name of namesIn(directory)) {
      const suffix = name.startsWith(`${command}-`)
        ? name.slice(command.length + 1).replace(/\.exe$/i, '')
        : '';
      if (!/^\d+$/.test(suffix)) continue;
      const file = path.join(directory, name);
      const version = Number(suffix);
      if (version > (best?.version ?? -1) && isExecutable(file, environment)) best = { version, file };
    }
  }
  return best?.file;
}

export function launchOf(file: string, environment: Environment): Launch {
  const script = scriptForNode(file, environment);
  if (script) {
    return { executable: absolutePath(environment.execPath), args: [script], binary: binaryIdentity(script) };
  }
  if (isBatchFile(file, environment)) {
    // Node refuses to start batch files without a shell. Not /s: it would strip the quotes of a path with spaces.
    const shell = variable(environment, 'ComSpec') ?? 'C:\\Windows\\System32\\cmd.exe';
    return { executable: absolutePath(shell), args: ['/d', '/c', file], binary: binaryIdentity(file) };
  }
  // Not the real path: programs that go by many names look at the one they were called by.
  return { executable: absolutePath(file), args: [], binary: binaryIdentity(file) };
}

export function binaryIdentity(file: string): BinaryIdentity {
  const real = realPath(absolutePath(file));
  const { size, mtimeMs } = statSync(real);
  return { path: real, size, mtimeMs };
}

/** The interpreter line of a script, without `#!`; undefined for anything else. */
export function interpreterOf(file: string): string | undefined {
  const start = readStart(file, 256);
  return start.startsWith('#!') ? start.slice(2).split('\n', 1)[0]?.trim() : undefined;
}

export function isExecutable(file: string, environment: Environment): boolean {
  try {
    if (!statSync(file).isFile()) return false;
    if (environment.platform !== 'win32') accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function pathDirectories(environment: Environment): readonly string[] {
  const delimiter = environment.platform === 'win32' ? ';' : ':';
  const entries = (variable(environment, 'PATH') ?? '')
    .split(delimiter)
    .map((entry) => entry.replace(/^"(.*)"$/, '$1'));
  return [...new Set(entries)].filter((entry) => path.isAbsolute(entry));
}

function executableNames(command: string, environment: Environment): readonly string[] {
  if (environment.platform !== 'win32') return [command];
  const extensions = (variable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD')
    .toLowerCase()
    .split(';')
    .filter(Boolean);
  if (extensions.includes(path.extname(command).toLowerCase())) return [command];
  return extensions.map((extension) => command + extension);
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // PATH often names directories that do not exist.
    return [];
  }
}

function scriptForNode(file: string, environment: Environment): string | undefined {
  if (isBatchFile(file, environment)) return scriptBehindShim(file);
  if (/\.[cm]?js$/.test(file)) return realPath(absolutePath(file));
  return /(^|[\s/])node$/.test(interpreterOf(file) ?? '') ? realPath(absolutePath(file)) : undefined;
}

/** npm's batch files end in a call of one script, relative to themselves, with all arguments. */
function scriptBehindShim(file: string): string | undefined {
  const target = /"%(?:~dp0|dp0%)\\?([^"%]+)"\s+%\*/.exec(readStart(file, 4096))?.[1];
  if (!target) return undefined;
  const script = path.join(path.dirname(file), ...target.split('\\'));
  const isForNode = /\.[cm]?js$/.test(script) || /\bnode\b/.test(interpreterOf(script) ?? '');
  return isForNode ? realPath(absolutePath(script)) : undefined;
}

function isBatchFile(file: string, environment: Environment): boolean {
  return environment.platform === 'win32' && /\.(cmd|bat)$/i.test(file);
}

function readStart(file: string, bytes: number): string {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, 'r');
    const buffer = Buffer.alloc(bytes);
    return buffer.toString('utf8', 0, readSync(descriptor, buffer, 0, bytes, 0));
  } catch {
    // What cannot be read is not a script; whether it can be started is found out by starting it.
    return '';
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
