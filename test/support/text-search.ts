/**
 * What an agent reads that answers a question by text search: the hits of a whole word, as `rg --line-number
 * --word-regexp` prints them, and then what stands around them. Three readers are counted. One believes the list of
 * hits. One opens, at each hit, the innermost declaration around it and not a line more, which takes a reader who knows
 * beforehand where declarations begin and end. One reads the files.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript5';

export interface TextFile {
  /** As a listing shows it. */
  readonly name: string;
  readonly text: string;
}

export interface TextHit {
  readonly file: TextFile;
  readonly line: number;
}

/** What was asked of a tool and what it answered: both are paid for. */
export interface Exchange {
  readonly asked: string;
  readonly answered: string;
}

export function textFiles(root: string, names: readonly string[]): readonly TextFile[] {
  return names.map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }));
}

/** `before` is what stands in front of the name, such as the keywords of declarations. */
export function hitsOf(files: readonly TextFile[], name: string, before = ''): readonly TextHit[] {
  const pattern = new RegExp(`${before}(?<![\\w$])${name.replace(/\$/g, '\\$')}(?![\\w$])`);
  return files.flatMap((file) =>
    linesOf(file).flatMap((text, index) => (pattern.test(text) ? [{ file, line: index + 1 }] : [])),
  );
}

/** The search itself, with its hits. */
export function listing(name: string, hits: readonly TextHit[]): Exchange {
  const shown = hits.map(({ file, line }) => `${file.name}:${line}:${linesOf(file)[line - 1]}`);
  return { asked: `rg --line-number --word-regexp '${name}'`, answered: shown.join('\n') };
}

/** Each declaration around a hit, once. Where the line itself says all, as in imports, nothing is read. */
export function declarationsAround(hits: readonly TextHit[]): readonly Exchange[] {
  const reads = [...byFile(hits)].flatMap(([file, found]) => {
    const source = parsed(file);
    const spans = found.flatMap((line) => declarationAround(source, line) ?? []);
    return withoutInner(spans).map((span) => ({ file, ...span }));
  });
  return reads.map(({ file, start, end }) => ({
    asked: `read ${file.name} ${start} ${end}`,
    answered: linesOf(file)
      .slice(start - 1, end)
      .join('\n'),
  }));
}

/** Each file with a hit, once. */
export function wholeFiles(hits: readonly TextHit[]): readonly Exchange[] {
  return [...byFile(hits).keys()].map((file) => ({ asked: `read ${file.name}`, answered: file.text }));
}

/** For each line with a hit: the line as it is, and as it is to be. */
export function lineEdits(hits: readonly TextHit[], name: string, newName: string): readonly Exchange[] {
  return hits.map(({ file, line }) => {
    const text = linesOf(file)[line - 1] ?? '';
    return { asked: `edit ${file.name}\n${text}\n${text.replaceAll(name, newName)}`, answered: 'ok' };
  });
}

/** The lines that a unified diff takes away, as `file:line`. */
export function changedLines(diff: string): ReadonlySet<string> {
  const found = new Set<string>();
  let file = '';
  let line = 0;
  for (const text of diff.split('\n')) {
    const start = /^@@ -(\d+)/.exec(text)?.[1];
    if (text.startsWith('--- ')) file = text.replace(/^--- (?:a\/)?/, '');
    else if (start !== undefined) line = Number(start);
    else if (text.startsWith('-')) found.add(`${file}:${line++}`);
    else if (text.startsWith(' ')) line += 1;
  }
  return found;
}

export interface Exported {
  readonly name: string;
  readonly line: number;
  readonly isFunction: boolean;
}

/** What a file declares for others under a name of its own. */
export function exportsOf(file: TextFile): readonly Exported[] {
  const source = parsed(file);
  const found: Exported[] = [];
  const add = (name: ts.Node, isFunction: boolean) =>
    found.push({ name: name.getText(source), line: lineOf(source, name.getStart(source)), isFunction });
  for (const statement of source.statements) {
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (ts.isFunctionDeclaration(statement) && statement.name) add(statement.name, true);
    else if (ts.isClassDeclaration(statement) && statement.name) add(statement.name, false);
    else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement))
      add(statement.name, false);
    else if (ts.isVariableStatement(statement))
      for (const { name } of statement.declarationList.declarations)
        if (ts.isIdentifier(name)) add(name, false);
  }
  // Overloads, and a type beside a function of its name, are one name to ask about.
  return found.filter(({ name }, index) => found.findIndex((other) => other.name === name) === index);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function declarationAround(source: ts.SourceFile, line: number): Span | undefined {
  const lineStart = source.getPositionOfLineAndCharacter(line - 1, 0);
  const at = lineStart + (/^\s*/.exec(source.text.slice(lineStart, lineStart + 200))?.[0].length ?? 0);
  let innermost: ts.Node | undefined;
  const visit = (node: ts.Node): void => {
    if (at < node.getStart(source) || at >= node.end) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    if (isReadWhole(node)) innermost = node;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(source, visit);
  return (
    innermost && {
      start: lineOf(source, innermost.getStart(source)),
      end: lineOf(source, innermost.end),
    }
  );
}

/** A class is not read for one of its members, and a function inside of another is read by itself. */
function isReadWhole(node: ts.Node): boolean {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isAccessor(node) ||
    ts.isPropertyDeclaration(node) ||
    (ts.isVariableStatement(node) && !isLocal(node)) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isEnumDeclaration(node)
  );
}

function isLocal({ parent }: ts.Node): boolean {
  return !ts.isSourceFile(parent) && !ts.isModuleBlock(parent);
}

function withoutInner(spans: readonly Span[]): readonly Span[] {
  const once = [...new Map(spans.map((span) => [`${span.start}-${span.end}`, span])).values()];
  return once.filter(
    (span) => !once.some((other) => other !== span && other.start <= span.start && other.end >= span.end),
  );
}

function byFile(hits: readonly TextHit[]): ReadonlyMap<TextFile, readonly number[]> {
  const found = new Map<TextFile, number[]>();
  for (const { file, line } of hits) found.set(file, [...(found.get(file) ?? []), line]);
  return found;
}

const sources = new WeakMap<TextFile, ts.SourceFile>();

function parsed(file: TextFile): ts.SourceFile {
  const known = sources.get(file);
  const source = known ?? ts.createSourceFile(file.name, file.text, ts.ScriptTarget.Latest, true);
  sources.set(file, source);
  return source;
}

function lineOf(source: ts.SourceFile, offset: number): number {
  return source.getLineAndCharacterOfPosition(offset).line + 1;
}

const lines = new WeakMap<TextFile, readonly string[]>();

function linesOf(file: TextFile): readonly string[] {
  const known = lines.get(file) ?? file.text.split('\n');
  lines.set(file, known);
  return known;
}
