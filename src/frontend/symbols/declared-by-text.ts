/** What the text of sources seems to declare, for a search by name whose server does not answer in time. */
import type { SymbolInformation, SymbolKind } from 'vscode-languageserver-protocol';
import { failureOf } from '../../shared/base/failure.ts';
import { pathToUri } from '../../shared/base/paths.ts';
import { toServerPosition } from '../../shared/base/positions.ts';
import type { Declarations, DeclaringFile } from '../../shared/link/reach-question.ts';
import type { ServerFacts } from '../../shared/link/server-link.ts';
import { occurrences } from '../lexical/words.ts';
import type { ToolContext } from '../tools/context.ts';

/** None of the protocol's kinds: the text is not asked what a name is. */
const UNTOLD = 0 as SymbolKind;
/** More files are not read for an answer that is about to be asked for again. */
const MOST_FILES = 50;

export async function declaredByText(
  { files }: ToolContext,
  { encoding }: ServerFacts,
  { query, declarations }: { readonly query: string; readonly declarations: Declarations },
): Promise<readonly SymbolInformation[]> {
  const isMeant = ({ names }: DeclaringFile) => names.some(({ name }) => name === query);
  const declaring = declarations.files.toSorted((a, b) => Number(isMeant(b)) - Number(isMeant(a)));
  const found = declaring.slice(0, MOST_FILES).map(async ({ file, names }) => {
    const source = await files.read(file).catch((error: unknown) => {
      // Gone since it was looked at.
      if (failureOf(error)) return undefined;
      throw error;
    });
    if (!source) return [];
    return names.flatMap(({ name, lines }) => {
      const line = (lines.at(-1) ?? 0) + 1;
      const [at] = occurrences(name, source.lines, line, line);
      if (!at) return [];
      const start = toServerPosition(at, source.lines, encoding);
      const end = { ...start, character: start.character + name.length };
      return [{ name, kind: UNTOLD, location: { uri: pathToUri(file), range: { start, end } } }];
    });
  });
  return (await Promise.all(found)).flat();
}
