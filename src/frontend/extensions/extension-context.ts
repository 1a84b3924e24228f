/** What the code of an extension gets of a call: little, so that it goes on working, and nothing that its tool may not do. */
import { fail, failureOf } from '../../shared/base/failure.ts';
import { didYouMean } from '../../shared/base/near-names.ts';
import type { Effect } from '../access/effect.ts';
import type { AccessPolicy } from '../access/tool-access.ts';
import { accessTo, refusal } from '../access/tool-access.ts';
import { isAmbiguity, type Outcome } from '../render/answer.ts';
import { failureSentence } from '../render/failure.ts';
import { reasonWithAdvice } from '../render/incomplete.ts';
import type { ToolContext } from '../tools/context.ts';
import type { Tool } from '../tools/define-tool.ts';
import type { ExtensionAnswer, ExtensionContext } from './definition.ts';
import { filesBelow } from './files-below.ts';

/** Who the code works for. */
export interface ExtensionCaller {
  readonly name: string;
  readonly effect: Effect;
  readonly policy: AccessPolicy;
  /** The tools of the session, by name. */
  toolNamed(name: string): Tool | undefined;
  names(): readonly string[];
}

export function extensionContext(caller: ExtensionCaller, context: ToolContext): ExtensionContext {
  return {
    root: context.roots.primary,
    signal: context.signal,
    remainingMs: () => context.remainingMs(),
    files: (pattern, below) => spoken(() => filesBelow(context, pattern, below)),
    read: (path) =>
      spoken(async () => {
        const { path: file, text } = await context.source(path);
        return { path: file, text };
      }),
    call: (name, args = {}) =>
      spoken(async () => answerOf(await toolFor(caller, name).prepare(args).run(context))),
    request: (path, method, params) =>
      spoken(async () => {
        const { path: file } = await context.source(path);
        const link = await context.servers.linkFor(file);
        return link.request(method, params, context.during(file));
      }),
    report: (message) => context.report(message),
  };
}

function toolFor(caller: ExtensionCaller, name: string): Tool {
  const tool = caller.toolNamed(name);
  if (!tool) {
    const message = `there is no tool ${name}${didYouMean(name, caller.names())}`;
    return fail({ kind: 'invalid-input', message, next: 'tools/list has all tools' });
  }
  const access = accessTo(tool, caller.policy);
  if (access.kind === 'refused') fail(refusal(name, tool.effect, access));
  if (!covers(caller.effect, tool.effect))
    fail({
      kind: 'not-permitted',
      reason: `${caller.name} declares the effect ${caller.effect} and calls ${name}, whose effect is ${tool.effect}`,
      next: 'Its extension has to declare what it does',
    });
  return tool;
}

/** What was allowed for the one is allowed for the other. */
function covers(own: Effect, called: Effect): boolean {
  if (called === 'read' || called === 'preview' || called === own) return true;
  return own === 'execute' && called === 'write';
}

function answerOf(outcome: Outcome): ExtensionAnswer {
  const { text, incomplete, notes = [], hint } = outcome;
  return {
    text,
    data: isAmbiguity(outcome) ? { candidates: outcome.candidates } : outcome.data,
    notes,
    ...(incomplete === undefined ? {} : { incomplete: reasonWithAdvice(incomplete) }),
    ...(hint === undefined ? {} : { hint }),
  };
}

/** Failures with words that an author can show; what they are is not lost. */
async function spoken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = failureOf(error);
    throw failure ? new Error(failureSentence(failure), { cause: error }) : error;
  }
}
