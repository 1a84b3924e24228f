/**
 * Commands on PATH that only stand in for the real program: rustup's proxies exist for components that are not
 * installed, and wrappers of other tools download what they need when they are first called.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { assertNever } from '../base/brand.ts';
import { absolutePath, realPath } from '../base/paths.ts';
import { fieldOf } from '../base/unknown-value.ts';
import { type Environment, variable } from './environment.ts';
import { executableIn, interpreterOf } from './executables.ts';
import type { ServerCandidate } from './family.ts';

/** The program behind a file that was found, or undefined when there is nothing behind it. */
export function programBehind(
  file: string,
  candidate: ServerCandidate,
  directories: readonly string[],
  environment: Environment,
): string | undefined {
  switch (candidate.behind) {
    case 'rustup':
      return isRustupProxy(file) ? componentOfToolchain(candidate.command, directories, environment) : file;
    case 'flutter':
      return (
        executableIn(
          path.join(path.dirname(realPath(absolutePath(file))), 'cache/dart-sdk/bin'),
          candidate.command,
          environment,
        ) ?? file
      );
    case 'python-wrapper':
      return /\bpython[\d.]*\b/.test(interpreterOf(file) ?? '') ? undefined : file;
    case undefined:
      return file;
    default:
      return assertNever(candidate.behind);
  }
}

/** A proxy is a symlink to rustup, or a copy of it under another name. */
function isRustupProxy(file: string): boolean {
  const rustup = path.join(path.dirname(file), `rustup${path.extname(file)}`);
  if (path.basename(realPath(absolutePath(file))).replace(/\.exe$/i, '') === 'rustup') return true;
  return existsSync(rustup) && statSync(rustup).size === statSync(file).size;
}

/** Follows rustup's own order: the variable, the file in the project, the default. */
function componentOfToolchain(
  command: string,
  directories: readonly string[],
  environment: Environment,
): string | undefined {
  const home = variable(environment, 'RUSTUP_HOME') ?? path.join(environment.homedir, '.rustup');
  const wanted = [
    variable(environment, 'RUSTUP_TOOLCHAIN'),
    toolchainOfProject(directories),
    tomlString(path.join(home, 'settings.toml'), ['default_toolchain']),
  ];
  for (const name of wanted) {
    const toolchain = name && installedToolchain(path.join(home, 'toolchains'), name);
    const file = toolchain && executableIn(path.join(toolchain, 'bin'), command, environment);
    if (file) return file;
  }
  return undefined;
}

function toolchainOfProject(directories: readonly string[]): string | undefined {
  for (const directory of directories) {
    const modern = tomlString(path.join(directory, 'rust-toolchain.toml'), ['toolchain', 'channel']);
    if (modern) return modern;
    const legacy = path.join(directory, 'rust-toolchain');
    if (!existsSync(legacy)) continue;
    return tomlString(legacy, ['toolchain', 'channel']) ?? readFileSync(legacy, 'utf8').trim();
  }
  return undefined;
}

/** `stable` is installed as `stable-x86_64-unknown-linux-gnu`. */
function installedToolchain(directory: string, name: string): string | undefined {
  if (!existsSync(directory)) return undefined;
  const names = readdirSync(directory);
  const found = names.includes(name)
    ? name
    : names.sort().find((candidate) => candidate.startsWith(`${name}-`));
  return found && path.join(directory, found);
}

function tomlString(file: string, keys: readonly string[]): string | undefined {
  if (!existsSync(file)) return undefined;
  try {
    let value: unknown = parseToml(readFileSync(file, 'utf8'));
    for (const key of keys) value = fieldOf(value, key);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // The legacy form of rust-toolchain is a bare name, which is not TOML.
    return undefined;
  }
}
