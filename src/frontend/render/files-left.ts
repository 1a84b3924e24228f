/** What an edit that failed has left in the files, and where texts are that have no place in them: as sentences. */
import type { DifferingFile, FilesLeft, KeptText } from '../../shared/base/failure.ts';

const MOST_NAMED = 8;
const MOST_KEPT = 50;

const HOLDS: Readonly<Record<DifferingFile['holds'], string>> = {
  edit: 'still has the text of the edit',
  others: 'has text of others',
  both: 'has the text of the edit and of others',
  nothing: 'is gone',
  unknown: 'cannot be compared',
};

/** That files are as they were is said only of files that were compared. */
export function leftSentences(left: FilesLeft | undefined): readonly string[] {
  if (!left) return [];
  const kept = keptSentences(left.kept ?? []);
  if (left.state === 'untouched') return kept;
  const { files, differing, isUnfinished } = left;
  if (differing.length === 0) return ['All files are as they were', ...kept];
  const named = differing.slice(0, MOST_NAMED).map(({ path, holds }) => `${path} ${HOLDS[holds]}`);
  const more = differing.length - named.length;
  const rest = Math.max(0, files - differing.length);
  return [
    `Not as before: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
    ...(rest === 0
      ? []
      : [`The other ${rest === 1 ? 'file is as it was' : `${rest} files are as they were`}`]),
    ...(isUnfinished ? ['Some files could not be put back yet'] : []),
    ...kept,
  ];
}

/** Each in a sentence of its own: long sentences are cut, and nobody else knows where the text is. */
export function keptSentences(
  kept: readonly KeptText[],
  display: (path: string) => string = (path) => path,
): readonly string[] {
  if (kept.length === 0) return [];
  const named = kept.slice(0, MOST_KEPT).map(({ path, kept: file, what }) => {
    const text =
      what === 'before' ? `what ${display(path)} was before` : `what others wrote to ${display(path)}`;
    return `${text} is kept in ${file}`;
  });
  const more = kept.length - named.length;
  return [...named, `agent-lsp kept lists and removes ${more > 0 ? `these and ${more} more` : 'such files'}`];
}
