/**
 * Supertypes and subtypes for servers without a type hierarchy: what the declaration of a type names as its bases, and
 * which declarations name it as theirs. The server says what each name means; only direct relations are found.
 */
import { DefinitionRequest } from 'vscode-languageserver-protocol';
import { pathToUri } from '../../../shared/base/paths.ts';
import { type Point, type TextLines, toServerPosition } from '../../../shared/base/positions.ts';
import { ask, type ServerFacts } from '../../../shared/link/server-link.ts';
import { headerAround, type TypeHeader } from '../../lexical/base-clauses.ts';
import { type Implementation, implementationAround } from '../../lexical/implementation-blocks.ts';
import { comparePoints, type Place, placesOf, toPlaces } from '../../places/places.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { searchReferences } from '../references/reference-search.ts';
import type { HierarchyItem } from './hierarchy-items.ts';
import type { TypeGraph, TypeWishes } from './type-graph.ts';

export async function typesByReferences(
  context: ToolContext,
  target: Target,
  wishes: TypeWishes,
): Promise<Omit<TypeGraph, 'means'>> {
  const { result, facts, readiness, incomplete } = await searchReferences(context, target, {
    includeDeclaration: true,
  });
  const places = await toPlaces(result, context.files, facts.encoding);
  const { language } = target.link;
  const texts = await context.files.readAll(places.flatMap(({ file }) => file ?? []));
  const uses = places.flatMap((place) => {
    const lines = place.file && texts.get(place.file);
    return lines ? [{ place, lines }] : [];
  });
  const headers = uses.flatMap(({ place, lines }) => {
    const header = headerAround(lines, place.start, language);
    return header ? [{ place, header }] : [];
  });
  const isDeclaration = ({ place, header }: { place: Place; header: TypeHeader }) =>
    comparePoints(header.at, place.start) === 0;
  const own = headers.filter(isDeclaration);
  const resolve = (place: Place, at: Point) => definitionAt(context, target, facts, place, at);

  const implementations = uses.flatMap(({ place, lines }) => implementationAt(place, lines, language));
  const above = [
    ...own.flatMap(({ place, header }) => header.bases.map(({ at }) => ({ place, at }))),
    ...implementations.flatMap(({ place, found, side }) =>
      side === 'type' ? [{ place, at: found.trait }] : [],
    ),
  ];
  const below = implementations.flatMap(({ place, found, side }) =>
    side === 'trait' ? [{ place, at: found.type }] : [],
  );
  const resolved = async (wanted: readonly { place: Place; at: Point }[]) =>
    (await Promise.all(wanted.map(({ place, at }) => resolve(place, at)))).flat();
  return {
    facts,
    readiness,
    incomplete,
    items: own.map(({ place, header }) => itemFrom(header, place)),
    supertypes: wishes.supertypes ? await resolved(above) : undefined,
    subtypes: wishes.subtypes
      ? [
          ...headers
            .filter((each) => !isDeclaration(each))
            .map(({ place, header }) => itemFrom(header, place)),
          ...(await resolved(below)),
        ]
      : undefined,
  };
}

function implementationAt(place: Place, lines: TextLines, language: string) {
  const found: Implementation | undefined = implementationAround(lines, place.start, language);
  if (!found) return [];
  const side = comparePoints(found.trait, place.start) === 0 ? ('trait' as const) : ('type' as const);
  return [{ place, found, side }];
}

/** The types that a name in a file means, with what their declarations say they are. */
async function definitionAt(
  context: ToolContext,
  { link }: Target,
  facts: ServerFacts,
  { file }: Place,
  at: Point,
): Promise<readonly HierarchyItem[]> {
  if (file === undefined || !facts.methods.includes(DefinitionRequest.method)) return [];
  const source = await context.files.read(file);
  const params = {
    textDocument: { uri: pathToUri(file) },
    position: toServerPosition(at, source.lines, facts.encoding),
  };
  const result = await ask(link, DefinitionRequest.type, params, context.during(file));
  const places = await placesOf(result, context.files, facts.encoding);
  const texts = await context.files.readAll(places.flatMap((place) => place.file ?? []));
  const declared = places.flatMap((place) => {
    const lines = place.file && texts.get(place.file);
    const header = lines && headerAround(lines, place.start, link.language);
    return header && comparePoints(header.at, place.start) === 0 ? [itemFrom(header, place)] : [];
  });
  // A name may mean a type and a value, of which only the type is inherited from.
  if (declared.length > 0) return declared;
  return places.map((place) => ({ name: nameAt(source, at), kind: 'type', place, from: place.start }));
}

function itemFrom({ name, kind, at }: TypeHeader, { uri, file }: Place): HierarchyItem {
  const end = { line: at.line, column: at.column + name.length };
  return { name, kind, place: { uri, file, start: at, end }, from: at };
}

function nameAt({ lines }: SourceFile, { line, column }: Point): string {
  return /^[\p{ID_Continue}$]+/u.exec(lines.at(line).slice(column - 1))?.[0] ?? 'type';
}
