/**
 * The extensions that the user has named, laid over the tools that there are. One that cannot be had costs a line in the
 * log and nothing else.
 * Decision: docs/decisions/extensions.md#only-the-user-names-code
 */
import { messageOf } from '../../shared/base/failure.ts';
import type { Config } from '../../shared/config/config.ts';
import type { NamedExtension } from '../../shared/config/extension-config.ts';
import { checkedInput } from './extension-tools.ts';
import { isUnwanted, type LoadedExtensions } from './included-extensions.ts';
import { type LoadedExtension, laidOver } from './laid-over.ts';
import { loadModule } from './load-module.ts';
import { readDefinition } from './read-definition.ts';

export async function loadExtensions(config: Config, below: LoadedExtensions): Promise<LoadedExtensions> {
  const ours = below.tools;
  const tools = new Map(ours.map((tool) => [tool.name, tool]));
  const loaded: LoadedExtension[] = [...below.loaded];
  const problems: string[] = [];
  const say = ({ module, origin }: NamedExtension, why: string) =>
    problems.push(`extension ${module} (${origin}): ${why}`);
  for (const origin of config.extensions) {
    try {
      const definition = readDefinition(await loadModule(origin), config.languages);
      if (isUnwanted(config, definition)) continue;
      const extension = { module: origin.module, isIncluded: false, definition };
      loaded.push(extension);
      for (const literal of definition.tools ?? []) {
        try {
          const tool = laidOver(literal, extension, { ours, tools, policy: config });
          checkedInput(literal, tool.name);
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
