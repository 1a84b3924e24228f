/** Asks what can be written at a place, and for the documentation that servers leave out of their lists. */
import {
  type CompletionContext,
  CompletionRequest,
  CompletionResolveRequest,
  CompletionTriggerKind,
} from 'vscode-languageserver-protocol';
import { failureOf } from '../../../shared/base/failure.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { ask, type CallOptions, type ServerFacts } from '../../../shared/link/server-link.ts';
import { type Asked, askHere } from '../../ask/questions.ts';
import { textBefore } from '../../targets/cursor-place.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { type CompletionResult, itemsOf, type Suggestion, suggestionsOf, wordBefore } from './suggestions.ts';

export interface Completions extends Pick<Asked<unknown>, 'facts' | 'readiness' | 'incomplete'> {
  /** Best first; only what fits the word that was begun. */
  readonly suggestions: readonly Suggestion[];
  /** The server leaves some out until more is typed. */
  readonly isPartial: boolean;
  /** The word that was begun. */
  readonly begun: string;
}

export interface CompletionWishes {
  /** Counts as typed instead of the word before the cursor. */
  readonly prefix?: string | undefined;
  /** Typed last; if not said, the character before the cursor where the server listens to it. */
  readonly triggerCharacter?: string | undefined;
}

const RESOLVE_AT_ONCE = 8;
const RESOLVE_MS = 5_000;

export async function completionsAt(
  context: ToolContext,
  place: Target,
  wishes: CompletionWishes = {},
): Promise<Completions> {
  const { link, source } = place;
  const { result, ...asked } = await askHere(
    context,
    link,
    {
      method: CompletionRequest.method,
      documents: [source.path],
      send: (facts, options) => completionsOf(place, wishes, facts, options),
    },
    (answer) => itemsOf(answer).length === 0,
  );
  return {
    ...asked,
    suggestions: suggestionsOf(itemsOf(result), place, asked.facts.encoding, wishes.prefix),
    isPartial: result !== null && 'items' in result && result.isIncomplete,
    begun: wishes.prefix ?? wordBefore(place),
  };
}

async function completionsOf(
  place: Target,
  wishes: CompletionWishes,
  facts: ServerFacts,
  options: CallOptions,
): Promise<CompletionResult> {
  const textDocument = { uri: pathToUri(place.source.path) };
  const send = (context: CompletionContext) =>
    ask(
      place.link,
      CompletionRequest.type,
      { textDocument, position: place.position(facts), context },
      options,
    );
  const last = textBefore(place).at(-1);
  const listened = facts.capabilities.completionProvider?.triggerCharacters ?? [];
  const inferred = last !== undefined && listened.includes(last) ? last : undefined;
  const triggerCharacter = wishes.triggerCharacter ?? inferred;
  if (triggerCharacter === undefined) return send({ triggerKind: CompletionTriggerKind.Invoked });
  const result = await send({ triggerKind: CompletionTriggerKind.TriggerCharacter, triggerCharacter });
  // After a blank or a quote many servers say nothing unless they are asked on purpose.
  return itemsOf(result).length > 0 || wishes.triggerCharacter !== undefined
    ? result
    : send({ triggerKind: CompletionTriggerKind.Invoked });
}

export interface Documented {
  readonly suggestions: readonly Suggestion[];
  /** How many could not be asked about in time. */
  readonly missing: number;
}

/** Asks for what servers leave out of lists: documentation and often the type. */
export async function withDocumentation(
  context: ToolContext,
  { link, source }: Target,
  facts: ServerFacts,
  suggestions: readonly Suggestion[],
): Promise<Documented> {
  if (!facts.methods.includes(CompletionResolveRequest.method)) return { suggestions, missing: 0 };
  const end = context.clock.now() + Math.min(RESOLVE_MS, context.remainingMs() / 2);
  const resolved = await eachBounded(suggestions, RESOLVE_AT_ONCE, async (suggestion) => {
    if (suggestion.item.documentation !== undefined) return suggestion;
    const timeoutMs = end - context.clock.now();
    if (timeoutMs <= 0) return undefined;
    try {
      const options = { ...context.during(source.path), timeoutMs };
      const item = await ask(link, CompletionResolveRequest.type, suggestion.item, options);
      return { ...suggestion, item: { ...suggestion.item, ...item } };
    } catch (error) {
      if (failureOf(error)?.kind === 'cancelled') throw error;
      return undefined;
    }
  });
  return {
    suggestions: resolved.map((one, index) => one ?? suggestions[index]).filter((one) => one !== undefined),
    missing: resolved.filter((one) => one === undefined).length,
  };
}
