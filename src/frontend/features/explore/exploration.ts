/** What was found out about a symbol, as text that fits into a few hundred tokens and as data. */

import { groupBy } from '../../../shared/base/group-by.ts';
import { isTestFile } from '../../../shared/languages/test-files.ts';
import { keyOf, type Place } from '../../places/places.ts';
import { oneLine } from '../../render/budget.ts';
import { linesOf } from '../../targets/declarations.ts';
import type { Target } from '../../targets/locate.ts';
import type { Roots } from '../../workspace/roots.ts';
import { compactHover } from '../documentation/hover-text.ts';
import { commentOf } from '../documentation/symbol-docs.ts';
import { isInTests, labelOf } from '../hierarchies/hierarchy-items.ts';
import { shownFile, shownPlace } from '../hierarchies/text.ts';
import { accountedPart, accountingExtent } from '../references/accounting/sentences.ts';
import type { Exploration, MissingPart } from './explore.ts';

const SOURCE_LINES = 40;
const MOST_CALLERS = 10;
const MOST_FILES = 5;
const MOST_OTHERS = 5;
const LONGEST_LINE = 300;

export function exploreText(found: Exploration, target: Target, roots: Roots): string {
  const { declaration, implementations, missing } = found;
  const { signature, documentation } = compactHover(found.hover, false);
  const named = declaration?.node.at;
  const where =
    declaration && named
      ? `${roots.display(declaration.source.path)}:${named.line}:${named.column}`
      : target.shown;
  const extent = accountingExtent(found.incomplete, found.accounting);
  // The source says it again where it has a comment of its own.
  const docs = declaration && commentOf(declaration) !== '' ? [] : documentation;
  return [
    `${oneLine(signature, 400) || target.name}   ${where}; ${found.readiness}, ${extent}; root ${roots.primary}`,
    ...docs,
    ...otherLines(found),
    ...sourceLines(found, roots),
    ...callerLines(found, roots),
    ...useLines(found, roots),
    ...(implementations === undefined ? [] : [`implementations: ${implementations}`]),
    ...(missing.length === 0 ? [] : [`MISSING: ${missing.map(missingText).join('; ')}`]),
  ].join('\n');
}

function missingText({ part, why }: MissingPart): string {
  return `${part} (${why})`;
}

function otherLines({ others }: Exploration): string[] {
  const shown = others.slice(0, MOST_OTHERS).map(({ target, hover }) => {
    const { signature } = compactHover(hover, false);
    return `also ${oneLine(signature, 200) || target.name}   ${target.shown}`;
  });
  const rest = others.length - shown.length;
  return rest > 0 ? [...shown, `also ${rest} more of the name; list_symbols has them`] : shown;
}

function sourceLines(found: Exploration, roots: Roots): string[] {
  const source = sourceOf(found);
  if (!source) return [];
  const { start_line, end_line, lines, left } = source;
  const more = left === 0 ? [] : [`… ${left} more lines; get_symbol_source has them`];
  return [`source ${roots.display(source.file)}:${start_line}-${end_line}`, ...lines, ...more];
}

function callerLines({ callers }: Exploration, roots: Roots): string[] {
  if (!callers) return [];
  const tests = callers.filter((item) => isInTests(item, roots));
  const shown = callers.slice(0, MOST_CALLERS);
  const lines = shown.map((item) => {
    return `  ${oneLine(labelOf(item), 100)}  ${shownFile(item.place, roots)}:${shownPlace(item.place)}`;
  });
  const rest = callers.length - shown.length;
  const inTests = tests.length === 0 ? '' : `, ${tests.length} in tests`;
  return [
    `callers: ${callers.length === 0 ? 'none' : `${callers.length}${inTests}`}`,
    ...lines,
    ...(rest > 0 ? [`  ${rest} more; find_callers has them`] : []),
  ];
}

function useLines({ uses, accounting }: Exploration, roots: Roots): string[] {
  if (!uses) return [];
  const possible = accounting?.possible.length ?? 0;
  const maybe = possible === 0 ? '' : `, ${possible} possible (find_references lists them)`;
  const accounted = accounting ? `; ${accountedPart(accounting, roots)}` : '';
  if (uses.length === 0) return [`references: none${maybe}${accounted}`];
  const { count, test_count, top_files, files } = countsOf(uses, roots);
  const top = top_files.map(({ shown, count }) => `${shown} ${count}`).join(', ');
  const others = files - top_files.length;
  const rest = others > 0 ? ` and ${others} more files` : '';
  const tests = test_count === 0 ? '' : `${top === '' ? '' : '; '}tests ${test_count}`;
  return [`references: ${count}${maybe}: ${top}${rest}${tests}${accounted}`];
}

export function exploreData(found: Exploration, roots: Roots) {
  const source = sourceOf(found);
  const callers = found.callers ?? [];
  const { count, test_count, top_files } = countsOf(found.uses ?? [], roots);
  return {
    type_info: found.hover,
    ...(source
      ? {
          source: {
            symbol_name: source.name,
            file: source.file,
            ...source.at,
            start_line: source.start_line,
            end_line: source.end_line,
            source: source.lines.join('\n'),
            ...(source.left === 0 ? {} : { lines_left: source.left }),
          },
        }
      : {}),
    ...(found.others.length === 0
      ? {}
      : {
          others: found.others.map(({ target, hover }) => ({
            type_info: hover,
            file: target.source.path,
            ...target.point,
          })),
        }),
    callers: callers.slice(0, MOST_CALLERS).map((item) => ({
      name: labelOf(item),
      file: keyOf(item.place),
      line: item.place.start.line,
      column: item.place.start.column,
    })),
    callers_count: callers.length,
    test_callers_count: callers.filter((item) => isInTests(item, roots)).length,
    references: { count, test_count, top_files: top_files.map(({ file, count }) => ({ file, count })) },
    ...(found.implementations === undefined ? {} : { implementations_count: found.implementations }),
    ...(found.missing.length === 0 ? {} : { missing: found.missing.map(missingText) }),
  };
}

function sourceOf({ declaration }: Exploration) {
  if (!declaration) return undefined;
  const { node, source } = declaration;
  const { start, end } = linesOf(declaration);
  const shown = Math.min(SOURCE_LINES, end - start + 1);
  const lines = Array.from({ length: shown }, (_, index) =>
    source.lines.at(start + index).slice(0, LONGEST_LINE),
  );
  const name = node.path.join('.');
  return {
    name,
    file: source.path,
    at: node.at,
    start_line: start,
    end_line: end,
    lines,
    left: end - start + 1 - shown,
  };
}

function countsOf(uses: readonly Place[], roots: Roots) {
  const files = [...groupBy(uses, keyOf)].map(([file, own]) => {
    const shown = own[0] ? shownFile(own[0], roots) : file;
    return { file, shown, count: own.length };
  });
  const tests = files.filter(({ shown }) => isTestFile(shown));
  const others = files.filter(({ shown }) => !isTestFile(shown)).sort((a, b) => b.count - a.count);
  return {
    count: uses.length,
    test_count: tests.reduce((sum, { count }) => sum + count, 0),
    files: others.length,
    top_files: others.slice(0, MOST_FILES),
  };
}
