/** Building and testing with the project's own tools, and which tests belong to a file. */
import { z } from 'zod';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { offers, type ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { filePath } from '../../tools/fields.ts';
import type { Roots } from '../../workspace/roots.ts';
import { buildFindingData, failureData } from './findings-text.ts';
import { planTask, runTask, type TaskRequest, type TaskResult } from './run-task.ts';
import { isOutsideTests } from './runner.ts';
import { testsForFile } from './tests-for-file.ts';
import { buildText, remarks, runData } from './text.ts';
import { hasSucceeded, ranNothing, unfinished } from './verdict-text.ts';

const DEFAULT_SECONDS = 300;
const MAX_SECONDS = 1_800;
/** For ending processes and reading reports after the time is up. */
const MARGIN_MS = 15_000;

const task = () => ({
  workspace_dir: z.string().min(1).optional().describe('Default: the root'),
  path: z
    .string()
    .min(1)
    .optional()
    .describe('File or directory: nearest project, and only this if possible'),
  language: z.string().min(1).optional().describe('If several are there'),
  timeout_seconds: z
    .number()
    .min(1)
    .max(MAX_SECONDS)
    .default(DEFAULT_SECONDS)
    .describe(`At most ${MAX_SECONDS}`),
});

const place = () => ({
  file: z.string().optional(),
  line: z.number().int().optional(),
  column: z.number().int().optional(),
});

/** Another place of the same failure is under `also`; `count` says how many there are. */
const finding = <Own extends z.ZodRawShape>(own: Own) =>
  z.strictObject({
    ...place(),
    ...own,
    message: z.string(),
    count: z.number().int().optional(),
    also: z.array(z.strictObject({ ...place(), ...own })).optional(),
  });

const run = () => ({
  command: z.string(),
  /** Where several build systems were run. */
  runs: z
    .array(z.strictObject({ command: z.string(), directory: z.string(), succeeded: z.boolean() }))
    .optional(),
  not_run: z.array(z.strictObject({ name: z.string(), reason: z.string() })).optional(),
  projects_checked: z.number().int().optional(),
  projects_not_checked: z.array(z.strictObject({ project: z.string(), reason: z.string() })).optional(),
  raw: z.string(),
});

export const buildTools = [
  defineTool({
    name: 'run_build',
    title: 'Build the project',
    description:
      'Compiles or type-checks with the project’s own tool. Errors with places; runs project code.',
    effect: 'execute',
    isCore: true,
    input: () => z.strictObject(task()),
    output: () =>
      z.strictObject({
        success: z.boolean(),
        errors: z.array(finding({ severity: z.enum(['error', 'warning']) })),
        ...run(),
      }),
    limitMs: ({ timeout_seconds }) => timeout_seconds * 1_000 + MARGIN_MS,
    run: async (input, context) => {
      const result = await agreedTask(context, requestOf('build', input));
      const success = hasSucceeded(result);
      return {
        text: buildText(result, context.roots),
        data: { success, errors: buildFindingData(findingsOf(result)), ...runData(result, context.roots) },
        failed: !success,
        incomplete: unfinished(result, context.roots),
        notes: remarks(result),
        hint: success ? 'run_tests' : mendFirst(findingsOf(result)),
      };
    },
  }),

  defineTool({
    name: 'run_tests',
    title: 'Run tests',
    description: 'Runs the project’s tests. Failures with places and messages; runs project code.',
    effect: 'execute',
    isCore: true,
    input: () => z.strictObject(task()),
    output: () =>
      z.strictObject({
        passed: z.boolean(),
        total: z.number().int().optional(),
        failures: z.array(finding({ test_name: z.string() })),
        ...run(),
      }),
    limitMs: ({ timeout_seconds }) => timeout_seconds * 1_000 + MARGIN_MS,
    run: async (input, context) => {
      const result = await agreedTask(context, requestOf('test', input));
      const passed = hasSucceeded(result);
      const totals = result.runs.flatMap(({ reading }) => reading.total ?? []);
      return {
        text: buildText(result, context.roots),
        data: {
          passed,
          ...(totals.length === 0 ? {} : { total: totals.reduce((sum, total) => sum + total) }),
          failures: failureData(findingsOf(result)),
          ...runData(result, context.roots),
        },
        failed: !passed,
        incomplete: unfinished(result, context.roots),
        notes: remarks(result),
        hint: nextAfterTests(result, context.roots, input.path),
      };
    },
  }),

  defineTool({
    name: 'get_tests_for_file',
    title: 'Get tests for a file',
    description: 'Test files of a source file by the naming conventions of its language. Runs nothing.',
    effect: 'read',
    input: () => z.strictObject({ file_path: filePath }),
    output: () => z.strictObject({ source_file: z.string(), test_files: z.array(z.string()) }),
    run: async (input, context) => {
      const { path: file } = await context.source(input.file_path);
      const { tests, how, incomplete } = await testsForFile(file, context);
      const shown = context.roots.display(file);
      const [first] = tests;
      return {
        text: [
          tests.length === 0
            ? `No test file of ${shown} by name (${how})`
            : `${counted(tests.length, 'test file')} of ${shown} (${how})`,
          ...tests.map((test) => context.roots.display(test)),
        ].join('\n'),
        data: { source_file: file, test_files: [...tests] },
        incomplete,
        hint: first ? runsThem(context, first) : 'find_references shows tests that use it under other names',
      };
    },
  }),
];

/** Not for who may run nothing. */
function runsThem(context: ToolContext, test: AbsPath): string | undefined {
  return offers(context, 'run_tests') ? `run_tests path:"${context.roots.display(test)}"` : undefined;
}

async function agreedTask(context: ToolContext, request: TaskRequest): Promise<TaskResult> {
  return runTask(context, await context.permission.consentTo('execute', () => planTask(context, request)));
}

function mendFirst(findings: TaskResult['runs'][number]['findings']): string | undefined {
  return findings.filter(({ severity }) => severity !== 'warning').length > 1
    ? 'mend the first error first: others may come of it'
    : undefined;
}

function nextAfterTests(result: TaskResult, roots: Roots, path: string | undefined): string | undefined {
  if (ranNothing(result)) return path === undefined ? undefined : 'leave path out to run all tests';
  const [first] = findingsOf(result);
  if (first && isOutsideTests(first)) return 'mend first what keeps tests from running';
  const smaller = result.runs.find(({ findings }) => findings.length > 0)?.smaller;
  return smaller && `run_tests path:"${roots.display(smaller)}" runs less`;
}

function findingsOf({ runs }: TaskResult) {
  return runs.flatMap(({ findings }) => findings);
}

interface TaskInput {
  readonly workspace_dir?: string | undefined;
  readonly path?: string | undefined;
  readonly language?: string | undefined;
  readonly timeout_seconds: number;
}

function requestOf(task: 'build' | 'test', input: TaskInput): TaskRequest {
  return {
    task,
    workspaceDir: input.workspace_dir,
    path: input.path,
    language: input.language,
    limitMs: input.timeout_seconds * 1_000,
  };
}
