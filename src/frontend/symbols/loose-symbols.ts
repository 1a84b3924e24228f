/** Symbols of files that a server knows and leaves out of its search by name, because they are in none of its projects. */
import type { SymbolInformation } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../shared/base/brand.ts';
import { counted } from '../../shared/base/counted.ts';
import { failureOf } from '../../shared/base/failure.ts';
import { pathToUri } from '../../shared/base/paths.ts';
import { eachBounded } from '../../shared/base/pool.ts';
import { toServerPosition } from '../../shared/base/positions.ts';
import type { ServerFacts, ServerLink } from '../../shared/link/server-link.ts';
import { retryAfter } from '../render/failure.ts';
import { type Incomplete, untilRetry } from '../render/incomplete.ts';
import type { ToolContext } from '../tools/context.ts';
import { symbolsOf } from './document-symbols.ts';
import { everySymbol } from './symbol-tree.ts';

const AT_ONCE = 4;

export interface LooseSymbols {
  readonly symbols: readonly SymbolInformation[];
  /** Why some may be missing. */
  readonly incomplete: Incomplete | undefined;
}

/** Those whose name has the query in it, in either case, as far as the call's patience goes. */
export async function looseSymbols(
  context: ToolContext,
  link: ServerLink,
  { encoding }: ServerFacts,
  files: readonly AbsPath[],
  query: string,
): Promise<LooseSymbols> {
  const part = query.toLowerCase();
  const end = context.clock.now() + context.patienceMs();
  const left: AbsPath[] = [];
  const found = await eachBounded(files, AT_ONCE, async (file) => {
    if (context.clock.now() > end) {
      left.push(file);
      return [];
    }
    try {
      const source = await context.files.read(file);
      const nodes = [...everySymbol(await symbolsOf(context, link, source))];
      return nodes
        .filter(({ name }) => name.toLowerCase().includes(part))
        .map(({ name, kind, path, at }): SymbolInformation => {
          const start = toServerPosition(at, source.lines, encoding);
          const end = { ...start, character: start.character + name.length };
          const containerName = path.slice(0, -1).join('.');
          return { name, kind, location: { uri: pathToUri(file), range: { start, end } }, containerName };
        });
    } catch (error) {
      const failure = failureOf(error);
      if (!failure || failure.kind === 'cancelled') throw error;
      // Any other file that cannot be read or outlined has no symbols for anybody.
      if (retryAfter(failure) !== undefined) left.push(file);
      return [];
    }
  });
  const [first] = left.sort();
  const which = counted(left.length, 'file');
  const incomplete =
    first &&
    untilRetry(
      1_000,
      (retry) =>
        `${which} of no project were not searched in time, such as ${context.roots.display(first)}; ${retry}`,
    );
  return { symbols: found.flat(), incomplete };
}
