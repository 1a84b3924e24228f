/**
 * What a server is asked about an edited file: what is wrong in it, and in the same flight what is needed to find the files
 * that have its names. Decision: docs/decisions/hooks.md#in-one-flight
 */
import { DocumentSymbolRequest } from 'vscode-languageserver-protocol';
import { failureOf } from '../../../shared/base/failure.ts';
import type { Pool } from '../../../shared/base/pool.ts';
import type { ServerLink } from '../../../shared/link/server-link.ts';
import { whyNot } from '../../ask/why-not.ts';
import { type AskedSymbols, askForSymbols } from '../../symbols/ask-symbols.ts';
import type { ToolContext } from '../../tools/context.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { type AskDiagnostics, checkFiles, type FileCheck } from '../diagnostics/check-files.ts';
import type { Edit, NamedFiles } from './named-files.ts';
import type { TouchedFile } from './session-notes.ts';

/** With what it was compared: the text before the edit, the text of the last commit, or nothing. */
export type Since = 'edit' | 'commit' | 'unknown';

/** A file as it is now, and what it is compared with. */
export interface ComparedFile extends TouchedFile {
  readonly source: SourceFile | undefined;
  readonly since: Since;
}

/** What is asked of an edited file: what is wrong in it, and meanwhile which files have its names. */
export interface Look {
  readonly file: ComparedFile;
  /** Undefined of a file that is gone. */
  readonly check: FileCheck | undefined;
  /** Undefined where the text before is not known, or nobody could be asked. */
  readonly named: Promise<NamedFiles> | undefined;
}

export async function lookAt(
  context: ToolContext,
  compared: ComparedFile,
  { waitMs, searches }: { readonly waitMs: number; readonly searches: Pool },
): Promise<Look> {
  const { file, former, source } = compared;
  let named: Promise<NamedFiles> | undefined;
  const search = (link: () => Promise<ServerLink>, symbols?: AskedSymbols) => {
    if (former.kind !== 'text') return;
    const edit = { file, former: former.text, source, symbols };
    named = searches.run(() => namedFilesOf(context, link, edit));
    // Of a file that turns out not to be seen they are not wanted.
    named.catch(() => {});
  };
  if (source === undefined) {
    search(() => context.servers.linkFor(file, { role: 'types' }));
    return { file: compared, check: undefined, named };
  }
  // The symbols first: the server has them soon, and what is looked for by them is found while it judges the file.
  const ask: AskDiagnostics = async (link, path, options) => {
    const symbols = former.kind === 'text' ? await symbolsOnTheirWay(context, link, source) : undefined;
    const report = link.diagnostics(path, options);
    search(async () => link, symbols);
    return report;
  };
  const [check] = await checkFiles(context, [file], { waitMs, ask });
  return { file: compared, check, named };
}

async function symbolsOnTheirWay(
  context: ToolContext,
  link: ServerLink,
  source: SourceFile,
): Promise<AskedSymbols | undefined> {
  const { methods } = await context.facts.of(link, context.during());
  return methods.includes(DocumentSymbolRequest.method) ? askForSymbols(context, link, source) : undefined;
}

async function namedFilesOf(
  context: ToolContext,
  link: () => Promise<ServerLink>,
  edit: Edit,
): Promise<NamedFiles> {
  try {
    const server = await link();
    // What is loaded here does not hold up any question.
    const { filesNamedBy } = await import('./dependents-by-name.ts');
    return await filesNamedBy(context, server, edit);
  } catch (error) {
    if (failureOf(error)?.kind === 'cancelled') throw error;
    context.log.info('files with the names of an edit are not known', { why: whyNot(error) });
    return new Map();
  }
}
