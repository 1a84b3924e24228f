import { describe, expect, it } from 'vitest';
import { SymbolKind } from 'vscode-languageserver-protocol';
import { kindWord } from '../../../../src/frontend/symbols/symbol-kinds.ts';

describe('the kind of a symbol for people', () => {
  it.each([
    ['export type Name = string;', SymbolKind.Class],
    ['type Name<T> = T[];', SymbolKind.Variable],
    ['  declare type Name = Name[]', SymbolKind.Constant],
    ['type Name = u32;', SymbolKind.TypeParameter],
    ['type Name float64', SymbolKind.Class],
    ['internal typealias Name = String', SymbolKind.Class],
    ['using Name = std::string;', SymbolKind.Class],
  ])('is a type where the line %j declares one', (line, kind) => {
    expect(kindWord({ name: 'Name', kind }, line)).toBe('type');
  });

  it.each([
    ['export class Name {}', SymbolKind.Class, 'class'],
    ['const type = 1, Name = 2', SymbolKind.Variable, 'variable'],
    ['type Name struct {', SymbolKind.Struct, 'struct'],
    ['type Name interface {', SymbolKind.Interface, 'interface'],
    ['', SymbolKind.TypeParameter, 'type parameter'],
    ['stop() {', 99, 'symbol'],
  ])('is otherwise what the server says: %j', (line, kind, word) => {
    expect(kindWord({ name: 'Name', kind }, line)).toBe(word);
  });
});
