/** Inlay hints: what an editor writes between the words of a line, as text at public positions. */
import { type InlayHint, InlayHintKind } from 'vscode-languageserver-protocol';
import { type Encoding, type Point, type TextLines, toPoint } from '../../../shared/base/positions.ts';
import { comparePoints } from '../../places/places.ts';
import { oneLine } from '../../render/budget.ts';
import { markupText } from '../../render/markup.ts';

export interface Hint {
  /** The hint stands before this column. */
  readonly at: Point;
  readonly label: string;
  readonly kind: 'type' | 'parameter' | undefined;
  readonly tooltip: string | undefined;
}

const LINE_CHARS = 200;

/** In the order of the text. */
export function hintsOf(hints: readonly InlayHint[], lines: TextLines, encoding: Encoding): readonly Hint[] {
  return hints
    .map(({ position, label, kind, tooltip }): Hint => {
      const parts = typeof label === 'string' ? [{ value: label }] : label;
      return {
        at: toPoint(position, () => lines, encoding),
        label: parts
          .map(({ value }) => value)
          .join('')
          .trim(),
        kind: kind === undefined ? undefined : KINDS[kind],
        tooltip: markupText(tooltip) || undefined,
      };
    })
    .sort((a, b) => comparePoints(a.at, b.at));
}

/** `12  const total«: number» = sum(«items:»list)`, one line for each line of the source that has hints. */
export function hintLines(hints: readonly Hint[], lines: TextLines): string[] {
  const numbers = new Set(hints.map(({ at }) => at.line));
  return [...numbers].map((number) => {
    let text = '';
    let from = 0;
    for (const { at, label } of hints.filter((hint) => hint.at.line === number)) {
      text += `${lines.at(number).slice(from, at.column - 1)}«${label}»`;
      from = at.column - 1;
    }
    return `  ${number}  ${oneLine(text + lines.at(number).slice(from), LINE_CHARS)}`;
  });
}

const KINDS = { [InlayHintKind.Type]: 'type', [InlayHintKind.Parameter]: 'parameter' } as const;
