/** A symbol's body, or the whole of its declaration, replaced in a text by what an agent wrote for it. */

import { fail } from '../../../../shared/base/failure.ts';
import { languageFacts } from '../../../../shared/languages/facts.ts';
import { type Body, bodyOf } from '../../../lexical/body-span.ts';
import { unpaired } from '../../../lexical/brackets.ts';
import { blockOf, indented, indentOf, indentUnit } from '../../../lexical/indentation.ts';
import {
  type Extent,
  lineOf,
  lineStart,
  type SourceText,
  sourceText,
} from '../../../lexical/symbol-extent.ts';
import { wholeDeclaration } from '../../../lexical/whole-declaration.ts';
import { type EditedSource, hasComment, spliced } from '../plan/splice.ts';
import { replaceWhole } from './replace-declaration.ts';

export function replaceBody(source: SourceText, extent: Extent, newBody: string): EditedSource {
  const given = sourceText(newBody.replace(/\r\n|\r/g, '\n').trimEnd(), source.family);
  if (given.text.trim() === '')
    refuse('new_body is empty', 'Pass {} or pass for an empty body; safe_delete_symbol deletes the symbol');
  const odd = unpaired(given.code);
  if (odd !== undefined)
    refuse(`new_body has ${odd} without its partner`, 'Pass the body without its braces, or with both');
  const body = bodyOf(source, extent);
  const whole = wholeDeclaration(given, source, extent, body);
  if (whole) return replaceWhole(source, extent, given, whole.start);
  return replaceInner(source, extent, body, given);
}

function replaceInner(source: SourceText, extent: Extent, body: Body, given: SourceText): EditedSource {
  const unit = indentUnit(source.text);
  const place = { indent: extent.indent, unit };
  switch (body.kind) {
    case 'braces':
      return inBraces(source, body, withoutBraces(given), place);
    case 'expression':
      return inExpression(source, body, given, place);
    case 'suite':
      return inSuite(source, extent, body, given, place);
    case 'end':
      return inEnded(source, body, given, place);
    case 'none':
      return refuse(
        `${extent.symbol.path} has no body to replace: ${body.why}`,
        'Pass its whole declaration as new_body, or use apply_edit with old_text and new_text',
      );
  }
}

interface PlaceInFile {
  readonly indent: string;
  readonly unit: string;
}

function inBraces(
  source: SourceText,
  { open, close }: { open: number; close: number },
  given: SourceText,
  { indent, unit }: PlaceInFile,
): EditedSource {
  const inside = source.text.slice(open + 1, close);
  const block = blockOf(given.text, source.family);
  const [only = '', ...others] = block.lines;
  const isLine = others.length === 0 && !hasLineComment(given);
  if (only === '') return { text: spliced(source, [{ from: open + 1, to: close, text: '' }]), notes: [] };
  if (isLine && !/[\r\n]/.test(inside) && inside.trim() !== '')
    return { text: spliced(source, [{ from: open + 1, to: close, text: ` ${only.trim()} ` }]), notes: [] };
  const outer = /[\r\n]/.test(inside) ? closingIndent(source, close, indent) : indent;
  const inner = memberIndent(source, open, close, outer, unit);
  const lines = indented(block, inner, unit);
  return {
    text: spliced(source, [{ from: open + 1, to: close, text: `\n${lines.join('\n')}\n${outer}` }]),
    notes: [],
  };
}

/** Where the closing brace stands alone, it stays there. */
function closingIndent(source: SourceText, close: number, indent: string): string {
  const before = source.text.slice(lineStart(source, lineOf(source, close)), close);
  return before.trim() === '' ? before : indent;
}

