/** The tools of a session: those of the registry, and what extensions make of them. */
import type { Config } from '../../shared/config/config.ts';
import { type LoadedExtensions, withIncluded } from '../extensions/included-extensions.ts';
import type { Tool } from '../tools/define-tool.ts';
import { tools } from './registry.ts';

export async function allTools(config: Config): Promise<readonly Tool[]> {
  return (await loadedExtensions(config)).tools;
}

/** A line for each extension that is not there, or not all of it. */
export async function extensionProblems(config: Config): Promise<readonly string[]> {
  return (await loadedExtensions(config)).problems;
}

/** Most users have named none, which needs none of the code for modules. */
export async function loadedExtensions(config: Config): Promise<LoadedExtensions> {
  const included = withIncluded(config, tools);
  if (config.extensions.length === 0) return included;
  const { loadExtensions } = await import('../extensions/user-extensions.ts');
  return loadExtensions(config, included);
}
