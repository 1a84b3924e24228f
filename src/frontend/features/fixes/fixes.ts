/**
 * What a server offers to do about a part of a file. Here it is only looked at: nothing is executed and nothing is
 * written. The edits stay with their fixes, so that a tool that lists them can also keep them.
 */
import {
  type CodeAction,
  CodeActionRequest,
  CodeActionResolveRequest,
  CodeActionTriggerKind,
  type Command,
  type Diagnostic,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { failureOf } from '../../../shared/base/failure.ts';
import { pathToUri } from '../../../shared/base/paths.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { toPoint } from '../../../shared/base/positions.ts';
import {
  ask,
  type DiagnosticReport,
  type ServerFacts,
  type ServerLink,
} from '../../../shared/link/server-link.ts';
import { type Asked, askHere } from '../../ask/questions.ts';
import { comparePoints } from '../../places/places.ts';
import { type Span, serverRange } from '../../targets/spans.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { SourceFile } from '../../workspace/source-files.ts';

/** A bare command is an action that only has one. */
export interface FoundFix {
  readonly action: CodeAction;
  /** What it would change; undefined while that is not known, or when only its command does something. */
  readonly edit: WorkspaceEdit | undefined;
}

export interface FixQuestion {
  readonly link: ServerLink;
  readonly source: SourceFile;
  readonly span: Span;
  /** Kinds that are wanted, those below them included; all if empty. */
  readonly only: readonly string[];
}

export interface Fixes extends Pick<Asked<unknown>, 'facts' | 'readiness' | 'incomplete'> {
  readonly fixes: readonly FoundFix[];
  /** The problems of the part, and how current they are. */
  readonly problems: DiagnosticReport;
}

/** A server that never reports problems must not keep its fixes back for long. */
const PROBLEMS_MS = 20_000;
const RESOLVE_AT_ONCE = 8;
const RESOLVE_MS = 8_000;

export async function fixesFor(context: ToolContext, question: FixQuestion): Promise<Fixes> {
  const { link, source, span, only } = question;
  const problems = await problemsIn(context, question);
  const { result, ...asked } = await askHere(
    context,
    link,
    {
      method: CodeActionRequest.method,
      documents: [source.path],
      send: (facts, options) =>
        ask(
          link,
          CodeActionRequest.type,
          {
            textDocument: { uri: pathToUri(source.path) },
            range: serverRange(span, source.lines, facts.encoding),
            context: {
              diagnostics: [...problems.diagnostics],
              triggerKind: CodeActionTriggerKind.Invoked,
              ...(only.length === 0 ? {} : { only: [...only] }),
            },
          },
          options,
        ),
    },
    (actions) => !actions || actions.length === 0,
  );
  const fixes = (result ?? []).map(fixOf).filter(({ action }) => isWanted(action, only));
  return { ...asked, fixes: fixes.sort(byUse), problems };
}

/** Asks for the edits that servers compute only on demand. What cannot be had in time stays unknown. */
export async function withEdits(
  context: ToolContext,
  { link, source }: FixQuestion,
  facts: ServerFacts,
  fixes: readonly FoundFix[],
): Promise<readonly FoundFix[]> {
  if (!facts.methods.includes(CodeActionResolveRequest.method)) return fixes;
  const end = context.clock.now() + Math.min(RESOLVE_MS, context.remainingMs() / 2);
  return eachBounded(fixes, RESOLVE_AT_ONCE, async (fix) => {
    const timeoutMs = end - context.clock.now();
    if (!isOpen(fix) || timeoutMs <= 0) return fix;
    try {
      const options = { ...context.during(source.path), timeoutMs };
      const action = {
        ...fix.action,
        ...(await ask(link, CodeActionResolveRequest.type, fix.action, options)),
      };
      return { action, edit: action.edit };
    } catch (error) {
      if (failureOf(error)?.kind === 'cancelled') throw error;
      return fix;
    }
  });
}

/** The diagnostics that touch the part, in the server's own form: it may have left data in them for itself. */
async function problemsIn(
  context: ToolContext,
  { link, source, span }: FixQuestion,
): Promise<DiagnosticReport> {
  const { encoding } = await context.facts.of(link, context.during());
  const options = context.during(source.path);
  const timeoutMs = Math.min(PROBLEMS_MS, (options.timeoutMs ?? PROBLEMS_MS) / 2);
  const report = await link.diagnostics(source.path, { ...options, timeoutMs });
  const point = (position: Diagnostic['range']['start']) => toPoint(position, () => source.lines, encoding);
  return {
    ...report,
    diagnostics: report.diagnostics.filter(
      ({ range }) =>
        comparePoints(point(range.start), span.end) <= 0 && comparePoints(point(range.end), span.start) >= 0,
    ),
  };
}

function fixOf(offered: CodeAction | Command): FoundFix {
  if (!isCommand(offered)) return { action: offered, edit: offered.edit };
  const { title, command, arguments: args } = offered;
  return {
    action: { title, command: { title, command, ...(args === undefined ? {} : { arguments: args }) } },
    edit: undefined,
  };
}

function isCommand(offered: CodeAction | Command): offered is Command {
  return typeof offered.command === 'string';
}

/** Whether asking for the edit can help: a command without data is all that there is. */
function isOpen({ action, edit }: FoundFix): boolean {
  return !edit && !action.disabled && (!action.command || action.data !== undefined);
}

/** Servers may answer with more kinds than were asked for. An action without a kind is never what was asked for. */
function isWanted({ kind = '' }: CodeAction, only: readonly string[]): boolean {
  return only.length === 0 || only.some((wanted) => kind === wanted || kind.startsWith(`${wanted}.`));
}

/** The preferred first, then what mends a problem, refactorings, what concerns the whole file, and what is not possible. */
function byUse(a: FoundFix, b: FoundFix): number {
  const rank = ({ action }: FoundFix) => {
    if (action.disabled) return 4;
    if (action.isPreferred) return 0;
    if (action.kind?.startsWith('quickfix')) return 1;
    return action.kind?.startsWith('refactor') ? 2 : 3;
  };
  return rank(a) - rank(b);
}
