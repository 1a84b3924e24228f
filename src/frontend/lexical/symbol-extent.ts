/**
 * Where a declaration begins and ends in its file. Servers disagree: some ranges begin behind `export const`, some at
 * the comment, some are only the name, and none includes the semicolon. A declaration that shares its lines with
 * other code is refused, because its extent would be a guess.
 */
import { SymbolKind } from 'vscode-languageserver-protocol';
import { fail } from '../../shared/base/failure.ts';
import { type Point, TextLines, TextOffsets } from '../../shared/base/positions.ts';
import { languageFacts } from '../../shared/languages/facts.ts';
import { closingOf } from './brackets.ts';
import { type MaskedCode, maskCode } from './code-mask.ts';
import { leadingLine } from './doc-comments.ts';
import { indentOf } from './indentation.ts';

/** A symbol as an edit sees it. */
export interface EditedSymbol {
  /** For messages. */
  readonly path: string;
  readonly name: string;
  readonly kind: SymbolKind;
  readonly start: Point;
  readonly end: Point;
  /** Where the name stands. */
  readonly at: Point;
  /** What it is a member of. */
  readonly container?: SymbolKind | undefined;
}

export interface SourceText extends MaskedCode {
  readonly text: string;
  readonly family: string;
  readonly lines: TextLines;
  readonly offsets: TextOffsets;
}

/** Offsets into the text; `lead` and `lineEnd` are where its first line begins and its last one ends. */
export interface Extent {
  readonly symbol: EditedSymbol;
  readonly lead: number;
  /** Behind comments and decorators, with modifiers. */
  readonly start: number;
  readonly name: number;
  readonly nameEnd: number;
  /** Without the separator behind it. */
  readonly end: number;
  readonly separator: '' | ';' | ',';
  readonly lineEnd: number;
  readonly indent: string;
}

export function sourceText(text: string, family: string): SourceText {
  return {
    text,
    family,
    lines: new TextLines(text),
    offsets: new TextOffsets(text),
    ...maskCode(text, family),
  };
}

function offsetAt({ offsets }: SourceText, { line, column }: Point): number {
  return offsets.offsetOf({ line: line - 1, character: column - 1 }, 'utf-16');
}

export function lineOf({ offsets }: SourceText, offset: number): number {
  return offsets.pointAt(offset).line;
}

export function lineStart(source: SourceText, line: number): number {
  return offsetAt(source, { line, column: 1 });
}

/** Behind the last character of the line, before its line end. */
export function lineEndAt(source: SourceText, line: number): number {
  return lineStart(source, line) + source.lines.at(line).length;
}

/** Words and attributes that a declaration may begin with and some ranges leave out. */
const BEFORE =
  /^\s*(?:(?:export|default|declare|const|let|var|val|type|static|public|private|protected|internal|readonly|abstract|async|final|override|inline|constexpr|extern|local|unsafe|pub(?:\([^)]*\))?|\[\[[^\]]*\]\])\s+)*$/;
const VALUES: ReadonlySet<SymbolKind> = new Set([SymbolKind.Variable, SymbolKind.Constant]);

/** Fails when the declaration does not have its lines for itself. */
export function extentOf(source: SourceText, symbol: EditedSymbol): Extent {
  const { code, family, lines } = source;
  const name = offsetAt(source, symbol.at);
  const nameEnd = name + symbol.name.length;
  const rangeStart = offsetAt(source, symbol.start);
  const firstLine = symbol.start.line;
  const prefix = code.slice(lineStart(source, firstLine), rangeStart);
  if (!BEFORE.test(prefix)) return shared(symbol, firstLine);
  const given = trimmedEnd(code, rangeStart, closedEnd(source, rangeStart, offsetAt(source, symbol.end)));
  const isSuite = languageFacts(family).text.body.kind === 'suite';
  const isStatement = isSuite && VALUES.has(symbol.kind);
  const end = Math.max(nameEnd, isStatement ? endOfStatement(code, given) : given);
  const start = firstCode(source, lineStart(source, firstLine), name);
  if (isListed(source, symbol, start, name)) return shared(symbol, firstLine);
  const lastLine = lineOf(source, end);
  const behind = code.slice(end, lineEndAt(source, lastLine)).trim();
  if (behind !== '' && behind !== ';' && behind !== ',') return shared(symbol, lastLine);
  if (behind === ',' && VALUES.has(symbol.kind)) return shared(symbol, lastLine);
  const core = code.slice(start, end);
  const separator = behind === ';' || behind === ',' ? behind : core.endsWith(';') ? ';' : '';
  return {
    symbol,
    lead: lineStart(source, leadingLine(lines, firstLine, family)),
    start,
    name,
    nameEnd,
    end: core.endsWith(';') ? end - 1 : end,
    separator,
    lineEnd: lineEndAt(source, isSuite ? lastOfSuite(source, symbol, lastLine) : lastLine),
    indent: indentOf(lines.at(lineOf(source, start))),
  };
}

