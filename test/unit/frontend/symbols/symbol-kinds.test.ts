import { describe, expect, it } from 'vitest';
import { SymbolKind } from 'vscode-languageserver-protocol';
import { kindWord } from '../../../../src/frontend/symbols/symbol-kinds.ts';

describe('the kind of a symbol for people', () => {
  it.each([
    { line: 'export type Name = string;', kind: SymbolKind.Class },
    { line: 'type Name<T> = T[];', kind: SymbolKind.Variable },
    { line: '  declare type Name = Name[]', kind: SymbolKind.Constant },
    { line: 'type Name = u32;', kind: SymbolKind.TypeParameter },
    { line: 'type Name float64', kind: SymbolKind.Class },
    { line: 'internal typealias Name = String', kind: SymbolKind.Class },
    { line: 'using Name = std::string;', kind: SymbolKind.Class },
  ])('is a type where the line $line declares one', ({ line, kind }) => {
    expect(kindWord({ name: 'Name', kind }, line)).toBe('type');
  });

  it.each([
    { line: 'export class Name {}', kind: SymbolKind.Class, word: 'class' },
    { line: 'const type = 1, Name = 2', kind: SymbolKind.Variable, word: 'variable' },
    { line: 'type Name struct {', kind: SymbolKind.Struct, word: 'struct' },
    { line: 'type Name interface {', kind: SymbolKind.Interface, word: 'interface' },
    { line: '', kind: SymbolKind.TypeParameter, word: 'type parameter' },
    { line: 'stop() {', kind: 99, word: 'symbol' },
  ])('is otherwise what the server says: $line', ({ line, kind, word }) => {
    expect(kindWord({ name: 'Name', kind }, line)).toBe(word);
  });
});
