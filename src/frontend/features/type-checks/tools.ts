/** The type checker itself, run from its command line: the arbiter where a server may be behind. */
import { z } from 'zod';
import { absolutePath } from '../../../shared/base/paths.ts';
import { MOST_CHECK_SECONDS } from '../../../shared/config/check-config.ts';
import { pageOf } from '../../render/budget.ts';
import { everyIncomplete } from '../../render/incomplete.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, limit, UNLISTED } from '../../tools/fields.ts';
import { number } from '../../tools/shapes.ts';
import type { Roots } from '../../workspace/roots.ts';
import { checkTypes } from './check-types.ts';
import { countOf, type TypeCheck, type TypeFinding } from './checker.ts';
import { ofRule } from './rules.ts';
import { bySeverity, checkText, typeFindingLine } from './text.ts';

/** For ending the checker after its time is up. */
const MARGIN_MS = 15_000;
const PYTHON_VERSION = /^\d+\.\d+$/;

export const typeCheckTools = [
  defineTool({
    name: 'check_types',
    title: 'Check types',
    description:
      'Runs pyright’s command line on a Python file or directory: every error with its rule, as in CI. get_diagnostics asks the running server instead.',
    effect: 'read',
    input: () =>
      z.strictObject({
        path: z.string().min(1).optional().describe('File or directory; default: the root'),
        python_version: z
          .string()
          .regex(PYTHON_VERSION, 'must be of the form N.N, e.g. 3.11')
          .optional()
          .describe('N.N; default: the project’s'),
        rule: z.string().min(1).optional().meta(UNLISTED).describe('Only findings of this rule'),
        limit,
        cursor,
      }),
    output: () =>
      z.strictObject({
        checker: z.string(),
        version: z.string(),
        command: z.string(),
        directory: z.string(),
        settings: z.array(z.strictObject({ name: z.string(), value: z.string(), from: z.string() })),
        files_analyzed: number,
        seconds: z.number(),
        error_count: number,
        warning_count: number,
        information_count: number,
        /** Of all findings, the most frequent first. */
        rules: z.array(
          z.strictObject({
            rule: z.string(),
            errors: number,
            warnings: number,
            files: z.array(z.strictObject({ file: z.string(), count: number })),
          }),
        ),
        diagnostics: z.array(
          z.strictObject({
            file: z.string(),
            line: number,
            column: number,
            end_line: number,
            end_column: number,
            severity: z.enum(['error', 'warning', 'information']),
            message: z.string(),
            rule: z.string().optional(),
          }),
        ),
      }),
    // The checker has a limit of its own, which the user may set.
    limitMs: () => MOST_CHECK_SECONDS * 1_000 + MARGIN_MS,
    run: async (input, context) => {
      const { roots } = context;
      const { check, rules } = ofRule(await checkTypes(context, input), input.rule, roots);
      const findings = bySeverity(check.findings);
      const page = pageOf(findings, input, (finding) => typeFindingLine(finding, roots).length + 1);
      const hasErrors = countOf(findings, 'error') > 0;
      return {
        text: `${input.rule === undefined ? '' : `${input.rule}: `}${checkText(check, page, roots)}`,
        data: { ...figures(check), rules, diagnostics: page.items.map(diagnosticData) },
        incomplete: everyIncomplete(check.gaps.map((reason) => ({ reason }))),
        notes: check.notes,
        failed: hasErrors,
        page,
        hint: stepFrom(page.items, roots),
      };
    },
  }),
];

function stepFrom(findings: readonly TypeFinding[], roots: Roots): string | undefined {
  const first = findings.find(({ severity }) => severity === 'error');
  if (!first || !roots.holds(absolutePath(first.file))) return undefined;
  return `suggest_fixes ${roots.display(absolutePath(first.file))}:${first.line}:${first.column}`;
}

function figures({ findings, ...check }: TypeCheck) {
  return {
    checker: check.checker,
    version: check.version,
    command: check.command,
    directory: check.directory,
    settings: check.settings.map((setting) => ({ ...setting })),
    files_analyzed: check.filesAnalyzed,
    seconds: check.seconds,
    error_count: countOf(findings, 'error'),
    warning_count: countOf(findings, 'warning'),
    information_count: countOf(findings, 'information'),
  };
}

function diagnosticData({ endLine, endColumn, rule, ...finding }: TypeFinding) {
  return {
    ...finding,
    end_line: endLine,
    end_column: endColumn,
    ...(rule === undefined ? {} : { rule }),
  };
}
