/** What a server knows about each word of a text: types and names that are not written, and what words stand for. */
import {
  InlayHintRequest,
  type SemanticTokens,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
} from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { counted } from '../../../shared/base/counted.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import {
  ask,
  type CallOptions,
  type ServerFacts,
  type ServerLink,
} from '../../../shared/link/server-link.ts';
import { askHere } from '../../ask/questions.ts';
import { leftOut, pageOf } from '../../render/budget.ts';
import { type Span, serverRange, shownSpan, spanOf } from '../../targets/spans.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, filePath, languageId, limit, span } from '../../tools/fields.ts';
import { number } from '../../tools/shapes.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { hintLines, hintsOf } from './inlay-hints.ts';
import { tokensIn } from './semantic-tokens.ts';

const part = { file_path: filePath, ...span, language_id: languageId, limit, cursor };

export const annotationTools = [
  defineTool({
    name: 'get_inlay_hints',
    title: 'Get inlay hints',
    description:
      'Types and parameter names that a file or some of its lines leave out, written into the lines.',
    effect: 'read',
    needs: InlayHintRequest.method,
    input: () => z.strictObject(part),
    output: () =>
      z.array(
        z.strictObject({
          line: number,
          column: number,
          label: z.string(),
          kind: z.enum(['type', 'parameter']).optional(),
          tooltip: z.string().optional(),
        }),
      ),
    run: async (input, context) => {
      const source = await context.source(input.file_path);
      const asked = spanOf(input, source, context);
      const link = await context.servers.linkFor(source.path, { languageId: input.language_id });
      const textDocument = { uri: pathToUri(source.path) };
      const { result, facts, readiness, incomplete } = await askHere(
        context,
        link,
        {
          method: InlayHintRequest.method,
          documents: [source.path],
          send: ({ encoding }, options) => {
            const range = serverRange(asked, source.lines, encoding);
            return ask(link, InlayHintRequest.type, { textDocument, range }, options);
          },
        },
        (hints) => !hints || hints.length === 0,
      );
      const hints = hintsOf(result ?? [], source.lines, facts.encoding);
      const page = pageOf(hints, input, ({ label }) => label.length + 220);
      return {
        text: [
          `${counted(hints.length, 'hint', { none: 'No' })} in ${context.roots.display(source.path)} ${shownSpan(asked, source.lines)}; ${readiness}; root ${context.roots.primary}`,
          ...hintLines(page.items, source.lines),
          ...leftOut(page, 'hints'),
        ].join('\n'),
        data: page.items.map(({ at, label, kind, tooltip }) => ({
          ...at,
          label,
          ...(kind === undefined ? {} : { kind }),
          ...(tooltip === undefined ? {} : { tooltip }),
        })),
        incomplete,
        page,
        hint:
          hints.length > 0
            ? undefined
            : 'settings of the server decide which hints there are, e.g. typescript.inlayHints or gopls.hints',
      };
    },
  }),

  defineTool({
    name: 'get_semantic_tokens',
    title: 'Get semantic tokens',
    description:
      'What each word of a file or of some lines stands for: variable, method, …, readonly, static, …',
    effect: 'read',
    needs: SemanticTokensRequest.method,
    input: () => z.strictObject(part),
    output: () =>
      z.array(
        z.strictObject({
          line: number,
          column: number,
          length: number,
          type: z.string(),
          modifiers: z.array(z.string()),
          text: z.string(),
        }),
      ),
    run: async (input, context) => {
      const source = await context.source(input.file_path);
      const asked = spanOf(input, source, context);
      const link = await context.servers.linkFor(source.path, { languageId: input.language_id });
      const { result, facts, readiness, incomplete } = await askHere(
        context,
        link,
        {
          method: SemanticTokensRequest.method,
          documents: [source.path],
          send: (facts, options) => tokensOf(link, source, asked, facts, options),
        },
        (tokens) => !tokens || tokens.data.length === 0,
      );
      const legend = facts.capabilities.semanticTokensProvider?.legend ?? NO_LEGEND;
      const text = { lines: source.lines, encoding: facts.encoding };
      const tokens = tokensIn(asked, result ?? { data: [] }, legend, text);
      const page = pageOf(tokens, input, (token) => token.text.length + 120);
      return {
        text: [
          `${counted(tokens.length, 'token', { none: 'No' })} in ${context.roots.display(source.path)} ${shownSpan(asked, source.lines)}; ${readiness}; root ${context.roots.primary}`,
          ...page.items.map(
            ({ at, text, type, modifiers }) =>
              `  ${at.line}:${at.column} ${text}  ${[type, ...modifiers].join(' ')}`,
          ),
          ...leftOut(page, 'tokens'),
        ].join('\n'),
        data: page.items.map(({ at, text, type, modifiers }) => ({
          ...at,
          length: text.length,
          type,
          modifiers: [...modifiers],
          text,
        })),
        incomplete,
        page,
      };
    },
  }),
];

const NO_LEGEND = { tokenTypes: [], tokenModifiers: [] };

/** For the part alone where the server can, else for the whole file. */
function tokensOf(
  link: ServerLink,
  { path, lines }: SourceFile,
  asked: Span,
  { capabilities, encoding }: ServerFacts,
  options: CallOptions,
): Promise<SemanticTokens | null> {
  const textDocument = { uri: pathToUri(path) };
  if (!capabilities.semanticTokensProvider?.range)
    return ask(link, SemanticTokensRequest.type, { textDocument }, options);
  const range = serverRange(asked, lines, encoding);
  return ask(link, SemanticTokensRangeRequest.type, { textDocument, range }, options);
}
