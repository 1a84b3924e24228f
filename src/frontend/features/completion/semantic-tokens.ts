/** Semantic tokens: rows of five numbers, each relative to the one before, as words with public positions. */
import type { SemanticTokens, SemanticTokensLegend } from 'vscode-languageserver-protocol';
import { type Encoding, type Point, type TextLines, toPoint } from '../../../shared/base/positions.ts';
import { comparePoints } from '../../places/places.ts';
import type { Span } from '../../targets/spans.ts';

export interface Token {
  readonly at: Point;
  readonly text: string;
  readonly type: string;
  readonly modifiers: readonly string[];
}

/** Those that begin inside the span. A server that answers for the whole file gives more. */
export function tokensIn(
  span: Span,
  { data }: Pick<SemanticTokens, 'data'>,
  legend: SemanticTokensLegend,
  { lines, encoding }: { readonly lines: TextLines; readonly encoding: Encoding },
): readonly Token[] {
  const found: Token[] = [];
  let line = 0;
  let character = 0;
  for (let row = 0; row + 4 < data.length; row += 5) {
    const [lineDelta = 0, delta = 0, length = 0, type = 0, modifierBits = 0] = data.slice(row, row + 5);
    line += lineDelta;
    character = lineDelta === 0 ? character + delta : delta;
    const at = toPoint({ line, character }, () => lines, encoding);
    if (comparePoints(at, span.start) < 0 || comparePoints(at, span.end) >= 0) continue;
    const end = toPoint({ line, character: character + length }, () => lines, encoding);
    found.push({
      at,
      text: lines.at(at.line).slice(at.column - 1, end.column - 1),
      type: legend.tokenTypes[type] ?? `type ${type}`,
      modifiers: legend.tokenModifiers.filter((_, bit) => (modifierBits & (1 << bit)) !== 0),
    });
  }
  return found;
}
