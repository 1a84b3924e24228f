/** Parts of descriptors: what names look like in many languages, and words that none of them takes for a name. */

/** Characters of the alphabet and the digits of any script, as most languages have it. */
export const NAME = String.raw`[\p{ID_Start}_][\p{ID_Continue}]*`;
/** Also with currency signs, of which `$` is the one that is used. */
export const NAME_WITH_DOLLAR = String.raw`[\p{ID_Start}_\p{Sc}\\][\p{ID_Continue}\p{Sc}\u200c\u200d\\]*`;

export const BACKTICKED = '`[^`\\r\\n]+`';

/** Fits whole names only. Several kinds of names are several patterns. */
export const namesLike = (...patterns: readonly string[]): RegExp =>
  new RegExp(`^(?:${patterns.join('|')})$`, 'u');

export const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Behind these stand names with dots in them. */
export const behindPackage = /^\s*(?:package|import|namespace|module|library|use)\b/;
