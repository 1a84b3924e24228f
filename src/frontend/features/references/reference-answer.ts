/**
 * The answer of find_references: one page of the uses, what became of the other occurrences of the name, and what was
 * left out.
 */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { languageFacts } from '../../../shared/languages/facts.ts';
import { testFileJudge } from '../../../shared/languages/test-files.ts';
import { type UseKind, useKindOf } from '../../lexical/use-kinds.ts';
import {
  type Place,
  type PlaceData,
  placeData,
  type ServerPlace,
  serverPlaces,
  startOf,
  toPlaces,
} from '../../places/places.ts';
import type { Answer } from '../../render/answer.ts';
import { leftOut, type PageRequest, pageOf } from '../../render/budget.ts';
import { outlinesOf } from '../../symbols/outlines.ts';
import type { Target } from '../../targets/locate.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { type HidingWishes, hiddenLine, siftHidden } from '../../workspace/hidden-places.ts';
import { filesOf, perFile } from '../../workspace/per-file.ts';
import type { AccountWish } from './accounting/accounting.ts';
import { possibleLines } from './accounting/possible-lines.ts';
import { accountedPart, accountingData, accountingExtent } from './accounting/sentences.ts';
import { foldedTests, groupedLines, placeSize, type Surroundings } from './locations.ts';
import { byReceiver } from './receivers.ts';
import { type FoundReferences, searchReferences } from './reference-search.ts';
import { writesAmong } from './writes.ts';

export interface ReferenceWishes extends PageRequest, HidingWishes {
  readonly include_declaration?: boolean | undefined;
  readonly tests?: 'fold' | 'show' | 'leave_out' | undefined;
  readonly kind?: UseKind | undefined;
  readonly receiver?: string | undefined;
  readonly account?: AccountWish | undefined;
}

export async function referenceAnswer(
  context: ToolContext,
  target: Target,
  wishes: ReferenceWishes,
): Promise<Answer<PlaceData[]>> {
  const { link, source, name, shown } = target;
  const asked = await searchReferences(context, target, {
    includeDeclaration: wishes.include_declaration,
    account: wishes.account ?? 'some',
    includeHidden: wishes.include_hidden,
  });
  const { facts, readiness, incomplete, accounting } = asked;
  const sifted = await siftHidden(context, asked.result, source.path, wishes);
  const filtered = await filter(context, target, { ...asked, result: sifted.shown }, wishes);
  const { code, tests } = testsApart(context, filtered.places);
  const found = wishes.tests === 'leave_out' ? code : [...code, ...tests];
  const page = pageOf(found, wishes, placeSize);
  const places = await toPlaces(page.items, context.files, facts.encoding);
  const codeShown = Math.max(0, code.length - page.from);
  const parts = { code: places.slice(0, codeShown), tests: places.slice(codeShown) };
  const detailed = [...filesOf(wishes.tests === 'show' ? places : parts.code)];
  const possible = accounting?.possible ?? [];
  const [texts, { outlines, notes }] = await Promise.all([
    context.files.readAll(detailed),
    outlinesOf(context, link, facts, detailed),
  ]);
  const around = { roots: context.roots, texts, outlines };
  const spread = found.length === 0 ? '' : ` in ${counted(filesOf(found).size, 'file')}`;
  const extent = accountingExtent(incomplete, accounting);
  const maybe = possible.length === 0 ? '' : `, ${possible.length} possible`;
  const summary = `${counted(found.length, wishes.kind ?? 'reference', { none: 'No' })}${maybe} to ${name} (${shown})`;
  const accounted = accounting ? `; ${accountedPart(accounting, context.roots)}` : '';
  return {
    text: [
      `${summary}${spread}${accounted}; ${readiness}, ${extent}; root ${context.roots.primary}`,
      ...groupedLines(parts.code, around),
      ...(wishes.tests === 'leave_out'
        ? leftOutTests(tests)
        : testLines(parts.tests, around, { all: tests, isFolded: wishes.tests !== 'show' })),
      ...leftOut(page, 'references'),
      ...filtered.lines,
      ...(page.from === 0 ? await possibleLines(context, possible) : []),
      ...hiddenLine(sifted.hidden),
    ].join('\n'),
    data: places.map(placeData),
    incomplete,
    page,
    notes,
    details: { hidden: sifted.hidden, ...(accounting ? accountingData(accounting) : {}) },
    hint:
      found.length > 0
        ? stepAfter(context, target, filesOf(found).size)
        : sifted.hidden.length + filtered.lines.length + tests.length > 0
          ? undefined
          : stepWhenUnused(asked),
  };
}

interface Filtered {
  readonly places: readonly ServerPlace[];
  /** What the wishes left out. */
  readonly lines: readonly string[];
}

