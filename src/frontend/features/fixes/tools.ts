/** What a server would do about a problem or a piece of code, ready to be applied. Nothing is executed or written here. */
import { CodeActionRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import type { ServerLink } from '../../../shared/link/server-link.ts';
import type { Answer, Outcome } from '../../render/answer.ts';
import { leftOut, pageOf } from '../../render/budget.ts';
import { type Incomplete, untilRetry } from '../../render/incomplete.ts';
import { atTarget, type Locator } from '../../targets/locate.ts';
import { type Span, type SpanInput, shownSpan, spanOf } from '../../targets/spans.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { defineTool } from '../../tools/define-tool.ts';
import { cursor, limit, span, target } from '../../tools/fields.ts';
import { diagnostic, number } from '../../tools/shapes.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { findingLine, findingsOf, isFresh } from '../diagnostics/diagnostics.ts';
import { type FixQuestion, type FoundFix, fixesFor, withEdits } from './fixes.ts';
import { type HeldFix, holdFixes } from './held-fixes.ts';
import { type FixData, fixData, fixLine, impossibleLine } from './text.ts';

const DEFAULT_FIXES = 20;
const MOST_PROBLEMS = 10;

export const fixTools = [
  defineTool({
    name: 'suggest_fixes',
    title: 'Suggest fixes',
    description: 'Lists fixes and refactorings for lines, a range or a name, with edit_id for apply_edit.',
    effect: 'read',
    needs: CodeActionRequest.method,
    input: () =>
      z.strictObject({
        file_path: target.file_path,
        symbol: target.symbol,
        position_pattern: target.position_pattern,
        ...span,
        language_id: target.language_id,
        only: z.string().min(1).optional().describe('Kinds, e.g. quickfix, refactor'),
        limit: limit.describe(`Default ${DEFAULT_FIXES}`),
        cursor,
      }),
    output: () =>
      z.array(
        z.strictObject({
          title: z.string(),
          kind: z.string().optional(),
          is_preferred: z.boolean().optional(),
          disabled_reason: z.string().optional(),
          diagnostics: z.array(diagnostic),
          changes: z
            .strictObject({
              edits: number,
              files: z.array(
                z.strictObject({
                  file: z.string(),
                  edits: number,
                  operation: z.enum(['create', 'rename', 'delete']).optional(),
                }),
              ),
            })
            .optional(),
          edit_id: z.string().optional(),
          /** Why its edit cannot be applied. */
          obstacle: z.string().optional(),
          /** `id` stands for both in execute_command. */
          command: z
            .strictObject({
              id: z.string(),
              command: z.string(),
              arguments: z.array(z.unknown()).optional(),
            })
            .optional(),
        }),
      ),
    run: (input, context) =>
      atSpan(context, input, async (link, source, part) => {
        const question: FixQuestion = { link, source, span: part, only: kindsIn(input.only) };
        const askedAt = Date.now();
        const { fixes, problems, facts, readiness, incomplete } = await fixesFor(context, question);
        const page = pageOf(fixes, input, () => 400, DEFAULT_FIXES);
        const { encoding, serverName: server } = facts;
        const resolved = await withEdits(context, question, facts, page.items);
        const shown = await holdFixes(context, resolved, { link, encoding, askedAt });
        const around = { file: source.path, lines: source.lines, encoding, server, roots: context.roots };
        const isPossible = ({ action }: FoundFix) => !action.disabled;
        const possible = shown.filter(isPossible);
        const { findings } = findingsOf(problems, server, source.lines, encoding);
        const where = `${context.roots.display(source.path)} ${shownSpan(part, source.lines)}`;
        const fresh = isFresh(problems.freshness);
        const isClean = fresh && incomplete === undefined && findings.length === 0;
        return {
          text: [
            `${counted(fixes.filter(isPossible).length, 'fix', { many: 'fixes', none: 'No' })} for ${where}, ${counted(findings.length, 'problem', { none: 'no' })} there; ${readiness}; root ${context.roots.primary}`,
            ...findings.slice(0, MOST_PROBLEMS).map(findingLine),
            ...(findings.length > MOST_PROBLEMS ? [`  +${findings.length - MOST_PROBLEMS} more`] : []),
            ...(possible.length === 0 ? [] : ['offered:']),
            ...possible.map((fix) => fixLine(fix, around)),
            ...impossibleLine(shown.filter(({ action }) => action.disabled)),
            ...leftOut(page, 'fixes'),
          ].join('\n'),
          data: shown.map((fix) => fixData(fix, around)),
          incomplete: incomplete ?? (fresh ? undefined : unreported(server)),
          fresh,
          page,
          hint: fixes.length > 0 ? howToApply(shown) : stepWithout(context, source.path, input.only, isClean),
        };
      }),
  }),
];

/** Fixes are offered for problems, so that without these some may be missing. */
function unreported(server: string): Incomplete {
  return untilRetry(
    2_000,
    (retry) => `${server} did not report the problems in time, so there may be more fixes; ${retry}`,
  );
}

/** Lines as they are given, or the place of a name. A start with a column and no end is that place alone. */
async function atSpan(
  context: ToolContext,
  input: SpanInput & Pick<Locator, 'file_path' | 'symbol' | 'position_pattern' | 'language_id'>,
  answer: (link: ServerLink, source: SourceFile, part: Span) => Promise<Answer<FixData[]>>,
): Promise<Outcome<FixData[]>> {
  const { file_path: file, symbol, position_pattern: pattern } = input;
  if (file === undefined || symbol !== undefined || pattern !== undefined)
    return atTarget(context, input, async ({ source, point }) =>
      answer(await judgeOf(context, source, input), source, { start: point, end: point }),
    );
  const source = await context.source(file);
  const link = await judgeOf(context, source, input);
  const part = spanOf(input, source, context);
  const isPoint =
    input.start_column !== undefined && input.end_line === undefined && input.end_column === undefined;
  return answer(link, source, isPoint ? { start: part.start, end: part.start } : part);
}

/** Fixes go with what the project's own compiler finds. */
function judgeOf(
  { servers }: ToolContext,
  source: SourceFile,
  { language_id: languageId }: Pick<Locator, 'language_id'>,
): Promise<ServerLink> {
  return servers.linkFor(source.path, { languageId, role: 'types' });
}

function stepWithout(
  context: ToolContext,
  file: AbsPath,
  only: string | undefined,
  isClean: boolean,
): string | undefined {
  if (only) return 'leave only out to see all kinds';
  if (!isClean) return undefined;
  const shown = context.roots.display(file);
  return firstOffered(context, `get_diagnostics ${shown} tells which lines have problems`);
}

function howToApply(fixes: readonly HeldFix[]): string | undefined {
  const edit = fixes.find(({ editId }) => editId !== undefined)?.editId;
  if (edit !== undefined) return `apply_edit with edit_id ${edit} applies that one`;
  const command = fixes.find(({ commandId }) => commandId !== undefined)?.commandId;
  return command === undefined ? undefined : `execute_command with command ${command} runs that one`;
}

function kindsIn(only: string | undefined): readonly string[] {
  return (only ?? '').split(/[\s,]+/).filter((kind) => kind !== '');
}