/** The indentation that the body has now, if it is deeper than what is around it. */
function memberIndent(source: SourceText, open: number, close: number, outer: string, unit: string): string {
  const { lines } = source;
  for (let line = lineOf(source, open) + 1; line < lineOf(source, close); line++) {
    const text = lines.at(line);
    if (
      text.trim() === '' ||
      /^\s*(?:#|[\w ]+:\s*$)/.test(text) ||
      source.isInString(lineStart(source, line))
    )
      continue;
    const indent = indentOf(text);
    return indent.length > outer.length && indent.startsWith(outer) ? indent : outer + unit;
  }
  return outer + unit;
}

/** The same text without the one pair of braces around all of it. */
function withoutBraces(given: SourceText): SourceText {
  const from = given.code.search(/\S/);
  const to = given.code.trimEnd().length - 1;
  if (given.code[from] !== '{' || given.code[to] !== '}') return given;
  const inner = given.code.slice(from + 1, to);
  if (unpaired(inner) !== undefined || given.text.slice(0, from).trim() !== '') return given;
  if (given.text.slice(to + 1).trim() !== '') return given;
  return sourceText(
    given.text
      .slice(from + 1, to)
      .replace(/^[ \t]*\n/, '')
      .trimEnd(),
    given.family,
  );
}

/** Nothing can follow it on its line. */
function hasLineComment({ text, code }: SourceText): boolean {
  return hasComment({ text, code }, 0, text.length) && !/\*\/\s*$/.test(text);
}

const OBJECT = /^\{\s*(?:\}|\.\.\.|[\w$]+\s*[,:}]|"+\s*:|\[)/;
const STATEMENTS = /;\s*\S|;\s*$|^(?:return|const|let|var|if|for|while|switch|throw|try|do|final|using)\b/;

/** An arrow that gave a value gets a block when statements come. */
function inExpression(
  source: SourceText,
  body: { from: number; to: number },
  given: SourceText,
  place: PlaceInFile,
): EditedSource {
  const code = given.code.trim();
  const isBlock = withoutBraces(given) !== given;
  if (isBlock && OBJECT.test(code) && !STATEMENTS.test(withoutBraces(given).code.trim()))
    refuse('new_body may be an object or a block', 'Write ({ ... }) for the object, or a block with return');
  if (!isBlock && !STATEMENTS.test(code)) {
    const lines = indented(blockOf(given.text, source.family), place.indent, place.unit);
    const text = lines.join('\n').slice(place.indent.length);
    return { text: spliced(source, [{ ...body, text }]), notes: [] };
  }
  const { body: look } = languageFacts(source.family).text;
  if (look.kind !== 'braces' || look.arrows !== 'functions')
    refuse(
      'its body is one expression and new_body has statements',
      'Pass its whole declaration as new_body',
    );
  const lines = indented(
    blockOf(withoutBraces(given).text, source.family),
    place.indent + place.unit,
    place.unit,
  );
  const text = `{\n${lines.join('\n')}\n${place.indent}}`;
  return { text: spliced(source, [{ ...body, text }]), notes: [] };
}

/** A docstring stays unless a new one comes. */
function inSuite(
  source: SourceText,
  { indent }: Extent,
  { colon, to, isInline }: { colon: number; to: number; isInline: boolean },
  given: SourceText,
  { unit }: PlaceInFile,
): EditedSource {
  const block = blockOf(given.text, source.family);
  const lines = (at: string) => indented(block, at, unit).join('\n');
  if (isInline) {
    const isSimple =
      block.lines.length === 1 &&
      !/^(?:if|for|while|with|try|def|class|async|match|@)\b/.test(given.code.trim());
    const from = colon + 1;
    return {
      text: spliced(source, [
        { from, to, text: isSimple ? ` ${block.lines[0]}` : `\n${lines(indent + unit)}` },
      ]),
      notes: [],
    };
  }
  const first = colon + 1 + source.code.slice(colon + 1, to).search(/\S/);
  const own = indentOf(source.lines.at(lineOf(source, first)));
  const document = /^[rRuU]?"+(?=\s*(?:[\r\n;]|$))/.exec(source.code.slice(first, to))?.[0];
  const isKept = document !== undefined && !/^\s*[rRuU]?"/.test(given.code);
  if (!isKept)
    return {
      text: spliced(source, [{ from: lineStart(source, lineOf(source, first)), to, text: lines(own) }]),
      notes: [],
    };
  const behind = first + document.length;
  const rest = { from: behind, to, text: `\n${lines(own)}` };
  return { text: spliced(source, [rest]), notes: ['the docstring was kept'] };
}

function inEnded(
  source: SourceText,
  { from, to }: { from: number; to: number },
  given: SourceText,
  place: PlaceInFile,
): EditedSource {
  const { indent, unit } = place;
  const inside = source.text.slice(from, to);
  const block = blockOf(given.text, source.family);
  if (!/[\r\n]/.test(inside) && block.lines.length === 1 && !hasLineComment(given)) {
    const { body: look } = languageFacts(source.family).text;
    const isSeparated = look.kind === 'end' && look.isSeparated && source.text[from - 1] === ';';
    const end = isSeparated ? '; ' : ' ';
    return { text: spliced(source, [{ from, to, text: ` ${block.lines[0]}${end}` }]), notes: [] };
  }
  const begin = source.text[from - 1] === ';' ? from - 1 : from;
  const text = `\n${indented(block, indent + unit, unit).join('\n')}\n${indent}`;
  return { text: spliced(source, [{ from: begin, to, text }]), notes: [] };
}

function refuse(message: string, next: string): never {
  fail({ kind: 'invalid-input', message, next });
}
