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

export function kindName(kind: number): string {
  return KIND_NAMES.get(kind) ?? 'symbol';
}

const KIND_NAMES: ReadonlyMap<unknown, string> = new Map(
  Object.entries(SymbolKind).map(([name, kind]) => [
    kind,
    name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase(),
  ]),
);

/**
 * The kind of a symbol for people. The protocol has no kind for another name of a type, and servers call it a class, a
 * variable or a type parameter; the line that declares it says what it is.
 */
export function kindWord(
  { name, kind }: { readonly name: string; readonly kind: number },
  line: string,
): string {
  return CALLED_OTHERWISE.has(kind) && declaresType(name, line) ? 'type' : kindName(kind);
}

const CALLED_OTHERWISE: ReadonlySet<unknown> = new Set([
  SymbolKind.Class,
  SymbolKind.Variable,
  SymbolKind.Constant,
  SymbolKind.TypeParameter,
]);

function declaresType(name: string, line: string): boolean {
  return TYPE_BEFORE.test(line.split(name, 1)[0] ?? '');
}

const TYPE_BEFORE = /(?:^|\s)(?:type|typealias|using)\s+$/;
