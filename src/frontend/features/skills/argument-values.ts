/**
 * Values that can be offered for an argument of a prompt without asking a language server: paths below the roots and ids of
 * languages. For a symbol nothing is offered, because whether it is there only a server can say.
 */
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { listDirectory } from '../../../shared/base/list-directory.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import { isSkippedDirectory } from '../../../shared/languages/detect.ts';
import { languageIdsOf } from '../../../shared/languages/lookup.ts';
import { languageTable } from '../../../shared/languages/table.ts';

export interface OfferedValues {
  readonly values: string[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** The most that an answer may hold. */
const MOST = 100;
const NOTHING: OfferedValues = { values: [], total: 0, hasMore: false };

/** What of the roots is needed. */
export interface Places {
  readonly primary: AbsPath;
  holds(file: AbsPath): boolean;
  locate(given: string): AbsPath;
}

export async function valuesFor(argument: string, begun: string, places: Places): Promise<OfferedValues> {
  switch (argument) {
    case 'language':
      return offered(languages().filter((id) => id.startsWith(begun.toLowerCase())));
    case 'file-path':
      return offered(await pathsFrom(begun, places, { withFiles: true }));
    case 'directory':
      return offered(await pathsFrom(begun, places, { withFiles: false }));
    default:
      return NOTHING;
  }
}

function languages(): readonly string[] {
  return [...new Set(languageTable.flatMap((family) => [family.id, ...languageIdsOf(family)]))].toSorted();
}

/** What stands in the folder of what is begun; folders end in `/`, so that one can go on from there. */
async function pathsFrom(
  begun: string,
  places: Places,
  { withFiles }: { readonly withFiles: boolean },
): Promise<readonly string[]> {
  const slash = begun.lastIndexOf('/') + 1;
  const [folder, start] = [begun.slice(0, slash), begun.slice(slash)];
  if (begun.includes('\0')) return [];
  const directory = folder === '' ? places.primary : places.locate(folder);
  if (!places.holds(directory)) return [];
  const { entries } = await listDirectory(directory);
  const names = entries.flatMap((entry) => {
    if (!entry.name.startsWith(start) || (entry.name.startsWith('.') && !start.startsWith('.'))) return [];
    if (entry.isDirectory()) return isSkippedDirectory(entry.name) ? [] : [`${entry.name}/`];
    // A link may lead out: whoever means it can write it.
    return withFiles && entry.isFile() && places.holds(absolutePath(path.join(directory, entry.name)))
      ? [entry.name]
      : [];
  });
  return names.toSorted().map((name) => `${folder}${name}`);
}

function offered(all: readonly string[]): OfferedValues {
  return { values: all.slice(0, MOST), total: all.length, hasMore: all.length > MOST };
}
