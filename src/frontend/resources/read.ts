/** The contents of resources, asked for like the answers of tools and under the same deadlines. */
import type { AbsPath } from '../../shared/base/brand.ts';
import { describeState } from '../../shared/link/describe-state.ts';
import type { DiagnosticReport } from '../../shared/link/server-link.ts';
import { completionsAt } from '../features/completion/completions.ts';
import { suggestionData, suggestionSize } from '../features/completion/text.ts';
import { checkFiles, openTargets } from '../features/diagnostics/check-files.ts';
import { checkData, checkLines } from '../features/diagnostics/file-checks.ts';
import { statusOf } from '../features/diagnostics/file-status.ts';
import { hoverAt } from '../features/documentation/hover.ts';
import type { CallableTool } from '../invoke/call-tool.ts';
import type { Answer, Outcome } from '../render/answer.ts';
import { MAX_ITEMS, pageOf } from '../render/budget.ts';
import { cursorAt } from '../targets/cursor-place.ts';
import { atTarget } from '../targets/locate.ts';
import type { ToolContext } from '../tools/context.ts';
import { type AddressedPlace, parseAddress } from './addresses.ts';

/** Files that changed on disk while a client wanted to know, the newest last. */
export interface DiskChanges {
  readonly isWatching: boolean;
  readonly files: readonly { readonly file: AbsPath; readonly secondsAgo: number }[];
}

const DIAGNOSTICS_MS = 10_000;

/** What the rest of the session has to do with reading. */
export interface ReadingHooks {
  changes(): DiskChanges;
  /** Told of the diagnostics that are in the answer. */
  wasRead(report: DiagnosticReport): void;
}

/** Reading a resource, in the shape of a tool call. The answer's data is the content, its notes say how it is known. */
export function readingOf(uri: string, { changes, wasRead }: ReadingHooks): CallableTool {
  const run = async (context: ToolContext): Promise<Outcome> => {
    const address = parseAddress(uri, context.roots);
    switch (address.kind) {
      case 'diagnostics':
        return diagnostics(context, address.file, wasRead);
      case 'hover':
        return hover(context, address.file, address.place);
      case 'completions':
        return completions(context, address.file, address.place);
      case 'references':
        return { text: '', data: changeData(changes()) };
      case 'servers':
        return { text: '', data: serverData(context) };
    }
  };
  return readingBy(run);
}

export function readingBy(run: (context: ToolContext) => Promise<Outcome>): CallableTool {
  return {
    name: 'resources/read',
    effect: 'read',
    hasPreview: false,
    prepare: () => ({ limitMs: undefined, run }),
  };
}

export function mimeTypeOf(uri: string): string {
  return uri.startsWith('lsp-hover:') ? 'text/plain' : 'application/json';
}

async function diagnostics(
  context: ToolContext,
  file: AbsPath | undefined,
  wasRead: ReadingHooks['wasRead'],
): Promise<Answer> {
  const targets = file === undefined ? await openTargets(context) : [file];
  const checks = await checkFiles(context, targets, { waitMs: DIAGNOSTICS_MS });
  const checked = checks.flatMap((check) => (check.kind === 'checked' ? [check.found] : []));
  for (const { report } of checked) wasRead(report);
  const found = checked.flatMap(({ findings }) => findings);
  const isFresh = checks.every((check) => statusOf(check) === 'fresh');
  const folderOf = (each: AbsPath) => context.roots.around(each);
  return {
    text: '',
    data: checkData(checks, found, () => false),
    fresh: isFresh,
    notes:
      checks.length === 0
        ? ['No file is open in this session, so nothing was checked']
        : [checkLines(checks, { below: () => [], folderOf }).join('\n')],
  };
}

function hover(
  context: ToolContext,
  file: AbsPath,
  { languageId, ...point }: AddressedPlace,
): Promise<Outcome> {
  const locator = { file_path: file, ...point, language_id: languageId };
  return atTarget(context, locator, async (target) => {
    const { text, incomplete } = await hoverAt(context, target);
    return { text: '', data: text, incomplete };
  });
}

async function completions(
  context: ToolContext,
  file: AbsPath,
  { languageId, ...point }: AddressedPlace,
): Promise<Answer> {
  const place = await cursorAt(context, { file_path: file, ...point, language_id: languageId });
  const { suggestions, isPartial, incomplete } = await completionsAt(context, place);
  const page = pageOf(suggestions, {}, suggestionSize, MAX_ITEMS);
  const isIncomplete = isPartial || page.nextCursor !== undefined;
  return { text: '', data: { isIncomplete, items: page.items.map(suggestionData) }, incomplete };
}

function serverData(context: ToolContext): readonly Record<string, unknown>[] {
  return context.servers.open().map(({ language, root, mode, command, state }) => ({
    language,
    root,
    mode,
    command,
    state: state.kind,
    description: describeState(state),
  }));
}

function changeData({ isWatching, files }: DiskChanges): Record<string, unknown> {
  return {
    watching: isWatching,
    files_changed: files.length,
    files: files.map(({ file, secondsAgo }) => ({ file, seconds_ago: secondsAgo })),
  };
}
