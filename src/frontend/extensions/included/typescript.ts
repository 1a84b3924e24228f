/** What comes with the package for TypeScript: where `any` is written, and what is wrong with the projects themselves. */
import { defineExtension, extensionTool } from '../definition.ts';
import { watchFiles } from './watch-files.ts';

const anyUsage = extensionTool({
  name: 'any_usage',
  title: 'Uses of any',
  description:
    'Every place where TypeScript code says any, by kind (assertion, annotation, type argument). For one file also what the compiler infers as any.',
  effect: 'read',
  input: (z) =>
    z.strictObject({
      path: z.string().min(1).optional().describe('File or directory; default: the root'),
      limit: z.number().int().min(1).max(500).default(100).describe('Places listed'),
    }),
  output: (z) =>
    z.strictObject({
      count: z.number(),
      files: z.number(),
      kinds: z.record(z.string(), z.number()),
      uses: z.array(
        z.strictObject({
          file: z.string(),
          line: z.number(),
          column: z.number(),
          kind: z.string(),
          text: z.string(),
        }),
      ),
    }),
  run: async (input, context) => (await import('./any-usage.ts')).anyUsage(input, context),
});

const tsconfig = extensionTool({
  name: 'tsconfig',
  title: 'Problems of tsconfig files',
  description:
    'What the compiler finds wrong in each tsconfig.json (options, extends, references, no input), and the TypeScript files that none includes.',
  effect: 'read',
  input: (z) =>
    z.strictObject({
      path: z.string().min(1).optional().describe('tsconfig file or directory; default: the root'),
    }),
  output: (z) =>
    z.strictObject({
      configs: z.array(z.string()),
      problems: z.array(
        z.strictObject({
          config: z.string(),
          file: z.string(),
          line: z.number().optional(),
          column: z.number().optional(),
          code: z.string(),
          message: z.string(),
          only_in_version_7: z.boolean(),
        }),
      ),
      files_of_no_project: z.array(z.string()),
    }),
  run: async (input, context) => (await import('./tsconfig-problems.ts')).tsconfigProblems(input, context),
});

export const typescriptExtension = defineExtension({
  language: 'typescript',
  tools: [anyUsage, tsconfig],
  resources: [
    {
      name: 'projects',
      description: 'The tsconfig files of the workspace with what is wrong in them, and files of no project.',
      read: async (context) =>
        (await (await import('./tsconfig-problems.ts')).tsconfigProblems({}, context)).text,
      subscribe: (changed, { root }) =>
        watchFiles(root, (name) => /^[tj]sconfig.*\.json$/.test(name), changed),
    },
  ],
  prompts: [
    {
      name: 'remove_any',
      description: 'Replaces each any of a file by the type that its uses ask for, checked after every step.',
      arguments: [{ name: 'file', description: 'File to work on', required: true }],
      text: ({ file }) =>
        [
          `Replace the uses of any in ${file} by real types, one at a time.`,
          '',
          `1. typescript_any_usage with path ${file} lists them. Begin with annotations of parameters and results: assertions often go by themselves then.`,
          '2. For each place, inspect_symbol of the name it belongs to, and find_references of that name: what callers pass and readers expect is the type. Use unknown and narrow it where nothing is known.',
          '3. Edit, then get_diagnostics of the file. An error that appears elsewhere is what any has hidden: mend that place, do not cast it away.',
          '4. Ask typescript_any_usage again. Say which uses stayed, and why each has to.',
        ].join('\n'),
    },
  ],
});
