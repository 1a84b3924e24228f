/** From a name path to the symbol in its file that an edit is computed for, and from the new text to a plan. */

import { fail } from '../../../../shared/base/failure.ts';
import { languageFacts } from '../../../../shared/languages/facts.ts';
import type { ServerLink } from '../../../../shared/link/server-link.ts';
import { bodyOf } from '../../../lexical/body-span.ts';
import {
  type EditedSymbol,
  type Extent,
  extentOf,
  type SourceText,
  sourceText,
} from '../../../lexical/symbol-extent.ts';
import { comparePoints } from '../../../places/places.ts';
import type { Answer } from '../../../render/answer.ts';
import { isImport } from '../../../symbols/outline-entries.ts';
import { withSameNamed } from '../../../symbols/same-named.ts';
import { knownSymbols, matching, parseNamePath } from '../../../symbols/symbol-lookup.ts';
import { everySymbol, type SymbolNode, segmentsOf } from '../../../symbols/symbol-tree.ts';
import { noSuchSymbol } from '../../../targets/locate.ts';
import { oneOfEach } from '../../../targets/one-target.ts';
import { areOne } from '../../../targets/overloads.ts';
import type { ToolContext } from '../../../tools/context.ts';
import type { SourceFile } from '../../../workspace/source-files.ts';
import { systemDisk } from '../apply/edit-disk.ts';
import { editsOf } from '../apply/session-edits.ts';
import { readBase } from '../plan/base-file.ts';
import { type BaseText, type EditPlan, planOf } from '../plan/edit-plan.ts';
import { type EditData, proposeEdit } from '../plan/propose-edit.ts';
import type { EditedSource } from '../plan/splice.ts';

export interface SymbolInput {
  readonly file_path: string;
  readonly symbol: string;
  readonly language_id?: string | undefined;
  readonly dry_run?: boolean | undefined;
}

export interface FoundForEdit {
  readonly link: ServerLink;
  readonly file: SourceFile;
  /** What the edit is computed from; it is refused when the file has another text by then. */
  readonly base: BaseText;
  readonly source: SourceText;
  readonly tree: readonly SymbolNode[];
  /** Several for overloads of one function, in the order of the file. */
  readonly nodes: readonly [SymbolNode, ...SymbolNode[]];
  /** Whether they are more than signatures of one body, one behind the other. */
  readonly areApart: boolean;
  readonly path: string;
}

/**
 * Fails when no symbol, or more than one, has the path. What is done to all of a name in one way takes overloads with a
 * body each, and what is declared in several places, for one.
 */
export async function findForEdit(
  context: ToolContext,
  input: SymbolInput,
  { takesAll = false }: { readonly takesAll?: boolean } = {},
): Promise<FoundForEdit> {
  const { roots, servers } = context;
  const file = await context.source(input.file_path);
  const shown = roots.display(file.path);
  const base = await readBase(editsOf(context).boundary.textAt(file.path), systemDisk);
  if (base.text !== file.text) fail({ kind: 'base-changed', path: file.path });
  const wanted = parseNamePath(input.symbol);
  const path = wanted.segments.join('.');
  if (path === '')
    invalid(`symbol ${JSON.stringify(input.symbol)} has no name in it`, 'Pass a name such as Client.stop');
  const link = await servers.linkFor(file.path, { languageId: input.language_id });
  const tree = await knownSymbols(context, link, file);
  const source = sourceText(base.text, link.language);
  const listed = matching(tree, wanted).filter(
    (node) => !isImport(node, { source: file, family: link.language }),
  );
  const all = withSameNamed(source, tree, listed);
  if (all.length === 0) noSuchSymbol(tree, wanted, shown);
  const found = { link, file, base, source, tree, areApart: false };
  if (wanted.ordinal !== undefined) {
    const node = all[wanted.ordinal - 1];
    if (!node) invalid(`${shown} has ${all.length} of ${path}`, `Pass ${path}#1 to ${path}#${all.length}`);
    return { ...found, nodes: [node], path: node.path.join('.') };
  }
  // A path that is complete means this one, whatever else ends like it.
  const complete = all.filter((node) => node.path.length === wanted.segments.length);
  const [first, ...others] = complete.length > 0 ? complete : all;
  if (!first) noSuchSymbol(tree, wanted, shown);
  const nodes = [first, ...others] as const;
  const areApart = others.length > 0 && !areOverloads({ ...found, nodes });
  if (areApart && !(takesAll && (await areOneName(context, { ...found, nodes })))) {
    const list = all
      .slice(0, MOST_LISTED)
      .map(({ at }, index) => `${path}#${index + 1} at ${shown}:${at.line}:${at.column}`);
    invalid(
      `${all.length} symbols in ${shown} fit ${path}: ${list.join(', ')}`,
      'Pass one of these as symbol',
    );
  }
  return { ...found, nodes, areApart, path: first.path.join('.') };
}

