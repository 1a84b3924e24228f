/** TypeScript's own tree says where the bodies of this project are; what is read from masked text must agree. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript5';
import { expect, it } from 'vitest';
import { SymbolKind } from 'vscode-languageserver-protocol';
import { bodyOf } from '../../../../src/frontend/lexical/body-span.ts';
import { extentOf, type SourceText, sourceText } from '../../../../src/frontend/lexical/symbol-extent.ts';

const SOURCES = path.resolve(import.meta.dirname, '../../../../src');

it('the body of every function, method and class of this project is where the compiler has it', () => {
  const wrong: string[] = [];
  let count = 0;
  for (const file of readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const text = readFileSync(path.join(SOURCES, file), 'utf8');
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext, true);
    const source = sourceText(text, 'typescript');
    for (const declared of declarationsIn(tree)) {
      count++;
      const found = bodyIn(source, tree, declared);
      if (found !== declared.body)
        wrong.push(`${file}: ${declared.name.text} at ${found}, not ${declared.body}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(count).toBeGreaterThan(1_000);
});

interface Declared {
  readonly node: ts.Node;
  readonly name: ts.Identifier;
  readonly kind: SymbolKind;
  /** Offsets of its braces. */
  readonly body: string;
}

function* declarationsIn(node: ts.Node): Generator<Declared> {
  if (ts.isClassDeclaration(node) && node.name)
    yield { node, name: node.name, kind: SymbolKind.Class, body: `${node.members.pos - 1}-${node.end - 1}` };
  const isMethod = ts.isMethodDeclaration(node) && ts.isClassDeclaration(node.parent);
  if ((ts.isFunctionDeclaration(node) || isMethod) && node.body && node.name && ts.isIdentifier(node.name)) {
    const kind = isMethod ? SymbolKind.Method : SymbolKind.Function;
    yield { node, name: node.name, kind, body: `${node.body.getStart()}-${node.body.end - 1}` };
  }
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* declarationsIn(child);
}

function bodyIn(source: SourceText, tree: ts.SourceFile, { node, name, kind }: Declared): string {
  const at = (offset: number) => {
    const { line, character } = tree.getLineAndCharacterOfPosition(offset);
    return { line: line + 1, column: character + 1 };
  };
  const container = kind === SymbolKind.Method ? SymbolKind.Class : undefined;
  const extent = extentOf(source, {
    ...{ path: name.text, name: name.text, kind, container },
    ...{ start: at(node.getStart()), end: at(node.end), at: at(name.getStart()) },
  });
  const body = bodyOf(source, extent);
  return body.kind === 'braces' ? `${body.open}-${body.close}` : body.kind;
}
