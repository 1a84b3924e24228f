/** Offered fixes as lines and as data: what each is for and how much it would change. */
import type { CodeAction, WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { uriToPath } from '../../../shared/base/paths.ts';
import type { Encoding, TextLines } from '../../../shared/base/positions.ts';
import { oneLine } from '../../render/budget.ts';
import type { Roots } from '../../workspace/roots.ts';
import { type Finding, type FindingData, findingData, findingsOf } from '../diagnostics/diagnostics.ts';
import type { FoundFix } from './fixes.ts';
import type { HeldFix } from './held-fixes.ts';

export interface FixedFile {
  file: string;
  edits: number;
  operation?: 'create' | 'rename' | 'delete';
}

export interface FixData {
  title: string;
  kind?: string;
  is_preferred?: boolean;
  disabled_reason?: string;
  diagnostics: FindingData[];
  changes?: { edits: number; files: FixedFile[] };
  edit_id?: string;
  obstacle?: string;
  command?: { id: string; command: string; arguments?: unknown[] };
}

/** What the diagnostics of an action are converted with. */
export interface FixSurroundings {
  readonly file: AbsPath;
  readonly lines: TextLines;
  readonly encoding: Encoding;
  readonly server: string;
  readonly roots: Roots;
}

export function fixData(fix: HeldFix, around: FixSurroundings): FixData {
  const { action, edit, editId, commandId, obstacle } = fix;
  const { title, kind, isPreferred, disabled, command } = action;
  const files = edit && changedFiles(edit);
  return {
    title,
    ...(kind ? { kind } : {}),
    ...(isPreferred ? { is_preferred: true } : {}),
    ...(disabled ? { disabled_reason: disabled.reason } : {}),
    diagnostics: mended(action, around).map(findingData),
    ...(files ? { changes: { edits: editCount(files), files } } : {}),
    ...(editId === undefined ? {} : { edit_id: editId }),
    ...(obstacle === undefined ? {} : { obstacle }),
    ...(command && commandId !== undefined
      ? {
          command: {
            id: commandId,
            command: command.command,
            ...(command.arguments === undefined ? {} : { arguments: command.arguments }),
          },
        }
      : {}),
  };
}

/** `  quickfix  Add import from "./money"  (preferred; 3:7 TS2304; 1 edit in src/a.ts; edit_id e3)` */
export function fixLine(fix: HeldFix, around: FixSurroundings): string {
  const { action, edit } = fix;
  const problems = mended(action, around).map(
    ({ start, code, message }) => `${start.line}:${start.column} ${code ?? oneLine(message, 60)}`,
  );
  const about = [
    action.isPreferred ? 'preferred' : '',
    problems.join(', '),
    changesOf(action, edit, around.roots),
    ...waysToApply(fix),
  ];
  const title = oneLine(action.title, 160);
  return `  ${action.kind || 'action'}  ${title}  (${about.filter((part) => part !== '').join('; ')})`;
}

const MOST_IMPOSSIBLE = 3;

/** One line for all that the server names only to say why it cannot be done here. */
export function impossibleLine(fixes: readonly FoundFix[]): string[] {
  const shown = fixes
    .slice(0, MOST_IMPOSSIBLE)
    .map(({ action }) => `${oneLine(action.title)} (${oneLine(action.disabled?.reason ?? '', 100)})`);
  const more = fixes.length > shown.length ? [`+${fixes.length - shown.length} more`] : [];
  return fixes.length === 0 ? [] : [`not possible here: ${[...shown, ...more].join(', ')}`];
}

/** What the agent passes to which tool; with both, the edit comes first. */
function waysToApply({ action, editId, commandId, obstacle }: HeldFix): string[] {
  const command =
    commandId === undefined ? [] : [`execute_command ${commandId} runs ${action.command?.command}`];
  if (obstacle !== undefined) return [obstacle.replace(/\.$/, ''), ...command];
  return editId === undefined ? command : [`edit_id ${editId}`, ...command.map((each) => `then ${each}`)];
}

function changesOf({ command }: CodeAction, edit: WorkspaceEdit | undefined, roots: Roots): string {
  if (!edit) return command ? '' : 'changes not known';
  const files = changedFiles(edit);
  const [first, ...others] = files;
  const count = editCount(files);
  const edits = counted(count, 'edit');
  if (!first) return 'no changes';
  if (others.length > 0) return `${edits} in ${files.length} files`;
  const file = uriOrPath(first.file, roots);
  return first.operation ? `${first.operation}s ${file}` : `${edits} in ${file}`;
}

function uriOrPath(file: string, roots: Roots): string {
  return file.includes('://') ? file : roots.display(file as AbsPath);
}

/** In the order of the edit; text edits of a file that is also created or moved count with that. */
function changedFiles(edit: WorkspaceEdit): FixedFile[] {
  const files = new Map<string, FixedFile>();
  const add = (uri: string, edits: number, operation?: FixedFile['operation']) => {
    const file = uriToPath(uri) ?? uri;
    const known = files.get(file) ?? { file, edits: 0 };
    files.set(file, { ...known, edits: known.edits + edits, ...(operation ? { operation } : {}) });
  };
  for (const change of edit.documentChanges ?? []) {
    if (!('kind' in change)) add(change.textDocument.uri, change.edits.length);
    else add(change.kind === 'rename' ? change.newUri : change.uri, 0, change.kind);
  }
  // A server that gives both means the same; the newer form wins.
  if (!edit.documentChanges)
    for (const [uri, edits] of Object.entries(edit.changes ?? {})) add(uri, edits.length);
  return [...files.values()];
}

function editCount(files: readonly FixedFile[]): number {
  return files.reduce((sum, { edits }) => sum + edits, 0);
}

function mended({ diagnostics = [] }: CodeAction, around: FixSurroundings): readonly Finding[] {
  const report = { file: around.file, version: 0, freshness: { kind: 'restarted' as const }, diagnostics };
  return findingsOf(report, around.server, around.lines, around.encoding).findings;
}
