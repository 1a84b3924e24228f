/** The tool that lists the uses of a name. */
import { ReferencesRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { USE_KINDS } from '../../lexical/use-kinds.ts';
import { atAllOfOne } from '../../targets/overloads.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, includeHidden, limit, shortTarget, UNLISTED } from '../../tools/fields.ts';
import { onceOrForEach, severalData, symbols } from '../../tools/several.ts';
import { place } from '../../tools/shapes.ts';
import { referenceAnswer } from './reference-answer.ts';

export const referenceTools = [
  defineTool({
    name: 'find_references',
    title: 'Find references',
    description:
      'Every use of a name by file, tests last; its other occurrences in the text are accounted for, so no search is needed.',
    effect: 'read',
    isCore: true,
    needs: ReferencesRequest.method,
    input: () =>
      z.strictObject({
        ...shortTarget,
        symbols,
        include_declaration: z.boolean().optional().describe('Also where it is declared'),
        include_hidden: includeHidden,
        tests: z.enum(['fold', 'show', 'leave_out']).optional().describe('show: with source lines'),
        kind: z.enum(USE_KINDS).optional().describe('Only these'),
        receiver: z.string().min(1).optional().describe('Only through this class'),
        account: z.enum(['some', 'all']).optional().describe('all: also common names').meta(UNLISTED),
        limit,
        cursor,
      }),
    output: () => z.union([z.array(place), severalData]),
    run: (input, context) =>
      onceOrForEach(input, context, (one) =>
        atAllOfOne(context, one, (target) => referenceAnswer(context, target, one)),
      ),
  }),
];
