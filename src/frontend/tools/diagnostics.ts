/** What the server finds wrong in files, together with the proof that it speaks of the text on disk. */
import { DiagnosticSeverity, DocumentSymbolRequest } from 'vscode-languageserver-protocol';
import { z } from 'zod';
import type { ServerLink } from '../../shared/server-link.ts';
import type { Answer } from '../render/answer.ts';
import { DEFAULT_LIMIT, leftOut, type Page, pageOf } from '../render/budget.ts';
import {
  type FileFindings,
  type Finding,
  findingData,
  findingLine,
  findingsOf,
  headerLine,
  isFresh,
} from '../render/diagnostics.ts';
import type { SourceFile } from '../source-files.ts';
import { kindName, symbolsOf } from '../symbol-lookup.ts';
import { enclosingSymbol, type SymbolNode } from '../symbol-tree.ts';
import type { ToolContext } from '../tool-context.ts';
import { defineTool } from './define-tool.ts';
import { cursor, filePath, languageId, limit } from './fields.ts';

/** Longer than any server needs that is going to answer; the rest of the deadline is for the answer itself. */
const WAIT_MS = 25_000;

export const diagnosticTools = [
  defineTool({
    name: 'get_diagnostics',
    title: 'Get diagnostics',
    description:
      'Errors and warnings of a file as it is on disk now, or of all open files; says how fresh they are. Use it after edits.',
    effect: 'read',
    input: z.strictObject({
      file_path: filePath.optional().describe('Omit for all open files'),
      language_id: languageId,
      severity: z.enum(['error', 'warning', 'all']).optional().describe('Lowest to list; default warning'),
      group_by: z.enum(['symbol']).optional().describe('Needs file_path'),
      limit,
      cursor,
    }),
    run: async (input, context) => {
      if (input.file_path === undefined) return openFiles(context, input);
      const source = await context.source(input.file_path);
      const link = await context.servers.linkFor(source.path, input.language_id);
      const checked = await check(context, link, source);
      const answer = answerFor(context, [checked], input);
      if (input.group_by === undefined) return answer;
      const tree = await symbolsIn(context, link, source);
      return { ...answer, data: bySymbol(listed(checked.findings, input.severity), tree) };
    },
  }),
];

interface Wanted {
  readonly severity?: 'error' | 'warning' | 'all' | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
}

async function openFiles(context: ToolContext, wanted: Wanted): Promise<Answer> {
  const open = await Promise.all(
    context.servers
      .open()
      .map(async (link) => (await link.openDocuments()).map(({ file }) => ({ link, file }))),
  );
  const documents = open.flat();
  if (documents.length === 0) {
    const text = 'No file is open in this session, so nothing was checked';
    return { text, data: {}, hint: 'pass file_path, or call open_document for the files that matter' };
  }
  const checked = await Promise.all(
    documents.map(async ({ link, file }) => check(context, link, await context.files.read(file))),
  );
  return answerFor(context, checked, wanted);
}

async function check(context: ToolContext, link: ServerLink, source: SourceFile): Promise<FileFindings> {
  const { serverName, encoding } = await context.facts.of(link, context.during());
  const options = context.during(source.path);
  const timeoutMs = Math.min(options.timeoutMs ?? WAIT_MS, WAIT_MS);
  const report = await link.diagnostics(source.path, { ...options, timeoutMs });
  return findingsOf(report, serverName, source.lines, encoding);
}

function answerFor(context: ToolContext, files: readonly FileFindings[], wanted: Wanted): Answer {
  const all = files.flatMap((file) => listed(file.findings, wanted.severity));
  const page = pageOf(all, wanted, ({ message }) => Math.min(message.length, 300) + 60, DEFAULT_LIMIT);
  // What is not certain comes first.
  const sorted = [...files].sort(
    (a, b) => Number(isFresh(a.report.freshness)) - Number(isFresh(b.report.freshness)),
  );
  const lines = sorted.flatMap((file) => [
    headerLine(file, context.roots.display(file.report.file)),
    ...page.items.filter((finding) => finding.file === file.report.file).map(findingLine),
  ]);
  const fresh = files.every((file) => isFresh(file.report.freshness));
  const hidden = files.reduce((sum, file) => sum + file.findings.length, 0) - all.length;
  return {
    text: [
      ...lines,
      ...(hidden > 0 ? [`${hidden} of lower severity not listed; pass severity:"all"`] : []),
      ...leftOut(page, 'diagnostics'),
    ].join('\n'),
    data: dataOf(files, page),
    fresh,
    page,
    ...(fresh ? {} : { hint: 'call get_diagnostics again' }),
  };
}

function listed(findings: readonly Finding[], severity: Wanted['severity'] = 'warning'): readonly Finding[] {
  const lowest = {
    error: DiagnosticSeverity.Error,
    warning: DiagnosticSeverity.Warning,
    all: DiagnosticSeverity.Hint,
  };
  return findings.filter((finding) => finding.severity <= lowest[severity]);
}

function dataOf(files: readonly FileFindings[], page: Page<Finding>): Record<string, unknown> {
  return Object.fromEntries(
    files.map(({ report }) => [
      report.file,
      page.items.filter((finding) => finding.file === report.file).map(findingData),
    ]),
  );
}

async function symbolsIn(
  context: ToolContext,
  link: ServerLink,
  source: SourceFile,
): Promise<readonly SymbolNode[]> {
  const { methods } = await context.facts.of(link, context.during());
  return methods.includes(DocumentSymbolRequest.method) ? symbolsOf(context, link, source) : [];
}

function bySymbol(findings: readonly Finding[], tree: readonly SymbolNode[]): unknown {
  const symbols = new Map<SymbolNode, Finding[]>();
  const ungrouped: Finding[] = [];
  for (const finding of findings) {
    const symbol = enclosingSymbol(tree, finding.start);
    if (symbol) symbols.set(symbol, [...(symbols.get(symbol) ?? []), finding]);
    else ungrouped.push(finding);
  }
  return {
    symbols: [...symbols].map(([symbol, own]) => ({
      name: symbol.path.join('.'),
      kind: kindName(symbol.kind),
      line: symbol.at.line,
      diagnostics: own.map(findingData),
    })),
    ungrouped: ungrouped.map(findingData),
  };
}
