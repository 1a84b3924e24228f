/** A file for an agent that is about to edit it: one line per symbol, with who depends on it. */
import { createHash } from 'node:crypto';
import type { ImportStatement } from '../../lexical/imports.ts';
import { keyOf } from '../../places/places.ts';
import { oneLine } from '../../render/budget.ts';
import type { SymbolNode } from '../../symbols/symbol-tree.ts';
import type { Roots } from '../../workspace/roots.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { type HierarchyItem, isInTests, labelOf } from '../hierarchies/hierarchy-items.ts';
import type { EditingSymbol, LookedUp } from './editing-context.ts';

const MOST_NAMES = 3;
const MOST_IN_DATA = 10;
const HEAD_LINES = 6;

/** `  method total 28:3-31  total(): Money  <- checkout src/checkout.ts:14:17, tests 1  -> add, money` */
export function symbolLine({ entry, neighbours }: EditingSymbol, source: SourceFile, roots: Roots): string {
  const { node, depth, name } = entry;
  const end = node.end.line > node.at.line ? `-${node.end.line}` : '';
  const head = `${'  '.repeat(depth + 1)}${node.word} ${oneLine(name, 60)} ${node.at.line}:${node.at.column}${end}`;
  const { callers = [], callees = [] } = neighbours ?? {};
  const tests = callers.filter((item) => isInTests(item, roots));
  const others = callers.filter((item) => !isInTests(item, roots));
  const named = others.slice(0, MOST_NAMES).map((item) => placed(item, source, roots));
  const rest = others.length - named.length;
  const used = [
    ...named,
    ...(rest > 0 ? [`+${rest}`] : []),
    ...(tests.length > 0 ? [`tests ${tests.length}`] : []),
  ];
  const calls = [...new Set(callees.map(labelOf))];
  const more = calls.length > 2 * MOST_NAMES ? ` +${calls.length - 2 * MOST_NAMES}` : '';
  const from = used.length === 0 ? '' : `  <- ${used.join(', ')}`;
  const to = calls.length === 0 ? '' : `  -> ${calls.slice(0, 2 * MOST_NAMES).join(', ')}${more}`;
  return `${head}  ${signatureOf(node, source)}${from}${to}`;
}

export function symbolEntry({ entry, neighbours }: EditingSymbol, source: SourceFile, roots: Roots) {
  const { node } = entry;
  return {
    name: node.path.join('.'),
    kind: node.word,
    ...node.at,
    end_line: node.end.line,
    signature: signatureOf(node, source),
    ...(neighbours
      ? {
          callers: {
            non_test_callers: namesOf(neighbours.callers.filter((item) => !isInTests(item, roots))),
            test_callers: namesOf(neighbours.callers.filter((item) => isInTests(item, roots))),
          },
        }
      : {}),
    ...(neighbours?.callees ? { callees: namesOf(neighbours.callees) } : {}),
  };
}

export function importData({ line, text }: ImportStatement): { line: number; text: string } {
  return { line, text: oneLine(text, 300) };
}

/** Of the text, because a changed body changes nothing else, and of the answer, because callers change without it. */
export function etagOf(source: SourceFile, answer: unknown): string {
  return createHash('sha1')
    .update(source.text)
    .update('\0')
    .update(JSON.stringify(answer))
    .digest('hex')
    .slice(0, 16);
}

export function notLookedUpLine({ notLookedUp, why }: LookedUp): string[] {
  if (notLookedUp.length === 0) return [];
  const names = notLookedUp.slice(0, 5).join(', ');
  const more = notLookedUp.length > 5 ? ` and ${notLookedUp.length - 5} more` : '';
  const reason = why === undefined ? 'too many at once' : why;
  return [`callers not looked up (${reason}): ${names}${more}; find_callers asks about one`];
}

/** The head of a declaration up to the bracket that closes its parameters. */
function signatureOf(node: SymbolNode, { lines }: SourceFile): string {
  let text = '';
  for (let line = node.at.line; line < node.at.line + HEAD_LINES; line++) {
    text += `${lines.at(line).trim()} `;
    if ((text.match(/[([]/g)?.length ?? 0) <= (text.match(/[)\]]/g)?.length ?? 0)) break;
  }
  return oneLine(text.trim().replace(/\s*[{:]$/, ''), 140);
}

function namesOf(items: readonly HierarchyItem[]) {
  return {
    count: items.length,
    first: items.slice(0, MOST_IN_DATA).map((item) => ({
      name: labelOf(item),
      file: keyOf(item.place),
      line: item.place.start.line,
      column: item.place.start.column,
    })),
  };
}

/** In the same file the position is enough. */
function placed(item: HierarchyItem, source: SourceFile, roots: Roots): string {
  const { line, column } = item.place.start;
  const { file, uri } = item.place;
  const where = file === source.path ? '' : `${file === undefined ? uri : roots.display(file)}:`;
  return `${oneLine(labelOf(item), 60)} ${where}${line}:${column}`;
}
