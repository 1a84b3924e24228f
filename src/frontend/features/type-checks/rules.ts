/** The findings of a check by the rules of its checker, and the part of it that is of one rule. */
import { fail } from '../../../shared/base/failure.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { didYouMean } from '../../../shared/base/near-names.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import type { Roots } from '../../workspace/roots.ts';
import { countOf, type TypeCheck, type TypeFinding } from './checker.ts';

interface RuleCount {
  readonly rule: string;
  readonly errors: number;
  readonly warnings: number;
  /** Those with most of it first. */
  readonly files: { readonly file: string; readonly count: number }[];
}

/** What the checker says without naming a rule, such as errors of syntax. */
const NO_RULE = 'no rule';

/** Fails for a rule that the check has nothing of, since its name may be wrong. */
export function ofRule(
  check: TypeCheck,
  rule: string | undefined,
  roots: Pick<Roots, 'display'>,
): { readonly check: TypeCheck; readonly rules: RuleCount[] } {
  const rules = rulesOf(check.findings, roots);
  if (rule === undefined) return { check, rules };
  const findings = check.findings.filter((finding) => nameOf(finding) === rule);
  if (findings.length > 0) return { check: { ...check, findings }, rules };
  const names = rules.map((each) => each.rule);
  return fail({
    kind: 'invalid-input',
    message: `nothing was found of the rule ${rule}${didYouMean(rule, names)}`,
    next: names.length === 0 ? 'No rule has findings' : `Rules with findings: ${names.join(', ')}`,
  });
}

function rulesOf(findings: readonly TypeFinding[], roots: Pick<Roots, 'display'>): RuleCount[] {
  const counts = [...groupBy(findings, nameOf)].map(([rule, own]): RuleCount => {
    const files = [...groupBy(own, ({ file }) => file)].map(([file, here]) => ({
      file: roots.display(absolutePath(file)),
      count: here.length,
    }));
    return {
      rule,
      errors: countOf(own, 'error'),
      warnings: countOf(own, 'warning'),
      files: files.sort((a, b) => b.count - a.count),
    };
  });
  return counts.sort((a, b) => b.errors - a.errors || b.warnings - a.warnings);
}

function nameOf({ rule = NO_RULE }: TypeFinding): string {
  return rule;
}
