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
import { fail } from '../../../shared/base/failure.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { languageFacts } from '../../../shared/languages/facts.ts';
import {
  ask,
  type CallOptions,
  type ServerFacts,
  type ServerLink,
} from '../../../shared/link/server-link.ts';
import { askHere } from '../../ask/questions.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import { type Span, serverRange } from '../../targets/spans.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { editsOf } from '../edits/apply/session-edits.ts';
import { type EditPlan, isEmpty } from '../edits/plan/edit-plan.ts';
import { planTextEdits } from '../edits/plan/workspace-edit.ts';
import { linesOnly } from './lines-only.ts';

export interface FormatInput {
  readonly tab_size?: number | undefined;
  readonly insert_spaces?: boolean | undefined;
  readonly language_id?: string | undefined;
}

export interface PlannedFormat {
  readonly plan: EditPlan;
  readonly server: string;
  readonly incomplete: Incomplete | undefined;
  readonly notes: readonly string[];
}

export async function planFormat(
  context: ToolContext,
  source: SourceFile,
  input: FormatInput,
  part?: Span,
): Promise<PlannedFormat> {
  const link = await context.servers.linkFor(source.path, { languageId: input.language_id });
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
  const { edits, left } = part
    ? linesOnly(result ?? [], source, part, facts.encoding)
    : { edits: result ?? [], left: 0 };
  const plan = await planTextEdits(pathToUri(source.path), edits, {
    boundary: editsOf(context).boundary,
    encoding: facts.encoding,
    askedAt,
  });
  return {
    plan,
    server: facts.serverName,
    incomplete: isEmpty(plan) ? incomplete : undefined,
    notes: left === 0 ? [] : [`left out: ${left} edits of ${facts.serverName} that reach other lines`],
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
    fail({ kind: 'unsupported', server, method: first, next: languageFacts(link.language).formatter });
  return offered;
}

/** The file's own indentation where nothing was said: a formatter that gets another one rewrites every line. */
function optionsFor(source: SourceFile, { tab_size, insert_spaces }: FormatInput): FormattingOptions {
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
