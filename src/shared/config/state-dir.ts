/** Where our own files are. Nothing of ours is ever put into a user's project. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import envPaths from 'env-paths';
import type { AbsPath } from '../base/brand.ts';
import { absolutePath } from '../base/paths.ts';
import { type Environment, variable } from '../languages/environment.ts';

/** Brokers, caches, journals and logs. */
export function stateDirectory(environment: Environment): AbsPath {
  return absolutePath(variable(environment, 'AGENT_LSP_STATE_DIR') ?? standardPaths().cache);
}

/** The user's own configuration. */
export function userConfigDirectory(): AbsPath {
  return absolutePath(standardPaths().config);
}

/** The user's own files that there are; more than one is a mistake of the user. */
export function userConfigFiles(directory: string = userConfigDirectory()): readonly AbsPath[] {
  return ['config.json', 'config.jsonc', 'config.toml']
    .map((name) => absolutePath(path.join(directory, name)))
    .filter((file) => existsSync(file));
}

function standardPaths(): ReturnType<typeof envPaths> {
  return envPaths('agent-lsp', { suffix: '' });
}
