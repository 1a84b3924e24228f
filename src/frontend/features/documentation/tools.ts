/** What a name is: its signature, type and documentation. */
import { HoverRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import type { Answer } from '../../render/answer.ts';
import { atTarget, type Target } from '../../targets/locate.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { shortTarget } from '../../tools/fields.ts';
import { onceOrForEach, severalData, symbols } from '../../tools/several.ts';
import { hoverAt } from './hover.ts';
import { compactHover } from './hover-text.ts';

export const inspectTools = [
  defineTool({
    name: 'inspect_symbol',
    title: 'Inspect symbol',
    description: 'Signature, type and documentation of a name, as an editor shows on hover.',
    effect: 'read',
    needs: HoverRequest.method,
    output: () => z.union([z.string(), severalData]),
    input: () =>
      z.strictObject({
        ...shortTarget,
        symbols,
        full: z.boolean().optional().describe('All of the documentation'),
      }),
    run: (input, context) =>
      onceOrForEach(input, context, (one) =>
        atTarget(context, one, (target) => hoverAnswer(context, target, input.full ?? false)),
      ),
  }),
];

async function hoverAnswer(context: ToolContext, target: Target, isFull: boolean): Promise<Answer<string>> {
  const { name, shown, source, point } = target;
  const details = { file: source.path, line: point.line, column: point.column };
  const { text, readiness, incomplete } = await hoverAt(context, target);
  if (text === '')
    return {
      text: `No information on ${name} (${shown}); ${readiness}`,
      data: '',
      incomplete,
      details,
      hint: firstOffered(context, `go_to_definition ${shown}`),
    };
  const { signature, documentation, hidden } = compactHover(text, isFull);
  const more = hidden === 0 ? [] : [`… ${hidden} more lines with full:true`];
  return {
    text: [`${signature}   ${shown}`, ...documentation, ...more].join('\n'),
    data: text,
    details,
    hint: firstOffered(context, `find_references ${shown}`),
  };
}
