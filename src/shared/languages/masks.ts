/** What strings and comments look like in many languages, as parts of the descriptors in `table/`. */
import type { MaskLook } from './text-facts.ts';

export const SLASHES = String.raw`\/\/[^\r\n]*`;
export const BLOCK = String.raw`\/\*[\s\S]*?(?:\*\/|$)`;
export const HASH = String.raw`#[^\r\n]*`;
export const DASHES = String.raw`--[^\r\n]*`;
/** Begins a comment in which others may be. */
export const NESTED_BLOCK = String.raw`\/\*`;
/** A quote that is not closed on its line is none. */
export const DOUBLE = String.raw`"(?:[^"\\\r\n]|\\[\s\S])*"`;
export const SINGLE = String.raw`'(?:[^'\\\r\n]|\\[\s\S])*'`;
export const TRIPLE = String.raw`"""(?:[^\\]|\\[\s\S])*?"""`;
/** Begins a string in which code may be, but not one of three quotes. */
export const OPEN_DOUBLE = '"(?!"")';
export const DOUBLE_OF_LINES = String.raw`"(?:[^"\\]|\\[\s\S])*"`;
export const CHARACTER = String.raw`'(?:[^'\\\r\n]|\\(?:u\{[^}]*\}|[^\r\n'][^'\r\n]{0,8}|'))'`;
/** What follows a value is a division. */
export const REGEX = String.raw`(?<=(?:^|[(,=:[!&|?{;+*%~^]|=>|\b(?:return|typeof|case|in|of|do|else|yield|await|void|when|if|and|or|not))\s*)\/(?![*/])(?:[^/\\[\r\n]|\\.|\[(?:[^\]\\\r\n]|\\.)*\])+\/[a-z]*`;
export const HEREDOC = String.raw`<<[~-]?(?<quote>['"]?)(?<tag>[A-Z_]\w*)\k<quote>[^\r\n]*[\s\S]*?^[ \t]*\k<tag>\b`;

/** For languages that do not say otherwise. */
export const C_LIKE: MaskLook = { comments: [SLASHES, BLOCK], strings: [TRIPLE, DOUBLE, SINGLE] };
