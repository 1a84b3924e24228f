/** What the configuration says about what a connection may do, and where it is recorded. */
import path from 'node:path';
import type { AbsPath } from '../base/brand.ts';
import { absolutePath } from '../base/paths.ts';
import { type Environment, variable } from '../languages/environment.ts';
import { PERMISSION_LEVELS, type PermissionLevel, type PermissionRules } from './choices.ts';
import { expandHome } from './command-words.ts';
import { type DialAddress, parseDialAddress } from './dial-address.ts';
import { choiceFrom, switchFrom } from './environment-choice.ts';
import type { FileSection } from './schema.ts';
import { stateDirectory } from './state-dir.ts';

export interface AccessConfig {
  readonly permission: PermissionLevel;
  /** The rules of all files together. */
  readonly permissionRules: PermissionRules;
  /** The connection is one of a subagent, which may only read. */
  readonly isSubagent: boolean;
  /** The file that calls are recorded in; undefined when they are not. */
  readonly auditLog: AbsPath | undefined;
  /** Folders that the user has opened beside the roots of the session. */
  readonly allowedPaths: readonly AbsPath[];
  /** Servers elsewhere that the user lets sessions connect to. */
  readonly allowedAddresses: readonly DialAddress[];
}

/** What the command line may say about it. */
export interface AccessOptions {
  readonly permission?: PermissionLevel | undefined;
  readonly subagent?: boolean | undefined;
  /** A file, or `off`. */
  readonly auditLog?: string | undefined;
  readonly allowedPaths?: readonly string[] | undefined;
  /** The roots are all that is open, whatever else the user has opened for others. */
  readonly rootsOnly?: boolean | undefined;
}

interface AccessSources {
  readonly environment: Environment;
  readonly cwd: string;
  readonly commandLine?: AccessOptions;
}

/** `sections` are what `files` say, weakest first. A tool that is `switchedOff` is denied like others. */
export function accessConfig(
  sources: AccessSources,
  sections: readonly FileSection[],
  files: readonly AbsPath[],
  switchedOff: readonly string[] = [],
): AccessConfig {
  const { environment, commandLine } = sources;
  return {
    permission:
      commandLine?.permission ??
      choiceFrom(environment, 'AGENT_LSP_PERMISSION', PERMISSION_LEVELS) ??
      sections.findLast(({ permission }) => permission !== undefined)?.permission ??
      'write',
    permissionRules: rulesOf(sections, switchedOff),
    // Either word is enough: what starts a subagent must not be undone by what it inherits.
    isSubagent: commandLine?.subagent === true || switchFrom(environment, 'AGENT_LSP_SUBAGENT') === true,
    auditLog: auditLog(sources, sections, files),
    allowedPaths: commandLine?.rootsOnly === true ? [] : allowedPaths(sources, sections, files),
    allowedAddresses: allowedAddresses(environment, sections, files),
  };
}

/** What any file says holds: a stronger file makes no rule of a weaker one void. */
function rulesOf(sections: readonly FileSection[], switchedOff: readonly string[]): PermissionRules {
  const all = (verdict: keyof PermissionRules) =>
    sections.flatMap(({ permissions }) => permissions?.[verdict] ?? []);
  return { allow: all('allow'), ask: all('ask'), deny: [...all('deny'), ...switchedOff] };
}

/** `off` means none. By default it is with our other files: nothing is put into a home directory unasked. */
function auditLog(
  { environment, cwd, commandLine }: AccessSources,
  sections: readonly FileSection[],
  files: readonly AbsPath[],
): AbsPath | undefined {
  const saidIn = sections.findLastIndex((section) => section.audit_log !== undefined);
  const given = commandLine?.auditLog ?? variable(environment, 'AGENT_LSP_AUDIT_LOG');
  const file = given ?? sections[saidIn]?.audit_log;
  if (file === undefined) return absolutePath(path.join(stateDirectory(environment), 'audit.jsonl'));
  if (file.toLowerCase() === 'off') return undefined;
  const base = given === undefined ? path.dirname(files[saidIn] ?? cwd) : cwd;
  return absolutePath(expandHome(file, environment.homedir), base);
}

/** Every place that opens one counts: a relative path is meant from where it was written. */
function allowedPaths(
  { environment, cwd, commandLine }: AccessSources,
  sections: readonly FileSection[],
  files: readonly AbsPath[],
): readonly AbsPath[] {
  const delimiter = environment.platform === 'win32' ? ';' : ':';
  const given = [
    ...listIn(environment, 'AGENT_LSP_ALLOWED_PATHS', delimiter),
    ...(commandLine?.allowedPaths ?? []),
  ];
  const written = sections.flatMap((section, index) =>
    (section.allowed_paths ?? []).map((entry) => ({ entry, base: path.dirname(files[index] ?? cwd) })),
  );
  const all = [...written, ...given.map((entry) => ({ entry, base: cwd }))];
  return [
    ...new Set(
      all.map(({ entry, base }) => absolutePath(expandHome(entry.trim(), environment.homedir), base)),
    ),
  ];
}

function allowedAddresses(
  environment: Environment,
  sections: readonly FileSection[],
  files: readonly AbsPath[],
): readonly DialAddress[] {
  const name = 'AGENT_LSP_ALLOWED_ADDRESSES';
  return [
    ...sections.flatMap((section, index) =>
      (section.allowed_addresses ?? []).map((entry) =>
        parseDialAddress(entry, `${files[index]}: allowed_addresses`),
      ),
    ),
    ...listIn(environment, name, ',').map((entry) => parseDialAddress(entry, name)),
  ];
}

function listIn(environment: Environment, name: string, delimiter: string): readonly string[] {
  const entries = (variable(environment, name) ?? '').split(delimiter).map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}
