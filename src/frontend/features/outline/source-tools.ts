/** The source of a symbol instead of its whole file. */
import { DocumentSymbolRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { fail, failureOf } from '../../../shared/base/failure.ts';
import { leftOut } from '../../render/budget.ts';
import { renderCandidates } from '../../targets/candidates.ts';
import { type Declaration, declarationNear, declarationOf } from '../../targets/declarations.ts';
import { type Locator, locate, type Target } from '../../targets/locate.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, limit, target } from '../../tools/fields.ts';
import { number } from '../../tools/shapes.ts';
import { DEFAULT_LINES, sourceHeader, sourcesOf } from './symbol-source.ts';

const MOST_SYMBOLS = 20;

export const symbolSourceTools = [
  defineTool({
    name: 'get_symbol_source',
    title: 'Get the source of symbols',
    description:
      'Source of the declaration at or around a place with its comments and decorators, or of up to 20 symbols at once.',
    effect: 'read',
    isCore: true,
    needs: DocumentSymbolRequest.method,
    input: () =>
      z.strictObject({
        ...target,
        symbols: z
          .array(z.string().min(1))
          .min(1)
          .max(MOST_SYMBOLS)
          .optional()
          .describe('Several symbols, in file_path or anywhere'),
        limit: limit.describe(`Most lines; default ${DEFAULT_LINES}`),
        cursor,
      }),
    output: () =>
      z.strictObject({
        symbols: z.array(
          z.strictObject({
            symbol_name: z.string(),
            symbol_kind: z.string(),
            file: z.string(),
            /** Where the name stands. */
            line: number,
            column: number,
            start_line: number,
            end_line: number,
            source: z.string(),
            /** The lines of `source`, when these are not all. */
            shown: z.strictObject({ from: number, to: number }).optional(),
          }),
        ),
        not_found: z.array(z.strictObject({ symbol: z.string(), why: z.string() })),
      }),
    run: async (input, context) => {
      const { symbols, limit, cursor, ...place } = input;
      const wanted = symbols ? symbols.map((symbol) => ({ ...place, symbol })) : [place];
      const found = await Promise.all(
        wanted.map((locator) => (symbols ? lookUpOneOfMany(context, locator) : lookUp(context, locator))),
      );
      const [only] = found;
      if (!symbols && only && 'ambiguous' in only) return only.ambiguous;
      const declarations = found.flatMap((each) => ('declaration' in each ? [each.declaration] : []));
      const not_found = found.flatMap((each, index) =>
        'declaration' in each ? [] : [{ symbol: symbols?.[index] ?? place.symbol ?? '', why: each.why }],
      );
      if (declarations.length === 0)
        fail({
          kind: 'invalid-input',
          message: not_found[0]?.why ?? 'no symbol was named',
          next: 'list_symbols shows what a file has, find_symbol searches the workspace',
        });
      const { sources, page } = sourcesOf(declarations, { limit, cursor });
      const texts = new Map(declarations.map(({ source }) => [source.path, source.text]));
      return {
        text: [
          ...sources.flatMap((each, index) => [
            `${sourceHeader(each, context.roots)}${index === 0 ? `; root ${context.roots.primary}` : ''}`,
            ...each.lines,
          ]),
          ...leftOut(page, 'lines'),
          ...not_found.map(({ symbol, why }) => `not found: ${symbol}: ${why}`),
        ].join('\n'),
        data: {
          symbols: sources.map(({ declaration: { node, source }, start, end, from, lines }) => ({
            symbol_name: node.path.join('.'),
            symbol_kind: node.word,
            file: source.path,
            ...node.at,
            start_line: start,
            end_line: end,
            source: lines.join('\n'),
            ...(lines.length === end - start + 1 ? {} : { shown: { from, to: from + lines.length - 1 } }),
          })),
          not_found,
        },
        insteadOf: [...texts.values()],
        page,
        hint: found.some(isNowhere)
          ? firstOffered(context, 'find_symbol searches by a part of the name')
          : undefined,
      };
    },
  }),
];

type LookedUp =
  | { readonly declaration: Declaration }
  | { readonly why: string; readonly ambiguous: ReturnType<typeof renderCandidates> }
  | { readonly why: string };

/** Not one of several, of which the answer names one. */
function isNowhere(each: LookedUp): boolean {
  return !('declaration' in each || 'ambiguous' in each);
}

async function lookUp(context: ToolContext, locator: Locator): Promise<LookedUp> {
  const place = await locate(context, locator);
  if ('candidates' in place) {
    const ambiguous = renderCandidates(place.question, place.candidates, context.roots, place.incomplete);
    const [first] = place.candidates;
    const such = first && `${context.roots.display(first.file)}:${first.at.line}:${first.at.column}`;
    return { why: `${place.candidates.length} places fit, such as ${such}`, ambiguous };
  }
  const declaration = await atPlace(context, locator, place);
  return declaration ? { declaration } : { why: `there is no symbol around ${place.shown}` };
}

/** One that is not there must not take the others with it; a server that cannot answer may. */
async function lookUpOneOfMany(context: ToolContext, locator: Locator): Promise<LookedUp> {
  try {
    return await lookUp(context, locator);
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.kind !== 'invalid-input') throw error;
    return { why: failure.message };
  }
}

/** A symbol that was named is wanted itself, wherever it is declared; a place means what is around it. */
function atPlace(context: ToolContext, locator: Locator, place: Target): Promise<Declaration | undefined> {
  return locator.symbol === undefined ? declarationNear(context, place) : declarationOf(context, place);
}
