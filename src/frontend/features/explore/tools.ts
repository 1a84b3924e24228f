/** A symbol's details in one call. */
import { HoverRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { atAllOfOne } from '../../targets/overloads.ts';
import { defineTool, type ToolLiteral } from '../../tools/define-tool.ts';
import { target } from '../../tools/fields.ts';
import { number } from '../../tools/shapes.ts';
import { accountingData } from '../references/accounting/sentences.ts';
import { exploreData, exploreText } from './exploration.ts';
import { exploreAt } from './explore.ts';
import { stepAfter } from './next-step.ts';

const input = () => z.strictObject(target);

const output = () =>
  z.strictObject({
    type_info: z.string(),
    source: z
      .strictObject({
        symbol_name: z.string(),
        file: z.string(),
        line: number,
        column: number,
        start_line: number,
        end_line: number,
        source: z.string(),
        /** Lines that were left out at the end. */
        lines_left: number.optional(),
      })
      .optional(),
    /** Others of its name that all of this is about as well. */
    others: z
      .array(z.strictObject({ type_info: z.string(), file: z.string(), line: number, column: number }))
      .optional(),
    /** The first ones, those in tests last. */
    callers: z.array(z.strictObject({ name: z.string(), file: z.string(), line: number, column: number })),
    callers_count: number,
    /** How many of them are in tests. */
    test_callers_count: number,
    references: z.strictObject({
      count: number,
      test_count: number,
      top_files: z.array(z.strictObject({ file: z.string(), count: number })),
    }),
    implementations_count: number.optional(),
    /** Parts that are empty because they could not be looked at. */
    missing: z.array(z.string()).optional(),
  });

const exploreSymbol: ToolLiteral<ReturnType<typeof input>, ReturnType<typeof output>> = {
  name: 'explore_symbol',
  title: 'Explore symbol',
  description:
    'All about a symbol in one call: signature, source, callers, where it is used, implementations. Start here.',
  effect: 'read',
  isCore: true,
  needs: HoverRequest.method,
  input,
  output,
  run: (input, context) =>
    atAllOfOne(context, input, async (target) => {
      const found = await exploreAt(context, target);
      return {
        text: exploreText(found, target, context.roots),
        data: exploreData(found, context.roots),
        ...(found.declaration ? { insteadOf: [found.declaration.source.text] } : {}),
        incomplete: found.incomplete,
        ...(found.accounting ? { details: accountingData(found.accounting) } : {}),
        hint: stepAfter(context, found, target),
      };
    }),
};

export const exploreTools = [
  defineTool(exploreSymbol),
  defineTool({
    ...exploreSymbol,
    name: 'explore',
    title: 'Explore',
    description: 'Same as explore_symbol.',
    isCore: false,
  }),
];
