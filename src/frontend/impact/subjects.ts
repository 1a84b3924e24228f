/** From files, or lines of files, to the symbols whose reach is asked for. */
import type { AbsPath } from '../../shared/base/brand.ts';
import { outlineIn } from '../outlines.ts';
import { everySymbol, type SymbolNode } from '../symbol-tree.ts';
import type { ToolContext } from '../tool-context.ts';
import { whyNot } from '../why-not.ts';
import type { Subject } from './impact.ts';
import { declaredSymbols } from './public-symbols.ts';
import { guardedTypes } from './sync-guard.ts';

export type SymbolScope = 'exported' | 'all';

/** 1-based and inclusive. An end before the start means: between these two lines something is gone. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

export interface ChangedFile {
  readonly file: AbsPath;
  /** Undefined when the whole file counts. */
  readonly touched?: readonly LineRange[] | undefined;
}

export interface Subjects {
  readonly subjects: readonly Subject[];
  /** Files that could not be looked at, with the reason. */
  readonly warnings: readonly string[];
}

/** Fails only when none of the files can be looked at. */
export async function subjectsIn(
  context: ToolContext,
  files: readonly ChangedFile[],
  scope: SymbolScope,
): Promise<Subjects> {
  const outcomes = await Promise.allSettled(files.map((file) => subjectsOf(context, file, scope)));
  const warnings: string[] = [];
  let firstError: unknown;
  for (const [index, outcome] of outcomes.entries()) {
    if (outcome.status === 'fulfilled') continue;
    const why = whyNot(outcome.reason);
    firstError ??= outcome.reason;
    const file = files[index]?.file;
    warnings.push(`${file ? context.roots.display(file) : ''} was not looked at: ${why}`);
  }
  if (firstError !== undefined && warnings.length === files.length) throw firstError;
  return {
    subjects: outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : [])),
    warnings,
  };
}

async function subjectsOf(
  context: ToolContext,
  { file, touched }: ChangedFile,
  scope: SymbolScope,
): Promise<readonly Subject[]> {
  const source = await context.files.read(file);
  const link = await context.servers.linkFor(file);
  const tree = await outlineIn(context, link, file);
  const declared = declaredSymbols(link.language, tree, source);
  const guarded = guardedTypes(everySymbol(tree), source);
  const wanted = declared.filter(({ isPublic }) => isPublic || scope === 'all').map(({ node }) => node);
  const changed = touched ? touchedOf(wanted, touched) : wanted;
  return changed.map((node) => ({ source, node, isGuarded: isGuarded(node, guarded) }));
}

/** A type is not changed by what changes inside one of its members. */
function touchedOf(nodes: readonly SymbolNode[], touched: readonly LineRange[]): readonly SymbolNode[] {
  return nodes.filter((node) => {
    const inner = nodes.filter(
      (other) => other !== node && other.start.line >= node.start.line && other.end.line <= node.end.line,
    );
    return touched.some(({ start, end }) => {
      if (end < start)
        return (
          node.start.line <= end &&
          node.end.line >= start &&
          !inner.some((each) => each.start.line <= end && each.end.line >= start)
        );
      const first = Math.max(start, node.start.line);
      const last = Math.min(end, node.end.line);
      for (let line = first; line <= last; line++)
        if (!inner.some((each) => each.start.line <= line && line <= each.end.line)) return true;
      return false;
    });
  });
}

function isGuarded(node: SymbolNode, guarded: ReadonlySet<string>): boolean {
  return guarded.has(node.path.join('.')) || guarded.has(node.path.slice(0, -1).join('.'));
}