const MOST_LISTED = 10;

/** The extent of a symbol; fails when it is not its own. */
export function extentIn({ source, tree }: Pick<FoundForEdit, 'source' | 'tree'>, node: SymbolNode): Extent {
  const around = tangledWith(tree, node);
  if (around)
    invalid(
      `${node.path.join('.')} is part of the declaration of ${around.path.join('.')}`,
      'Use apply_edit with old_text and new_text instead',
    );
  return extentOf(source, editedSymbol(tree, node, source));
}

/** Applies or shows the new text of the file. */
export interface TextProposal {
  readonly tool: string;
  readonly about: string;
  readonly newText?: string;
  readonly result: EditedSource;
  readonly dryRun: boolean | undefined;
  /** Why it is shown before it can be applied, whatever was asked for. */
  readonly mustShow?: string | undefined;
}

export function proposeText(
  context: ToolContext,
  { file, base, path }: FoundForEdit,
  edit: TextProposal,
): Promise<Answer<EditData>> {
  const { text, notes } = edit.result;
  const real = editsOf(context).boundary.textAt(file.path);
  const plan: EditPlan = planOf(
    text === base.text ? [] : [{ kind: 'change', path: real, before: base, after: text, places: 1 }],
  );
  return proposeEdit(context, {
    tool: edit.tool,
    about: `${edit.about} ${path}`,
    plan,
    facts: { mode: 'symbol', filePath: file.path, target: path, newText: edit.newText },
    dryRun: edit.dryRun,
    mustShow: edit.mustShow,
    notes,
  });
}

function editedSymbol(tree: readonly SymbolNode[], node: SymbolNode, { lines }: SourceText): EditedSymbol {
  const { kind, start, end } = node;
  const path = node.path.join('.');
  const [keyword = ''] = /^(?:defp?|defmacrop?|defmodule)\s+/.exec(node.name) ?? [];
  const name = (segmentsOf(node.name).at(-1) ?? node.name).slice(keyword.length);
  const at = { ...node.at, column: node.at.column + keyword.length };
  if (!lines.at(at.line).startsWith(name, at.column - 1))
    invalid(
      `the name of ${path} is not where its server says`,
      'Use apply_edit with old_text and new_text instead',
    );
  return { path, name, kind, start, end, at, container: containerOf(tree, node)?.kind };
}

/** What it is a member of; also for one that only its text shows. */
export function containerOf(tree: readonly SymbolNode[], node: SymbolNode): SymbolNode | undefined {
  const path = node.path.join('.');
  return [...everySymbol(tree)].find(({ children }) =>
    children.some((child) => child === node || (child.name === node.name && child.path.join('.') === path)),
  );
}

/** Another symbol whose range is woven into this one's: two names of one statement, or a parameter that is a field. */
function tangledWith(tree: readonly SymbolNode[], node: SymbolNode): SymbolNode | undefined {
  const related = new Set([...everySymbol(node.children), node]);
  const isAround = ({ path }: SymbolNode) =>
    path.length < node.path.length && path.every((segment, index) => segment === node.path[index]);
  return [...everySymbol(tree)].find((other) => {
    if (related.has(other) || isAround(other)) return false;
    const beginsAlike = comparePoints(other.start, node.start) === 0;
    const isInside = comparePoints(other.start, node.start) < 0 && comparePoints(node.start, other.end) < 0;
    return beginsAlike || isInside;
  });
}

/** Signatures of one function that stand one behind the other, of which only the last has a body. */
function areOverloads(found: Pick<FoundForEdit, 'source' | 'tree' | 'nodes'>): boolean {
  const { source, nodes } = found;
  const { overloads } = languageFacts(source.family).text;
  if (overloads === undefined) return false;
  if (new Set(nodes.map(({ path }) => path.join('.'))).size > 1) return false;
  const extents = nodes.map((node) => extentIn(found, node));
  return extents.every((extent, index) => {
    const next = extents[index + 1];
    const isLast = next === undefined;
    const isSignature =
      overloads === 'without-body'
        ? bodyOf(source, extent).kind === 'none'
        : overloads.test(source.code.slice(extent.lead, extent.start));
    return isLast ? !isSignature : isSignature && source.text.slice(extent.lineEnd, next.lead).trim() === '';
  });
}

/** As for the tools that ask about a name: overloads, a type beside a value, or one symbol in several places. */
async function areOneName(
  context: ToolContext,
  { link, file, nodes }: Pick<FoundForEdit, 'link' | 'file' | 'nodes'>,
): Promise<boolean> {
  const fitting = nodes.map(({ at, path, kind, word }) => ({
    link,
    file: file.path,
    at,
    name: path.join('.'),
    kind,
    word,
  }));
  return areOne(fitting) || (await oneOfEach(context, fitting)).length === 1;
}

function invalid(message: string, next: string): never {
  fail({ kind: 'invalid-input', message, next });
}
