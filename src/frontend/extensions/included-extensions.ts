/**
 * The extensions that come with the package. They are made, listed and called as those of users are, so that what a user can
 * add is known to be enough for real work; only nobody has to name them.
 * Decision: docs/decisions/extensions.md#included-extensions-are-extensions
 */
import type { Config } from '../../shared/config/config.ts';
import { languageById } from '../../shared/languages/lookup.ts';
import type { AccessPolicy } from '../access/tool-access.ts';
import type { Tool } from '../tools/define-tool.ts';
import type { ExtensionDefinition } from './definition.ts';
import { pythonExtension } from './included/python.ts';
import { typescriptExtension } from './included/typescript.ts';
import { type LoadedExtension, laidOver } from './laid-over.ts';

export interface LoadedExtensions {
  /** Those of ours, each replaced where an extension overrides it, then those of the extensions. */
  readonly tools: readonly Tool[];
  readonly loaded: readonly LoadedExtension[];
  /** One line for each that is not there, or not all of it. */
  readonly problems: readonly string[];
}

export type LanguageSwitches = Pick<Config, 'languages' | 'overrides'>;

export const INCLUDED: readonly ExtensionDefinition[] = [typescriptExtension, pythonExtension];

const LISTED_ONLY: AccessPolicy = {
  permission: 'read',
  isSubagent: true,
  permissionRules: { allow: [], ask: [], deny: [] },
};

export function withIncluded(
  config: LanguageSwitches & AccessPolicy,
  ours: readonly Tool[],
): LoadedExtensions {
  const wanted = INCLUDED.filter((definition) => !isUnwanted(config, definition));
  return laidOut(wanted, config, ours);
}

/** The tools of all of them, to be listed without a session. */
export function includedTools(ours: readonly Tool[]): readonly Tool[] {
  return laidOut(INCLUDED, LISTED_ONLY, ours).tools.slice(ours.length);
}

/** Nothing is wanted of a language that the user has switched off. */
export function isUnwanted(
  { languages, overrides }: LanguageSwitches,
  { language }: Pick<ExtensionDefinition, 'language'>,
): boolean {
  const family = languageById(language, languages)?.family.id ?? language;
  return overrides.get(family)?.disabled === true;
}

function laidOut(
  definitions: readonly ExtensionDefinition[],
  policy: AccessPolicy,
  ours: readonly Tool[],
): LoadedExtensions {
  const tools = new Map(ours.map((tool) => [tool.name, tool]));
  const loaded = definitions.map(
    (definition): LoadedExtension => ({ module: definition.language, isIncluded: true, definition }),
  );
  for (const extension of loaded)
    for (const literal of extension.definition.tools ?? []) {
      const tool = laidOver(literal, extension, { ours, tools, policy });
      tools.set(tool.name, tool);
    }
  return { tools: [...tools.values()], loaded, problems: [] };
}
