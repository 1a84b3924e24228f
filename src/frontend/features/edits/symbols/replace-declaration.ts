/** A whole declaration in the place of another: what belongs to it and was not written again is kept. */
import { fail } from '../../../../shared/base/failure.ts';
import { blockOf, indented, indentOf, indentUnit } from '../../../lexical/indentation.ts';
import {
  type Extent,
  lineEndAt,
  lineOf,
  lineStart,
  type SourceText,
} from '../../../lexical/symbol-extent.ts';
import { type EditedSource, hasComment, spliced } from '../plan/splice.ts';

/** Comments, decorators and `export` that the new declaration does not bring are kept. */
export function replaceWhole(
  source: SourceText,
  extent: Extent,
  given: SourceText,
  start: number,
): EditedSource {
  const { indent } = extent;
  const { from, between, notes } = keptLead(source, extent, given, start);
  const exported = /^export\s+(?:default\s+)?/.exec(source.code.slice(extent.start))?.[0];
  const isKept = exported !== undefined && !/^export\b/.test(given.code.slice(start));
  const head = isKept ? exported : '';
  const whole = given.text.slice(0, start) + between + head + given.text.slice(start);
  const { declared, to } = ending(source, extent, given, whole);
  const text = indented(blockOf(declared, source.family), indent, indentUnit(source.text)).join('\n');
  // What stands before it on its line is a decorator that is kept.
  const own = lineStart(source, lineOf(source, extent.start));
  const isBehind = from === own && source.text.slice(own, extent.start).trim() !== '';
  const splice = isBehind ? { from: extent.start, to, text: text.slice(indent.length) } : { from, to, text };
  return { text: spliced(source, [splice]), notes: isKept ? [...notes, 'export was kept'] : notes };
}

interface KeptLead {
  /** Where the new text begins. */
  readonly from: number;
  /** Old lines between the comment that came and the declaration. */
  readonly between: string;
  readonly notes: readonly string[];
}

function keptLead(
  source: SourceText,
  { lead, start: oldStart, indent, symbol }: Extent,
  given: SourceText,
  start: number,
): KeptLead {
  const own = lineStart(source, lineOf(source, oldStart));
  const had = {
    comment: hasComment(source, lead, oldStart),
    decorator: hasDecorator(source, lead, oldStart),
  };
  const brings = { comment: hasComment(given, 0, start), decorator: hasDecorator(given, 0, start) };
  const notes = [
    ...(had.comment && !brings.comment ? ['the comment above it was kept'] : []),
    ...(had.decorator && !brings.decorator ? ['its decorators were kept'] : []),
  ];
  if (!(had.comment && brings.comment) && !(had.decorator && brings.decorator))
    return { from: own, between: '', notes };
  if (notes.length === 0) return { from: lead, between: '', notes };
  const decorators = lineStart(source, lineOf(source, lead + source.code.slice(lead, oldStart).search(/\S/)));
  if (hasComment(source, decorators, oldStart))
    refuse(
      `${symbol.path} has comments among its decorators, and new_body brings only one of both`,
      'Pass both in new_body, or neither to keep them as they are',
    );
  if (brings.decorator) return { from: decorators, between: '', notes };
  const column = indentOf(given.text.slice(given.text.lastIndexOf('\n', start - 1) + 1));
  const kept = source.text
    .slice(decorators, own)
    .replace(/\r\n|\r/g, '\n')
    .trimEnd()
    .split('\n');
  const between = kept.map(
    (line) => `${line.startsWith(indent) ? line.slice(indent.length) : line}\n${column}`,
  );
  return { from: lead, between: between.join(''), notes };
}

/** The separator behind the old declaration stays where it is, and so does its comment unless another one comes. */
function ending(
  source: SourceText,
  { end, separator }: Extent,
  given: SourceText,
  whole: string,
): { declared: string; to: number } {
  const behind = given.text.length - given.code.trimEnd().length;
  const code = whole.slice(0, whole.length - behind);
  const bare = separator !== '' && code.endsWith(separator) ? code.slice(0, -1).trimEnd() : code;
  const comment = whole.slice(whole.length - behind);
  if (comment.trim() === '') return { declared: bare, to: end };
  return { declared: bare + separator + comment, to: lineEndAt(source, lineOf(source, end)) };
}

function hasDecorator({ code }: SourceText, from: number, to: number): boolean {
  return code.slice(from, to).trim() !== '';
}

function refuse(message: string, next: string): never {
  fail({ kind: 'invalid-input', message, next });
}
