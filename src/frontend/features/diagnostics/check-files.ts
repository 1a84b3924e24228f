/**
 * Asks servers for the diagnostics of one or many files. A file that could not be checked is reported as such, and
 * the others keep their answers.
 */
import { DocumentDiagnosticRequest, ResponseError } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { type Failure, failureOf } from '../../../shared/base/failure.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import type { Role } from '../../../shared/languages/roles.ts';
import type { CallOptions, DiagnosticReport, ServerLink } from '../../../shared/link/server-link.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { type FileFindings, findingsOf } from './diagnostics.ts';

/** What became of one file: what the server found, or why it could not look. */
export type FileCheck =
  | { readonly kind: 'checked'; readonly shown: string; readonly found: FileFindings }
  | {
      readonly kind: 'unchecked';
      readonly shown: string;
      /** As it was given, where it is no path inside the roots. */
      readonly file: string;
      readonly failure: Failure;
    };

export interface CheckOptions {
  readonly languageId?: string | undefined;
  /** How long to wait for a server that does not say anything. */
  readonly waitMs?: number;
  /** Who is asked; the project's own compiler if not said. */
  readonly role?: Role | undefined;
  /** For who asks the server other things with it. It is there then, and its facts are known. */
  readonly ask?: AskDiagnostics;
}

export type AskDiagnostics = (
  link: ServerLink,
  file: AbsPath,
  options: CallOptions,
) => Promise<DiagnosticReport>;

/** A path as the agent wrote it, or a file with the language that it was opened as. */
export type CheckTarget = string | { readonly file: AbsPath; readonly languageId: string };

/** Longer than any server needs that is going to answer; the rest of the deadline is for the answer itself. */
const WAIT_MS = 25_000;
/** More than this does not make a server faster, and keeps others from being served. */
const AT_ONCE = 16;

export function checkFiles(
  context: ToolContext,
  targets: readonly CheckTarget[],
  options: CheckOptions = {},
): Promise<readonly FileCheck[]> {
  return eachBounded(targets, AT_ONCE, (target) => checkFile(context, target, options));
}

/** The files that open_document keeps open, with the language that they were opened as. */
export async function openTargets(context: ToolContext): Promise<readonly CheckTarget[]> {
  const links = context.servers.open();
  const open = await Promise.all(
    links.map(async (link) =>
      (await link.openDocuments()).map(({ file }) => [file, { file, languageId: link.language }] as const),
    ),
  );
  return [...new Map(open.flat()).values()];
}

async function checkFile(
  context: ToolContext,
  target: CheckTarget,
  { waitMs = WAIT_MS, role = 'types', ask = askDiagnostics, ...options }: CheckOptions,
): Promise<FileCheck> {
  const given = typeof target === 'string' ? target : target.file;
  const languageId = typeof target === 'string' ? options.languageId : target.languageId;
  try {
    const source = await context.source(given);
    const link = await context.servers.linkFor(source.path, { languageId, role });
    const found = await findingsIn(context, link, source, { waitMs, ask });
    return { kind: 'checked', shown: context.roots.display(source.path), found };
  } catch (error) {
    const failure = failureOf(error) ?? serverError(error);
    if (!failure || failure.kind === 'cancelled') throw error;
    const shown = typeof target === 'string' ? given : context.roots.display(target.file);
    return { kind: 'unchecked', shown, file: resolved(context, given), failure };
  }
}

async function findingsIn(
  context: ToolContext,
  link: ServerLink,
  source: SourceFile,
  { waitMs, ask }: Required<Pick<CheckOptions, 'waitMs' | 'ask'>>,
): Promise<FileFindings> {
  const { serverName, encoding } = await context.facts.of(link, context.during());
  const options = context.during(source.path);
  const timeoutMs = Math.min(options.timeoutMs ?? waitMs, waitMs);
  const report = await ask(link, source.path, { ...options, timeoutMs });
  return { ...findingsOf(report, serverName, source.lines, encoding), surroundings: link.surroundings };
}

const askDiagnostics: AskDiagnostics = (link, file, options) => link.diagnostics(file, options);

/** An error that the server itself answered with. */
function serverError(error: unknown): Failure | undefined {
  if (!(error instanceof ResponseError)) return undefined;
  const { code, message } = error;
  return {
    kind: 'server-error',
    server: 'the server',
    method: DocumentDiagnosticRequest.method,
    code,
    message,
  };
}

function resolved(context: ToolContext, given: string): string {
  try {
    return context.roots.resolve(given);
  } catch {
    return given;
  }
}
