/**
 * Tools of extensions as tools like all others: with the same fences, questions, deadlines and records.
 * Decision: docs/decisions/extensions.md#tools-of-extensions-are-tools
 */
import { z } from 'zod';
import { fail, failureOf, messageOf } from '../../shared/base/failure.ts';
import { isObject } from '../../shared/base/unknown-value.ts';
import { isReaching } from '../access/effect.ts';
import type { Answer } from '../render/answer.ts';
import type { ToolContext } from '../tools/context.ts';
import { defineTool, type Tool } from '../tools/define-tool.ts';
import type { ExtensionAnswer, ExtensionContext, ExtensionTool } from './definition.ts';

export interface ToolOrigin {
  /** As it is listed. */
  readonly name: string;
  /** Of the module, for messages. */
  readonly extension: string;
  /** The tool that it takes the place of. */
  readonly base: Tool | undefined;
  contextFor(context: ToolContext): ExtensionContext;
}

export function toolOf(literal: ExtensionTool, origin: ToolOrigin): Tool {
  const { name, extension, base } = origin;
  const { effect, limitSeconds } = literal;
  return defineTool({
    ...({ effect } as { effect: 'read' } | { effect: 'write' } | { effect: 'execute' | 'expand' }),
    name,
    title: literal.title ?? base?.title ?? name.replaceAll('_', ' '),
    description: base
      ? `${literal.description} (Replaced by the extension ${extension}.)`
      : literal.description,
    isCore: base?.isCore ?? false,
    isPrivileged: base?.isPrivileged ?? false,
    input: () => checkedInput(literal, name),
    output: () => literal.output?.(z) ?? z.unknown(),
    ...(limitSeconds === undefined ? {} : { limitMs: () => limitSeconds * 1_000 }),
    run: async (input, context) => {
      // Its code asks nobody, so that it is asked for before it runs.
      if (isReaching(effect))
        await context.permission.consentTo(effect, () => ({
          summary: `${name}, a tool of the extension ${extension}`,
        }));
      return answerOf(
        await attempt(name, extension, () => literal.run(input, origin.contextFor(context))),
        name,
      );
    },
  });
}

/** Throws an error whose message is what is wrong with it. */
export function checkedInput(literal: ExtensionTool, name: string): z.ZodObject {
  const schema = literal.input?.(z) ?? z.strictObject({});
  // It may be of another copy of the library, which its classes cannot tell.
  if (!isObject(schema) || !isObject(schema.shape) || typeof schema.safeParse !== 'function')
    throw new Error(`${name}: input must return an object schema: z.strictObject({ … })`);
  return schema as unknown as z.ZodObject;
}

/** What is wrong with the extension is said as such, and what its calls of ours found stays what it is. */
export async function attempt<T>(what: string, extension: string, work: () => Promise<T> | T): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const failure = failureOf(error) ?? failureOf(error instanceof Error ? error.cause : undefined);
    if (failure) return fail(failure, { cause: error });
    const program = `${what} of the extension ${extension}`;
    return fail({ kind: 'program-failed', program, reason: messageOf(error), output: '' }, { cause: error });
  }
}

function answerOf(returned: ExtensionAnswer | string, name: string): Answer {
  const given = typeof returned === 'string' ? { text: returned } : returned;
  if (!isObject(given) || typeof given.text !== 'string')
    return fail({ kind: 'unreadable-output', program: name, output: 'it returned no text' });
  const { text, data = text, incomplete, notes, hint } = given as ExtensionAnswer;
  return {
    text,
    data,
    incomplete: incomplete === undefined ? undefined : { reason: incomplete },
    notes: notes?.map(String) ?? [],
    hint,
  };
}
