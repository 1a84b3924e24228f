/** Finds out from masked code whether a key of an object is part of an argument that `new` passes on. */

const NEW = /\bnew\s+[\w$.]+(?:\s*<[^()]*>)?$/u;
/** What a value can follow; behind anything else braces are a body. */
const BEFORE_VALUE = /[([,:?|&]$/;
/** A bracket behind it is a call. */
const CALLEE_END = /[\w$)\]>]$/;
/** Arguments that begin further up are not looked for. */
const MOST_CHARACTERS = 20_000;
const MOST_CALLEE = 300;

/** Where the arguments begin: the offset of their bracket. Undefined if the innermost call around the key is no `new`. */
export function argumentsOfNew(code: string, key: number): number | undefined {
  let closed = 0;
  let isInObject = false;
  for (let at = key - 1; at >= Math.max(0, key - MOST_CHARACTERS); at--) {
    const character = code[at] ?? '';
    if (')]}'.includes(character)) closed += 1;
    if (!'([{'.includes(character) || closed-- > 0) continue;
    closed = 0;
    const before = code.slice(Math.max(0, at - MOST_CALLEE), at).trimEnd();
    if (character === '(') {
      if (!isInObject) return undefined;
      if (NEW.test(before)) return at;
      if (CALLEE_END.test(before)) return undefined;
    } else if (!BEFORE_VALUE.test(before)) return undefined;
    isInObject ||= character === '{';
  }
  return undefined;
}
