/** How far a change reaches: by file, and by what version control says has changed. */
import { ReferencesRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { counted } from '../../../shared/base/counted.ts';
import { atTarget } from '../../targets/locate.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, filePath, includeHidden, limit, target } from '../../tools/fields.ts';
import { number, place } from '../../tools/shapes.ts';
import { consumersOf, crossRepoReferences } from '../references/cross-repo/cross-repo.ts';
import { changeReport } from './change-report.ts';
import { changesIn } from './changes.ts';
import { reportOn } from './report.ts';

const caller = z.strictObject({ name: z.string(), file: z.string(), line: number, column: number });

const reach = {
  changed_symbols: z.array(
    caller.extend({ kind: z.string(), risk: z.enum(['low', 'medium', 'high']).optional() }),
  ),
  affected_symbols: z.array(
    caller.extend({
      test_callers: z.array(caller),
      /** Of other files. */
      non_test_callers: z.array(caller),
      own_file_callers: z.array(caller),
      caller_files: z.array(z.string()),
      /** Of all callers; the lists may be cut. */
      test_count: number,
      non_test_count: number,
      own_file_count: number,
      type_query_count: number.optional(),
      sync_guarded: z.boolean().optional(),
      transitive: z.boolean().optional(),
    }),
  ),
  test_files: z.array(z.string()),
  test_functions: z.array(caller),
  non_test_callers: z.array(caller),
  untested: z.array(z.string()),
  untested_means: z.string(),
  summary: z.string(),
  warnings: z.array(z.string()),
};

const includeTransitive = z.boolean().optional().describe('Also callers of callers');

export const impactTools = [
  defineTool({
    name: 'blast_radius',
    title: 'Blast radius',
    description:
      'Who depends on the symbols of files you are about to change: callers by file, tests apart, riskiest first, and what no test uses.',
    effect: 'read',
    needs: ReferencesRequest.method,
    input: () =>
      z.strictObject({
        changed_files: z.array(filePath).min(1).max(64).describe('Files to look at'),
        scope: z.enum(['exported', 'all']).optional().describe('Default exported'),
        include_transitive: includeTransitive,
        filter: z.literal('untested').optional().describe('Only what no test uses'),
        include_hidden: includeHidden,
        limit,
        cursor,
      }),
    output: () => z.strictObject(reach),
    run: async (input, context) => {
      const files = [...new Set(input.changed_files.map((file) => context.roots.resolve(file)))];
      const scope = input.scope ?? 'exported';
      const [only, ...others] = files;
      const where = only && others.length === 0 ? context.roots.display(only) : `${files.length} files`;
      const kind = scope === 'exported' ? 'exported ' : '';
      const { reached: _, ...answer } = await reportOn(context, {
        ...input,
        files: files.map((file) => ({ file })),
        scope,
        includeTransitive: input.include_transitive,
        onlyUntested: input.filter === 'untested',
        subject: (count) => `${counted(count, `${kind}symbol`, { none: 'No' })} in ${where}`,
      });
      return answer;
    },
  }),

  defineTool({
    name: 'detect_changes',
    title: 'Detect changes',
    description:
      'The symbols that git says have changed, with the risk of each and who depends on them. Use before a commit or a review.',
    effect: 'read',
    needs: ReferencesRequest.method,
    input: () =>
      z.strictObject({
        workspace_root: filePath.optional().describe('A directory of the repository'),
        scope: z
          .enum(['unstaged', 'staged', 'committed', 'all'])
          .optional()
          .describe('Default unstaged, with untracked files; all: since HEAD'),
        range: z.string().min(1).optional().describe('For committed: a..b, a...b or one commit'),
        include_transitive: includeTransitive,
        include_hidden: includeHidden,
        limit,
        cursor,
      }),
    output: () =>
      z.strictObject({
        ...reach,
        changed_files: z.array(z.string()),
        deleted_files: z.array(z.string()),
        renamed_files: z.array(z.strictObject({ from: z.string(), to: z.string() })),
        scope: z.enum(['unstaged', 'staged', 'committed', 'all']),
      }),
    run: async (input, context) => {
      const root = context.roots.resolve(input.workspace_root ?? context.roots.primary);
      const scope = input.scope ?? (input.range === undefined ? 'unstaged' : 'committed');
      const changes = await changesIn(root, { scope, range: input.range }, context);
      return changeReport(context, changes, { ...input, scope });
    },
  }),

  defineTool({
    name: 'get_cross_repo_references',
    title: 'Get cross-repo references',
    description:
      'Uses of a library symbol in other repositories that depend on it, each asked through its own server. For one repository use find_references.',
    effect: 'read',
    beyond: { effect: 'expand', when: 'for folders beyond the roots' },
    needs: ReferencesRequest.method,
    input: () => {
      const { file_path: _, ...locator } = target;
      return z.strictObject({
        symbol_file: filePath.describe('File of the library'),
        ...locator,
        consumer_roots: z
          .array(filePath)
          .min(1)
          .max(8)
          .describe('Directories; added to the session if outside the roots'),
        include_hidden: includeHidden,
        limit,
        cursor,
      });
    },
    output: () =>
      z.strictObject({
        symbol: z.string(),
        library_references: z.array(place),
        consumer_references: z.array(z.strictObject({ repo: z.string(), references: z.array(place) })),
        references: z.array(
          z.strictObject({ file: z.string(), line: number, column: number, repo: z.string() }),
        ),
        summary: z.string(),
        warnings: z.array(z.string()),
      }),
    run: async (input, context) => {
      const consumers = await consumersOf(context, input.consumer_roots);
      return atTarget(context, { ...input, file_path: input.symbol_file }, (target) =>
        crossRepoReferences(context, target, consumers, input),
      );
    },
  }),
];
