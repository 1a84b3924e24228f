/** Snippets as plain text: an agent has no cursor that could jump from placeholder to placeholder. */

/** Placeholders become their default, choices their first, tab stops and variables without a default nothing. */
export function flattenSnippet(snippet: string): string {
  return new SnippetReader(snippet).plain('');
}

/** https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#snippet_syntax */
class SnippetReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Everything up to `end`, which is not taken; all of the rest if `end` is empty. */
  plain(end: string): string {
    let plain = '';
    while (this.#at < this.#text.length) {
      const next = this.#text.charAt(this.#at);
      if (end !== '' && next === end) break;
      if (next === '\\') plain += this.#escaped('$}\\');
      else if (next === '$') plain += this.#placeholder();
      else plain += this.#take(1);
    }
    return plain;
  }

  /** A backslash before anything else stands for itself. */
  #escaped(escapable: string): string {
    this.#at++;
    const next = this.#text.charAt(this.#at);
    return next !== '' && escapable.includes(next) ? this.#take(1) : '\\';
  }

  #placeholder(): string {
    if (this.#match(/\$(\d+|[A-Za-z_]\w*)/y)) return '';
    if (this.#match(/\$\{(\d+|[A-Za-z_]\w*)\}/y)) return '';
    const start = this.#at;
    if (this.#match(/\$\{(\d+|[A-Za-z_]\w*):/y)) {
      const inner = this.plain('}');
      if (this.#match(/\}/y)) return inner;
    } else if (this.#match(/\$\{\d+\|/y)) {
      const first = this.#firstChoice();
      if (first !== undefined) return first;
    } else if (this.#match(/\$\{(\d+|[A-Za-z_]\w*)\/(\\.|[^\\/])*\/(\\.|\$\{[^}]*\}|[^\\/])*\/[a-z]*\}/y)) {
      return '';
    }
    // Not a placeholder after all.
    this.#at = start;
    return this.#take(1);
  }

  #firstChoice(): string | undefined {
    const choices = this.#match(/((?:\\.|[^\\|])*)\|\}/sy);
    const first = choices?.[1]?.match(/^(?:\\.|[^\\,])*/s)?.[0];
    return first?.replace(/\\([$}\\,|])/g, '$1');
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found) this.#at = pattern.lastIndex;
    return found ?? undefined;
  }

  #take(length: number): string {
    this.#at += length;
    return this.#text.slice(this.#at - length, this.#at);
  }
}
