/** What hooks say: a few lines, the errors first, then what was not looked at. */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { MAX_CHARS, oneLine } from '../../render/budget.ts';
import { problemOf } from '../../render/failure.ts';
import { foldEqual, times } from '../diagnostics/fold-equal.ts';
import type { BroughtError, BroughtErrors } from './brought-errors.ts';
import type { Since } from './look-at-edit.ts';

export interface ReportView {
  display(file: AbsPath): string;
  /** What the errors are compared with the beginning of. */
  readonly of: 'edit' | 'turn';
  readonly maxTokens: number;
  /** Edited files beyond those that one report looks at. */
  readonly leftOut: number;
}

/** What stands above errors that were not compared with the text right before the edit. */
const BELOW: Readonly<Record<Since, string | undefined>> = {
  edit: undefined,
  commit: 'new since the last commit (the text before the edit is not known):',
  unknown: 'not known whether these were there before:',
};
const ORDER: readonly Since[] = ['edit', 'commit', 'unknown'];
/** Kept for the last lines. */
const RESERVED_TOKENS = 60;

/** Undefined when there are no errors to speak of. */
export function broughtText(
  errors: readonly BroughtError[],
  unseen: BroughtErrors['unseen'],
  view: ReportView,
) {
  if (errors.length === 0) return undefined;
  const budget = new Budget(view.maxTokens - RESERVED_TOKENS);
  const lines = [headline(errors, view)];
  budget.take(lines[0] ?? '');
  let listed = 0;
  for (const since of ORDER) {
    const own = errors.filter((error) => error.since === since);
    const title = BELOW[since];
    if (own.length > 0 && title !== undefined && errors.some((error) => error.since !== since))
      lines.push(title);
    for (const [file, group] of groupBy(own, ({ finding }) => finding.file)) {
      const name = `${view.display(file)}${group[0]?.isEdited === false ? ' (not edited)' : ''}`;
      const below = foldedLines(group);
      const [first] = below;
      if (!first || !budget.fits(`${name}\n${first.line}`)) continue;
      budget.take(name);
      lines.push(name);
      for (const { line, count } of below) {
        if (!budget.fits(line)) break;
        budget.take(line);
        lines.push(line);
        listed += count;
      }
    }
  }
  const rest = errors.length - listed;
  if (rest > 0) lines.push(`and ${counted(rest, 'more error')}; get_diagnostics lists them`);
  return cut([...lines, ...unseenLines(unseen, view)].join('\n'));
}

/** Undefined when everything was looked at. */
export function unseenText(unseen: BroughtErrors['unseen'], view: ReportView): string | undefined {
  const lines = unseenLines(unseen, view);
  return lines.length === 0 ? undefined : cut(['agent-lsp:', ...lines].join(' '));
}

function headline(errors: readonly BroughtError[], { of }: ReportView): string {
  const who = of === 'edit' ? 'this edit' : 'the edits of this turn';
  const [first] = errors;
  const isOfOneKind = errors.every(({ since }) => since === first?.since);
  const count = counted(errors.length, 'error');
  if (!isOfOneKind || first === undefined) return `agent-lsp: ${count} after ${who}:`;
  if (first.since === 'edit') return `agent-lsp: ${who} brought ${count}:`;
  return `agent-lsp: ${count} after ${who}, ${BELOW[first.since]}`;
}

function foldedLines(errors: readonly BroughtError[]): readonly { line: string; count: number }[] {
  const folded = foldEqual(errors, ({ finding }) => `${finding.code}\n${finding.message}`);
  return folded.map(({ first: { finding }, count }) => {
    const code = finding.code === undefined ? '' : ` ${finding.code}`;
    const place = `${finding.start.line}:${finding.start.column}`;
    return { line: `  ${times(count)}${place}${code} ${oneLine(finding.message, 300)}`, count };
  });
}

const MOST_NAMED = 4;

function unseenLines(unseen: BroughtErrors['unseen'], { display, leftOut }: ReportView): readonly string[] {
  const reasons = groupBy(unseen, ({ failure }) =>
    failure === undefined ? 'no answer in time' : oneLine(problemOf(failure), 120),
  );
  const lines = [...reasons].map(([reason, files]) => {
    const names = files.slice(0, MOST_NAMED).map(({ file }) => display(file));
    const more = files.length - names.length;
    return `not looked at: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''} (${reason})`;
  });
  return leftOut > 0 ? [...lines, `not looked at: ${counted(leftOut, 'more edited file')}`] : lines;
}

function cut(text: string): string {
  return text.length <= MAX_CHARS ? text : text.slice(0, MAX_CHARS);
}

/** Tokens by the length of texts, rather too many than too few. */
class Budget {
  #left: number;

  constructor(tokens: number) {
    this.#left = tokens;
  }

  fits(text: string): boolean {
    return tokensAbout(text) <= this.#left;
  }

  take(text: string): void {
    this.#left -= tokensAbout(text);
  }
}

function tokensAbout(text: string): number {
  const others = text.replace(/[\x20-\x7e\n]/g, '').length;
  return Math.ceil((text.length - others) / 2.7) + others + 1;
}
