/** The symbols of a file, and symbols of the workspace by name. */
import { statSync } from 'node:fs';
import { DocumentSymbolRequest, HoverRequest, WorkspaceSymbolRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import { counted } from '../../../shared/base/counted.ts';
import { pathToUri, uriToPath } from '../../../shared/base/paths.ts';
import { TextLines, toPoint, toServerPosition } from '../../../shared/base/positions.ts';
import { isTestFile } from '../../../shared/languages/test-files.ts';
import { ask, type ServerFacts, type ServerLink } from '../../../shared/link/server-link.ts';
import { askEach, askHere } from '../../ask/questions.ts';
import { notSearched } from '../../ask/try-each.ts';
import { DEFAULT_LIMIT, leftOut, pageOf } from '../../render/budget.ts';
import { firstIncomplete, type Incomplete } from '../../render/incomplete.ts';
import { flatOutline, listOutline, type OutlineEntry, pruned } from '../../symbols/outline-entries.ts';
import { kindName, kindWord } from '../../symbols/symbol-kinds.ts';
import { symbolTree } from '../../symbols/symbol-tree.ts';
import { askSymbols } from '../../symbols/workspace-symbols.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, filePath, languageId, limit } from '../../tools/fields.ts';
import { number, symbolNode } from '../../tools/shapes.ts';
import type { Roots } from '../../workspace/roots.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { hoverText } from '../documentation/hover-text.ts';
import { directoryOutline, widerSearch } from './directory-outline.ts';
import { hitData, hitLine, markdownLine, outlineLine, type SymbolHit, symbolData } from './text.ts';

const DEFAULT_HOVERS = 3;

export const symbolTools = [
  defineTool({
    name: 'list_symbols',
    title: 'List symbols of a file',
    description:
      'Outline of a file: declarations and members with positions. Cheaper than reading it. Of a directory: names by file.',
    effect: 'read',
    isCore: true,
    needs: DocumentSymbolRequest.method,
    output: () => z.array(symbolNode),
    input: () =>
      z.strictObject({
        file_path: filePath.describe('File or directory'),
        language_id: languageId,
        name: z.string().min(1).optional().describe('Only names with this in them'),
        all: z.boolean().optional().describe('Also imports, locals and callbacks'),
        format: z.enum(['tree', 'outline']).optional().describe('outline: markdown'),
        limit,
        cursor,
      }),
    run: async (input, context) => {
      const named = context.roots.resolve(input.file_path);
      if (statSync(named, { throwIfNoEntry: false })?.isDirectory())
        return directoryOutline(context, named, input);
      const source = await context.files.read(named);
      const link = await context.servers.linkFor(source.path, { languageId: input.language_id });
      const textDocument = { uri: pathToUri(source.path) };
      const { result, facts, readiness, incomplete } = await askHere(
        context,
        link,
        {
          method: DocumentSymbolRequest.method,
          documents: [source.path],
          send: (_facts, options) => ask(link, DocumentSymbolRequest.type, { textDocument }, options),
        },
        (symbols) => !symbols || symbols.length === 0,
      );
      const tree = symbolTree(result, source.lines, facts.encoding);
      const { entries, unlisted } = listOutline(tree, { source, family: link.language, all: input.all });
      const every = flatOutline(entries);
      const wanted = input.name?.toLowerCase();
      const found =
        wanted === undefined ? every : every.filter(({ name }) => name.toLowerCase().includes(wanted));
      const page = pageOf(found, input, () => 280);
      // A symbol says little without what it is in.
      const shown = pruned(entries, new Set(page.items));
      const asMarkdown = input.format === 'outline';
      const lines = flatOutline(shown).map(asMarkdown ? markdownLine : outlineLine);
      return {
        text: [
          `${context.roots.display(source.path)}: ${howMany(every.length, input.name, found.length)}${unlistedText(unlisted)}; ${readiness}; root ${context.roots.primary}`,
          ...lines,
          ...leftOut(page, 'symbols'),
        ].join('\n'),
        data: symbolData(shown),
        details: { unlisted, ...(asMarkdown ? { outline: lines.join('\n') } : {}) },
        insteadOf: [source.text],
        incomplete,
        page,
        hint: readFrom(page.items[0], context, source) ?? widerSearch(input.name, context),
      };
    },
  }),

  defineTool({
    name: 'find_symbol',
    title: 'Find symbol in the workspace',
    description: 'Symbols of the workspace by name, best match first. Use it when the file is not known.',
    effect: 'read',
    isCore: true,
    needs: WorkspaceSymbolRequest.method,
    output: () =>
      z.array(
        z.strictObject({
          name: z.string(),
          kind: z.string(),
          file: z.string(),
          line: number.optional(),
          column: number.optional(),
          containerName: z.string().optional(),
          hover: z.string().optional(),
        }),
      ),
    input: () =>
      z.strictObject({
        symbol: z.string().describe('Name or part of it'),
        language_id: z.string().min(1).optional().describe('Only this language'),
        detail_level: z.enum(['basic', 'hover']).optional().describe('hover adds signatures'),
        limit,
        cursor,
        offset: z.number().int().min(0).optional().describe('Same as cursor'),
      }),
    run: async (input, context) => {
      const { links, notAsked } = await context.servers.workspace(input.language_id, input.symbol);
      const { answers, failures } = await askEach(context, links, WorkspaceSymbolRequest.method, (link) =>
        searchIn(context, link, input.symbol),
      );
      const hits = withoutDuplicates(answers.flatMap((answer) => answer.hits)).sort(
        byMatch(input.symbol, context.roots),
      );
      const wantsHover = input.detail_level === 'hover';
      const request = {
        limit: input.limit,
        cursor: input.cursor ?? (input.offset ? String(input.offset) : undefined),
      };
      const page = pageOf(hits, request, () => 280, wantsHover ? DEFAULT_HOVERS : DEFAULT_LIMIT);
      const named = await withWords(context, page.items);
      const shown = wantsHover
        ? await Promise.all(named.map((found) => withHover(context, found)))
        : named.map(({ hit }) => hit);
      const asked = answers.map(({ readiness }) => readiness).join(', ');
      const unasked = [...notAsked, ...failures];
      const count = counted(hits.length, 'symbol', { none: 'No' });
      return {
        text: [
          `${count} matching "${input.symbol}"; ${asked}; root ${context.roots.primary}`,
          ...shown.map((hit) => hitLine(hit, context.roots)),
          ...leftOut(page, 'symbols'),
          ...unasked.map(({ language, why }) => `not asked: ${language} (${why})`),
        ].join('\n'),
        data: shown.map(hitData),
        incomplete: notSearched(unasked) ?? firstIncomplete(answers),
        page,
        hint: stepFrom(shown[0], context.roots),
      };
    },
  }),
];

/** An outline is read to find out what to read. */
function readFrom(
  entry: OutlineEntry | undefined,
  context: ToolContext,
  { path }: Pick<SourceFile, 'path'>,
): string | undefined {
  if (!entry) return undefined;
  const place = `${context.roots.display(path)}:${entry.node.at.line}:${entry.node.at.column}`;
  return firstOffered(context, `get_symbol_source ${place}`, `explore_symbol ${place}`);
}

function stepFrom(hit: SymbolHit | undefined, roots: Roots): string | undefined {
  if (!hit) return 'try a shorter part of the name, or search the text';
  if (hit.file === undefined || hit.at === undefined || !roots.holds(hit.file)) return undefined;
  return `explore_symbol ${roots.display(hit.file)}:${hit.at.line}:${hit.at.column}`;
}

function howMany(all: number, name: string | undefined, matching: number): string {
  const count = counted(all, 'symbol', { none: 'no' });
  return name === undefined ? count : `${matching} of ${count} named "${name}"`;
}

function unlistedText(count: number): string {
  return count === 0
    ? ''
    : `, ${counted(count, 'import or local', { many: 'imports and locals' })} not listed (all:true lists them)`;
}

/** Servers of neighbouring folders may know the same file. */
function withoutDuplicates(hits: readonly Found[]): Found[] {
  const keyOf = ({ hit }: Found) => JSON.stringify([hit.uri, hit.name, hit.at]);
  return [...new Map(hits.map((found) => [keyOf(found), found] as const)).values()];
}

interface Found {
  readonly hit: SymbolHit;
  readonly link: ServerLink;
  readonly facts: ServerFacts;
}

interface ServerHits {
  readonly hits: readonly Found[];
  readonly readiness: string;
  readonly incomplete: Incomplete | undefined;
}

async function searchIn(context: ToolContext, link: ServerLink, query: string): Promise<ServerHits> {
  const {
    result: symbols,
    facts,
    readiness,
    incomplete,
  } = await askSymbols(context, link, query, {
    orByText: true,
  });
  const texts =
    facts.encoding === 'utf-16'
      ? undefined
      : await context.files.readAll(symbols.flatMap((symbol) => uriToPath(symbol.location.uri) ?? []));
  const hits = symbols.map((symbol): Found => {
    const { uri } = symbol.location;
    const file = uriToPath(uri);
    const lines = () => (file && texts?.get(file)) ?? new TextLines('');
    const at =
      'range' in symbol.location ? toPoint(symbol.location.range.start, lines, facts.encoding) : undefined;
    return {
      hit: {
        name: symbol.name,
        kind: symbol.kind,
        word: kindName(symbol.kind),
        container: symbol.containerName || undefined,
        file,
        uri,
        at,
      },
      link,
      facts,
    };
  });
  return { hits, readiness, incomplete };
}

/** Kinds as the lines say them: only of what is shown, because each file has to be read. */
async function withWords(context: ToolContext, found: readonly Found[]): Promise<readonly Found[]> {
  const texts = await context.files.readAll(found.flatMap(({ hit }) => hit.file ?? []));
  return found.map((each) => {
    const { hit } = each;
    const line = hit.at && hit.file && texts.get(hit.file)?.at(hit.at.line);
    return line === undefined ? each : { ...each, hit: { ...hit, word: kindWord(hit, line) } };
  });
}

/** The signature of a hit; left out when the server has none for it. */
async function withHover(context: ToolContext, { hit, link, facts }: Found): Promise<SymbolHit> {
  if (hit.file === undefined || hit.at === undefined || !facts.methods.includes(HoverRequest.method))
    return hit;
  const { lines } = await context.files.read(hit.file);
  const params = {
    textDocument: { uri: pathToUri(hit.file) },
    position: toServerPosition(hit.at, lines, facts.encoding),
  };
  const hover = hoverText(await ask(link, HoverRequest.type, params, context.during(hit.file)));
  return hover === '' ? hit : { ...hit, hover: hover.replace(/```\w*/g, '').trim() };
}

/** The exact name first, then names that start so; among these sources before tests, then the server's own order. */
function byMatch(query: string, roots: Roots): (a: Found, b: Found) => number {
  const wanted = query.toLowerCase();
  const match = (name: string, lower: string) =>
    name === query ? 0 : lower === wanted ? 1 : lower.startsWith(wanted) ? 2 : 3;
  const rank = ({ hit: { name, file } }: Found) =>
    2 * match(name, name.toLowerCase()) + (file !== undefined && isTestFile(roots.display(file)) ? 1 : 0);
  return (a, b) => rank(a) - rank(b);
}
