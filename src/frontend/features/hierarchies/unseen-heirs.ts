/**
 * In languages such as Go a type implements an interface without naming it, so a search for the interface's name does
 * not find it. This file looks for files that the server leaves out and that declare methods of the same names: types
 * in them may be missing from an answer, which says so.
 */
import { counted } from '../../../shared/base/counted.ts';
import type { TextLines } from '../../../shared/base/positions.ts';
import { languageFacts } from '../../../shared/languages/facts.ts';
import type { ServerFacts } from '../../../shared/link/server-link.ts';
import { comparePoints } from '../../places/places.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import { symbolsOf } from '../../symbols/document-symbols.ts';
import { everySymbol } from '../../symbols/symbol-tree.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';

/** Why implementations may be missing; undefined where none can be, as far as names tell. */
export async function unseenHeirs(
  context: ToolContext,
  { link, source, point }: Target,
  { serverName, leftOutOf }: ServerFacts,
): Promise<Incomplete | undefined> {
  const { impliedMethods } = languageFacts(link.language).text;
  if (!impliedMethods || leftOutOf === undefined) return undefined;
  const nodes = [...everySymbol(await symbolsOf(context, link, source))];
  const methods = nodes.find(({ at }) => comparePoints(at, point) === 0)?.children.map(({ name }) => name);
  const [first, ...also] = methods ?? [];
  if (first === undefined) return undefined;
  const about = { name: first, also, file: source.path };
  const { unopened } = await context.servers.reach(link, about, context.remainingMs() / 3);
  const texts = await context.files.readAll(unopened);
  const heirs = unopened.filter((file) => {
    const lines = texts.get(file);
    return linesOf(lines).some((line) => methods?.includes(impliedMethods.exec(line)?.[1] ?? ''));
  });
  if (heirs[0] === undefined) return undefined;
  const which = counted(heirs.length, 'file that declares a method of its names and is', {
    many: 'files that declare methods of its names and are',
  });
  return {
    reason: `${serverName} has not searched ${which} ${leftOutOf}, such as ${context.roots.display(heirs[0])}; search their text as well`,
  };
}

function linesOf(lines: TextLines | undefined): readonly string[] {
  return Array.from({ length: lines?.count ?? 0 }, (_, index) => lines?.at(index + 1) ?? '');
}
