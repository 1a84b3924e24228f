/**
 * Accounts for a name in answers that are not lists of its references, such as those about callers or
 * implementations.
 */
import { ReferencesRequest } from 'vscode-languageserver-protocol';
import { failureOf, messageOf } from '../../../../shared/base/failure.ts';
import { type Incomplete, untilRetry } from '../../../render/incomplete.ts';
import type { Target } from '../../../targets/locate.ts';
import type { ToolContext } from '../../../tools/context.ts';
import { searchReferences } from '../reference-search.ts';
import type { Accounting } from './accounting.ts';
import { possibleLines } from './possible-lines.ts';
import { accountedPart, accountingData } from './sentences.ts';

export interface Beside {
  /** For the first line of the answer, with a semicolon before it; empty where nothing is known. */
  readonly part: string;
  /** Possible uses, to be listed below the answer. */
  readonly lines: readonly string[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly incomplete: Incomplete | undefined;
  readonly accounting?: Accounting;
}

const NOTHING: Beside = { part: '', lines: [], data: {}, incomplete: undefined };

export async function accountBeside(context: ToolContext, target: Target): Promise<Beside> {
  const facts = await context.facts.offering(target.link, ReferencesRequest.method, context.during());
  if (!facts.methods.includes(ReferencesRequest.method)) return NOTHING;
  try {
    const { accounting, incomplete } = await searchReferences(context, target, { account: 'some' });
    if (!accounting) return { ...NOTHING, incomplete };
    const { possible } = accounting;
    const lines = await possibleLines(context, possible);
    const maybe = possible.length === 0 ? '' : `, ${possible.length} possible`;
    const part = `${maybe}; ${accountedPart(accounting, context.roots)}`;
    return { part, lines, data: accountingData(accounting), accounting, incomplete };
  } catch (error) {
    if (!failureOf(error) || failureOf(error)?.kind === 'cancelled') throw error;
    context.log.debug('not accounted for', { error: messageOf(error) });
    const why = (retry: string) =>
      `${target.name} was not searched for in the text: ${messageOf(error)}; ${retry}`;
    return { ...NOTHING, incomplete: untilRetry(2_000, why) };
  }
}
