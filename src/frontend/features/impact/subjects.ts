/** From files, or lines of files, to the symbols whose reach is asked for. */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { whyNot } from '../../ask/why-not.ts';
import { comparePoints } from '../../places/places.ts';
import { outlineIn } from '../../symbols/outlines.ts';
import { declaredSymbols } from '../../symbols/public-symbols.ts';
import { everySymbol, type SymbolNode } from '../../symbols/symbol-tree.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { Subject, WhenNone } from './impact.ts';
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

export async function subjectsIn(
  context: ToolContext,
  files: readonly ChangedFile[],
  { scope, whenNone = 'fail' }: { readonly scope: SymbolScope; readonly whenNone?: WhenNone | undefined },
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
  if (whenNone === 'fail' && firstError !== undefined && warnings.length === files.length) throw firstError;
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
  const wanted = new Set(nodes);
  return nodes.filter((node) => {
    const members = [...everySymbol(node.children)].filter((member) => wanted.has(member));
    const isOfMember = (line: number) => members.some((member) => isOnlyIn(member, node, line));
    return touched.some(({ start, end }) => {
      // Between these two lines something is gone.
      if (end < start)
        return (
          node.start.line <= end &&
          node.end.line >= start &&
          !members.some((member) => member.start.line <= end && member.end.line >= start)
        );
      const first = Math.max(start, node.start.line);
      const last = Math.min(end, node.end.line);
      for (let line = first; line <= last; line++) if (!isOfMember(line)) return true;
      return false;
    });
  });
}

/** Whether a line is the member's alone: what is changed on one that both stand on, lines do not tell. */
function isOnlyIn(member: SymbolNode, around: SymbolNode, line: number): boolean {
  if (line < member.start.line || line > member.end.line) return false;
  const beginsBefore = line === around.start.line && comparePoints(around.start, member.start) < 0;
  const endsAfter = line === around.end.line && comparePoints(member.end, around.end) < 0;
  return !beginsBefore && !endsAfter;
}

function isGuarded(node: SymbolNode, guarded: ReadonlySet<string>): boolean {
  return guarded.has(node.path.join('.')) || guarded.has(node.path.slice(0, -1).join('.'));
}
