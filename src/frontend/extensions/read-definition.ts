/** The definition of an extension as it came out of a module: checked, since nobody knows what is in it. */
import { z } from 'zod';
import { didYouMean } from '../../shared/base/near-names.ts';
import type { LanguageFamily } from '../../shared/languages/family.ts';
import { knownLanguages, languageById } from '../../shared/languages/lookup.ts';
import type { ExtensionDefinition } from './definition.ts';

/** Clients put up to sixteen letters before a name and take sixty-four in all. */
const LONGEST_NAME = 48;
const NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;

const code = z.custom<(...args: never[]) => unknown>(
  (value) => typeof value === 'function',
  'must be a function',
);
const name = z.string().regex(NAME, 'must be lower-case words with _ between them');
const sentence = z.string().min(1).max(1_000);

const toolSchema = z
  .strictObject({
    name: name.optional(),
    overrides: name.optional(),
    title: z.string().min(1).max(100).optional(),
    description: sentence,
    effect: z.enum(['read', 'preview', 'write', 'execute', 'expand']),
    input: code.optional(),
    output: code.optional(),
    limitSeconds: z.number().min(1).max(1_800).optional(),
    run: code,
  })
  .refine((tool) => (tool.name === undefined) !== (tool.overrides === undefined), {
    error: 'must have either name or overrides',
  });

const definitionSchema = z.strictObject({
  language: z.string().min(1),
  tools: z.array(toolSchema).max(50).optional(),
  resources: z
    .array(
      z.strictObject({
        name,
        description: sentence,
        mimeType: z.string().min(1).optional(),
        read: code,
        subscribe: code.optional(),
      }),
    )
    .max(50)
    .optional(),
  prompts: z
    .array(
      z.strictObject({
        name,
        description: sentence,
        arguments: z
          .array(z.strictObject({ name, description: sentence, required: z.boolean().optional() }))
          .max(20)
          .optional(),
        text: code,
      }),
    )
    .max(50)
    .optional(),
});

/** Throws an error whose message is what is wrong with it. */
export function readDefinition(exported: unknown, languages: readonly LanguageFamily[]): ExtensionDefinition {
  if (exported === undefined) throw new Error('it has no default export');
  const { data, error } = definitionSchema.safeParse(exported);
  if (!data) throw new Error(issueText(error.issues[0]));
  const definition = data as ExtensionDefinition;
  if (!languageById(definition.language, languages)) {
    const meant = didYouMean(definition.language, knownLanguages(languages));
    throw new Error(`language: ${definition.language} is not known${meant}`);
  }
  const { language, tools = [], resources = [], prompts = [] } = definition;
  const names = [
    ...tools.flatMap((tool) => tool.overrides ?? prefixedName(language, tool.name ?? '')),
    ...[...resources, ...prompts].map((each) => prefixedName(language, each.name)),
  ];
  const long = names.find((each) => each.length > LONGEST_NAME);
  if (long !== undefined) throw new Error(`${long} has ${long.length} letters; clients take ${LONGEST_NAME}`);
  return definition;
}

/** As clients list it: only letters, digits and `_`, which all of them take. */
export function prefixedName(language: string, bare: string): string {
  return `${language.toLowerCase().replace(/[^a-z0-9]+/g, '_')}_${bare}`;
}

/** `tools[0].effect: …`. */
function issueText(issue: z.core.$ZodIssue | undefined): string {
  const place = (issue?.path ?? []).reduce<string>(
    (text, key) =>
      typeof key === 'number' ? `${text}[${key}]` : `${text}${text === '' ? '' : '.'}${String(key)}`,
    '',
  );
  return `${place || 'the default export'}: ${issue?.message ?? 'not understood'}`;
}
