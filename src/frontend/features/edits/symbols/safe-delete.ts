/**
 * Deleting what nothing uses. "Nothing found" must mean that there is nothing: an unfinished index deletes nothing.
 * Decision: docs/decisions/edits.md#safe-deletion
 */
import { ImplementationRequest } from 'vscode-languageserver-protocol';
import { counted } from '../../../../shared/base/counted.ts';
import { fail } from '../../../../shared/base/failure.ts';
import { pathToUri } from '../../../../shared/base/paths.ts';
import { isTestFile } from '../../../../shared/languages/test-files.ts';
import { ask, type ServerFacts } from '../../../../shared/link/server-link.ts';
import { headerAround } from '../../../lexical/base-clauses.ts';
import { type Extent, lineOf } from '../../../lexical/symbol-extent.ts';
import { keyOf, type Place, type ServerPlace, serverPlaces, toPlaces } from '../../../places/places.ts';
import type { Answer } from '../../../render/answer.ts';
import { reasonWithAdvice } from '../../../render/incomplete.ts';
import type { SymbolNode } from '../../../symbols/symbol-tree.ts';
import { type Target, targetAt } from '../../../targets/locate.ts';
import type { ToolContext } from '../../../tools/context.ts';
import type { Accounting } from '../../references/accounting/accounting.ts';
import { accountedPart, elsewherePart } from '../../references/accounting/sentences.ts';
import { searchReferences } from '../../references/reference-search.ts';
import type { EditData } from '../plan/propose-edit.ts';
import { deleteSymbol } from './delete-symbol.ts';
import {
  containerOf,
  extentIn,
  type FoundForEdit,
  findForEdit,
  proposeText,
  type SymbolInput,
} from './edited-symbol.ts';

const MOST_USES = 10;

export async function safeDelete(
  context: ToolContext,
  tool: string,
  input: SymbolInput,
): Promise<Answer<EditData>> {
  const found = await findForEdit(context, input, { takesAll: true });
  const [first, ...others] = found.nodes;
  const extents = [extentIn(found, first), ...others.map((node) => extentIn(found, node))] as const;
  const result = deleteSymbol(found.source, extents);
  const targetOf = ({ at }: SymbolNode) => targetAt(context, found.file, at, {}, found.link);
  const target: Target = {
    ...(await targetOf(first)),
    ...(found.areApart ? { others: await Promise.all(others.map(targetOf)) } : {}),
  };
  const asked = await searchReferences(context, target, { account: 'all' });
  const uses = outside(found, extents, asked.result);
  if (uses.length > 0) return stillUsed(context, found, await publicPlaces(uses), uses.length);
  if (asked.incomplete !== undefined)
    fail({
      kind: 'invalid-input',
      message: `${found.path} was not deleted, because not all of its uses are known: ${reasonWithAdvice(asked.incomplete)}`,
      next: 'Call again when they are, or delete it with apply_edit',
    });
  const elsewhere = await publicPlaces(outside(found, extents, asked.declarations));
  const also = elsewhere.length === 0 ? [] : [`also declared at ${listed(context, elsewhere)}, which stays`];
  const implementing = await publicPlaces(
    outside(found, extents, await counterpartsOfAll(context, target, asked.facts)),
  );
  if (implementing.length > 0) also.push(`implements or is implemented at ${listed(context, implementing)}`);
  also.push(...inherited(found));
  const { accounting } = asked;
  const accounted = accounting ? `; ${accountedPart(accounting, context.roots)}` : '';
  return proposeText(context, found, {
    tool,
    about: 'delete',
    result: {
      text: result.text,
      notes: [...also, ...result.notes, `nothing else uses it by name${accounted}; ${asked.readiness}`],
    },
    dryRun: input.dry_run,
    mustShow: (accounting && possibleSentence(context, accounting)) ?? severalSentence(found),
  });

  function publicPlaces(places: readonly ServerPlace[]): Promise<readonly Place[]> {
    return toPlaces(places.slice(0, MOST_USES), context.files, asked.facts.encoding);
  }
}

/** An agent that means one of them sees that all would go. */
function severalSentence({ areApart, nodes, path }: FoundForEdit): string | undefined {
  if (!areApart) return undefined;
  const places = nodes.map(({ at }) => `${at.line}:${at.column}`).join(', ');
  return `it deletes all ${nodes.length} of ${path}: ${places}; ${path}#1 is one of them`;
}

/** The agent that deletes it has to look at what may use it. */
function possibleSentence(context: ToolContext, { possible, elsewhere }: Accounting): string | undefined {
  const other = elsewhere && elsewherePart(elsewhere, context.roots);
  if (possible.length === 0) return other;
  const shown = possible.slice(0, MOST_USES).map(({ place, why }) => `${listed(context, [place])} (${why})`);
  const more = possible.length > shown.length ? ', ...' : '';
  return [`it may be used at ${shown.join(', ')}${more}`, ...(other ? [other] : [])].join('; ');
}

/** What a symbol says about itself is no use of it. */
function outside(
  { file, source }: FoundForEdit,
  extents: readonly Extent[],
  places: readonly ServerPlace[],
): readonly ServerPlace[] {
  return places.filter((place) => {
    const line = place.range.start.line + 1;
    return (
      place.file !== file.path ||
      !extents.some(({ lead, lineEnd }) => lineOf(source, lead) <= line && line <= lineOf(source, lineEnd))
    );
  });
}

async function counterpartsOfAll(
  context: ToolContext,
  target: Target,
  facts: ServerFacts,
): Promise<readonly ServerPlace[]> {
  const all = [target, ...(target.others ?? [])].map((one) => counterparts(context, one, facts));
  return serverPlaces((await Promise.all(all)).flat());
}

/** The members of other types that a method stands for; for a remark, so a server that cannot say it is silent. */
async function counterparts(
  context: ToolContext,
  { link, source, position }: Target,
  facts: ServerFacts,
): Promise<readonly ServerPlace[]> {
  if (!facts.methods.includes(ImplementationRequest.method)) return [];
  const params = { textDocument: { uri: pathToUri(source.path) }, position: position(facts) };
  const asking = ask(link, ImplementationRequest.type, params, context.during(source.path));
  return serverPlaces(
    await asking.catch((error: unknown) => {
      context.log.debug('implementations unknown', { error: String(error) });
      return [];
    }),
  );
}

/** Calls by way of a base type are uses of its member, not of this one. */
function inherited({ tree, nodes: [node], file, link }: FoundForEdit): string[] {
  const container = containerOf(tree, node);
  const header = container && headerAround(file.lines, container.at, link.language);
  if (!header || header.bases.length === 0) return [];
  const bases = header.bases.map(({ name }) => name).join(', ');
  return [`${header.name} inherits from ${bases}: uses by way of that are not counted`];
}

function stillUsed(
  context: ToolContext,
  { path }: FoundForEdit,
  first: readonly Place[],
  count: number,
): never {
  const tests = first.filter(
    ({ file }) => file !== undefined && isTestFile(context.roots.display(file)),
  ).length;
  const inTests = tests === 0 ? '' : `, ${tests}${count > first.length ? ' or more' : ''} in tests`;
  fail({
    kind: 'invalid-input',
    message: `${path} is used in ${counted(count, 'place')}${inTests}: ${listed(context, first)}${count > first.length ? ', ...' : ''}`,
    next: 'Change these first; find_references shows all of them',
  });
}

function listed({ roots }: ToolContext, places: readonly Place[]): string {
  return places
    .map(
      (place) =>
        `${place.file ? roots.display(place.file) : keyOf(place)}:${place.start.line}:${place.start.column}`,
    )
    .join(', ');
}
