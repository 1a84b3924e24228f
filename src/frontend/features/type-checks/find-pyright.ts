/**
 * Which pyright is run: the user's choice, else the one whose language server answers the other questions (that of the
 * project, that of the machine, ours), so that both know the same rules.
 * Decision: docs/decisions/builds.md#a-type-check-only-reads
 */
import type { AbsPath } from '../../../shared/base/brand.ts';
import type { Environment } from '../../../shared/languages/environment.ts';
import { executablesOnPath, isExecutable, launchOf } from '../../../shared/languages/executables.ts';
import type { ServerCandidate } from '../../../shared/languages/family.ts';
import { locateFirst } from '../../../shared/languages/locate.ts';

export interface FoundPyright {
  readonly executable: string;
  /** Before the arguments of the check. */
  readonly args: readonly string[];
  /** The program or script itself. */
  readonly path: string;
}

const CANDIDATE: ServerCandidate = {
  serverId: 'pyright',
  command: 'pyright',
  args: [],
  npm: 'pyright',
  embedded: true,
  behind: 'python-wrapper',
};

export const INSTALL_PYRIGHT = 'npm install --global pyright';

/** Undefined when it is not there; nothing is run to find out. */
export function findPyright(
  root: AbsPath,
  environment: Environment,
  configured: readonly [string, ...string[]] | undefined,
): FoundPyright | undefined {
  if (configured) return configuredPyright(configured, environment);
  const located = locateFirst([CANDIDATE], { root, environment });
  return located && found(located.launch, []);
}

function configuredPyright(
  [command, ...args]: readonly [string, ...string[]],
  environment: Environment,
): FoundPyright | undefined {
  const isPath = /[\\/]/.test(command);
  const [file] = isPath ? [command] : executablesOnPath(command, environment);
  if (file === undefined || !isExecutable(file, environment)) return undefined;
  return found(launchOf(file, environment), args);
}

function found(
  { executable, args }: { readonly executable: string; readonly args: readonly string[] },
  more: readonly string[],
): FoundPyright {
  return { executable, args: [...args, ...more], path: args.at(-1) ?? executable };
}
