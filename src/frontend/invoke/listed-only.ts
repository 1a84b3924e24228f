/**
 * What an agent is advised to do next must be something that it can do: advice that names a tool which this session does
 * not list is left out. Which tools exist is not known in this room, so that the caller says which are not listed.
 */
import type { Failure } from '../../shared/base/failure.ts';
import type { Rendered } from '../render/answer.ts';
import { failureSentence } from '../render/failure.ts';

/** A failure without the sentences that cannot be followed; what is wrong comes first and stays. */
export function withListedAdvice(rendered: Rendered, unlisted: readonly string[]): Rendered {
  const [text = '', ...more] = rendered.texts;
  if (!namesAny(text, unlisted)) return rendered;
  const [first = '', ...advice] = text.split(/(?<=[.?]) (?=[A-Z]|[a-z]+_)/);
  const kept = [first, ...advice.filter((sentence) => !namesAny(sentence, unlisted))];
  return { ...rendered, texts: [kept.join(' '), ...more] };
}

/** The same for a face, which words the failure itself: with other advice where the usual one cannot be followed. */
export function listedAdvice(failure: Failure, unlisted: readonly string[]): Failure {
  if (!namesAny(failureSentence(failure), unlisted)) return failure;
  // Failures whose text is all their own take no notice of it.
  return Object.assign({ ...failure }, { next: 'Do without it' });
}

export function namesAny(text: string, names: readonly string[]): boolean {
  return toolsNamed(text).some((word) => names.includes(word));
}

/** Words that have the form of a tool's name, in order. */
export function toolsNamed(text: string): readonly string[] {
  return text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? [];
}
