/** Which language a file or a name means. The table can be the built-in one or a configuration's own. */
import path from 'node:path';
import type { LanguageFamily } from './family.ts';
import { languageTable } from './table.ts';

export interface Language {
  readonly family: LanguageFamily;
  /** The id that textDocument/didOpen carries. */
  readonly languageId: string;
}

/** The language of a file by its name alone; undefined when no family claims it. */
export function languageOfFile(
  file: string,
  families: readonly LanguageFamily[] = languageTable,
): Language | undefined {
  const name = path.basename(file);
  const { byFileName, byExtension } = namesOf(families);
  return (
    byFileName.get(name) ??
    longestExtension(name, byExtension) ??
    firstWith(families, (family) => prefixed(family, name))
  );
}

interface Names {
  readonly byFileName: ReadonlyMap<string, Language>;
  readonly byExtension: ReadonlyMap<string, Language>;
}

/** Whole answers of files are judged by their names, and a table never changes. */
const names = new WeakMap<readonly LanguageFamily[], Names>();

function namesOf(families: readonly LanguageFamily[]): Names {
  const known = names.get(families);
  if (known) return known;
  const made = {
    byFileName: firstOf(families, (family) => family.fileNames ?? {}),
    byExtension: firstOf(families, (family) => family.extensions),
  };
  names.set(families, made);
  return made;
}

/** Of families that claim the same name the first has it. */
function firstOf(
  families: readonly LanguageFamily[],
  claimed: (family: LanguageFamily) => Readonly<Record<string, string>>,
): ReadonlyMap<string, Language> {
  const found = new Map<string, Language>();
  for (const family of families)
    for (const [name, languageId] of Object.entries(claimed(family)))
      if (!found.has(name)) found.set(name, { family, languageId });
  return found;
}

/** The language a user means: a family's id or alias, an LSP language id, or an extension. Case does not matter. */
export function languageById(
  name: string,
  families: readonly LanguageFamily[] = languageTable,
): Language | undefined {
  const wanted = name.trim().replace(/^\./, '');
  const lower = wanted.toLowerCase();
  return (
    firstWith(families, (family) =>
      family.id.toLowerCase() === lower ? mainLanguageId(family) : undefined,
    ) ??
    firstWith(families, (family) => languageIdsOf(family).find((id) => id.toLowerCase() === lower)) ??
    firstWith(families, (family) => (family.aliases.includes(lower) ? mainLanguageId(family) : undefined)) ??
    firstWith(families, (family) => own(family.extensions, wanted) ?? own(family.extensions, lower))
  );
}

/** Ids of all families, sorted, for messages that say what is possible. */
export function knownLanguages(families: readonly LanguageFamily[] = languageTable): readonly string[] {
  return families.map((family) => family.id).sort();
}

/** All LSP language ids of a family, the main one first. */
export function languageIdsOf(family: LanguageFamily): readonly string[] {
  return [
    ...new Set([
      mainLanguageId(family),
      ...Object.values(family.extensions),
      ...Object.values(family.fileNames ?? {}),
    ]),
  ];
}

/** Longest extension first, so that `a.blade.php` can be claimed apart from `a.php`. */
function longestExtension(name: string, byExtension: Names['byExtension']): Language | undefined {
  for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
    const extension = name.slice(dot + 1);
    const found = byExtension.get(extension) ?? byExtension.get(extension.toLowerCase());
    if (found) return found;
  }
  return undefined;
}

function prefixed(family: LanguageFamily, name: string): string | undefined {
  return Object.entries(family.fileNamePrefixes ?? {}).find(([prefix]) => name.startsWith(prefix))?.[1];
}

/** The id itself where the family has such a language, else that of its first extension. */
function mainLanguageId(family: LanguageFamily): string {
  const ids = Object.values(family.extensions);
  return ids.includes(family.id) ? family.id : (ids[0] ?? family.id);
}

function firstWith(
  families: readonly LanguageFamily[],
  languageIdIn: (family: LanguageFamily) => string | undefined,
): Language | undefined {
  for (const family of families) {
    const languageId = languageIdIn(family);
    if (languageId !== undefined) return { family, languageId };
  }
  return undefined;
}

/** File names come from anywhere: `x.constructor` must not find Object's own. */
function own(record: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
