/**
 * Finds the name in a declaration: engines only say where the declaration begins, which may be a decorator lines
 * above.
 */

interface Start {
  /** From 1, both. */
  readonly line: number;
  readonly offset: number;
}

/** Longer heads of a declaration are not read. */
const MOST_LINES = 200;
const TOKEN =
  /\/\/.*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|[\p{L}\p{N}_$]+|[@.()[\]{}]/gu;

/** The beginning itself where the name is not found, as with names that are strings. */
export function nameIn(lines: readonly string[], name: string, start: Start): Start {
  const head = [(lines[start.line - 1] ?? '').slice(start.offset - 1)];
  const text = [...head, ...lines.slice(start.line, start.line + MOST_LINES)].join('\n');
  const bare = name.replace(/^#/, '');
  let [depth, before] = [0, ''];
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token.startsWith('//') || token.startsWith('/*')) continue;
    if ('([{'.includes(token)) depth++;
    else if (')]}'.includes(token)) depth--;
    // What follows an @ or a dot belongs to a decorator.
    else if (depth === 0 && token === bare && before !== '@' && before !== '.')
      return placeAt(text, index, start);
    before = token;
  }
  return start;
}

function placeAt(text: string, index: number, start: Start): Start {
  const above = text.slice(0, index).split('\n');
  const column = above[above.length - 1]?.length ?? 0;
  return above.length === 1
    ? { line: start.line, offset: start.offset + column }
    : { line: start.line + above.length - 1, offset: column + 1 };
}
