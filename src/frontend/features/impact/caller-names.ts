/** By what name a use is credited: the function or other symbol around it that an agent could ask about. */
import { SymbolKind } from 'vscode-languageserver-protocol';
import type { Point } from '../../../shared/base/positions.ts';
import { comparePoints } from '../../places/places.ts';
import { FUNCTION_KINDS, VARIABLE_KINDS } from '../../symbols/symbol-kinds.ts';
import type { SymbolNode } from '../../symbols/symbol-tree.ts';

/** The symbols around a point, from the outermost to the innermost. */
export function chainAt(nodes: readonly SymbolNode[], point: Point): readonly SymbolNode[] {
  const node = nodes.find(
    ({ start, end }) => comparePoints(start, point) <= 0 && comparePoints(point, end) <= 0,
  );
  if (node) return [node, ...chainAt(node.children, point)];
  // The range of a variable may end before the value that it gets on the same line.
  const declared = nodes.find(({ at }) => at.line === point.line && at.column <= point.column);
  return declared ? [declared] : [];
}

/** What may hold variables that others can name. */
const OPEN: ReadonlySet<number> = new Set([
  SymbolKind.File,
  SymbolKind.Module,
  SymbolKind.Namespace,
  SymbolKind.Package,
  SymbolKind.Class,
  SymbolKind.Struct,
  SymbolKind.Interface,
  SymbolKind.Enum,
  SymbolKind.Object,
]);
/** How servers call a function without a name: by what it is handed to, or not at all. */
const CALLBACK = / callback$/;
const NAMELESS = / callback$|^<\w+>$/;

export function isCallable(node: SymbolNode | undefined): boolean {
  return node !== undefined && FUNCTION_KINDS.has(node.kind);
}

/**
 * The innermost function with a name; a callback only in tests, where it is what a test is called by. Outside of functions
 * what is declared there, but no variable of a function. Undefined is the file itself.
 */
export function namingNode(chain: readonly SymbolNode[], isTest: boolean): SymbolNode | undefined {
  const isNamed = ({ name }: SymbolNode) => !NAMELESS.test(name) || (isTest && CALLBACK.test(name));
  const callable = chain.findLast((node) => isCallable(node) && isNamed(node));
  if (callable) return callable;
  const local = chain.findIndex(
    ({ kind }, index) => VARIABLE_KINDS.has(kind) && index > 0 && !OPEN.has(chain[index - 1]?.kind ?? 0),
  );
  return chain.slice(0, local < 0 ? undefined : local).findLast(({ name }) => !NAMELESS.test(name));
}

export function callerName(node: SymbolNode): string {
  if (CALLBACK.test(node.name)) return node.name.replace(CALLBACK, '');
  return node.path
    .filter((name) => !NAMELESS.test(name))
    .slice(-2)
    .join('.');
}