/** The offset behind the decorators and attributes from which on the declaration is code. */
export function firstCode(
  { code, family }: Pick<SourceText, 'code' | 'family'>,
  from: number,
  before: number,
): number {
  const { inline } = languageFacts(family).text.decorator;
  let at = from;
  for (;;) {
    at += /^\s*/.exec(code.slice(at, before))?.[0].length ?? 0;
    const match = inline?.exec(code.slice(at, before));
    if (!match) return at;
    let end = at + match[0].length;
    const arguments_ = /^\s*\(/.exec(code.slice(end, before))?.[0];
    if (arguments_ !== undefined && match[0].startsWith('@')) {
      const open = end + arguments_.length - 1;
      end = (closingOf(code, open, before) ?? open) + 1;
    }
    at = end;
  }
}

/** One of several names of a statement, such as `a, b = 1, 2` or a destructured one. */
function isListed({ code, family }: SourceText, symbol: EditedSymbol, start: number, name: number): boolean {
  const before = code.slice(start, name);
  const behind = code.slice(name + symbol.name.length).trimStart();
  const { sharedStatement: look } = languageFacts(family).text;
  if (!look || (look.of === 'values' && !VALUES.has(symbol.kind))) return false;
  return look.before.test(before) || look.behind?.test(behind) === true;
}

/** A range cannot reach past the bracket that closes what it is in, though some servers' ranges do. */
function closedEnd({ code, family }: SourceText, start: number, end: number): number {
  const range = code.slice(start, end);
  // Brackets need not pair up over branches of which only one is compiled.
  if (!languageFacts(family).text.bracketsPair || /^[^\S\r\n]*#[^\S\r\n]*(?:if|el)/m.test(range)) return end;
  let depth = 0;
  for (const { 0: bracket, index } of range.matchAll(/[()[\]{}]/g)) {
    depth += '([{'.includes(bracket) ? 1 : -1;
    if (depth < 0) return start + index;
  }
  return end;
}

/** Blank ends are no part of a declaration; some ranges reach into the next line. */
function trimmedEnd(code: string, start: number, end: number): number {
  return start + code.slice(start, end).trimEnd().length;
}

/** Where a range is only the name and the statement ends with its line. */
function endOfStatement(code: string, given: number): number {
  let at = given;
  while (at < code.length && !/[\r\n;]/.test(code[at] ?? '')) {
    if ('([{'.includes(code[at] ?? ' ')) at = closingOf(code, at) ?? at;
    const next = code.slice(at + 1, at + 3);
    at += code[at] !== '\\' ? 1 : next === '\r\n' ? 3 : 2;
  }
  return trimmedEnd(code, given, at);
}

/** Comments at the end of a suite are in it, though no range says so. */
function lastOfSuite({ lines, family }: SourceText, symbol: EditedSymbol, lastLine: number): number {
  const { lineComments } = languageFacts(family).text;
  const indent = indentOf(lines.at(symbol.start.line)).length;
  let last = lastLine;
  if (last === symbol.at.line) return last;
  for (let line = last + 1; line <= lines.count; line++) {
    const content = lines.at(line);
    if (content.trim() === '') continue;
    const isComment = lineComments.some((mark) => content.trim().startsWith(mark));
    if (!isComment || indentOf(content).length <= indent) break;
    last = line;
  }
  return last;
}

function shared(symbol: EditedSymbol, line: number): never {
  fail({
    kind: 'invalid-input',
    message: `${symbol.path} shares line ${line} with other code`,
    next: 'Use apply_edit with old_text and new_text instead',
  });
}
