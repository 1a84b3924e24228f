/** Which configuration files count, and what they say. Files inside a project are never read. */
import type { AbsPath } from '../base/brand.ts';
import { fail } from '../base/failure.ts';
import { absolutePath } from '../base/paths.ts';
import type { Environment } from '../languages/environment.ts';
import { expandHome } from './command-words.ts';
import type { FileSection } from './schema.ts';
import { userConfigFiles } from './state-dir.ts';

export interface ConfigPlaces {
  readonly environment: Environment;
  readonly cwd: string;
  /** What the command line names. */
  readonly configFile?: string | undefined;
  /** Where config.json, config.jsonc or config.toml of the user is; by default the platform's place. */
  readonly userConfigDir?: string | undefined;
}

/** Weakest first. */
export function configFiles({
  environment,
  cwd,
  configFile,
  userConfigDir,
}: ConfigPlaces): readonly AbsPath[] {
  const present = userConfigFiles(userConfigDir);
  if (present.length > 1) {
    fail({
      kind: 'invalid-input',
      message: `two configuration files in one place: ${present.join(', ')}`,
      next: 'Keep one of them.',
    });
  }
  return configFile === undefined
    ? present
    : [...present, absolutePath(expandHome(configFile, environment.homedir), cwd)];
}

/** What reads files is loaded when there is one. */
export async function writtenSections(files: readonly AbsPath[]): Promise<readonly FileSection[]> {
  if (files.length === 0) return [];
  const { readConfigFile } = await import('./read-file.ts');
  return Promise.all(files.map((file) => readConfigFile(file)));
}
