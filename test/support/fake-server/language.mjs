/**
 * A tiny language that is good enough for real answers: declarations are found by their keyword,
 * uses by whole words, over the open texts and the files below the root.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { offsetAt, positionAt } from './documents.mjs';

const SKIPPED = new Set(['node_modules', '.git']);
const KINDS = {
  class: 5,
  interface: 11,
  enum: 10,
  function: 12,
  def: 12,
  func: 12,
  const: 14,
  let: 13,
  var: 13,
  type: 26,
};
const METHOD = 6;
const DECLARATION = new RegExp(
  `^(?<indent>[ \\t]*)(?:export\\s+|default\\s+|async\\s+|abstract\\s+|openly\\s+)*(?:(?<keyword>${Object.keys(KINDS).join('|')})\\s+(?<name>[\\p{L}_$][\\p{L}\\p{N}_$]*)|(?<method>[\\p{L}_$][\\p{L}\\p{N}_$]*)\\s*\\([^)]*\\)[^;]*\\{\\s*$)`,
  'u',
);
const NOT_A_METHOD = new Set(['if', 'for', 'while', 'switch', 'catch', 'return', 'function', 'with']);
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;

export class Language {
  #documents;
  #extensions;
  #roots;
  #encoding;

  constructor({ documents, extensions, roots, encoding }) {
    this.#documents = documents;
    this.#extensions = extensions;
    this.#roots = roots;
    this.#encoding = encoding;
  }

  hover({ textDocument, position }) {
    const text = this.#documents.textOf(textDocument.uri);
    const line = text?.split('\n')[position.line]?.trimEnd();
    if (!line) return null;
    const word = this.#wordAt(textDocument.uri, position);
    return { contents: { kind: 'plaintext', value: line.trim() }, ...(word ? { range: word.range } : {}) };
  }

  definition({ textDocument, position }) {
    const word = this.#wordAt(textDocument.uri, position);
    return word ? this.#declarations(word.text).map(({ location }) => location) : [];
  }

  /** Goes to the class named after the colon or after `new` in the declaration. */
  typeDefinition({ textDocument, position }) {
    const word = this.#wordAt(textDocument.uri, position);
    if (!word) return [];
    return this.#declarations(word.text).flatMap(({ line }) => {
      const type = /(?::\s*|\bnew\s+)([\p{L}_$][\p{L}\p{N}_$]*)/u.exec(line)?.[1];
      return type ? this.#declarations(type).map(({ location }) => location) : [];
    });
  }

  implementation({ textDocument, position }) {
    const word = this.#wordAt(textDocument.uri, position);
    if (!word) return [];
    const inherits = new RegExp(
      `(?:\\b(?:implements|extends)\\b[^{]*\\b${word.text}\\b|\\(\\s*${word.text}\\s*\\)\\s*:)`,
      'u',
    );
    return this.#allSymbols()
      .filter(({ symbol, line }) => symbol.kind === KINDS.class && inherits.test(line))
      .map(({ location }) => location);
  }

  references({ textDocument, position, context }) {
    const word = this.#wordAt(textDocument.uri, position);
    if (!word) return [];
    const found = this.#uris().flatMap((uri) => this.#occurrences(uri, word.text));
    if (context?.includeDeclaration !== false) return found;
    const declared = new Set(this.#declarations(word.text).map(({ location }) => JSON.stringify(location)));
    return found.filter((location) => !declared.has(JSON.stringify(location)));
  }

  /** What a `=` follows is written, what stands in quotes is text, all else is read. */
  documentHighlight({ textDocument, position }) {
    const word = this.#wordAt(textDocument.uri, position);
    return word
      ? this.usesIn(textDocument.uri, word.text).map(({ range, before, after }) => {
          const isText = /["'`]$/.test(before) && /^["'`]/.test(after);
          return { range, kind: isText ? 1 : /^\s*=(?!=)/.test(after) ? 3 : 2 };
        })
      : [];
  }

  documentSymbol({ textDocument }) {
    const roots = [];
    const open = [];
    for (const { symbol, indent } of this.#symbolsIn(textDocument.uri)) {
      while (open.length > 0 && open.at(-1).indent >= indent) open.pop();
      (open.at(-1)?.symbol.children ?? roots).push(symbol);
      open.push({ symbol, indent });
    }
    return roots;
  }

  workspaceSymbol({ query }) {
    return this.#allSymbols()
      .filter(({ symbol }) => symbol.name.toLowerCase().includes(query.toLowerCase()))
      .map(({ symbol, location }) => ({ name: symbol.name, kind: symbol.kind, location }));
  }

  completion({ textDocument }) {
    const words = new Set((this.#documents.textOf(textDocument.uri) ?? '').match(WORD));
    return [...words].sort().map((label) => ({ label, kind: 1 }));
  }

  prepareRename({ textDocument, position }) {
    const word = this.#wordAt(textDocument.uri, position);
    return word ? { range: word.range, placeholder: word.text } : null;
  }

  rename({ textDocument, position, newName }) {
    const changes = {};
    for (const { uri, range } of this.references({ textDocument, position })) {
      changes[uri] ??= [];
      changes[uri].push({ range, newText: newName });
    }
    return { changes };
  }

  /** Formatting takes the blanks off the ends of lines. */
  formatting({ textDocument }) {
    const text = this.#documents.textOf(textDocument.uri) ?? '';
    return [...text.matchAll(/[ \t]+$/gm)].map((blanks) => ({
      range: this.#range(text, blanks.index, blanks[0].length),
      newText: '',
    }));
  }

  rangeFormatting({ textDocument, range }) {
    return this.formatting({ textDocument }).filter(
      ({ range: { start } }) => range.start.line <= start.line && start.line <= range.end.line,
    );
  }

  /** All declarations, with the line and the place of each. */
  symbols() {
    return this.#allSymbols();
  }

  declarationsAt(uri, position) {
    const word = this.#wordAt(uri, position);
    return word ? this.#declarations(word.text) : [];
  }

  /** Where a word stands in a file, with the rest of the line on either side. */
  usesIn(uri, word) {
    const text = this.#documents.textOf(uri) ?? '';
    return [...text.matchAll(WORD)]
      .filter((match) => match[0] === word)
      .map((match) => ({
        range: this.#range(text, match.index, word.length),
        before: text.slice(text.lastIndexOf('\n', match.index - 1) + 1, match.index),
        after: text.slice(match.index + word.length).split('\n')[0],
      }));
  }

  usesEverywhere(word) {
    return this.#uris().flatMap((uri) => this.usesIn(uri, word).map((use) => ({ uri, ...use })));
  }

  #wordAt(uri, position) {
    const text = this.#documents.textOf(uri);
    if (text === undefined) return undefined;
    const offset = offsetAt(text, position, this.#encoding);
    const lineStart = text.lastIndexOf('\n', offset - 1) + 1;
    const lineEnd = text.indexOf('\n', offset);
    const line = text.slice(lineStart, lineEnd < 0 ? text.length : lineEnd);
    for (const match of line.matchAll(WORD)) {
      const start = lineStart + match.index;
      if (start <= offset && offset <= start + match[0].length) {
        return { text: match[0], range: this.#range(text, start, match[0].length) };
      }
    }
    return undefined;
  }

  #occurrences(uri, word) {
    return this.usesIn(uri, word).map(({ range }) => ({ uri, range }));
  }

  #declarations(name) {
    return this.#allSymbols().filter(({ symbol }) => symbol.name === name);
  }

  #allSymbols() {
    return this.#uris().flatMap((uri) => this.#symbolsIn(uri));
  }

  /** Declarations in the order of the text; each reaches to the next one that is not deeper. */
  #symbolsIn(uri) {
    const text = this.#documents.textOf(uri) ?? '';
    const found = [];
    let offset = 0;
    for (const line of text.split('\n')) {
      const groups = DECLARATION.exec(line)?.groups;
      const name = groups?.name ?? groups?.method;
      if (
        name !== undefined &&
        !NOT_A_METHOD.has(name) &&
        (groups.name !== undefined || groups.indent !== '')
      ) {
        const start = offset + line.indexOf(name, groups.indent.length + (groups.keyword?.length ?? 0));
        found.push({
          name,
          kind: KINDS[groups.keyword] ?? METHOD,
          indent: groups.indent.length,
          offset,
          start,
          line,
        });
      }
      offset += line.length + 1;
    }
    return found.map((declared, index) => {
      const next = found.slice(index + 1).find((other) => other.indent <= declared.indent);
      const length = text.slice(declared.offset, next?.offset ?? text.length).trimEnd().length;
      const selectionRange = this.#range(text, declared.start, declared.name.length);
      const range = this.#range(text, declared.offset, length);
      return {
        symbol: { name: declared.name, kind: declared.kind, range, selectionRange, children: [] },
        indent: declared.indent,
        line: declared.line,
        location: { uri, range: selectionRange },
      };
    });
  }

  #range(text, start, length) {
    return {
      start: positionAt(text, start, this.#encoding),
      end: positionAt(text, start + length, this.#encoding),
    };
  }

  #uris() {
    const open = this.#documents.all().map(({ uri }) => uri);
    const onDisk = this.#roots
      .flatMap((root) => this.#filesBelow(fileURLToPath(root)))
      .map((file) => pathToFileURL(file).href);
    return [...new Set([...onDisk, ...open])].sort();
  }

  #filesBelow(directory) {
    return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
      const file = path.join(directory, entry.name);
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : this.#filesBelow(file);
      return entry.isFile() && this.#extensions.includes(path.extname(entry.name)) ? [file] : [];
    });
  }
}
