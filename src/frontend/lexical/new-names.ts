/**
 * Whether a symbol can be called what an agent wants to call it, by what its language takes for a name. Servers write
 * whatever they are told, and an agent would only learn from a page of errors that it was none.
 * Decision: docs/decisions/rename.md#what-is-no-name-is-refused
 */
import type { Point, TextLines } from '../../shared/base/positions.ts';
import { languageFacts } from '../../shared/languages/facts.ts';
import type { NameLook } from '../../shared/languages/text-facts.ts';

/** A symbol, where it is renamed. */
export interface Named {
  readonly name: string;
  readonly start: Point;
  readonly source: { readonly path: string; readonly lines: TextLines };
  readonly link: { readonly language: string };
}

/** Says why it cannot be the symbol's name; nothing where a server might rightly take it. */
export function flawOfName(newName: string, symbol: Named): string | undefined {
  const { language } = symbol.link;
  const { names: look } = languageFacts(language).text;
  if (!look || isFree(look, symbol)) return undefined;
  const quoted = JSON.stringify(newName);
  const isMember = look.members?.notBehind.test(textBefore(symbol)) === false;
  if (!look.fits.test(newName))
    return isMember && look.members?.fits.test(newName) ? undefined : `${quoted} is no name in ${language}`;
  return !isMember && isReserved(newName, look, symbol.source.path)
    ? `${quoted} is a reserved word of ${language}`
    : undefined;
}

/** What is renamed there is itself no plain name: a path, a string, what only its server understands. */
function isFree(look: NameLook, symbol: Named): boolean {
  const { name, start, source } = symbol;
  const before = textBefore(symbol);
  const behind = source.lines.at(start.line).slice(start.column - 1 + name.length);
  return (
    !look.fits.test(name) ||
    isReserved(name, look, source.path) ||
    /["'`]$/.test(before) ||
    /^["'`]/.test(behind) ||
    look.freeBehind?.test(before) === true
  );
}

function isReserved(name: string, { reserved, reservedIn }: NameLook, file: string): boolean {
  return (
    reserved?.has(name) === true || (reservedIn?.words.has(name) === true && reservedIn.files.test(file))
  );
}

function textBefore({ start, source }: Named): string {
  return source.lines.at(start.line).slice(0, start.column - 1);
}
