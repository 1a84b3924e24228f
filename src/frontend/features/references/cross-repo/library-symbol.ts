/**
 * Whether a definition that a consumer's server found is the library's symbol, or its copy in an installed package.
 */
import path from 'node:path';
import type { AbsPath } from '../../../../shared/base/brand.ts';
import { isInside, realPath } from '../../../../shared/base/paths.ts';
import type { Point } from '../../../../shared/base/positions.ts';
import { onlyDeclares } from '../../../../shared/languages/file-kinds.ts';
import { importedNames } from '../../../../shared/languages/manifests.ts';
import { wordAt } from '../../../lexical/words.ts';
import type { Place } from '../../../places/places.ts';
import type { SourceFiles } from '../../../workspace/source-files.ts';

export interface LibrarySymbol {
  readonly name: string;
  readonly file: AbsPath;
  /** The root of the library's server. */
  readonly root: AbsPath;
  /** Where the library's own server says that it is declared. */
  readonly declared: readonly { readonly file: AbsPath | undefined; readonly start: Point }[];
}

export type Match = { readonly kind: 'same' } | { readonly kind: 'copy'; readonly file: AbsPath };

/** Whether a place is the declaration itself, which a consumer that contains the library finds like a use. */
export function isDeclared({ declared }: LibrarySymbol, { file, start }: Place): boolean {
  return declared.some(
    (place) => place.file === file && place.start.line === start.line && place.start.column === start.column,
  );
}

export async function matchOf(
  definition: Place,
  symbol: LibrarySymbol,
  files: SourceFiles,
): Promise<Match | undefined> {
  if (definition.file === undefined) return undefined;
  const file = realPath(definition.file);
  const declared = symbol.declared.filter((place) => place.file === file);
  if (declared.length > 0)
    return declared.some(({ start }) => start.line === definition.start.line) ? { kind: 'same' } : undefined;
  if (file === symbol.file || !isCopy(file, symbol)) return undefined;
  // A declaration that was made from the source has other lines, so that only the name can be compared.
  const line = (await files.readAll([file])).get(file)?.at(definition.start.line) ?? '';
  return wordAt(line, definition.start.column)?.text === symbol.name ? { kind: 'copy', file } : undefined;
}

function isCopy(file: AbsPath, { root, file: source }: LibrarySymbol): boolean {
  if (isInside(file, root)) return onlyDeclares(file);
  const names = importedNames(root);
  const unix = file.split(path.sep).join('/');
  const inside = path.relative(root, source).split(path.sep).join('/');
  return names.some(
    (name) =>
      unix.includes(`/node_modules/${name}/`) ||
      (unix.includes(`/${name}@`) && unix.endsWith(`/${inside}`)) ||
      (/\/(site|dist)-packages\//.test(unix) && unix.endsWith(inside.replace(/^(src|lib)\//, '/'))),
  );
}
