/** The declarations of the source files below a directory, a line per file: what is read before it is known where to look. */
import { SymbolKind } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { fail, failureOf } from '../../../shared/base/failure.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { isTestFile } from '../../../shared/languages/test-files.ts';
import { whyNot } from '../../ask/why-not.ts';
import type { Answer } from '../../render/answer.ts';
import { leftOut, type PageRequest, pageOf } from '../../render/budget.ts';
import { problemOf } from '../../render/failure.ts';
import { forbiddenReason } from '../../render/forbidden.ts';
import { type Incomplete, untilRetry } from '../../render/incomplete.ts';
import { listOutline, type OutlineEntry } from '../../symbols/outline-entries.ts';
import { outlineOf } from '../../symbols/outlines.ts';
import { firstOffered, type ToolContext } from '../../tools/context.ts';
import { hiddenLine, siftHidden } from '../../workspace/hidden-places.ts';
import type { Roots } from '../../workspace/roots.ts';
import type { SourceFile } from '../../workspace/source-files.ts';
import { type FilesBelow, sourcesBelow } from '../../workspace/sources-below.ts';
import { directoryLine, type SymbolData, symbolData } from './text.ts';

export interface DirectoryRequest extends PageRequest {
  readonly name?: string | undefined;
  /** Also ignored and generated files. */
  readonly all?: boolean | undefined;
}

const DEFAULT_FILES = 60;
const AT_ONCE = 8;
/** This part of the time is kept for the answer. */
const RESERVED = 0.2;

export async function directoryOutline(
  context: ToolContext,
  directory: AbsPath,
  request: DirectoryRequest,
): Promise<Answer<SymbolData[]>> {
  const { roots } = context;
  const isSource = (file: AbsPath) => context.servers.familyOfFile(file) !== undefined;
  const below = await sourcesBelow(directory, isSource, context.signal);
  if (below.forbidden.includes(directory))
    fail({ kind: 'not-a-text-file', path: directory, reason: 'forbidden' });
  const files = below.files.map((file) => ({ file }));
  const sifted = await siftHidden(context, files, directory, { include_hidden: request.all });
  const sorted = sifted.shown.map(({ file }) => file).sort(byImportance(context));
  const page = pageOf(sorted, request, () => 240, DEFAULT_FILES);
  const { seen, unseen } = await outlinesIn(context, page.items, request);
  const listed = seen.filter(({ entries }) => entries.length > 0);
  const count = listed.reduce((sum, { entries }) => sum + entries.length, 0);
  const wanted = request.name === undefined ? '' : ` named "${request.name}"`;
  const unserved = unseen.filter(({ isServed }) => !isServed);
  return {
    text: [
      `${roots.display(directory)}: ${counted(page.total, 'source file', { none: 'no' })}, ${counted(count, 'declaration', { none: 'no' })}${wanted}${page.nextCursor === undefined ? '' : ' in those shown'}; root ${roots.primary}`,
      ...listed.map(({ source, entries }) => directoryLine(roots.display(source.path), entries)),
      ...leftOut(page, 'files'),
      ...hiddenLine(sifted.hidden, { remedy: 'pass all:true' }),
    ].join('\n'),
    data: listed.map(fileData),
    incomplete: whyListingIncomplete(
      unseen.filter(({ isServed }) => isServed),
      below,
      roots,
    ),
    page,
    notes: [...groupBy(unserved, ({ why }) => why)].map(
      ([why, own]) => `${counted(own.length, 'file')} not listed, such as ${own[0]?.shown}: ${why}`,
    ),
    details: { hidden: sifted.hidden },
    hint:
      count > 0 ? 'list_symbols of a file shows members and positions' : widerSearch(request.name, context),
  };
}

/** For what has nothing of that name. */
export function widerSearch(name: string | undefined, context: ToolContext): string | undefined {
  return name === undefined ? undefined : firstOffered(context, `find_symbol ${name} searches the workspace`);
}

const LATE = 'no time was left';

interface FileOutline {
  readonly source: SourceFile;
  /** At the top of the file. */
  readonly entries: readonly OutlineEntry[];
}

interface Unseen {
  readonly shown: string;
  readonly why: string;
  /** False where nobody could have been asked: what is then missing is known, and a retry of no use. */
  readonly isServed: boolean;
}

const UNSERVED: ReadonlySet<string> = new Set([
  'server-missing',
  'server-disabled',
  'unsupported',
  'not-a-text-file',
]);

async function outlinesIn(
  context: ToolContext,
  files: readonly AbsPath[],
  { name }: DirectoryRequest,
): Promise<{ seen: readonly FileOutline[]; unseen: readonly Unseen[] }> {
  const reservedMs = context.remainingMs() * RESERVED;
  const wanted = name?.toLowerCase() ?? '';
  const outcomes = await eachBounded(files, AT_ONCE, async (file): Promise<FileOutline | Unseen> => {
    const shown = context.roots.display(file);
    if (context.remainingMs() < reservedMs) return { shown, why: LATE, isServed: true };
    try {
      const source = await context.files.read(file);
      const link = await context.servers.linkFor(file);
      const tree = await outlineOf(context, link, source);
      const { entries } = listOutline(tree, { source, family: link.language });
      return { source, entries: entries.filter((entry) => entry.name.toLowerCase().includes(wanted)) };
    } catch (error) {
      const isServed = !UNSERVED.has(failureOf(error)?.kind ?? '');
      return { shown, why: whyNot(error, problemOf), isServed };
    }
  });
  return {
    seen: outcomes.flatMap((outcome) => ('source' in outcome ? [outcome] : [])),
    unseen: outcomes.flatMap((outcome) => ('why' in outcome ? [outcome] : [])),
  };
}

function whyListingIncomplete(
  missed: readonly Unseen[],
  { isWhole, forbidden }: FilesBelow,
  roots: Roots,
): Incomplete | undefined {
  const [first] = missed;
  if (first)
    return untilRetry(
      2_000,
      (retry) =>
        `${counted(missed.length, 'file')} not looked at, such as ${first.shown}: ${first.why}; ${retry}, or name a smaller directory`,
    );
  if (forbidden.length > 0) return forbiddenReason(forbidden, roots);
  return isWhole
    ? undefined
    : { reason: 'there are too many files to look at all; name a smaller directory' };
}

/** Tests last, else by name. */
function byImportance({ roots }: ToolContext): (a: AbsPath, b: AbsPath) => number {
  const rank = (file: AbsPath) => (isTestFile(roots.display(file)) ? 1 : 0);
  return (a, b) => rank(a) - rank(b) || (a < b ? -1 : 1);
}

/** A file is a symbol, too, as the protocol numbers them. */
function fileData({ source, entries }: FileOutline): SymbolData {
  const start = { line: 1, column: 1 };
  const end = { line: source.lines.count, column: source.lines.at(source.lines.count).length + 1 };
  return {
    name: source.path,
    kind: SymbolKind.File,
    range: { start, end },
    selectionRange: { start, end: start },
    children: symbolData(entries.map((entry) => ({ ...entry, children: [] }))),
  };
}
