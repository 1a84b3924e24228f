/** Who calls a function, and whom it calls. */
import { CallHierarchyPrepareRequest, ReferencesRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import type { Locator } from '../../targets/locate.ts';
import { atAllOfOne } from '../../targets/overloads.ts';
import type { ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { anyCase, cursor, limit, shortTarget } from '../../tools/fields.ts';
import { onceOrForEach, severalData, symbols } from '../../tools/several.ts';
import { hierarchyItem, number } from '../../tools/shapes.ts';
import { type CallAnswerOptions, callAnswer } from './call-answer.ts';

const crossConcurrent = z.boolean().optional().describe('Mark calls that start concurrent work');

const callSite = z.strictObject({ line: number, column: number, file: z.string().optional() });

const output = () => {
  const call = hierarchyItem.extend({ call_sites: z.array(callSite) });
  return z.strictObject({
    items: z.array(hierarchyItem),
    incoming: z.array(call).optional(),
    outgoing: z.array(call).optional(),
    concurrent_callers: z
      .array(
        z.strictObject({
          caller: z.string(),
          pattern: z.string(),
          file: z.string(),
          line: number,
          column: number,
        }),
      )
      .optional(),
  });
};

export const callTools = [
  defineTool({
    name: 'find_callers',
    title: 'Find callers and callees',
    description:
      'Functions that call a function (incoming) and that it calls (outgoing), with the places of the calls.',
    effect: 'read',
    isCore: true,
    needs: CallHierarchyPrepareRequest.method,
    fallback: ReferencesRequest.method,
    input: () =>
      z.strictObject({
        ...shortTarget,
        symbols,
        direction: anyCase(['incoming', 'outgoing', 'both']).optional().describe('Default both'),
        cross_concurrent: crossConcurrent,
        limit,
        cursor,
      }),
    output: () => z.union([output(), severalData]),
    run: (input, context) =>
      onceOrForEach(input, context, (one) =>
        callsOf(context, one, { ...one, direction: one.direction ?? 'both' }),
      ),
  }),

  defineTool({
    name: 'callers',
    title: 'Callers',
    description: 'Short for find_callers with direction incoming.',
    effect: 'read',
    needs: CallHierarchyPrepareRequest.method,
    fallback: ReferencesRequest.method,
    input: () => z.strictObject({ ...shortTarget, cross_concurrent: crossConcurrent, limit, cursor }),
    output,
    run: (input, context) => callsOf(context, input, { ...input, direction: 'incoming' }),
  }),
];

function callsOf(context: ToolContext, locator: Locator, options: CallAnswerOptions) {
  return atAllOfOne(context, locator, (target) => callAnswer(context, target, options));
}
