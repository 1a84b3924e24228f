/** Which kinds of symbols are meant by a word of ours, for all tools alike. */
import { SymbolKind } from 'vscode-languageserver-protocol';

/** What is called, and has a body with locals. */
export const FUNCTION_KINDS: ReadonlySet<SymbolKind> = new Set([
  SymbolKind.Function,
  SymbolKind.Method,
  SymbolKind.Constructor,
  SymbolKind.Operator,
]);

export const VARIABLE_KINDS: ReadonlySet<SymbolKind> = new Set([SymbolKind.Variable, SymbolKind.Constant]);

export const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  SymbolKind.Class,
  SymbolKind.Interface,
  SymbolKind.Struct,
  SymbolKind.Enum,
]);
