/** For an agent that writes code: what can stand at a place, and what the call around it takes. */
import {
  CompletionRequest,
  type SignatureHelp,
  SignatureHelpRequest,
  SignatureHelpTriggerKind,
} from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { counted } from '../../../shared/base/counted.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { ask } from '../../../shared/link/server-link.ts';
import { askHere } from '../../ask/questions.ts';
import { leftOut, pageOf } from '../../render/budget.ts';
import { cursorAt } from '../../targets/cursor-place.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, cursorPlace, limit } from '../../tools/fields.ts';
import { number } from '../../tools/shapes.ts';
import { completionsAt, withDocumentation } from './completions.ts';
import { signatureData, signatureLines } from './signature.ts';
import { suggestionData, suggestionLines, suggestionSize } from './text.ts';

const DEFAULT_COMPLETIONS = 20;

export const writingTools = [
  defineTool({
    name: 'get_completions',
    title: 'Get completions',
    description:
      'What can be written at a place, best first: members, names in scope, keywords. Takes the column exactly.',
    effect: 'read',
    needs: CompletionRequest.method,
    input: () =>
      z.strictObject({
        ...cursorPlace,
        prefix: z.string().optional().describe('Typed instead of the word there'),
        trigger_character: z.string().min(1).optional().describe('Default: found out'),
        docs: z.boolean().optional().describe('With documentation'),
        limit: limit.describe(`Default ${DEFAULT_COMPLETIONS}`),
        cursor,
      }),
    output: () =>
      z.strictObject({
        isIncomplete: z.boolean(),
        items: z.array(
          z.strictObject({
            label: z.string(),
            kind: z.string().optional(),
            detail: z.string().optional(),
            documentation: z.string().optional(),
            insert_text: z.string().optional(),
            replaces: z.string().optional(),
            deprecated: z.boolean().optional(),
          }),
        ),
      }),
    run: async (input, context) => {
      const place = await cursorAt(context, input);
      const { suggestions, isPartial, begun, facts, readiness, incomplete } = await completionsAt(
        context,
        place,
        { prefix: input.prefix, triggerCharacter: input.trigger_character },
      );
      const page = pageOf(suggestions, input, suggestionSize, DEFAULT_COMPLETIONS);
      const { suggestions: shown, missing } = input.docs
        ? await withDocumentation(context, place, facts, page.items)
        : { suggestions: page.items, missing: 0 };
      const count = counted(page.total, 'completion', { none: 'No' });
      const after = begun === '' ? '' : ` of ${JSON.stringify(begun)}`;
      return {
        text: [
          `${count}${after} at ${place.shown}; ${readiness}; root ${context.roots.primary}`,
          ...shown.flatMap((suggestion) => suggestionLines(suggestion, input.docs ?? false)),
          ...leftOut(page, 'completions'),
          ...(missing > 0 ? [`documentation of ${missing} did not come in time; ask for fewer`] : []),
        ].join('\n'),
        data: { isIncomplete: isPartial, items: shown.map(suggestionData) },
        incomplete,
        page,
        ...(isPartial && (page.total === 0 || input.prefix !== undefined)
          ? { notes: ['the server may list more when more of the name is in the file'] }
          : {}),
      };
    },
  }),

  defineTool({
    name: 'get_signature_help',
    title: 'Get signature help',
    description:
      'Parameters of the call around a place, the current one marked. For a name use inspect_symbol.',
    effect: 'read',
    needs: SignatureHelpRequest.method,
    input: () => z.strictObject({ ...cursorPlace }),
    output: () =>
      z.strictObject({
        signatures: z.array(
          z.strictObject({
            label: z.string(),
            documentation: z.string().optional(),
            parameters: z.array(z.strictObject({ label: z.string(), documentation: z.string().optional() })),
            active_parameter: number.optional(),
          }),
        ),
        active_signature: number,
      }),
    run: async (input, context) => {
      const { link, source, position, shown } = await cursorAt(context, input);
      const textDocument = { uri: pathToUri(source.path) };
      const triggered = { triggerKind: SignatureHelpTriggerKind.Invoked, isRetrigger: false };
      const { result, readiness, incomplete } = await askHere(
        context,
        link,
        {
          method: SignatureHelpRequest.method,
          documents: [source.path],
          send: (facts, options) => {
            const params = { textDocument, position: position(facts), context: triggered };
            return ask(link, SignatureHelpRequest.type, params, options);
          },
        },
        (help) => !hasSignatures(help),
      );
      const data = signatureData(result);
      if (!hasSignatures(result))
        return {
          text: `No call around ${shown}; ${readiness}`,
          data,
          incomplete,
          hint: 'put the place between the brackets of a call, e.g. position_pattern "stop(@@"',
        };
      return { text: signatureLines(result, shown).join('\n'), data, incomplete };
    },
  }),
];

function hasSignatures(help: SignatureHelp | null): help is SignatureHelp {
  return help !== null && help.signatures.length > 0;
}
