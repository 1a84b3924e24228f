/**
 * The extensions that the user has named, laid over the tools of ours. One that cannot be had costs a line in the log
 * and nothing else.
 * Decision: docs/decisions/extensions.md#only-the-user-names-code
 */
import { messageOf } from '../../shared/base/failure.ts';
import { didYouMean } from '../../shared/base/near-names.ts';
import type { Config } from '../../shared/config/config.ts';
import type { NamedExtension } from '../../shared/config/extension-config.ts';
import { languageById } from '../../shared/languages/lookup.ts';
import type { Tool } from '../tools/define-tool.ts';
import type { ExtensionDefinition, ExtensionTool } from './definition.ts';
import { extensionContext } from './extension-context.ts';
import { toolOf } from './extension-tools.ts';
import { loadModule } from './load-module.ts';
import { prefixedName, readDefinition } from './read-definition.ts';

export interface LoadedExtensions {
  /** Those of ours, each replaced where an extension overrides it, then those of the extensions. */
  readonly tools: readonly Tool[];
  readonly loaded: readonly LoadedExtension[];
  /** One line for each that is not there, or not all of it. */
  readonly problems: readonly string[];
}

interface LoadedExtension {
  readonly origin: NamedExtension;
  readonly definition: ExtensionDefinition;
}

export async function loadExtensions(config: Config, ours: readonly Tool[]): Promise<LoadedExtensions> {
  const tools = new Map(ours.map((tool) => [tool.name, tool]));
  const loaded: LoadedExtension[] = [];
  const problems: string[] = [];
  const say = ({ module, origin }: NamedExtension, why: string) =>
    problems.push(`extension ${module} (${origin}): ${why}`);
  for (const origin of config.extensions) {
    try {
      const definition = readDefinition(await loadModule(origin), config.languages);
      if (isSwitchedOff(config, definition)) continue;
      loaded.push({ origin, definition });
      for (const literal of definition.tools ?? []) {
        try {
          const tool = made(literal, { definition, origin, ours, tools, config });
          tools.set(tool.name, tool);
        } catch (error) {
          say(origin, messageOf(error));
        }
      }
    } catch (error) {
      say(origin, messageOf(error));
    }
  }
  return { tools: [...tools.values()], loaded, problems };
}

/** Nothing is wanted of a language that the user has switched off. */
function isSwitchedOff({ languages, overrides }: Config, { language }: ExtensionDefinition): boolean {
  const family = languageById(language, languages)?.family.id ?? language;
  return overrides.get(family)?.disabled === true;
}

interface Making extends LoadedExtension {
  readonly ours: readonly Tool[];
  readonly tools: ReadonlyMap<string, Tool>;
  readonly config: Config;
}

function made(literal: ExtensionTool, { definition, origin, ours, tools, config }: Making): Tool {
  const { overrides } = literal;
  const name = overrides ?? prefixedName(definition.language, literal.name ?? '');
  const base = ours.find((tool) => tool.name === name);
  if (overrides === undefined && tools.has(name))
    throw new Error(`there is a tool ${name} already; overrides: "${name}" would take its place`);
  if (overrides !== undefined && !base) {
    const names = ours.map((tool) => tool.name);
    throw new Error(`there is no tool ${overrides} to override${didYouMean(overrides, names)}`);
  }
  if (base && base.effect !== literal.effect)
    throw new Error(`${name} has the effect ${base.effect}, and so must what overrides it`);
  return toolOf(literal, {
    name,
    extension: origin.module,
    base,
    contextFor: (context) =>
      extensionContext(
        {
          name,
          effect: literal.effect,
          policy: config,
          toolNamed: (called) => (called === name ? base : tools.get(called)),
          names: () => [...tools.keys()],
        },
        context,
      ),
  });
}
