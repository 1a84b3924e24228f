/** Who uses a name. */
import { ReferencesRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import type { AbsPath } from '../../shared/base/brand.ts';
import { testFileJudge } from '../../shared/languages/test-files.ts';
import { hiddenLine, siftHidden } from '../hidden-places.ts';
import { atTarget } from '../locate.ts';
import { outlinesOf } from '../outlines.ts';
import { filesOf, perFile } from '../per-file.ts';
import { type Place, placeData, toPlaces } from '../places.ts';
import { searchReferences } from '../reference-search.ts';
import { leftOut, pageOf } from '../render/budget.ts';
import { foldedTests, groupedLines, placeSize, type Surroundings } from '../render/locations.ts';
import type { ToolContext } from '../tool-context.ts';
import { defineTool } from './define-tool.ts';
import { cursor, includeHidden, limit, target } from './fields.ts';
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
        include_hidden: includeHidden,
        tests: z.enum(['fold', 'show']).optional().describe('show: with source lines'),
        limit,
        cursor,
      }),
    output: () => z.array(place),
    run: (input, context) =>
      atTarget(context, input, async (target) => {
        const { link, source, name, shown } = target;
        const asked = await searchReferences(context, target, {
          includeDeclaration: input.include_declaration,
        });
        const { facts, readiness, incomplete } = asked;
        const sifted = await siftHidden(context, asked.result, source.path, input);
        const { code, tests } = testsApart(context, sifted.shown);
        const found = [...code, ...tests];
        const page = pageOf(found, input, placeSize);
        const places = await toPlaces(page.items, context.files, facts.encoding);
        const codeShown = Math.max(0, code.length - page.from);
        const parts = { code: places.slice(0, codeShown), tests: places.slice(codeShown) };
        const detailed = [...filesOf(input.tests === 'show' ? places : parts.code)];
        const [texts, trees] = await Promise.all([
          context.files.readAll(detailed),
          outlinesOf(context, link, facts, detailed),
        ]);
        const around = { roots: context.roots, texts, trees };
        const total = filesOf(found).size;
        const count = `${found.length === 0 ? 'No' : found.length} reference${found.length === 1 ? '' : 's'} to ${name} (${shown})`;
        const spread = found.length === 0 ? '' : ` in ${files(total)}`;
        const extent = incomplete === undefined ? 'complete' : 'incomplete';
        return {
          text: [
            `${count}${spread}; ${readiness}, ${extent}; root ${context.roots.primary}`,
            ...groupedLines(parts.code, around),
            ...testLines(parts.tests, around, { all: tests, isFolded: input.tests !== 'show' }),
            ...leftOut(page, 'references'),
            ...hiddenLine(sifted.hidden),
          ].join('\n'),
          data: places.map(placeData),
          incomplete,
          page,
          details: { hidden: sifted.hidden },
          hint: hintFor(found.length + sifted.hidden.length, incomplete),
        };
      }),
  }),
];

function testsApart<T extends { readonly file: AbsPath | undefined }>(
  { roots }: ToolContext,
  places: readonly T[],
): { code: readonly T[]; tests: readonly T[] } {
  const judge = testFileJudge();
  const isTest = perFile((file) => judge(roots.display(file)));
  const [code, tests]: [T[], T[]] = [[], []];
  for (const place of places) (place.file !== undefined && isTest(place.file) ? tests : code).push(place);
  return { code, tests };
}

function testLines(
  shown: readonly Place[],
  around: Surroundings,
  { all, isFolded }: { all: readonly { readonly file: AbsPath | undefined }[]; isFolded: boolean },
): string[] {
  if (all.length === 0) return [];
  const header = `tests: ${all.length} in ${files(filesOf(all).size)}`;
  if (!isFolded) return [header, ...groupedLines(shown, around)];
  const { lines, isCut } = foldedTests(shown, around);
  return [isCut ? `${header}; tests:"show" lists them` : header, ...lines];
}

function files(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`;
}

function hintFor(count: number, incomplete: string | undefined): string | undefined {
  if (count > 0) return undefined;
  return incomplete === undefined
    ? 'nothing uses it by name; it may be unused, or used by reflection or from outside'
    : undefined;
}
