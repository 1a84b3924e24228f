/**
 * The tools as functions: each call goes the way of every other call, and ends in an answer or an error.
 * Decision: docs/decisions/library.md#one-door-with-names-of-its-own
 */

import type { AskUser } from '../frontend/access/call-permission.ts';
import { accessTo, offeredTools } from '../frontend/access/tool-access.ts';
import { allTools } from '../frontend/features/all-tools.ts';
import { callTool } from '../frontend/invoke/call-tool.ts';
import { type Ambiguity, type Answer, isAmbiguity, renderAnswer } from '../frontend/render/answer.ts';
import type { Session } from '../frontend/session/session.ts';
import type { Tool } from '../frontend/tools/define-tool.ts';
import type { Face } from '../frontend/tools/face.ts';
import { didYouMean } from '../shared/base/near-names.ts';
import { AgentLspError } from './agent-lsp-error.ts';
import type { AgentSession, OpenOptions, ToolAnswer, ToolCallOptions, ToolFunctions } from './contract.ts';
import { errorOf } from './errors.ts';

export async function toolFunctions(
  session: Session,
  confirm: OpenOptions['confirm'],
): Promise<Pick<AgentSession, 'tools' | 'call'>> {
  const registry = await allTools(session.config);
  const offered = offeredTools(registry, session.config);
  const askUser = confirm && asking(confirm);
  const run = async (tool: Tool, args: unknown, { signal, onProgress }: ToolCallOptions = {}) => {
    const { face, result } = listener();
    await callTool(session, {
      tool: { ...callable(tool), face },
      tools: offered,
      access: accessTo(tool, session.config),
      args,
      signal: signal ?? new AbortController().signal,
      output: 'text',
      askUser,
      ...(onProgress ? { report: onProgress } : {}),
    });
    return result();
  };
  const functions: ToolFunctions = Object.fromEntries(
    registry.map((tool) => [
      tool.name,
      (args: unknown, options?: ToolCallOptions) => run(tool, args, options),
    ]),
  );
  const call: AgentSession['call'] = async (name, args, options) => {
    const tool = registry.find((each) => each.name === name);
    if (tool) return run(tool, args, options);
    const names = registry.map((each) => each.name);
    const message = `there is no tool ${name}${didYouMean(name, names)}`;
    throw errorOf({ kind: 'invalid-input', message, next: 'session.tools has all of them' });
  };
  return { tools: functions, call };
}

/** Without the schemas, which are only made when they are asked for. */
function callable({ name, effect, beyond, hasPreview, prepare }: Tool) {
  return { name, effect, beyond, hasPreview, prepare };
}

function asking(confirm: NonNullable<OpenOptions['confirm']>): AskUser {
  return async (question, signal) => ((await confirm(question, signal)) ? 'accepted' : 'declined');
}

/** Takes what a call ends in, before only its text is left. */
function listener(): { readonly face: Face; result(): ToolAnswer<unknown> } {
  let found: ToolAnswer<unknown> | undefined;
  let error = new AgentLspError('unexpected', 'the call has ended without an answer');
  const refused = (why: AgentLspError) => {
    error = why;
    return { isError: true, texts: [why.message] };
  };
  return {
    face: {
      answer: (outcome) => {
        const rendered = renderAnswer(outcome, 'text');
        const text = rendered.texts.join('\n');
        if (isAmbiguity(outcome)) return refused(ambiguous(outcome, text));
        found = answerOf(outcome, text);
        return rendered;
      },
      failure: (failure, search) => ({
        ...refused(errorOf(failure, search?.command)),
        failure: failure.kind,
      }),
      unexpected: (message) => refused(new AgentLspError('unexpected', message)),
    },
    result: () => {
      if (found) return found;
      throw error;
    },
  };
}

function ambiguous({ candidates }: Ambiguity, text: string): AgentLspError {
  return new AgentLspError('ambiguous', text, { candidates });
}

function answerOf(answer: Answer, text: string): ToolAnswer<unknown> {
  const { structured = {} } = renderAnswer(answer, 'json');
  const of = <T>(name: string) => structured[name] as T | undefined;
  return {
    text,
    data: answer.data,
    complete: of<boolean>('complete'),
    reason: of<string>('reason'),
    retryAfterMs: of<number>('retry_after_ms'),
    fresh: answer.fresh,
    failed: answer.failed === true,
    total: of<number>('total'),
    nextCursor: of<string>('next_cursor'),
    notes: answer.notes ?? [],
  };
}
