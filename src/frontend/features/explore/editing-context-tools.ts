/** A file's symbols with everything that depends on them, in one call. */
import { DocumentSymbolRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { counted } from '../../../shared/base/counted.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { ask } from '../../../shared/link/server-link.ts';
import { askHere } from '../../ask/questions.ts';
import { importsOf } from '../../lexical/imports.ts';
import { leftOut, pageOf } from '../../render/budget.ts';
import { firstIncomplete } from '../../render/incomplete.ts';
import { flatOutline, listOutline, type OutlineEntry } from '../../symbols/outline-entries.ts';
import { symbolTree } from '../../symbols/symbol-tree.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, filePath, languageId, limit } from '../../tools/fields.ts';
import { number } from '../../tools/shapes.ts';
import { neighboursOf } from './editing-context.ts';
import { etagOf, importData, notLookedUpLine, symbolEntry, symbolLine } from './editing-context-text.ts';

const DEFAULT_SYMBOLS = 60;

const names = z.strictObject({
  count: number,
  first: z.array(z.strictObject({ name: z.string(), file: z.string(), line: number, column: number })),
});

export const editingContextTools = [
  defineTool({
    name: 'get_editing_context',
    title: 'Get editing context',
    description:
      'Before editing a file: its symbols with signatures, who calls them (tests apart), what they call in other files, imports. Pass the etag back to learn cheaply that nothing changed.',
    effect: 'read',
    needs: DocumentSymbolRequest.method,
    input: () =>
      z.strictObject({
        file_path: filePath,
        language_id: languageId,
        if_none_match: z.string().min(1).optional().describe('etag of an earlier answer'),
        limit: limit.describe(`Most symbols; default ${DEFAULT_SYMBOLS}`),
        cursor,
      }),
    output: () =>
      z.strictObject({
        status: z.enum(['ok', 'not_modified']),
        etag: z.string(),
        file: z.string(),
        symbols: z
          .array(
            z.strictObject({
              name: z.string(),
              kind: z.string(),
              line: number,
              column: number,
              end_line: number,
              signature: z.string(),
              /** Absent for what was not looked up. */
              callers: z.strictObject({ non_test_callers: names, test_callers: names }).optional(),
              /** In other files. */
              callees: names.optional(),
            }),
          )
          .optional(),
        imports: z.array(z.strictObject({ line: number, text: z.string() })).optional(),
        /** Symbols whose callers are not known. */
        not_looked_up: z.array(z.string()).optional(),
      }),
    run: async (input, context) => {
      const source = await context.source(input.file_path);
      const link = await context.servers.linkFor(source.path, { languageId: input.language_id });
      const textDocument = { uri: pathToUri(source.path) };
      const asked = await askHere(
        context,
        link,
        {
          method: DocumentSymbolRequest.method,
          documents: [source.path],
          send: (_facts, options) => ask(link, DocumentSymbolRequest.type, { textDocument }, options),
        },
        (symbols) => !symbols || symbols.length === 0,
      );
      const tree = symbolTree(asked.result, source.lines, asked.facts.encoding);
      const { entries } = listOutline(tree, { source, family: link.language });
      const page = pageOf(flatOutline(entries), input, () => 280, DEFAULT_SYMBOLS);
      const lookedUp = await neighboursOf(context, link, source, page.items);
      const imports = importsOf(source.lines, link.language).map(importData);
      const symbols = lookedUp.symbols.map((each) => symbolEntry(each, source, context.roots));
      const file = source.path;
      const etag = etagOf(source, [symbols, imports, page.total]);
      const known = lookedUp.symbols.flatMap(({ neighbours }) => neighbours ?? []);
      const incomplete = asked.incomplete ?? firstIncomplete(known);
      const readiness = known.at(-1)?.readiness ?? asked.readiness;
      const shown = context.roots.display(file);
      if (input.if_none_match?.replace(/^W\/|"/g, '') === etag) {
        const text = `${shown}: not modified (etag ${etag})`;
        return {
          text,
          data: { status: 'not_modified' as const, etag, file },
          insteadOf: [source.text],
          incomplete,
          isListing: true,
        };
      }
      const count = counted(page.total, 'symbol', { none: 'no' });
      const legend = page.total === 0 ? '' : '; <- called or used by (as listed), -> calls in other files';
      return {
        text: [
          `${shown}: ${count}, etag ${etag}${legend}; ${readiness}; root ${context.roots.primary}`,
          ...imports.map(({ text }) => text),
          ...lookedUp.symbols.map((each) => symbolLine(each, source, context.roots)),
          ...leftOut(page, 'symbols'),
          ...notLookedUpLine(lookedUp),
        ].join('\n'),
        data: {
          status: 'ok' as const,
          etag,
          file,
          symbols,
          imports,
          ...(lookedUp.notLookedUp.length === 0 ? {} : { not_looked_up: [...lookedUp.notLookedUp] }),
        },
        insteadOf: [source.text],
        incomplete,
        isListing: true,
        page,
        hint: stepFrom(page.items[0], context, shown),
      };
    },
  }),
];

function stepFrom(entry: OutlineEntry | undefined, context: ToolContext, file: string): string | undefined {
  if (!entry) return undefined;
  const place = `${file}:${entry.node.at.line}:${entry.node.at.column}`;
  return firstOffered(context, `get_symbol_source ${place}`, `explore_symbol ${place}`);
}
