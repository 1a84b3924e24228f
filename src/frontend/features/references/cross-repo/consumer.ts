/**
 * Uses of a library's symbol in another repository. That repository's server is asked for references at a place that
 * mentions the name and leads to the library. Files that mention the name but are not in the answer are then checked
 * one by one.
 */
import { DefinitionRequest, type Location, ReferencesRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { counted } from '../../../../shared/base/counted.ts';
import { groupBy } from '../../../../shared/base/group-by.ts';
import { isInside, pathToUri, uriToPath } from '../../../../shared/base/paths.ts';
import { eachBounded } from '../../../../shared/base/pool.ts';
import { type Point, toServerPosition } from '../../../../shared/base/positions.ts';
import { ask, type ServerLink } from '../../../../shared/link/server-link.ts';
import { askAcross, askHere } from '../../../ask/questions.ts';
import { whyNot } from '../../../ask/why-not.ts';
import { occurrences } from '../../../lexical/words.ts';
import {
  byPlace,
  type LocationResult,
  type Place,
  placesOf,
  serverPlaces,
  toPlaces,
} from '../../../places/places.ts';
import { type Incomplete, incompleteOf } from '../../../render/incomplete.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { type HiddenCount, type HidingWishes, siftHidden } from '../../../workspace/hidden-places.ts';
import type { SourceFile } from '../../../workspace/source-files.ts';
import { sendReferences } from '../send-references.ts';
import { filesMentioning } from './consumer-mentions.ts';
import { isDeclared, type LibrarySymbol, matchOf } from './library-symbol.ts';

export interface ConsumerUses {
  readonly root: AbsPath;
  readonly places: readonly Place[];
  readonly hidden: readonly HiddenCount[];
  readonly warnings: readonly string[];
  readonly incomplete: Incomplete | undefined;
}

const MOST_FILES = 200;
const MOST_PER_FILE = 40;
const AT_ONCE = 8;

export async function usesIn(
  context: ToolContext,
  root: AbsPath,
  symbol: LibrarySymbol,
  { family, include_hidden }: HidingWishes & { readonly family: string },
): Promise<ConsumerUses> {
  const isSource = (file: AbsPath) =>
    context.servers.familyOfFile(file) === family &&
    (isInside(root, symbol.root) || !isInside(file, symbol.root));
  const mentions = await filesMentioning(root, symbol.name, isSource, context.signal);
  const checker = new Checker(context, symbol);
  const places = new Map<string, Place>();
  const warnings = new Set<string>();
  const reasons: Incomplete[] = [];
  if (!mentions.isWhole) reasons.push({ reason: 'not all files could be searched' });
  if (mentions.files.length > MOST_FILES)
    reasons.push({
      reason: `${mentions.files.length - MOST_FILES} of ${mentions.files.length} files that mention the name were not looked at`,
    });
  const links = await byLink(context, mentions.files.slice(0, MOST_FILES), warnings);
  for (const [link, files] of links) {
    try {
      const found = await usesOfServer({ context, link, checker, root }, files);
      for (const place of found.places)
        places.set(`${place.uri}:${place.start.line}:${place.start.column}`, place);
      if (found.incomplete) reasons.push(found.incomplete);
    } catch (error) {
      reasons.push({ reason: `${link.language}: ${whyNot(error)}` });
    }
  }
  if (checker.copies.size > 0)
    warnings.add(
      `${context.roots.display(root)} uses an installed copy: ${[...checker.copies].map((file) => context.roots.display(file)).join(', ')}`,
    );
  if (places.size === 0 && mentions.files.length > 0)
    warnings.add(
      `${context.roots.display(root)} mentions ${symbol.name} in ${counted(mentions.files.length, 'file')}, but it leads to the library in none`,
    );
  // What was named as a consumer is not hidden for being where it is.
  const { shown, hidden } = await siftHidden(context, [...places.values()], root, { include_hidden });
  return {
    root,
    places: [...shown].sort(byPlace),
    hidden,
    warnings: [...warnings],
    incomplete: incompleteOf(context.roots.display(root), reasons),
  };
}

/** A file whose server cannot be started is named, and does not spoil the others. */
async function byLink(
  context: ToolContext,
  files: readonly AbsPath[],
  warnings: Set<string>,
): Promise<ReadonlyMap<ServerLink, readonly AbsPath[]>> {
  const pairs: { link: ServerLink; file: AbsPath }[] = [];
  for (const file of files) {
    try {
      pairs.push({ file, link: await context.servers.linkFor(file) });
    } catch (error) {
      warnings.add(`${context.roots.display(file)} was not looked at: ${whyNot(error)}`);
    }
  }
  const groups = groupBy(pairs, ({ link }) => link);
  return new Map([...groups].map(([link, own]) => [link, own.map(({ file }) => file)]));
}

interface Search {
  readonly context: ToolContext;
  readonly link: ServerLink;
  readonly checker: Checker;
  readonly root: AbsPath;
}

async function usesOfServer(
  search: Search,
  files: readonly AbsPath[],
): Promise<{ places: readonly Place[]; incomplete: Incomplete | undefined }> {
  const { context, link, checker, root } = search;
  const unchecked: AbsPath[] = [...files];
  let places: readonly Place[] = [];
  let incomplete: Incomplete | undefined;
  for (const file of files) {
    const source = await context.files.read(file);
    const first = await checker.firstUse(link, source);
    if (!first) {
      unchecked.shift();
      continue;
    }
    const asked = await referencesAt(search, source, first);
    const inRoot = asked.places.filter((place) => place.file && isInside(place.file, root));
    places = inRoot;
    incomplete = asked.incomplete;
    break;
  }
  // Also the file that was asked from: pyright leaves it out when the library is outside of its workspace.
  const answered = new Set(places.map(({ file }) => file));
  const silent = unchecked.filter((file) => !answered.has(file));
  const others = await eachBounded(silent, AT_ONCE, async (file) =>
    checker.uses(link, await context.files.read(file)),
  );
  const uses = [...places, ...others.flat()].filter((place) => !isDeclared(checker.symbol, place));
  return { places: uses, incomplete };
}

async function referencesAt(
  { context, link, checker, root }: Search,
  source: SourceFile,
  at: Point,
): Promise<{ places: readonly Place[]; incomplete: Incomplete | undefined }> {
  const { name, root: libraryRoot } = checker.symbol;
  const { result, facts, incomplete } = await askAcross(context, link, {
    method: ReferencesRequest.method,
    documents: [source.path],
    about: { name, file: source.path, except: isInside(root, libraryRoot) ? [] : [libraryRoot] },
    filesOf: (locations: Location[] | null) => (locations ?? []).flatMap(({ uri }) => uriToPath(uri) ?? []),
    send: (facts, options) => {
      const position = () => toServerPosition(at, source.lines, facts.encoding);
      // Servers take the import that is asked about for a declaration; it is a use here.
      return sendReferences(link, facts, { source, position, includeDeclaration: true }, options);
    },
  });
  return { places: await toPlaces(serverPlaces(result), context.files, facts.encoding), incomplete };
}

/** Asks where mentions lead to. */
class Checker {
  readonly symbol: LibrarySymbol;
  /** Files that the consumer has of the library instead of its source. */
  readonly copies = new Set<AbsPath>();
  readonly #context: ToolContext;

  constructor(context: ToolContext, symbol: LibrarySymbol) {
    this.#context = context;
    this.symbol = symbol;
  }

  async firstUse(link: ServerLink, source: SourceFile): Promise<Point | undefined> {
    for (const at of this.#mentions(source)) if (await this.#leadsToLibrary(link, source, at)) return at;
    return undefined;
  }

  async uses(link: ServerLink, source: SourceFile): Promise<readonly Place[]> {
    const found: Place[] = [];
    for (const start of this.#mentions(source)) {
      if (!(await this.#leadsToLibrary(link, source, start))) continue;
      const end = { line: start.line, column: start.column + this.symbol.name.length };
      found.push({ uri: pathToUri(source.path), file: source.path, start, end });
    }
    return found;
  }

  #mentions(source: SourceFile): readonly Point[] {
    return occurrences(this.symbol.name, source.lines).slice(0, MOST_PER_FILE);
  }

  async #leadsToLibrary(link: ServerLink, source: SourceFile, at: Point): Promise<boolean> {
    const context = this.#context;
    const { result, facts } = await askHere(
      context,
      link,
      {
        method: DefinitionRequest.method,
        documents: [source.path],
        send: ({ encoding }, options): Promise<LocationResult> => {
          const position = toServerPosition(at, source.lines, encoding);
          return ask(
            link,
            DefinitionRequest.type,
            { textDocument: { uri: pathToUri(source.path) }, position },
            options,
          );
        },
      },
      (found) => !found || ('length' in found && found.length === 0),
    );
    for (const place of await placesOf(result, context.files, facts.encoding)) {
      const match = await matchOf(place, this.symbol, context.files);
      if (match?.kind === 'copy') this.copies.add(match.file);
      if (match) return true;
    }
    return false;
  }
}
