/** A symbol in a text for tests without a server: its range is between « and », as a server would give it. */
import { SymbolKind } from 'vscode-languageserver-protocol';
import {
  type Extent,
  extentOf,
  type SourceText,
  sourceText,
} from '../../src/frontend/lexical/symbol-extent.ts';
import { TextOffsets } from '../../src/shared/base/positions.ts';

export interface MarkedSymbol {
  readonly source: SourceText;
  readonly extent: Extent;
}

export interface MarkedOptions {
  readonly kind?: SymbolKind;
  readonly container?: SymbolKind;
}

function markedSource(marked: string, family: string): SourceText {
  return sourceText(marked.replace(/[«»]/g, ''), family);
}

export function markedSymbol(
  marked: string,
  family: string,
  name: string,
  { kind = SymbolKind.Function, container }: MarkedOptions = {},
): MarkedSymbol {
  const source = markedSource(marked, family);
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  const inRange = source.code.slice(start, end);
  const at = start + inRange.search(new RegExp(`(?<![\\w$])${name.replace(/[^\w]/g, '\\$&')}(?![\\w$])`));
  const offsets = new TextOffsets(source.text);
  const points = { start: offsets.pointAt(start), end: offsets.pointAt(end), at: offsets.pointAt(at) };
  return { source, extent: extentOf(source, { path: name, name, kind, container, ...points }) };
}
