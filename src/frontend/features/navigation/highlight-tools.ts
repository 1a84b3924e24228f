/** Where a name occurs in its own file, and whether it is read or written there. */
import { DocumentHighlightKind, DocumentHighlightRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { counted } from '../../../shared/base/counted.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { type Point, toPoint } from '../../../shared/base/positions.ts';
import { ask } from '../../../shared/link/server-link.ts';
import { askHere } from '../../ask/questions.ts';
import { unreachableAt } from '../../ask/unreachable.ts';
import { comparePoints } from '../../places/places.ts';
import { leftOut, pageOf } from '../../render/budget.ts';
import { excerptAt } from '../../render/source-excerpt.ts';
import { atTarget } from '../../targets/locate.ts';
import { firstOffered } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, limit, target } from '../../tools/fields.ts';
import { number } from '../../tools/shapes.ts';

export const highlightTools = [
  defineTool({
    name: 'get_document_highlights',
    title: 'Get document highlights',
    description: 'Occurrences of a name in its own file, read or written. Faster than find_references.',
    effect: 'read',
    needs: DocumentHighlightRequest.method,
    input: () => z.strictObject({ ...target, limit, cursor }),
    output: () =>
      z.array(
        z.strictObject({
          line: number,
          column: number,
          end_line: number,
          end_column: number,
          kind: z.enum(['text', 'read', 'write']),
        }),
      ),
    run: (input, context) =>
      atTarget(context, input, async (target) => {
        const { link, source, position, name, shown } = target;
        const textDocument = { uri: pathToUri(source.path) };
        const { result, facts, readiness, incomplete } = await askHere(
          context,
          link,
          {
            method: DocumentHighlightRequest.method,
            documents: [source.path],
            send: (facts, options) =>
              ask(link, DocumentHighlightRequest.type, { textDocument, position: position(facts) }, options),
          },
          (highlights) => !highlights || highlights.length === 0,
        );
        const highlights = (result ?? [])
          .map(({ range, kind }) => ({
            start: toPoint(range.start, () => source.lines, facts.encoding),
            end: toPoint(range.end, () => source.lines, facts.encoding),
            kind: KIND_NAMES[kind ?? DocumentHighlightKind.Text],
          }))
          .sort((a, b) => comparePoints(a.start, b.start));
        // What stands at the place itself is always among them where the server knows it.
        const isHere = highlights.some(({ start, end }) => isBetween(target.point, start, end));
        const page = pageOf(highlights, input, () => 140);
        const count = counted(page.total, 'occurrence', { none: 'No' });
        return {
          text: [
            `${count} of ${name} (${shown}) in this file; ${readiness}; root ${context.roots.primary}`,
            ...page.items.map(
              ({ start, end, kind }) =>
                `  ${start.line}:${start.column} ${kind}  ${excerptAt(source.lines, { start, end })}`,
            ),
            ...leftOut(page, 'occurrences'),
          ].join('\n'),
          data: page.items.map(({ start, end, kind }) => ({
            ...start,
            end_line: end.line,
            end_column: end.column,
            kind,
          })),
          incomplete: incomplete ?? (isHere ? undefined : await unreachableAt(context, target)),
          page,
          details: { file: source.path },
          hint: firstOffered(
            context,
            page.total > 0
              ? `find_references ${shown} looks in other files, too`
              : `go_to_definition ${shown}`,
          ),
        };
      }),
  }),
];

function isBetween(at: Point, start: Point, end: Point): boolean {
  return comparePoints(start, at) <= 0 && comparePoints(at, end) <= 0;
}

const KIND_NAMES = {
  [DocumentHighlightKind.Text]: 'text',
  [DocumentHighlightKind.Read]: 'read',
  [DocumentHighlightKind.Write]: 'write',
} as const;
