/** Asks the server for the definition at an occurrence of a name, to find out what that occurrence is. */
import { DefinitionRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { isInside, pathToUri } from '../../../../shared/base/paths.ts';
import { toServerPosition } from '../../../../shared/base/positions.ts';
import { isCompiled, onlyDeclares } from '../../../../shared/languages/file-kinds.ts';
import { projectAround } from '../../../../shared/languages/manifests.ts';
import { ask, type ServerLink } from '../../../../shared/link/server-link.ts';
import { answered } from '../../../ask/questions.ts';
import { isInImport } from '../../../lexical/import-lines.ts';
import { withoutMarks, wordsOf } from '../../../lexical/words.ts';
import { comparePositions, type ServerPlace, serverPlaces } from '../../../places/places.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { mayBeKeyOfNew } from './keys-of-new.ts';
import type { Occurrence } from './occurrences.ts';

/** What the name means where it was asked about. */
export interface Meaning {
  readonly name: string;
  readonly link: ServerLink;
  readonly declarations: readonly ServerPlace[];
  /** All that the server listed, declarations included. */
  readonly places: readonly ServerPlace[];
}

export type Resolution =
  | { readonly kind: 'same' }
  | { readonly kind: 'other' }
  | { readonly kind: 'possible'; readonly why: string };

/** Fails like any question: when the server does, or when the time is over. */
export async function resolveOccurrence(
  context: ToolContext,
  meaning: Meaning,
  { file, at }: Occurrence,
): Promise<Resolution> {
  const link = await linkAt(context, meaning, file);
  const facts = await context.facts.offering(link, DefinitionRequest.method, context.during());
  const source = await context.files.read(file);
  const position = toServerPosition(at, source.lines, facts.encoding);
  const params = { textDocument: { uri: pathToUri(file) }, position };
  const asked = ask(link, DefinitionRequest.type, params, context.during(file));
  const defined = serverPlaces(await answered(facts, DefinitionRequest.method, asked, link));
  const [first, ...others] = defined;
  if (!first) return { kind: 'possible', why: unknown(source.lines.at(at.line), at.column) };
  if (defined.some((place) => isAmong(place, meaning.declarations))) return { kind: 'same' };
  const held = defined.find((place) => isAmong(place, meaning.places));
  if (held) return { kind: 'possible', why: `holds it, taken at ${shown(context, held)}` };
  // An import that leads nowhere is all that the server knows of the name.
  const isHere = first.file === file && others.length === 0;
  if (isHere && isInImport(source.lines, first.range.start.line + 1))
    return { kind: 'possible', why: 'its import was not found' };
  // What is asked about leads nowhere itself, so that nothing of its name can be told from it.
  if (meaning.declarations.length === 0)
    return { kind: 'possible', why: `what is asked about was not found; this is ${shown(context, first)}` };
  const built = onlyDeclares(file) ? undefined : builtFrom(meaning, defined);
  if (built)
    return { kind: 'possible', why: `leads to ${shown(context, built)}, which may be built from it` };
  if (isHere && comparePositions(first.range.start, position) === 0) {
    const asked = { link, facts, source };
    if (await mayBeKeyOfNew(context, asked, { file, at }, meaning.name))
      return { kind: 'possible', why: 'passed to new, where an argument may not fit' };
  }
  const renamed = await underAnotherName(context, meaning, defined);
  return renamed ? { kind: 'possible', why: `leads to ${shown(context, renamed)}` } : { kind: 'other' };
}

/** Of these places one that may have been made from a declaration: in its package, in a file that only declares. */
function builtFrom(
  { link, declarations }: Meaning,
  defined: readonly ServerPlace[],
): ServerPlace | undefined {
  const projectOf = ({ file }: ServerPlace) => file && projectAround(file, link.root);
  const made = defined.filter(({ file }) => file && onlyDeclares(file));
  if (made.length === 0) return undefined;
  const homes = new Set(declarations.filter(({ file }) => file && isCompiled(file)).map(projectOf));
  return made.find((place) => homes.has(projectOf(place) ?? ''));
}

/** A constructor or a default export beside the declaration: what is used may be the thing itself. */
async function underAnotherName(
  { files }: ToolContext,
  { name, declarations }: Meaning,
  defined: readonly ServerPlace[],
): Promise<ServerPlace | undefined> {
  const beside = defined.filter(({ file }) => file && declarations.some((each) => each.file === file));
  const texts = await files.readAll(beside.flatMap(({ file }) => file ?? []));
  return beside.find(({ file, range }) => {
    const line = (file && texts.get(file)?.at(range.start.line + 1)) ?? '';
    return !wordsOf(line.slice(range.start.character)).some(({ text }) => text === withoutMarks(name));
  });
}

/** For a look alone no second server is started beside one that reads the file as well. */
async function linkAt(context: ToolContext, { link }: Meaning, file: AbsPath): Promise<ServerLink> {
  const { readsProjectsBelow } = await context.facts.of(link, context.during());
  return readsProjectsBelow && isInside(file, link.root) ? link : context.servers.linkFor(file);
}

function unknown(line: string, column: number): string {
  return /[.>:]\s*$/.test(line.slice(0, column - 1))
    ? 'its receiver has no known type'
    : 'not known to the server';
}

function isAmong(place: ServerPlace, others: readonly ServerPlace[]): boolean {
  return others.some(
    (other) =>
      other.uri === place.uri &&
      comparePositions(other.range.start, place.range.end) <= 0 &&
      comparePositions(place.range.start, other.range.end) <= 0 &&
      other.range.start.line === place.range.start.line,
  );
}

function shown({ roots }: ToolContext, { file, uri, range }: ServerPlace): string {
  return `${file ? roots.display(file) : uri}:${range.start.line + 1}`;
}
