/** One call as a line of the audit file. */
import path from 'node:path';
import { counted } from '../../shared/base/counted.ts';
import { uriToPath } from '../../shared/base/paths.ts';
import { fieldOf } from '../../shared/base/unknown-value.ts';
import type { AccessFacts, AuditFacts, DiagnosticCounts, EditFacts } from './audit-facts.ts';

/** Everything about a call that ended. */
export interface AuditedCall {
  readonly tool: string;
  readonly args: unknown;
  /** Where relative paths start. */
  readonly root: string;
  readonly facts: AuditFacts;
  /** Why it failed; undefined when it did not. */
  readonly error: string | undefined;
  readonly endedAt: Date;
  readonly durationMs: number;
}

const PREVIEW_CHARACTERS = 200;
const MESSAGE_CHARACTERS = 500;

/** With its line end. The fields are those that readers of earlier audit files know. */
export function auditLine(call: AuditedCall, client?: string): string {
  const { facts, args } = call;
  const { before, after } = facts;
  const record = {
    timestamp: call.endedAt.toISOString(),
    tool: call.tool,
    client,
    session_id: facts.sessionId ?? textOf(args, 'session_id'),
    files: [...new Set([...filesIn(args, call.root), ...(facts.files ?? [])])],
    edit_summary: facts.edit && editSummary(facts.edit),
    access: facts.access && accessOf(facts.access),
    diagnostics_before: before && counts(before),
    diagnostics_after: after && counts(after),
    net_delta: before &&
      after && { errors: after.errors - before.errors, warnings: after.warnings - before.warnings },
    success: call.error === undefined,
    error_message: call.error && cut(call.error, MESSAGE_CHARACTERS),
    duration_ms: Math.round(call.durationMs),
  };
  return `${JSON.stringify(record)}\n`;
}

/** Says in the file that it is not complete. */
export function droppedLine(count: number, at: Date): string {
  const record = {
    timestamp: at.toISOString(),
    tool: 'audit',
    files: [],
    success: false,
    error_message: `${counted(count, 'call was', { many: 'calls were' })} not recorded: the file could not be written fast enough`,
    duration_ms: 0,
    dropped: count,
  };
  return `${JSON.stringify(record)}\n`;
}

const FILE_ARGUMENT =
  /^(?:(?:old_|new_|from_|to_|source_|target_)?(?:file|path|file_path)|(?:changed_|test_)?files|(?:file_)?paths)$/;

/** The files that arguments name, by the names of the arguments. */
function filesIn(args: unknown, root: string): string[] {
  if (typeof args !== 'object' || args === null) return [];
  return Object.entries(args)
    .filter(([name]) => FILE_ARGUMENT.test(name))
    .flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
    .filter((value) => typeof value === 'string')
    .map((file) => uriToPath(file) ?? path.resolve(root, file));
}

function textOf(args: unknown, name: string): string | undefined {
  const value = fieldOf(args, name);
  return typeof value === 'string' ? value : undefined;
}

function editSummary(edit: EditFacts) {
  return {
    mode: edit.mode,
    file_path: edit.filePath,
    old_text_preview: edit.oldText && cut(edit.oldText, PREVIEW_CHARACTERS),
    new_text_preview: edit.newText && cut(edit.newText, PREVIEW_CHARACTERS),
    old_name: edit.oldName,
    new_name: edit.newName,
    target: edit.target,
    apply: edit.apply,
  };
}

function accessOf({ effect, what, consent }: AccessFacts) {
  return { effect, what: what && cut(what, MESSAGE_CHARACTERS), consent };
}

function counts({ errors, warnings, files }: DiagnosticCounts) {
  return { error_count: errors, warning_count: warnings, files_checked: files };
}

/** Never in the middle of a character that takes two units. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
