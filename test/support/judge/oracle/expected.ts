/** The true answers about one symbol, asked of the language service over the one program. */
import path from 'node:path';
import type typescript from 'typescript5';
import type { Place, Question, Tool, TruePlace } from '../truth.ts';
import type { Compiler } from './compiler.ts';
import type { Declared } from './declarations.ts';
import type { Imports } from './module-resolution.ts';
import { classAt } from './place-class.ts';

export interface World {
  readonly ts: Compiler;
  readonly root: string;
  readonly service: typescript.LanguageService;
  /** The files that count. */
  readonly files: ReadonlySet<string>;
  readonly byName: ReadonlyMap<string, readonly Declared[]>;
  readonly importers: Imports['importers'];
}

export interface Uses {
  readonly places: readonly TruePlace[];
  /** How many files use it, the one that declares it among them. */
  readonly files: number;
  /** Where it is declared, and what it overrides or implements. */
  readonly definedIn: ReadonlySet<string>;
}

/** More places than these take minutes to page through and say no more about the product. */
const MOST_USES = 2_000;

/** Undefined where the language service knows no symbol, or too much about it. */
export function usesAt(world: World, { file, offset }: Pick<Declared, 'file' | 'offset'>): Uses | undefined {
  const found = world.service.findReferences(file, offset);
  if (!found) return undefined;
  const entries = found.flatMap(({ references }) => references);
  if (entries.length > MOST_USES) return undefined;
  const places = entries.flatMap((entry) =>
    placeIn(world, entry.fileName, entry.textSpan.start).map((place) =>
      entry.isDefinition === true ? { ...place, class: 'definition' as const } : place,
    ),
  );
  const uses = places.filter((place) => place.class !== 'definition');
  return {
    places: unique(places),
    files: new Set(uses.map((place) => place.file)).size,
    definedIn: new Set(found.map(({ definition }) => path.normalize(definition.fileName))),
  };
}

export function questionsAbout(
  world: World,
  declared: Declared,
  uses: Uses,
  { tools, use, asksAtUse }: { tools: readonly Tool[]; use: TruePlace | undefined; asksAtUse: boolean },
): Question[] {
  const home = pointAt(world, declared.file, declared.offset);
  const near = neighbours(world, declared.file, uses.definedIn);
  const about = (tool: Tool, places: readonly TruePlace[], at: Place = home): Question[] => {
    if (!tools.includes(tool) || (tool === 'rename' && places.length === 0)) return [];
    const { name, kind } = declared;
    // Whoever asks from where the symbol cannot be seen cannot see anything of it.
    const isFar = !near.has(path.join(world.root, at.file));
    const isSeen = ({ file }: Place) => !isFar && near.has(path.join(world.root, file));
    const expected =
      tool === 'symbols'
        ? places
        : places.map((each) => (isSeen(each) ? each : { ...each, needsBuild: true }));
    return [{ tool, name, kind, at: bare(at), isAtUse: at !== home, expected }];
  };
  const own = ownDeclarations(world, declared);
  // An override that is used through its base is the base's member there.
  const ownFrom = (from: Place) =>
    new Set([...own, ...definitionsFrom(world, from, declared.name).map(keyOf)]);
  const calls = uses.places.filter(({ class: each }) => CALLS.has(each));
  const hasCalls = ['function', 'method'].includes(declared.kind) || calls.length > 0;
  return [
    ...(asksAtUse && use
      ? about('references', withoutOwn(usesFrom(world, use)?.places ?? [], ownFrom(use)), use)
      : about('references', withoutOwn(uses.places, own))),
    ...(hasCalls ? about('callers', uses.places.filter(isCallLike)) : []),
    ...about('rename', tools.includes('rename') ? renamePlaces(world, declared, uses) : []),
    ...(declared.isAbstract ? about('implementations', implementationsOf(world, declared, own)) : []),
    ...about('symbols', namedLike(world, declared.name)),
    ...(use ? about('definition', definitionsFrom(world, use, declared.name), use) : []),
  ];
}

const CALLS: ReadonlySet<string> = new Set(['call', 'new', 'decorator', 'tag', 'jsx']);

/** What is no call is kept for the judge, who may let servers list it: see `conventions.ts`. */
function isCallLike({ class: each }: TruePlace): boolean {
  return CALLS.has(each) || each === 'property' || each === 'keyword';
}

/** The symbol's own declarations, of which there are several where declarations merge or a function is overloaded. */
function ownDeclarations(world: World, { file, offset }: Declared): ReadonlySet<string> {
  const found = world.service.getDefinitionAtPosition(file, offset) ?? [];
  const places = found.flatMap((entry) => placeIn(world, entry.fileName, entry.textSpan.start));
  return new Set([pointAt(world, file, offset), ...places].map(keyOf));
}

function withoutOwn(places: readonly TruePlace[], own: ReadonlySet<string>): readonly TruePlace[] {
  return places.map((place) => (own.has(keyOf(place)) ? { ...place, class: 'definition' } : place));
}

/** The files that lead to this one by imports that resolve as things are. */
function dependents({ importers }: World, file: string): ReadonlySet<string> {
  const found = new Set([file]);
  for (const each of found) for (const importer of importers.get(each) ?? []) found.add(importer);
  return found;
}

