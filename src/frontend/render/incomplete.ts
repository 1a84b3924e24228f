/**
 * Why an answer may lack something, as data from where it is found out to where it is printed. Only this file writes
 * INCOMPLETE and when to retry, and no code reads them back out of a text: a server's own message may have such words.
 * Decision: docs/decisions/render.md#incomplete-is-data
 */
export interface Incomplete {
  /** What is missing, why, and what helps. It can also stand inside another sentence. */
  readonly reason: string;
  /** Which of our tools finds the rest, behind the reason. Sessions whose tools have other names are not told. */
  readonly advice?: string;
  /** After this time the same call may find more. The reason says so as well. */
  readonly retryMs?: number;
  /** Something was stopped before its end, so that even what is there proves nothing. */
  readonly isTimeout?: boolean;
  /** What is missing besides, each with its own line. */
  readonly also?: readonly Incomplete[];
}

/** For what waiting helps against. The sentence is given the words `retry in 5 s`, and has them where they fit. */
export function untilRetry(retryMs: number, sentence: (retry: string) => string): Incomplete {
  return { reason: sentence(`retry in ${Math.round(retryMs / 1_000)} s`), retryMs };
}

/** Of several parts of an answer, one reason is enough to call the answer incomplete. */
export function firstIncomplete(
  parts: Iterable<{ readonly incomplete?: Incomplete | undefined }>,
): Incomplete | undefined {
  for (const { incomplete } of parts) if (incomplete !== undefined) return incomplete;
  return undefined;
}

/** Where an agent has to know every reason: the first, and the others in lines below it. */
export function everyIncomplete([first, ...also]: readonly Incomplete[]): Incomplete | undefined {
  return first && (also.length === 0 ? first : { ...first, also });
}

/** The same in one line, behind the name of what all of them are about. */
export function incompleteOf(subject: string, reasons: readonly Incomplete[]): Incomplete | undefined {
  if (reasons.length === 0) return undefined;
  const retryMs = firstRetry(reasons);
  return {
    reason: `${subject}: ${reasons.map(reasonWithAdvice).join('; ')}`,
    ...(retryMs === undefined ? {} : { retryMs }),
  };
}

/** `INCOMPLETE: gopls is still starting, retry in 2 s`. */
export function incompleteLine(incomplete: Incomplete): string {
  return linesOf(incomplete)
    .map((line) => `${line.isTimeout ? 'TIMEOUT' : 'INCOMPLETE'}: ${reasonWithAdvice(line)}`)
    .join('\n');
}

/** Inside another sentence. */
export function reasonWithAdvice({ reason, advice }: Incomplete): string {
  return advice === undefined ? reason : `${reason}; ${advice}`;
}

/** For sessions whose tools are not called as the advice says. */
export function withoutAdvice({ advice: _, also, ...incomplete }: Incomplete): Incomplete {
  return also === undefined ? incomplete : { ...incomplete, also: also.map(withoutAdvice) };
}

/** A refusal that may be due to what is missing says that first. */
export function afterIncomplete(incomplete: Incomplete | undefined, refusal: string): string {
  return incomplete === undefined ? refusal : `${incompleteLine(incomplete)}; ${refusal}`;
}

/** The same for programs. */
export function incompleteData(incomplete: Incomplete | undefined): Record<string, unknown> {
  if (incomplete === undefined) return {};
  const retryMs = firstRetry(linesOf(incomplete));
  return {
    reason: incompleteLine(incomplete),
    ...(retryMs === undefined ? {} : { retry_after_ms: retryMs }),
  };
}

function linesOf(incomplete: Incomplete): readonly Incomplete[] {
  return [incomplete, ...(incomplete.also ?? [])];
}

function firstRetry(reasons: readonly Incomplete[]): number | undefined {
  return reasons.find(({ retryMs }) => retryMs !== undefined)?.retryMs;
}
