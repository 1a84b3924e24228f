/**
 * Names the files outside the server's own language that have a name in their text, because no server looks into
 * them.
 */
import type { AbsPath } from '../../../../shared/base/brand.ts';
import type { Mentions } from '../../../../shared/link/reach-question.ts';
import { occurrences } from '../../../lexical/words.ts';
import type { Target } from '../../../targets/locate.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { siftHidden } from '../../../workspace/hidden-places.ts';
import type { ElsewhereNamed } from './accounting.ts';
import type { Occurrence } from './occurrences.ts';

/** So many are shown with their line. */
const MOST_SHOWN = 3;

/** `isListed` are files in which the server has found the name after all. */
export async function elsewhereOf(
  context: ToolContext,
  { name, source, link }: Target,
  mentions: Mentions,
  { isListed, includeHidden }: { isListed(file: AbsPath): boolean; includeHidden?: boolean | undefined },
): Promise<ElsewhereNamed | undefined> {
  const shownOf = async (files: readonly { readonly file: AbsPath }[]) => {
    const sifted = await siftHidden(context, files, source.path, { include_hidden: includeHidden });
    return sifted.shown.map(({ file }) => file).sort();
  };
  const files = await shownOf(mentions.others.filter(({ file }) => !isListed(file)));
  const unread = await shownOf(mentions.unread.map((file) => ({ file })));
  if (files.length + unread.length === 0) return undefined;
  const first = files.slice(0, MOST_SHOWN);
  const texts = await context.files.readAll(first);
  const places = first.map((file): Occurrence => {
    const lines = texts.get(file);
    // It has gone, or is of an unknown encoding.
    return { file, at: (lines && occurrences(name, lines)[0]) ?? { line: 1, column: 1 } };
  });
  return { language: link.language, files, first: places, unread };
}
