/** Which words a search by name may mean, so that a file without any of them has nothing to find. */
import type { MentionIndex } from './mention-index.ts';

/** Servers match parts of names, and the beginnings of their words: whatever has the letters in this order may count. */
export function wordsLike(query: string, index: MentionIndex): ReadonlySet<number> {
  const letters = lastWord(query).toLowerCase();
  return index.wordsThat((word) => hasInOrder(word.toLowerCase(), letters));
}

/** For files that no server searches: the words that have the name in them, whatever their case. */
export function wordsWith(name: string, index: MentionIndex): ReadonlySet<number> {
  const letters = lastWord(name).toLowerCase();
  return index.wordsThat((word) => word.toLowerCase().includes(letters));
}

/** As the index cuts them. */
export function indexedWordsOf(text: string): readonly string[] {
  return text.match(/[\w$\u0080-\uffff]+/g) ?? [];
}

/** `Client.stop` is looked for by its last part, whatever stands before it. */
function lastWord(query: string): string {
  return indexedWordsOf(query).at(-1) ?? '';
}

function hasInOrder(word: string, letters: string): boolean {
  let at = 0;
  for (const letter of letters) {
    at = word.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}
