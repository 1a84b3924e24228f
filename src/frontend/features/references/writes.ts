/**
 * Which uses of a name write to it, by the highlights of the server: assignments to several names, loops, `with` and
 * `del` are not told from the text around one name.
 * Decision: docs/decisions/references.md#writes-are-what-the-server-highlights-as-such
 */
import { DocumentHighlightKind, DocumentHighlightRequest } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { failureOf } from '../../../shared/base/failure.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { ask, type ServerFacts, type ServerLink } from '../../../shared/link/server-link.ts';
import { answered } from '../../ask/questions.ts';
import { type ServerPlace, startOf } from '../../places/places.ts';
import type { ToolContext } from '../../tools/context.ts';

export interface Writes {
  /** Undefined where the server does not say it. */
  isWrite(place: ServerPlace): boolean | undefined;
  /** In so many files it was not asked, or did not answer. */
  readonly untold: number;
}

/** The text decides in further files. */
const MOST_FILES = 100;
/** A file may have several symbols of one name, such as a method and what overrides it. */
const MOST_ASKED = 6;
const AT_ONCE = 4;

export async function writesAmong(
  context: ToolContext,
  link: ServerLink,
  facts: ServerFacts,
  places: readonly ServerPlace[],
): Promise<Writes> {
  const kinds = new Map<string, boolean>();
  if (!facts.methods.includes(DocumentHighlightRequest.method))
    return { isWrite: () => undefined, untold: 0 };
  const byFile = [...groupBy(places, ({ file }) => file)];
  let told = 0;
  await eachBounded(byFile.slice(0, MOST_FILES), AT_ONCE, async ([file, own]) => {
    if (file !== undefined && (await isTold(file, own))) told++;
  });
  return { isWrite: (place) => kinds.get(startOf(place)), untold: byFile.length - told };

  async function isTold(file: AbsPath, own: readonly ServerPlace[]): Promise<boolean> {
    for (let count = 0; count < MOST_ASKED; count++) {
      const next = own.find((place) => !kinds.has(startOf(place)));
      if (!next) return true;
      const { uri, range } = next;
      const params = { textDocument: { uri }, position: range.start };
      const asked = ask(link, DocumentHighlightRequest.type, params, context.during(file));
      const found = await answered(facts, DocumentHighlightRequest.method, asked, link).catch(nothing);
      for (const { range: at, kind = DocumentHighlightKind.Text } of found ?? [])
        if (kind !== DocumentHighlightKind.Text)
          kinds.set(startOf({ uri, range: at }), kind === DocumentHighlightKind.Write);
      if (!kinds.has(startOf(next))) return false;
    }
    return own.every((place) => kinds.has(startOf(place)));
  }
}

/** An answer by the look of the text is better than none. */
function nothing(error: unknown): null {
  const failure = failureOf(error);
  if (!failure || failure.kind === 'cancelled') throw error;
  return null;
}
