/**
 * A method that overrides one of an installed package is tied by it to all others that do. Some servers follow the tie
 * only in projects that have the method that was asked about; asked at the declaration in the package, they look in all.
 * Decision: docs/decisions/references.md#tied-by-a-package
 */
import { type Position, SymbolKind } from 'vscode-languageserver-protocol';
import { failureOf } from '../../../shared/base/failure.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { toPoint } from '../../../shared/base/positions.ts';
import type { ServerFacts, ServerLink } from '../../../shared/link/server-link.ts';
import { comparePoints, type ServerPlace } from '../../places/places.ts';
import { outlineOf } from '../../symbols/outlines.ts';
import { everySymbol } from '../../symbols/symbol-tree.ts';
import type { ToolContext } from '../../tools/context.ts';
import { isInstalled } from '../../workspace/hidden-places.ts';
import type { SourceFile } from '../../workspace/source-files.ts';

interface InstalledDeclaration {
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

/** One for each file: it leads to what the others of the file are tied to. */
export async function installedDeclarations(
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
      return first ? [{ source, position: () => first.range.start }] : [];
    } catch (error) {
      // Outside of what this session may read.
      if (failureOf(error)) return [];
      throw error;
    }
  });
  return (await Promise.all(found)).flat();
}
