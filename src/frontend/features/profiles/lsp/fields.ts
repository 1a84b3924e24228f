/** Which fields an action needs, and which actions a connection may use: refused in the words that are known for it. */
import { z } from 'zod';
import { fail } from '../../../../shared/base/failure.ts';
import { type FacadePolicy, whyNotAllowed } from '../../../../shared/config/facade-config.ts';
import { LSP_ACTIONS, type LspAction } from '../../../../shared/config/lsp-actions.ts';

const SEVERITIES = ['all', 'error', 'warning', 'info', 'hint'] as const;
export const MOST_FILES = 64;

const place = z.number().int().min(1).optional();

export const fields = {
  action: z.enum(LSP_ACTIONS).describe('What to do'),
  file: z.string().optional().describe('Path; all but workspace-diagnostics, restart and servers need it'),
  files: z.array(z.string()).optional().describe(`Paths for workspace-diagnostics, at most ${MOST_FILES}`),
  line: place.describe('1-based'),
  column: place.describe('1-based'),
  endLine: place.describe('codeAction: end of the range; default line'),
  endColumn: place.describe('codeAction; default column'),
  query: z.string().optional().describe('Name of a symbol instead of line and column; symbols: filter'),
  newName: z.string().optional().describe('rename'),
  severity: z.enum(SEVERITIES).optional().describe('Diagnostics: this and worse; default all'),
  server: z.string().optional().describe('restart: id, or all (default)'),
};

export type LspInput = z.output<z.ZodObject<typeof fields>>;

/** Fails when the session may not use the action. */
export function checkAllowed(action: LspAction, config: Omit<FacadePolicy, 'tools'>): void {
  const why = whyNotAllowed(action, config);
  if (why === 'subagent')
    fail({
      kind: 'not-permitted',
      reason: `LSP action "${action}" is not allowed for this subagent process.`,
      next: 'Leave it to the agent that sent you: report what should be done',
    });
  if (why === 'mutating')
    fail({
      kind: 'not-permitted',
      reason: `Action "${action}" is disabled: lsp.tool.allowMutatingActions is false.`,
      next: 'Do without it, or ask the user to set that in the configuration file',
    });
}

export function fileGiven({ action, file }: LspInput): string {
  return file === undefined || file.trim() === ''
    ? lacking(`Action "${action}" requires a file path.`, 'Pass file')
    : file;
}

export function filesGiven({ action, files = [] }: LspInput): readonly string[] {
  if (files.length === 0) lacking(`Action "${action}" requires files.`, 'Pass files, an array of paths');
  if (files.length > MOST_FILES)
    lacking(`Action "${action}" accepts at most ${MOST_FILES} files.`, `Shorten files, got ${files.length}`);
  return files;
}

export function newNameGiven({ action, newName }: LspInput): string {
  return newName === undefined || newName.trim() === ''
    ? lacking(`Action "${action}" requires newName.`, 'Pass newName')
    : newName;
}

export type LspTarget =
  | { readonly file_path: string; readonly line: number; readonly column: number }
  | { readonly file_path: string; readonly symbol: string };

/** A position counts for more than a query: it cannot mean two things. */
export function targetGiven(input: LspInput): LspTarget {
  const file_path = fileGiven(input);
  const { action, line, column, query } = input;
  if (line !== undefined && column !== undefined) return { file_path, line, column };
  if (query !== undefined && query.trim() !== '') return { file_path, symbol: query };
  return lacking(noTarget(action), 'Pass line and column, or query');
}

export function noTarget(action: LspAction): string {
  return `Action "${action}" requires line/column or a query matching a symbol.`;
}

function lacking(message: string, next: string): never {
  fail({ kind: 'invalid-input', message, next });
}
