/** The resources and prompts of extensions, as the MCP edge lists, reads and fills them. */
import { fail } from '../../shared/base/failure.ts';
import { didYouMean } from '../../shared/base/near-names.ts';
import type { Config } from '../../shared/config/config.ts';
import type { Answer } from '../render/answer.ts';
import type { ToolContext } from '../tools/context.ts';
import type { ExtensionPrompt, ExtensionResource } from './definition.ts';
import { extensionContext } from './extension-context.ts';
import { attempt } from './extension-tools.ts';
import type { LoadedExtensions } from './included-extensions.ts';
import { prefixedName } from './read-definition.ts';

export interface OfferedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
  readonly mimeType: string;
  read(context: ToolContext): Promise<Answer>;
  readonly subscribe: ExtensionResource['subscribe'] | undefined;
}

export interface OfferedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: { name: string; description: string; required: boolean }[];
  /** It comes with the package, and speaks of tools that only the full set has. */
  readonly isIncluded: boolean;
  /** Fails for arguments that it does not have or misses. */
  text(given: Readonly<Record<string, string>>): Promise<string>;
}

export function offeredResources(
  { loaded, tools }: LoadedExtensions,
  config: Config,
): readonly OfferedResource[] {
  return loaded.flatMap(({ module, definition: { language, resources = [] } }) =>
    resources.map((resource): OfferedResource => {
      const name = prefixedName(language, resource.name);
      const caller = {
        name,
        effect: 'read' as const,
        policy: config,
        toolNamed: (called: string) => tools.find((tool) => tool.name === called),
        names: () => tools.map((tool) => tool.name),
      };
      return {
        uri: `lsp-${language.toLowerCase().replace(/[^a-z0-9]+/g, '-')}://${resource.name}`,
        name,
        description: resource.description,
        mimeType: resource.mimeType ?? 'text/plain',
        read: async (context) => {
          const reading = () => resource.read(extensionContext(caller, context));
          const text = await attempt(name, module, reading);
          if (typeof text === 'string') return { text: '', data: text };
          return fail({ kind: 'unreadable-output', program: name, output: 'it returned no text' });
        },
        subscribe:
          resource.subscribe && ((changed, place) => resource.subscribe?.(changed, place) ?? (() => {})),
      };
    }),
  );
}

export function offeredPrompts({ loaded }: LoadedExtensions): readonly OfferedPrompt[] {
  return loaded.flatMap(({ module, isIncluded, definition: { language, prompts = [] } }) =>
    prompts.map((prompt): OfferedPrompt => {
      const name = prefixedName(language, prompt.name);
      const taken = (prompt.arguments ?? []).map((each) => ({ ...each, required: each.required ?? false }));
      return {
        name,
        description: prompt.description,
        arguments: taken,
        isIncluded: isIncluded,
        text: async (given) => {
          checkArguments(name, prompt, given);
          const text = await attempt(name, module, () => prompt.text(given));
          if (typeof text === 'string') return text;
          return fail({ kind: 'unreadable-output', program: name, output: 'it returned no text' });
        },
      };
    }),
  );
}

function checkArguments(
  name: string,
  prompt: ExtensionPrompt,
  given: Readonly<Record<string, string>>,
): void {
  const taken = prompt.arguments ?? [];
  const names = taken.map((each) => each.name);
  const unknown = Object.keys(given).find((each) => !names.includes(each));
  if (unknown !== undefined)
    fail({
      kind: 'invalid-input',
      message: `the prompt ${name} has no argument ${JSON.stringify(unknown)}${didYouMean(unknown, names)}`,
      next: names.length === 0 ? 'Leave it out' : `It takes ${names.join(', ')}`,
    });
  const missing = taken.find((each) => each.required === true && (given[each.name] ?? '').trim() === '');
  if (missing)
    fail({
      kind: 'invalid-input',
      message: `the prompt ${name} needs the argument ${missing.name} (${missing.description})`,
      next: 'Pass it',
    });
}
