/**
 * What an agent is advised to do next must be something that it can do: advice that names a tool which this session does
 * not list is left out. Which tools exist is not known in this room, so that the caller says which are not listed.
 */
import type { Outcome, Rendered } from '../render/answer.ts';

/** The answer without a hint that cannot be followed. */
export function withListedHint<Data>(answer: Outcome<Data>, unlisted: readonly string[]): Outcome<Data> {
  const { hint } = answer;
  return hint !== undefined && namesAny(hint, unlisted) ? { ...answer, hint: undefined } : answer;
}

/** A failure without the sentences that cannot be followed; what is wrong comes first and stays. */
export function withListedAdvice(rendered: Rendered, unlisted: readonly string[]): Rendered {
  const [text = '', ...more] = rendered.texts;
  if (!namesAny(text, unlisted)) return rendered;
  const [first = '', ...advice] = text.split(/(?<=[.?]) (?=[A-Z]|[a-z]+_)/);
  const kept = [first, ...advice.filter((sentence) => !namesAny(sentence, unlisted))];
  return { ...rendered, texts: [kept.join(' '), ...more] };
}

function namesAny(text: string, names: readonly string[]): boolean {
  return (text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).some((word) => names.includes(word));
}
