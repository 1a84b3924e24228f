/** Who uses a name. */
import { DefinitionRequest, type Location, ReferencesRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { pathToUri, uriToPath } from '../../shared/base/paths.ts';
import { ask } from '../../shared/server-link.ts';
import { askAcross } from '../asking.ts';
import { isLocalName } from '../local-names.ts';
import { atTarget } from '../locate.ts';
import { outlinesOf } from '../outlines.ts';
import { type Place, placeData, placesOf } from '../places.ts';
import { leftOut, pageOf } from '../render/budget.ts';
import { groupedLines, placeSize } from '../render/locations.ts';
import { defineTool } from './define-tool.ts';
import { cursor, limit, target } from './fields.ts';
import { place } from './shapes.ts';

export const referenceTools = [
  defineTool({
    name: 'find_references',
    title: 'Find references',
    description:
      'Every use of a name in the workspace by file, tests last; says whether the index was complete. Unlike text search it knows scopes, imports and aliases.',
    effect: 'read',
    isCore: true,
    needs: ReferencesRequest.method,
    input: () =>
      z.strictObject({
        ...target,
        include_declaration: z.boolean().optional().describe('Also the declaration itself'),
        limit,
        cursor,
      }),
    output: () => z.array(place),
    run: (input, context) =>
      atTarget(context, input, async (target) => {
        const { link, source, position, name, shown } = target;
        const { result, facts, readiness, incomplete } = await askAcross(context, link, {
          method: ReferencesRequest.method,
          documents: [source.path],
          about: { name, source },
          isLocal: () => isLocalName(context, target),
          filesOf: (locations: Location[] | null) =>
            (locations ?? []).flatMap(({ uri }) => uriToPath(uri) ?? []),
          send: (facts, options) =>
            ask(
              link,
              ReferencesRequest.type,
              {
                textDocument: { uri: pathToUri(source.path) },
                position: position(facts),
                context: {
                  includeDeclaration: input.include_declaration || (facts.importsAreDeclarations ?? false),
                },
              },
              options,
            ),
        });

        const found = await placesOf(result, context.files, facts.encoding);
        const params = { textDocument: { uri: pathToUri(source.path) }, position: position(facts) };
        const declared =
          facts.importsAreDeclarations && !input.include_declaration
            ? await placesOf(
                await ask(link, DefinitionRequest.type, params, context.during(source.path)),
                context.files,
                facts.encoding,
              )
            : [];
        const places = found.filter((place) => !declared.some((other) => isSame(place, other)));
        const page = pageOf(places, input, placeSize);
        const files = [...new Set(page.items.flatMap(({ file }) => file ?? []))];
        const [texts, trees] = await Promise.all([
          context.files.readAll(files),
          outlinesOf(context, link, facts, files),
        ]);
        const total = new Set(places.map(({ uri }) => uri)).size;
        const count = `${places.length === 0 ? 'No' : places.length} reference${places.length === 1 ? '' : 's'} to ${name} (${shown})`;
        const spread = places.length === 0 ? '' : ` in ${total} file${total === 1 ? '' : 's'}`;
        const extent = incomplete === undefined ? 'complete' : 'incomplete';
        return {
          text: [
            `${count}${spread}; ${readiness}, ${extent}; root ${context.roots.primary}`,
            ...groupedLines(page.items, { roots: context.roots, texts, trees }),
            ...leftOut(page, 'references'),
          ].join('\n'),
          data: page.items.map(placeData),
          incomplete,
          page,
          hint: hintFor(places.length, incomplete),
        };
      }),
  }),
];

function isSame(a: Place, b: Place): boolean {
  return a.uri === b.uri && a.start.line === b.start.line && a.start.column === b.start.column;
}

function hintFor(count: number, incomplete: string | undefined): string | undefined {
  if (count > 0) return undefined;
  return incomplete === undefined
    ? 'nothing uses it by name; it may be unused, or used by reflection or from outside'
    : undefined;
}