/** The files that know the symbol, or a member of a base that it is one with, as things are. */
function neighbours(world: World, home: string, definedIn: ReadonlySet<string>): ReadonlySet<string> {
  const own = dependents(world, home);
  const others = [...definedIn].flatMap((file) => {
    const theirs = dependents(world, file);
    return own.has(file) || theirs.has(home) ? [...theirs] : [];
  });
  return new Set([...own, ...others]);
}

/**
 * None where the name is not the repository's to change. Aliases are followed, so that nobody sees the old name; but
 * `const { name } = value` makes a variable of its own, whose uses are no references to the member.
 */
function renamePlaces(world: World, { file, offset, name }: Declared, uses: Uses): readonly TruePlace[] {
  const options = { providePrefixAndSuffixTextForRename: false };
  if (!world.service.getRenameInfo(file, offset, {}).canRename) return [];
  const found = world.service.findRenameLocations(file, offset, false, false, options) ?? [];
  if (found.some(({ fileName }) => !world.files.has(path.normalize(fileName)))) return [];
  const referred = new Set(uses.places.map(keyOf));
  return unique(
    found
      .filter(({ textSpan, fileName }) => textAt(world, fileName, textSpan) === name)
      .flatMap(({ textSpan, fileName }) => placeIn(world, fileName, textSpan.start)),
  ).filter((place) => referred.has(keyOf(place)));
}

function textAt(world: World, file: string, { start, length }: typescript.TextSpan): string {
  return sourceOf(world, file).text.slice(start, start + length);
}

function usesFrom(world: World, use: Place): Uses | undefined {
  return usesAt(world, { file: path.join(world.root, use.file), offset: offsetOf(world, use) });
}

function implementationsOf(
  world: World,
  { file, offset }: Declared,
  own: ReadonlySet<string>,
): readonly TruePlace[] {
  const found = world.service.getImplementationAtPosition(file, offset) ?? [];
  const places = found.flatMap((entry) => placeIn(world, entry.fileName, entry.textSpan.start));
  const isImport = (place: TruePlace) => place.class === 'import' || place.class === 'export';
  const named = places.map((place) =>
    isImport(place) ? place : { ...place, class: 'declaration' as const },
  );
  return withoutOwn(unique(named), own);
}

/**
 * Of an overloaded function any overload will do: which of them a call means is another question. What is merged with a
 * definition comes as a declaration, which may be listed as well.
 */
function definitionsFrom(world: World, use: Place, name: string): readonly TruePlace[] {
  const file = path.join(world.root, use.file);
  const found = world.service.getDefinitionAtPosition(file, offsetOf(world, use)) ?? [];
  const places = found.flatMap(({ fileName, textSpan, kind }) =>
    placeIn(world, fileName, textSpan.start).map((place) => ({ place, kind })),
  );
  const known = (world.byName.get(name) ?? []).map((declared) => ({
    declared,
    place: listed(world, declared),
  }));
  const selfOf = (place: Place) => known.find((each) => keyOf(each.place) === keyOf(place));
  // For `new Type()` TypeScript 4 names the constructor, later ones the class as well: either leads to the other.
  const classGroup = places
    .map(({ place }) => selfOf(place)?.place.group)
    .find((group) => group !== undefined);
  const all = places.flatMap(({ place, kind }): readonly TruePlace[] => {
    const self = selfOf(place);
    const inClass = kind === 'constructor' && classGroup !== undefined ? { group: classGroup } : {};
    if (!self) return [{ ...place, ...inClass, class: 'definition' }];
    const beside = known.filter(({ declared }) => declared.container === self.declared.container);
    return beside.map((each) => ({
      ...each.place,
      class: each.place.group === self.place.group ? ('definition' as const) : ('declaration' as const),
    }));
  });
  // Of a place that is both, the one that has to be found is kept.
  return unique([...all].sort((a, b) => rankOf(a) - rankOf(b)));
}

function rankOf(place: TruePlace): number {
  return place.class === 'definition' ? 1 : 0;
}

function namedLike(world: World, name: string): readonly TruePlace[] {
  return (world.byName.get(name) ?? []).map((each) => listed(world, each));
}

function listed(world: World, declared: Declared): TruePlace {
  const { file, offset, class: placeClass, group } = declared;
  return { ...pointAt(world, file, offset), class: placeClass, group: `${file}:${group}` };
}

function placeIn(world: World, file: string, offset: number): TruePlace[] {
  if (!world.files.has(path.normalize(file))) return [];
  const source = sourceOf(world, file);
  return [{ ...pointAt(world, file, offset), class: classAt(world.ts, source, offset) }];
}

function pointAt(world: World, file: string, offset: number): Place {
  const { line, character } = sourceOf(world, file).getLineAndCharacterOfPosition(offset);
  const name = path.relative(world.root, file).split(path.sep).join('/');
  return { file: name, line: line + 1, column: character + 1 };
}

function offsetOf(world: World, { file, line, column }: Place): number {
  return sourceOf(world, path.join(world.root, file)).getPositionOfLineAndCharacter(line - 1, column - 1);
}

function sourceOf({ service }: World, file: string): typescript.SourceFile {
  const source = service.getProgram()?.getSourceFile(file);
  if (!source) throw new Error(`${file} is not in the program`);
  return source;
}

function bare({ file, line, column }: Place): Place {
  return { file, line, column };
}

function unique(places: readonly TruePlace[]): TruePlace[] {
  return [...new Map(places.map((place) => [keyOf(place), place])).values()];
}

function keyOf({ file, line, column }: Place): string {
  return `${file}:${line}:${column}`;
}
