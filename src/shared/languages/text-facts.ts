/**
 * How the text of a language looks: what the tools read from it without asking a server. Data only; what it means is in
 * `src/frontend/lexical`. A language says in which it differs from `text-defaults.ts`.
 */

/** Sources of patterns for what is no code; of those that fit at a place the first counts. */
export interface MaskLook {
  readonly comments: readonly string[];
  readonly strings: readonly string[];
  /** What begins something that may hold more of its kind: a comment with comments, a string with code. */
  readonly opens?: readonly string[];
  /** Strings of `opens` may go over several lines. */
  readonly spansLines?: true;
}

/** Code inside of strings. */
export interface Interpolation {
  readonly open: string;
  readonly close: string;
  /** Must be found around the quote that begins a string with code. */
  readonly prefix?: RegExp;
}

/** What stands on lines above a declaration and belongs to it. */
export interface DecoratorLook {
  /** A whole line, without blanks around it. */
  readonly line: RegExp | undefined;
  /** At the beginning of a declaration. */
  readonly inline: RegExp | undefined;
}

export interface TextFacts {
  readonly mask: MaskLook;
  /** What begins a comment that ends with its line. */
  readonly lineComments: readonly string[];
  readonly interpolation: Interpolation | undefined;
  /** In strings a name right behind `$` stands for its value. */
  readonly namesBehindDollar: boolean;
  readonly decorator: DecoratorLook;
  /** The documentation is the string that a body begins with. */
  readonly docstrings: boolean;
}
