/**
 * What a server's formatter would do to a file or to some of its lines, as a plan. Servers may answer for lines with
 * changes anywhere and some only format whole files, so what lies outside the lines is taken out here.
 */
import {
  DocumentFormattingRequest,
  DocumentRangeFormattingRequest,
  type FormattingOptions,
  type TextEdit,
} from 'vscode-languageserver-protocol';
import { fail } from '../shared/base/failure.ts';
import { pathToUri } from '../shared/base/paths.ts';
import { ask, type CallOptions, type ServerFacts, type ServerLink } from '../shared/server-link.ts';
import { askHere } from './asking.ts';
import { type EditPlan, isEmpty, planOf } from './edits/edit-plan.ts';
import { changedLines } from './edits/line-diff.ts';
import { planTextEdits } from './edits/workspace-edit.ts';
import type { SourceFile } from './source-files.ts';
import { type Span, serverRange } from './spans.ts';
import type { ToolContext } from './tool-context.ts';

export interface FormatInput {
  readonly tab_size?: number | undefined;
  readonly insert_spaces?: boolean | undefined;
}

export interface PlannedFormat {
  readonly plan: EditPlan;
  readonly server: string;
  readonly incomplete: string | undefined;
  readonly notes: readonly string[];
}

export async function planFormat(
  context: ToolContext,
  source: SourceFile,
  input: FormatInput,
  part?: Span,
): Promise<PlannedFormat> {
  const link = await context.servers.linkFor(source.path);
  const facts = await context.facts.of(link, context.during());
  const method = methodFor(facts, link, part);
  let askedAt = Date.now();
  const { result, incomplete } = await askHere(
    context,
    link,
    {
      method,
      documents: [source.path],
      send: (asked, options) => {
        askedAt = Date.now();
        const settings = optionsFor(source, input);
        return part && method === DocumentRangeFormattingRequest.method
          ? sendRange(link, source, serverRange(part, source.lines, asked.encoding), settings, options)
          : sendWhole(link, source, settings, options);
      },
    },
    (edits) => !edits || edits.length === 0,
  );
  const whole = await planTextEdits(pathToUri(source.path), result ?? [], {
    boundary: context.edits.boundary,
    encoding: facts.encoding,
    askedAt,
  });
  const { plan, left } = part ? within(whole, part) : { plan: whole, left: 0 };
  return {
    plan,
    server: facts.serverName,
    incomplete: isEmpty(plan) ? incomplete : undefined,
    notes:
      left === 0 ? [] : [`${facts.serverName} would also change ${left} other lines; they were left alone`],
  };
}

/** Whole files where the server has nothing for lines. */
function methodFor(
  { methods, serverName: server }: ServerFacts,
  link: ServerLink,
  part: Span | undefined,
): string {
  const wanted = [...(part ? [DocumentRangeFormattingRequest.method] : []), DocumentFormattingRequest.method];
  const [first = DocumentFormattingRequest.method] = wanted;
  const offered = wanted.find((method) => methods.includes(method));
  if (offered === undefined)
    fail({ kind: 'unsupported', server, method: first, next: FORMATTERS[link.language] ?? ANY_FORMATTER });
  return offered;
}

const ANY_FORMATTER = "Run the project's own formatter on the command line";
const FORMATTERS: Readonly<Record<string, string>> = {
  python: 'Run "ruff format <file>" or "black <file>" on the command line',
  typescript: 'Run "npx prettier --write <file>" or "npx biome format --write <file>" on the command line',
  go: 'Run "gofmt -w <file>" on the command line',
  rust: 'Run "rustfmt <file>" on the command line',
};

/** The file's own indentation where nothing was said: a formatter that gets another one rewrites every line. */
export function optionsFor(source: SourceFile, { tab_size, insert_spaces }: FormatInput): FormattingOptions {
  const indents = [...source.text.matchAll(/^(\t+| {2,})(?=[^\s*])/gm)].map(([, indent = '']) => indent);
  const tabs = indents.filter((indent) => indent.startsWith('\t')).length;
  const widths = indents.filter((indent) => indent.startsWith(' ')).map((indent) => indent.length);
  const isTwo = widths.length > 0 && widths.filter((width) => width % 4 === 2).length > widths.length / 10;
  return {
    tabSize: tab_size ?? (isTwo ? 2 : DEFAULT_TAB_SIZE),
    insertSpaces: insert_spaces ?? tabs <= widths.length,
  };
}

const DEFAULT_TAB_SIZE = 4;

function sendRange(
  link: ServerLink,
  { path }: SourceFile,
  range: TextEdit['range'],
  options: FormattingOptions,
  call: CallOptions,
): Promise<TextEdit[] | null> {
  const params = { textDocument: { uri: pathToUri(path) }, range, options };
  return ask(link, DocumentRangeFormattingRequest.type, params, call);
}

function sendWhole(
  link: ServerLink,
  { path }: SourceFile,
  options: FormattingOptions,
  call: CallOptions,
): Promise<TextEdit[] | null> {
  const params = { textDocument: { uri: pathToUri(path) }, options };
  return ask(link, DocumentFormattingRequest.type, params, call);
}

/** The plan with changes of these lines only, and how many others it had. A change that reaches over the edge is left out. */
function within(plan: EditPlan, { start, end }: Span): { plan: EditPlan; left: number } {
  const [file] = plan.files;
  if (file?.kind !== 'change') return { plan, left: 0 };
  const [before, after] = [linesOf(file.before.text), linesOf(file.after)];
  const lines: string[] = [];
  let [at, places, left] = [0, 0, 0];
  for (const { oldStart, oldEnd, newStart, newEnd } of changedLines(before, after)) {
    const isInside = oldStart >= start.line - 1 && oldEnd <= end.line;
    lines.push(...before.slice(at, oldStart));
    lines.push(...(isInside ? after.slice(newStart, newEnd) : before.slice(oldStart, oldEnd)));
    if (isInside) places++;
    else left += Math.max(oldEnd - oldStart, newEnd - newStart);
    at = oldEnd;
  }
  const text = [...lines, ...before.slice(at)].join('');
  const changed = text === file.before.text ? [] : [{ ...file, after: text, places }];
  return { plan: planOf(changed), left };
}

/** With their ends, so that joining them gives the text again. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}
