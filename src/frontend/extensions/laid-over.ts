/** One tool of an extension over those that there are: beside them under a name of its own, or in the place of one. */
import { didYouMean } from '../../shared/base/near-names.ts';
import type { AccessPolicy } from '../access/tool-access.ts';
import type { Tool } from '../tools/define-tool.ts';
import type { ExtensionDefinition, ExtensionTool } from './definition.ts';
import { extensionContext } from './extension-context.ts';
import { toolOf } from './extension-tools.ts';
import { prefixedName } from './read-definition.ts';

export interface LoadedExtension {
  /** As the user has named it. */
  readonly module: string;
  /** It comes with the package. */
  readonly isIncluded: boolean;
  readonly definition: ExtensionDefinition;
}

export interface Ground {
  /** What can be overridden. */
  readonly ours: readonly Tool[];
  /** What there is by now, by name. */
  readonly tools: ReadonlyMap<string, Tool>;
  readonly policy: AccessPolicy;
}

/** Throws an error whose message is what is wrong with it. */
export function laidOver(
  literal: ExtensionTool,
  { module, definition }: LoadedExtension,
  { ours, tools, policy }: Ground,
): Tool {
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
    extension: module,
    base,
    contextFor: (context) =>
      extensionContext(
        {
          name,
          effect: literal.effect,
          policy,
          toolNamed: (called) => (called === name ? base : tools.get(called)),
          names: () => [...tools.keys()],
        },
        context,
      ),
  });
}
