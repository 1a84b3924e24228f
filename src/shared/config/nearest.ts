/** "Did you mean": the word that a mistyped one is closest to. */

/** Undefined when nothing is near enough to be meant. Case, dashes and underscores do not count. */
export function nearestWord(word: string, allowed: readonly string[]): string | undefined {
  const plain = (text: string) => text.toLowerCase().replace(/[-_]/g, '');
  let best: { readonly word: string; readonly distance: number } | undefined;
  for (const candidate of allowed) {
    const distance = editDistance(plain(word), plain(candidate));
    if (
      distance <= Math.max(1, Math.floor(candidate.length / 3)) &&
      distance < (best?.distance ?? Infinity)
    ) {
      best = { word: candidate, distance };
    }
  }
  return best?.word;
}

/** What to append to a complaint about a word: the one that was probably meant, and all that are allowed. */
export function suggestion(word: string, allowed: readonly string[]): string {
  const nearest = nearestWord(word, allowed);
  return `${nearest ? `; did you mean "${nearest}"? Allowed` : '; allowed'}: ${allowed.join(', ')}`;
}

/** Insertions, deletions and replacements that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, replaced));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
