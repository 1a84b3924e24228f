/** Snippets of servers as the plain text that they insert: defaults stay, stops and variables go. */

/** https://microsoft.github.io/language-server-protocol/specifications/lsp/3.18/specification/#snippet_syntax */
export function plainSnippet(snippet: string): string {
  return partOf(snippet, 0, false).text;
}

interface Part {
  readonly text: string;
  /** Behind what was read. */
  readonly end: number;
}

function partOf(snippet: string, start: number, isNested: boolean): Part {
  let text = '';
  let at = start;
  while (at < snippet.length) {
    const character = snippet.charAt(at);
    if (isNested && character === '}') return { text, end: at + 1 };
    if (character === '\\') {
      text += snippet.charAt(at + 1);
      at += 2;
    } else if (character === '$') {
      const placeholder = placeholderAt(snippet, at);
      text += placeholder.text;
      at = placeholder.end;
    } else {
      text += character;
      at += 1;
    }
  }
  return { text, end: at };
}

function placeholderAt(snippet: string, at: number): Part {
  const rest = snippet.slice(at);
  const [bare] = /^\$\w+/.exec(rest) ?? [];
  if (bare !== undefined) return { text: '', end: at + bare.length };
  const [choice, first = ''] = /^\$\{\w+\|((?:\\.|[^,|\\])*)[^|]*\|\}/.exec(rest) ?? [];
  if (choice !== undefined) return { text: first.replace(/\\(.)/g, '$1'), end: at + choice.length };
  const [opening, mark] = /^\$\{\w+([:}/])/.exec(rest) ?? [];
  if (opening === undefined) return { text: '$', end: at + 1 };
  if (mark === '}') return { text: '', end: at + opening.length };
  const inside = partOf(snippet, at + opening.length, true);
  // What stands behind a slash transforms a text that is not there yet.
  return mark === ':' ? inside : { text: '', end: inside.end };
}