async function filter(
  context: ToolContext,
  target: Target,
  { result, facts, declarations }: Pick<FoundReferences, 'result' | 'facts' | 'declarations'>,
  { kind, receiver }: ReferenceWishes,
): Promise<Filtered> {
  // What a server calls a declaration may be an assignment, and that is a write.
  const all =
    kind === 'write' && facts.assignmentsDeclare ? serverPlaces([...result, ...declarations]) : result;
  const { places: ofKind, untold } =
    kind === undefined
      ? { places: result, untold: 0 }
      : await placesOfKind(context, target, { places: all, facts }, kind);
  const kept = kind === undefined ? undefined : new Set(ofKind.map(startOf));
  const others = kept ? result.filter((place) => !kept.has(startOf(place))).length : 0;
  const lines = [
    ...(others === 0 ? [] : [`left out: ${others} that are no ${KIND_NAMES[kind ?? 'value']}`]),
    ...(untold === 0 ? [] : [`in ${counted(untold, 'file')} writes were told from values by the text alone`]),
  ];
  if (receiver === undefined) return { places: ofKind, lines };
  const sorted = await byReceiver(context, target, facts, ofKind, receiver);
  const through = [...sorted.others].map(([name, count]) => `${count} by way of ${name || 'no class'}`);
  if (sorted.unknown > 0) through.push(`${sorted.unknown} whose class is not known`);
  return {
    places: sorted.kept,
    lines: through.length === 0 ? lines : [...lines, `left out: ${through.join(', ')}`],
  };
}

/** The text tells calls and imports; writes have many forms, and of these servers know more. */
async function placesOfKind(
  context: ToolContext,
  { link }: Target,
  { places: found, facts }: { places: readonly ServerPlace[]; facts: FoundReferences['facts'] },
  kind: UseKind,
): Promise<{ readonly places: readonly ServerPlace[]; readonly untold: number }> {
  const [places, texts, written] = await Promise.all([
    toPlaces(found, context.files, facts.encoding),
    context.files.readAll(filesOf(found)),
    kind === 'write' || kind === 'value' ? writesAmong(context, link, facts, found) : undefined,
  ]);
  // `name=1` in a call looks like a write.
  const { namedArguments } = languageFacts(link.language).text;
  const kindOf = (at: number): UseKind | undefined => {
    const [place, onServer] = [places[at], found[at]];
    const lines = place?.file && texts.get(place.file);
    if (!lines || !onServer) return undefined;
    const look = useKindOf(place, lines);
    const isWrite = written?.isWrite(onServer);
    if (look === 'import' || isWrite === undefined) return look;
    if (isWrite) return 'write';
    return look === 'write' && namedArguments ? 'value' : look;
  };
  return { places: found.filter((_, at) => kindOf(at) === kind), untold: written?.untold ?? 0 };
}

const KIND_NAMES: Readonly<Record<UseKind, string>> = {
  call: 'calls',
  value: 'values',
  import: 'imports',
  write: 'writes',
};

function testsApart<T extends { readonly file: AbsPath | undefined }>(
  { roots }: ToolContext,
  places: readonly T[],
): { code: readonly T[]; tests: readonly T[] } {
  const judge = testFileJudge();
  const isTest = perFile((file) => judge(roots.display(file)));
  const [code, tests]: [T[], T[]] = [[], []];
  for (const place of places) (place.file !== undefined && isTest(place.file) ? tests : code).push(place);
  return { code, tests };
}

function leftOutTests(tests: readonly { readonly file: AbsPath | undefined }[]): string[] {
  return tests.length === 0
    ? []
    : [`left out: ${tests.length} in ${counted(filesOf(tests).size, 'file')} of tests`];
}

function testLines(
  shown: readonly Place[],
  around: Surroundings,
  { all, isFolded }: { all: readonly { readonly file: AbsPath | undefined }[]; isFolded: boolean },
): string[] {
  if (all.length === 0) return [];
  const header = `tests: ${all.length} in ${counted(filesOf(all).size, 'file')}`;
  if (!isFolded) return [header, ...groupedLines(shown, around)];
  const { lines, isCut } = foldedTests(shown, around);
  return [isCut ? `${header}; tests:"show" lists them` : header, ...lines];
}

/** What is used in one file alone is seen there. */
function stepAfter(context: ToolContext, { source, shown }: Target, files: number): string | undefined {
  if (files < 2) return undefined;
  return firstOffered(
    context,
    `blast_radius ${context.roots.display(source.path)} before a change`,
    `find_callers ${shown}`,
  );
}

/** Of what nothing uses, as far as could be seen. */
export function stepWhenUnused(
  { incomplete, accounting }: Pick<FoundReferences, 'incomplete' | 'accounting'>,
  what: 'it' | 'them' = 'it',
): string | undefined {
  if (incomplete !== undefined) return undefined;
  if (accounting?.elsewhere && accounting.elsewhere.files.length > 0)
    return 'look at the files of other languages before it is called unused';
  return accounting && accounting.possible.length > 0
    ? 'look at the possible uses before it is called unused'
    : `nothing uses ${what} by name; ${what === 'it' ? 'it' : 'they'} may be unused, or used by reflection or from outside`;
}
