/** The findings of check_types by the rules of the checker: an overview of a project with many of them. */
import { counted } from '../../../shared/base/counted.ts';
import { fieldOf } from '../../../shared/base/unknown-value.ts';
import type { ExtensionAnswer, ExtensionContext } from '../definition.ts';

interface RuleCount {
  readonly rule: string;
  readonly errors: number;
  readonly warnings: number;
  readonly files: readonly { readonly file: string; readonly count: number }[];
}

const MOST_FILES_SHOWN = 3;

export async function typesByRule(
  { path, rule }: { readonly path?: string | undefined; readonly rule?: string | undefined },
  context: ExtensionContext,
): Promise<ExtensionAnswer> {
  const where = path === undefined ? {} : { path };
  if (rule !== undefined) return context.call('check_types', { ...where, rule });
  const answer = await context.call('check_types', where);
  const rules = rulesOf(answer.data);
  const [verdict = ''] = answer.text.split('\n');
  const [first] = rules;
  const { hint: _, ...found } = answer;
  return {
    ...found,
    text: [verdict, ...rules.map(ruleLine)].join('\n'),
    data: { rules },
    ...(first
      ? { hint: `python_check_types${path === undefined ? '' : ` path:${path}`} rule:${first.rule}` }
      : {}),
  };
}

function ruleLine({ rule, errors, warnings, files }: RuleCount): string {
  const counts = [
    ...(errors > 0 ? [counted(errors, 'error')] : []),
    ...(warnings > 0 ? [counted(warnings, 'warning')] : []),
  ];
  const most = files.slice(0, MOST_FILES_SHOWN).map(({ file, count }) => `${file} ${count}`);
  const more = files.length > MOST_FILES_SHOWN ? `, ${files.length - MOST_FILES_SHOWN} more files` : '';
  return `${rule}: ${counts.join(', ')} (${most.join(', ')}${more})`;
}

function rulesOf(data: unknown): readonly RuleCount[] {
  const rules = fieldOf(data, 'rules');
  return Array.isArray(rules) ? rules : [];
}
