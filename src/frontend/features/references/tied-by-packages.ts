/**
 * A method that overrides one of an installed package is tied by it to all others that do. Some servers follow the tie
 * only in projects that have the method that was asked about; asked at the declaration in the package, they look in all
 * projects that they were shown.
 * Decision: docs/decisions/references.md#tied-by-a-package
 */
import { type Position, ReferencesRequest, SymbolKind } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { failureOf } from '../../../shared/base/failure.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { toPoint } from '../../../shared/base/positions.ts';
import type { ServerFacts, ServerLink } from '../../../shared/link/server-link.ts';
import { type PreparedSearch, prepareSearch } from '../../ask/prepared-search.ts';
import { comparePoints, type ServerPlace, serverPlaces } from '../../places/places.ts';
import { outlineOf } from '../../symbols/outlines.ts';
import { everySymbol } from '../../symbols/symbol-tree.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { isInstalled } from '../../workspace/hidden-places.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { sendReferences } from './send-references.ts';

interface Known {
  /** What the server lists for the name that was asked about. */
  readonly places: readonly ServerPlace[];
  readonly except: readonly AbsPath[];
}

interface Tied {
  readonly places: readonly ServerPlace[];
  readonly prepared: PreparedSearch;
}

interface InstalledDeclaration {
  /** The server of the workspace that it is installed for, of which the one that was asked may be a part that is locked apart. */
  readonly link: ServerLink;
  readonly source: SourceFile;
  position(facts: ServerFacts): Position;
}

/** Bases are few; a file that lists more of a name repeats it. */
const MOST_FILES = 4;
const MEMBERS: ReadonlySet<SymbolKind> = new Set([
  SymbolKind.Method,
  SymbolKind.Property,
  SymbolKind.Function,
]);

/** Whoever uses the package may be tied, also a project that cannot know of the name that was asked about. */
export async function tiedByPackages(
  context: ToolContext,
  { link, name }: Target,
  { places, except }: Known,
): Promise<readonly Tied[]> {
  const declared = await installedDeclarations(context, link, places);
  const { method } = ReferencesRequest;
  const asked = declared.map(async (each): Promise<Tied> => {
    const { path } = each.source;
    const about = { name, file: path, except };
    const prepared = await prepareSearch(context, each.link, { method, about });
    const wish = { ...each, includeDeclaration: true };
    const found = await sendReferences(each.link, prepared.facts, wish, prepared.options(path));
    return { places: serverPlaces(found), prepared };
  });
  return await Promise.all(asked);
}

/** One for each file: it leads to what the others of the file are tied to. */
async function installedDeclarations(
  context: ToolContext,
  link: ServerLink,
  places: readonly ServerPlace[],
): Promise<readonly InstalledDeclaration[]> {
  const installed = places.filter(({ file }) => file !== undefined && isInstalled(file));
  const byFile = [...groupBy(installed, ({ file }) => file)].slice(0, MOST_FILES);
  const found = byFile.map(async ([file, inFile]) => {
    if (file === undefined) return [];
    try {
      const source = await context.files.read(file);
      const { encoding } = await context.facts.of(link, context.during());
      const members = [...everySymbol(await outlineOf(context, link, source))].filter(({ kind }) =>
        MEMBERS.has(kind),
      );
      const declares = ({ range: { start } }: ServerPlace) => {
        const at = toPoint(start, () => source.lines, encoding);
        return members.some((member) => comparePoints(member.at, at) === 0);
      };
      const first = inFile.find(declares);
      const home = await context.servers.linkFor(file);
      return first ? [{ link: home, source, position: () => first.range.start }] : [];
    } catch (error) {
      // Outside of what this session may read.
      if (failureOf(error)) return [];
      throw error;
    }
  });
  return (await Promise.all(found)).flat();
}
