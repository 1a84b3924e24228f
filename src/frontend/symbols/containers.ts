/**
 * Names what a place is inside of, as a programmer would: the innermost function with its class, or, outside of
 * functions, the innermost declaration. A symbol's kind, name and text decide whether it counts as one.
 */
import { SymbolKind } from 'vscode-languageserver-protocol';
import type { Point, TextLines } from '../../shared/base/positions.ts';
import { comparePoints } from '../places/places.ts';
import { isFunctionBehind } from './function-values.ts';
import { contains, hasMembers, isCallback, isNamedCallback } from './outline-entries.ts';
import { FUNCTION_KINDS, VARIABLE_KINDS } from './symbol-kinds.ts';
import type { SymbolNode } from './symbol-tree.ts';

export interface FileOutline {
  readonly tree: readonly SymbolNode[];
  readonly lines: TextLines;
}

export interface Container {
  readonly names: readonly string[];
  readonly at: Point;
  readonly is: 'type' | 'function' | 'value';
  /** Undefined for a function that only the text shows. */
  readonly node: SymbolNode | undefined;
}

/** `Client.stop`, `Client.stop.inner`, `outer.inner`; undefined outside of everything. */
export function containerName(outline: FileOutline, point: Point): string | undefined {
  const named = shortest(containersAround(outline, point));
  return named.length === 0 ? undefined : named.join('.');
}

/** What a symbol that is declared at the point is in: `Client` for `Client.stop`. */
export function containerOfDeclared(outline: FileOutline, at: Point, name: string): string | undefined {
  const around = containersAround(outline, at);
  const own = around.findIndex((each) => comparePoints(each.at, at) === 0);
  const unlisted: Container = { names: [name], at, is: 'function', node: undefined };
  const path = shortest(own === -1 ? [...around, unlisted] : around.slice(0, own + 1));
  return path.length < 2 ? undefined : path.slice(0, -1).join('.');
}

/** The two innermost names, and those from the type on that they are in. */
function shortest(around: readonly Container[]): readonly string[] {
  const type = around.slice(0, -1).findLastIndex((each) => each.is === 'type');
  const inner = around.slice(type === -1 ? 0 : type).flatMap(({ names }) => names);
  return type === -1 ? inner.slice(-2) : inner;
}

/** From the outermost to the innermost. */
export function containersAround({ tree, lines }: FileOutline, point: Point): readonly Container[] {
  const found: Container[] = [];
  let parent: SymbolNode | undefined;
  let isInFunction = false;
  const inside = (siblings: readonly SymbolNode[]) => {
    const node = nodeAt(siblings, point);
    return node && isAboveIt(lines, node, point) ? undefined : node;
  };
  for (let node = inside(tree); node; node = inside(node.children)) {
    const is = roleOf(node, parent, isInFunction, lines);
    if (is === 'function' || isCallback(node)) isInFunction = true;
    const names = node.path.slice(parent?.path.length ?? 0);
    // A function of a local object is known by that object.
    const isOfLocal = is === 'function' && parent && VALUES.has(parent.kind) && parent !== found.at(-1)?.node;
    if (is)
      found.push({ names: isOfLocal ? node.path.slice(-1 - names.length) : names, at: node.at, is, node });
    parent = node;
  }
  const isKnown = found.some((each) => each.is === 'function');
  return isKnown ? found : [...found, ...unlistedFunctions(lines, point, parent)];
}

function nodeAt(siblings: readonly SymbolNode[], point: Point): SymbolNode | undefined {
  return siblings.find((node) => contains(node, point));
}

/** What decorates a function or class is evaluated outside of it. */
function isAboveIt(lines: TextLines, { start, at }: SymbolNode, point: Point): boolean {
  return point.line < at.line && /^\s*@/.test(lines.at(start.line));
}

function roleOf(
  node: SymbolNode,
  parent: SymbolNode | undefined,
  isInFunction: boolean,
  lines: TextLines,
): Container['is'] | undefined {
  if (isCallback(node)) return isNamedCallback(node) ? 'function' : undefined;
  if (CODE.has(node.kind)) return 'function';
  if (node.kind === SymbolKind.TypeParameter) return undefined;
  if (!VALUES.has(node.kind)) return 'type';
  if (isFunctionBehind(lines, node)) return 'function';
  return !isInFunction && isMember(node, parent) ? 'value' : undefined;
}

/** Of nested values only the outer ones are worth a name. */
function isMember({ kind }: SymbolNode, parent: SymbolNode | undefined): boolean {
  if (parent === undefined || !VALUES.has(parent.kind)) return true;
  return VARIABLE_KINDS.has(parent.kind) && !VARIABLE_KINDS.has(kind) && hasMembers(parent);
}

const CODE: ReadonlySet<SymbolKind> = new Set([...FUNCTION_KINDS, SymbolKind.Event]);
const VALUES: ReadonlySet<SymbolKind> = new Set([...VARIABLE_KINDS, SymbolKind.Property, SymbolKind.Field]);

const DEF = /^(\s*(?:async\s+)?def\s+)(\w+)/;

/** Of several Python functions of one name in a block, such as overloads and a getter, pyright lists only the last. */
function unlistedFunctions(
  lines: TextLines,
  point: Point,
  around: SymbolNode | undefined,
): readonly Container[] {
  const found: Container[] = [];
  let indent = Number.POSITIVE_INFINITY;
  for (let line = point.line; line > (around?.at.line ?? 0) && indent > 0; line--) {
    const text = lines.at(line);
    const own = text.length - text.trimStart().length;
    if (text.trim() === '' || /^\s*[)\]}#]/.test(text) || own >= indent) continue;
    indent = own;
    const [, head = '', name] = DEF.exec(text) ?? [];
    const at = { line, column: head.length + 1 };
    if (name === undefined || comparePoints(point, at) < 0) continue;
    found.unshift({ names: [name], at, is: 'function', node: undefined });
  }
  return found;
}
