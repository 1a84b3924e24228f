/**
 * `--tools lsp6`: six tools with a 1-based line and a 0-based character, answered in plain lines. Nothing that a server
 * lacks is a failure here: the answer says how to install it and how to search the text instead.
 */
import { z } from 'zod';
import { defineTool } from '../../../tools/define-tool.ts';
import type { FacadeBase, MakeFacade } from '../../../tools/facade.ts';
import { hoverLines, placeLines, renameLines, symbolLines, workspaceSymbolLines } from './lines.ts';
import { plainFace } from './plain-face.ts';

const path = z.string().min(1).describe('File path (relative to cwd)');
/** Line 0 is a slip of programs that count from 0, and means the first. */
const line = z.number().int().min(0).describe('Line number (1-based)');
const character = z.number().int().min(0).describe('Column number (0-based)');
const position = { path, line, character };

type Position = z.output<z.ZodObject<typeof position>>;

const text = () => z.string();

export const lsp6Tools: MakeFacade = (base) => [
  defineTool({
    name: 'lsp_definition',
    title: 'Go to definition',
    description: 'Go to the definition of a symbol. Returns file path and line number.',
    effect: 'read',
    face: plainFace('definitions'),
    limitMs: () => limitOf(base),
    input: () => z.strictObject(position),
    output: text,
    run: async (input, context) =>
      placeLines(await base.run('go_to_definition', at(input), context), context),
  }),
  defineTool({
    name: 'lsp_references',
    title: 'Find references',
    description: 'Find all references to a symbol across the workspace.',
    effect: 'read',
    face: plainFace('references'),
    limitMs: () => limitOf(base),
    input: () =>
      z.strictObject({
        ...position,
        include_declaration: z
          .boolean()
          .default(true)
          .describe('Include the declaration itself (default: true)'),
      }),
    output: text,
    run: async ({ include_declaration, ...input }, context) => {
      const args = { ...at(input), include_declaration, tests: 'show', limit: MOST };
      return placeLines(await base.run('find_references', args, context), context);
    },
  }),
  defineTool({
    name: 'lsp_hover',
    title: 'Hover',
    description: 'Get type information and documentation for a symbol at a position.',
    effect: 'read',
    face: plainFace('the declaration'),
    limitMs: () => limitOf(base),
    input: () => z.strictObject(position),
    output: text,
    run: async (input, context) => hoverLines(await base.run('inspect_symbol', at(input), context)),
  }),
  defineTool({
    name: 'lsp_symbols',
    title: 'Find symbols',
    description: 'Search for symbols (functions, classes, variables) across the workspace by name.',
    effect: 'read',
    face: plainFace('symbols'),
    limitMs: () => limitOf(base),
    input: () =>
      z.strictObject({ query: z.string().min(1).describe('Symbol name or partial name to search for') }),
    output: text,
    run: async ({ query }, context) =>
      workspaceSymbolLines(await base.run('find_symbol', { query, limit: MOST }, context), context),
  }),
  defineTool({
    name: 'lsp_document_symbols',
    title: 'Symbols of a file',
    description: 'List all symbols (functions, classes, interfaces) defined in a file.',
    effect: 'read',
    face: plainFace('the declarations of the file'),
    limitMs: () => limitOf(base),
    input: () => z.strictObject({ path }),
    output: text,
    run: async ({ path: file_path }, context) => {
      const args = { file_path, all: true, limit: MOST };
      return symbolLines(await base.run('list_symbols', args, context), file_path, context);
    },
  }),
  defineTool({
    name: 'lsp_rename',
    title: 'Rename',
    description: 'Rename a symbol across all files in the workspace. Returns a list of edits to apply.',
    effect: 'preview',
    asksFirst: true,
    face: plainFace('all uses'),
    limitMs: () => limitOf(base),
    input: () =>
      z.strictObject({ ...position, new_name: z.string().min(1).describe('New name for the symbol') }),
    output: text,
    run: async ({ new_name, ...input }, context) => {
      const args = { ...at(input), new_name, dry_run: true };
      return renameLines(await base.run('rename_symbol', args, context), context);
    },
  }),
];

const MOST = 200;
/** A server that takes longer to start goes on with that, and the answer says how to search meanwhile. */
const DEFAULT_LIMIT_MS = 10_000;

function at({ path: file_path, line: from, character: behind }: Position) {
  return { file_path, line: Math.max(1, from), column: behind + 1 };
}

function limitOf({ config }: FacadeBase): number {
  return config.lsp.timeoutMs ?? DEFAULT_LIMIT_MS;
}
