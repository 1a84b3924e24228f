/**
 * Who calls whom and what inherits from what, by the looks of the text: a name with a bracket behind it is a call,
 * a name behind `extends`, `implements` or in the brackets of a class is a supertype.
 */
const CALLABLE = new Set([5, 6, 12]);
const TYPES = new Set([5, 11]);

export class Hierarchies {
  #language;

  constructor(language) {
    this.#language = language;
  }

  prepareCalls(params) {
    return this.#prepared(params, CALLABLE);
  }

  prepareTypes(params) {
    return this.#prepared(params, TYPES);
  }

  incomingCalls({ item }) {
    const calls = this.#language
      .symbols()
      .filter(({ symbol }) => CALLABLE.has(symbol.kind))
      .map((caller) => ({ caller, fromRanges: this.#callsIn(caller, item.name) }));
    return calls
      .filter(({ fromRanges }) => fromRanges.length > 0)
      .map(({ caller, fromRanges }) => ({ from: itemOf(caller), fromRanges }));
  }

  outgoingCalls({ item }) {
    const caller = this.#language.symbols().find((one) => isSame(itemOf(one), item));
    if (!caller) return [];
    return this.#language
      .symbols()
      .filter(({ symbol }) => CALLABLE.has(symbol.kind))
      .map((called) => ({ to: itemOf(called), fromRanges: this.#callsIn(caller, called.symbol.name) }))
      .filter(({ fromRanges }) => fromRanges.length > 0);
  }

  supertypes({ item }) {
    const [own] = this.#language.symbols().filter((one) => isSame(itemOf(one), item));
    return this.#types()
      .filter(({ symbol }) => own && inherits(own.line, symbol.name))
      .map(itemOf);
  }

  subtypes({ item }) {
    return this.#types()
      .filter(({ line }) => inherits(line, item.name))
      .map(itemOf);
  }

  #types() {
    return this.#language.symbols().filter(({ symbol }) => TYPES.has(symbol.kind));
  }

  #prepared({ textDocument, position }, kinds) {
    const declared = this.#language.declarationsAt(textDocument.uri, position);
    const fitting = declared.filter(({ symbol }) => kinds.has(symbol.kind));
    return fitting.length === 0 ? null : fitting.map(itemOf);
  }

  /** Calls directly inside the symbol, not those in a function inside it, and not its own declaration. */
  #callsIn(caller, name) {
    const { uri } = caller.location;
    const inner = this.#language
      .symbols()
      .filter(
        (other) =>
          other.location.uri === uri &&
          CALLABLE.has(other.symbol.kind) &&
          other !== caller &&
          !isSame(itemOf(other), itemOf(caller)) &&
          isInside(other.symbol.selectionRange, caller.symbol.range),
      );
    return this.#language
      .usesIn(uri, name)
      .filter(({ range, after }) => /^\s*\(/.test(after) && isInside(range, caller.symbol.range))
      .filter(({ range }) => !inner.some(({ symbol }) => isInside(range, symbol.range)))
      .filter(({ range }) => !this.#isDeclaration(uri, range))
      .map(({ range }) => range);
  }

  #isDeclaration(uri, range) {
    return this.#language
      .symbols()
      .some(({ location }) => location.uri === uri && isSame(location, { uri, range }));
  }
}

function itemOf({ symbol, location }) {
  const { name, kind, range, selectionRange } = symbol;
  return { name, kind, uri: location.uri, range, selectionRange };
}

function isSame(a, b) {
  const startOf = ({ uri, range, selectionRange }) => JSON.stringify([uri, (selectionRange ?? range).start]);
  return startOf(a) === startOf(b);
}

function isInside(inner, outer) {
  return !isBefore(inner.start, outer.start) && !isBefore(outer.end, inner.end);
}

function isBefore(a, b) {
  return a.line < b.line || (a.line === b.line && a.character < b.character);
}

function inherits(line, name) {
  return new RegExp(
    `\\b(?:extends|implements)\\b[^{]*\\b${name}\\b|\\([^)]*\\b${name}\\b[^)]*\\)\\s*:`,
    'u',
  ).test(line);
}
