/** The answer of get_cross_repo_references: uses in the library itself, and in each repository that was named. */
import { statSync } from 'node:fs';
import { DefinitionRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { counted } from '../../../../shared/base/counted.ts';
import { fail } from '../../../../shared/base/failure.ts';
import { isInside, pathToUri } from '../../../../shared/base/paths.ts';
import { ask } from '../../../../shared/link/server-link.ts';
import { type Place, type PlaceData, placeData, placesOf, toPlaces } from '../../../places/places.ts';
import type { Answer } from '../../../render/answer.ts';
import { leftOut, type PageRequest, pageOf } from '../../../render/budget.ts';
import { incompleteLine } from '../../../render/incomplete.ts';
import type { Target } from '../../../targets/locate.ts';
import { firstOffered, type ToolContext } from '../../../tools/context.ts';
import {
  type HidingWishes,
  hiddenLine,
  hiddenTogether,
  siftHidden,
} from '../../../workspace/hidden-places.ts';
import { groupedLines, placeSize } from '../locations.ts';
import { stepWhenUnused } from '../reference-answer.ts';
import { searchReferences } from '../reference-search.ts';
import { usesIn } from './consumer.ts';
import type { LibrarySymbol } from './library-symbol.ts';

export interface CrossRepoData {
  readonly symbol: string;
  readonly library_references: PlaceData[];
  readonly consumer_references: { repo: string; references: PlaceData[] }[];
  readonly references: { file: string; line: number; column: number; repo: string }[];
  readonly summary: string;
  readonly warnings: string[];
}

export interface Consumers {
  readonly roots: readonly AbsPath[];
  /** Those that have become folders of the session for this. */
  readonly added: readonly AbsPath[];
}

/** What lies outside of the roots is taken in first, if that may be. */
export async function consumersOf(context: ToolContext, given: readonly string[]): Promise<Consumers> {
  const { roots, folders, permission } = context;
  const [first, ...others] = given.filter((root) => !roots.holds(roots.locate(root)));
  if (first === undefined) return { roots: directoriesOf(context, given), added: [] };
  const agreed = await permission.consentTo('expand', () => folders.plan(first, ...others));
  await folders.add(agreed, context.during());
  return { roots: directoriesOf(context, given), added: agreed.plan.folders };
}

function directoriesOf({ roots }: ToolContext, given: readonly string[]): readonly AbsPath[] {
  const resolved = given.map((root) => {
    const directory = roots.resolve(root);
    if (!statSync(directory, { throwIfNoEntry: false })?.isDirectory())
      fail({
        kind: 'invalid-input',
        message: `consumer root ${root} is no directory`,
        next: 'Correct consumer_roots',
      });
    return directory;
  });
  return [...new Set(resolved)];
}

export async function crossRepoReferences(
  context: ToolContext,
  target: Target,
  { roots: consumers, added }: Consumers,
  request: PageRequest & HidingWishes,
): Promise<Answer<CrossRepoData>> {
  const { link, source, name, shown } = target;
  const library = await searchReferences(context, target, { except: consumers });
  const own = library.result.filter(
    ({ file }) => file === undefined || !consumers.some((root) => isInside(file, root)),
  );
  const sifted = await siftHidden(context, own, source.path, request);
  const ownPlaces = await toPlaces(sifted.shown, context.files, library.facts.encoding);
  const symbol = await librarySymbol(context, target);
  const uses = await Promise.all(
    consumers.map((root) => usesIn(context, root, symbol, { family: link.language, ...request })),
  );

  const all = [
    ...ownPlaces.map((place) => ({ ...place, repo: 'primary' })),
    ...uses.flatMap(({ root, places }) => places.map((place) => ({ ...place, repo: root }))),
  ];
  const hidden = hiddenTogether([...sifted.hidden, ...uses.flatMap((each) => each.hidden)]);
  const page = pageOf(all, request, placeSize);
  const of = (repo: string) => page.items.filter((place) => place.repo === repo);
  const texts = await context.files.readAll(page.items.flatMap(({ file }) => file ?? []));
  const lines = (places: readonly Place[]) => groupedLines(places, { roots: context.roots, texts });
  const renamed = isDefaultExport(target)
    ? [{ reason: `${name} is a default export: imports under another name are not found` }]
    : [];
  const beyond = [...uses.flatMap((each) => each.incomplete ?? []), ...renamed];
  const incomplete = library.incomplete ?? beyond[0];
  const counts = uses.map(({ root, places }) => `${places.length} in ${context.roots.display(root)}`);
  const summary = `${name} (${shown}): ${counted(ownPlaces.length, 'reference')} in the library, ${counts.join(', ')}`;
  const warnings = uses.flatMap((each) => each.warnings);
  return {
    text: [
      `${summary}; ${library.readiness}, ${incomplete ? 'incomplete' : 'complete'}; root ${context.roots.primary}`,
      ...lines(of('primary')),
      ...uses.flatMap(({ root, places }) => [`consumer ${root} (${places.length})`, ...lines(of(root))]),
      ...leftOut(page, 'references'),
      ...hiddenLine(hidden),
      ...warnings,
      ...beyond.map(({ reason }) => reason),
    ].join('\n'),
    data: {
      symbol: name,
      library_references: of('primary').map(placeData),
      consumer_references: consumers.map((repo) => ({ repo, references: of(repo).map(placeData) })),
      references: page.items.map((place) => {
        const { file, line, column } = placeData(place);
        return { file, line, column, repo: place.repo };
      }),
      summary,
      warnings: [...warnings, ...beyond.map(incompleteLine)],
    },
    incomplete,
    notes: added.length === 0 ? [] : [`now also folders of this session: ${added.join(', ')}`],
    page,
    details: { hidden },
    hint:
      all.length > 0
        ? firstOffered(context, `blast_radius ${context.roots.display(source.path)} before a change`)
        : warnings.length === 0
          ? stepWhenUnused({ incomplete, accounting: library.accounting })
          : undefined,
  };
}

async function librarySymbol(context: ToolContext, target: Target): Promise<LibrarySymbol> {
  const { link, source, name, point, position } = target;
  const facts = await context.facts.offering(link, DefinitionRequest.method, context.during());
  const params = { textDocument: { uri: pathToUri(source.path) }, position: position(facts) };
  const result = facts.methods.includes(DefinitionRequest.method)
    ? await ask(link, DefinitionRequest.type, params, context.during(source.path))
    : null;
  const declared = await placesOf(result, context.files, facts.encoding);
  return {
    name,
    file: source.path,
    root: link.root,
    declared: [...declared, { file: source.path, start: point }],
  };
}

function isDefaultExport({ source, name }: Target): boolean {
  return new RegExp(
    `\\bexport\\s+default\\s+(?:async\\s+)?(?:abstract\\s+)?(?:function\\*?\\s+|class\\s+)?${name.replaceAll('$', '\\$')}\\b`,
  ).test(source.text);
}
