/** The tools of a session: those of the registry, and what the extensions that its user has named make of them. */
import type { Config } from '../../shared/config/config.ts';
import type { Tool } from '../tools/define-tool.ts';
import { tools } from './registry.ts';

export async function allTools(config: Config): Promise<readonly Tool[]> {
  return (await loadedExtensions(config))?.tools ?? tools;
}

/** A line for each extension that is not there, or not all of it. */
export async function extensionProblems(config: Config): Promise<readonly string[]> {
  return (await loadedExtensions(config))?.problems ?? [];
}

/** Undefined where there are none, which most sessions find out without loading anything. */
export async function loadedExtensions(config: Config) {
  if (config.extensions.length === 0) return undefined;
  const { loadExtensions } = await import('../extensions/user-extensions.ts');
  return loadExtensions(config, tools);
}
