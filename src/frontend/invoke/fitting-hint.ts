/**
 * Decides whether an answer keeps the next step that it advises: only if the session wants hints, the agent can do it,
 * and the agent has not just done it.
 * Decision: docs/decisions/render.md#hints-that-can-be-followed
 */
import { isObject } from '../../shared/base/unknown-value.ts';
import type { Effect } from '../access/effect.ts';
import type { Outcome } from '../render/answer.ts';
import { sessionPart } from '../tools/session-state.ts';
import { namesAny, toolsNamed } from './listed-only.ts';

interface MadeCall {
  readonly tool: { readonly name: string; readonly effect: Effect };
  readonly args: unknown;
}

/** The call that is answered, and the one before. */
const MOST_RECENT = 2;

class RecentCalls {
  #calls: readonly MadeCall[] = [];

  /**
   * A look answers the same again until files are changed; programs that were run see what others changed, too. After a
   * change the same tool may be what takes it back.
   */
  add(call: MadeCall): void {
    const isChange = call.tool.effect === 'write';
    this.#calls = isChange ? [] : [...this.#calls.filter(isLook), call].slice(-MOST_RECENT);
  }

  answersTo(hint: string): boolean {
    return this.#calls.some(({ tool, args }) => toolsNamed(hint)[0] === tool.name && isAsked(hint, args));
  }
}

export const recentCalls = sessionPart(() => new RecentCalls());

export function withFittingHint<Data>(
  answer: Outcome<Data>,
  {
    isWanted,
    unlisted,
    recent,
  }: { isWanted: boolean; unlisted: readonly string[]; recent: Pick<RecentCalls, 'answersTo'> },
): Outcome<Data> {
  const { hint, hintTells, notes = [] } = answer;
  if (hint === undefined) return answer;
  if (!isWanted)
    return { ...answer, hint: undefined, notes: hintTells === undefined ? notes : [...notes, hintTells] };
  const isFitting = !namesAny(hint, unlisted) && !recent.answersTo(hint);
  return isFitting ? answer : { ...answer, hint: undefined };
}

function isLook({ tool }: MadeCall): boolean {
  return tool.effect === 'read' || tool.effect === 'preview';
}

/** The hint says nothing that the arguments did not say: each is in it, and it has none where there were none. */
function isAsked(hint: string, args: unknown): boolean {
  const values = isObject(args) ? Object.values(args).flat() : [];
  if (values.length === 0) return !/[:"/\d]/.test(hint);
  // Another parameter makes another question.
  const named = [...hint.matchAll(/(?:^|\s)([a-z_]+):\S/g)].map(([, name = '']) => name);
  if (isObject(args) && named.some((name) => !(name in args))) return false;
  return values.every((value) => typeof value !== 'boolean' && isSaid(hint, String(value)));
}

/** As a word of its own: `1` is not said by `12`. */
function isSaid(hint: string, value: string): boolean {
  const at = hint.indexOf(value);
  if (value === '' || at < 0) return false;
  return !/\w/.test(hint[at - 1] ?? ' ') && !/\w/.test(hint[at + value.length] ?? ' ');
}
