/**
 * The texts the client has opened, kept by the rules of the protocol.
 * A breach of these rules is not repaired but reported, because tests look for exactly that.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export class Documents {
  #open = new Map();
  #lastVersions = new Map();
  #report;

  /** `report(rule, detail)` is told about every breach. */
  constructor(report) {
    this.#report = report;
  }

  open({ uri, languageId, version, text }) {
    if (this.#open.has(uri)) this.#report('opened-twice', { uri });
    this.#checkVersion(uri, version, 'version-rises-over-reopen');
    const document = { uri, languageId, version, text, previous: undefined };
    this.#open.set(uri, document);
    return document;
  }

  change({ uri, version }, changes, encoding) {
    const document = this.#open.get(uri);
    if (!document) {
      this.#report('changed-without-open', { uri });
      return undefined;
    }
    this.#checkVersion(uri, version, 'version-rises');
    document.previous = { version: document.version, text: document.text };
    for (const change of changes) document.text = applied(document.text, change, encoding);
    document.version = version;
    return document;
  }

  close(uri) {
    const document = this.#open.get(uri);
    if (!document) this.#report('closed-without-open', { uri });
    this.#open.delete(uri);
    return document;
  }

  get(uri) {
    return this.#open.get(uri);
  }

  all() {
    return [...this.#open.values()];
  }

  /** The open text, else the disk's, else undefined. */
  textOf(uri) {
    const document = this.#open.get(uri);
    if (document) return document.text;
    try {
      return readFileSync(fileURLToPath(uri), 'utf8');
    } catch {
      return undefined;
    }
  }

  #checkVersion(uri, version, rule) {
    const last = this.#lastVersions.get(uri);
    if (last !== undefined && version <= last) this.#report(rule, { uri, last, version });
    this.#lastVersions.set(uri, version);
  }
}

export function offsetAt(text, { line, character }, encoding) {
  let start = 0;
  for (let n = 0; n < line; n++) {
    const end = text.indexOf('\n', start);
    if (end < 0) return text.length;
    start = end + 1;
  }
  const end = text.indexOf('\n', start);
  const content = text.slice(start, end < 0 ? text.length : end);
  return start + unitsFor(content, character, encoding);
}

export function positionAt(text, offset, encoding) {
  const before = text.slice(0, offset);
  const start = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length - 1, character: measure(before.slice(start), encoding) };
}

export function measure(text, encoding) {
  if (encoding === 'utf-8') return Buffer.byteLength(text);
  return encoding === 'utf-32' ? [...text].length : text.length;
}

function unitsFor(line, character, encoding) {
  let seen = 0;
  let units = 0;
  for (const symbol of line) {
    if (seen >= character) break;
    seen += measure(symbol, encoding);
    units += symbol.length;
  }
  return units;
}

function applied(text, change, encoding) {
  if (!change.range) return change.text;
  const start = offsetAt(text, change.range.start, encoding);
  const end = offsetAt(text, change.range.end, encoding);
  return text.slice(0, start) + change.text + text.slice(end);
}
