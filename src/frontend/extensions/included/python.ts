/** What comes with the package for Python: type errors by rule, and tests by their names. */
import { isTestFile } from '../../../shared/languages/test-files.ts';
import { defineExtension, extensionTool } from '../definition.ts';
import { watchFiles } from './watch-files.ts';

const checkTypesByRule = extensionTool({
  name: 'check_types',
  title: 'Type errors by rule',
  description:
    'check_types counted by pyright’s rules, with the files that have most of each: where to begin in a project with many errors. With rule: the findings of that rule.',
  effect: 'read',
  input: (z) =>
    z.strictObject({
      path: z.string().min(1).optional().describe('File or directory; default: the root'),
      rule: z.string().min(1).optional().describe('e.g. reportOptionalMemberAccess'),
    }),
  limitSeconds: 1_800,
  run: async (input, context) => (await import('./types-by-rule.ts')).typesByRule(input, context),
});

const findTests = extensionTool({
  name: 'find_tests',
  title: 'Tests by name',
  description:
    'Tests of pytest and unittest whose id (file::Class::test) has all words of the query, found without running anything.',
  effect: 'read',
  input: (z) =>
    z.strictObject({
      query: z.string().default('').describe('Words of the id; empty: all tests'),
      path: z.string().min(1).optional().describe('File or directory; default: the root'),
      limit: z.number().int().min(1).max(500).default(100).describe('Tests listed'),
    }),
  output: (z) =>
    z.strictObject({
      count: z.number(),
      files: z.number(),
      tests: z.array(
        z.strictObject({ id: z.string(), name: z.string(), file: z.string(), line: z.number() }),
      ),
    }),
  run: async (input, context) => (await import('./tests-by-name.ts')).testsByName(input, context),
});

export const pythonExtension = defineExtension({
  language: 'python',
  tools: [checkTypesByRule, findTests],
  resources: [
    {
      name: 'tests',
      description: 'The tests of the workspace by their ids, as pytest would name them.',
      read: async (context) => {
        const { testsByName } = await import('./tests-by-name.ts');
        return (await testsByName({ query: '', limit: 500 }, context)).text;
      },
      subscribe: (changed, { root }) => watchFiles(root, (name) => isTestFile(name, 'python'), changed),
    },
  ],
  prompts: [
    {
      name: 'fix_types',
      description: 'Gets rid of type errors rule by rule, the most frequent first, and checks after each.',
      arguments: [{ name: 'path', description: 'File or directory; the whole project if not given' }],
      text: ({ path }) => {
        const where = path === undefined || path === '' ? '' : ` with path ${path}`;
        return [
          `Get rid of the type errors${path ? ` in ${path}` : ''}, one rule at a time.`,
          '',
          `1. python_check_types${where} counts them by rule. Say how many there are.`,
          `2. python_check_types${where} and rule lists those of the first rule. Look for what they share: one wrong annotation often makes many of them.`,
          '3. Mend the cause, not the places: inspect_symbol and get_symbol_source of what is declared wrongly. No # type: ignore, and no cast, unless the checker is wrong; then say why.',
          '4. get_diagnostics of each edited file, then python_find_tests for the tests of what changed, and run_tests.',
          '5. Go on with the next rule. At the end python_check_types again: say what is left.',
        ].join('\n');
      },
    },
  ],
});
