/**
 * Moves a file or folder together with the imports that follow it. The servers are asked what they want to change
 * before anything is moved, and their changes and the move become one edit. Where no server can say, the answer says
 * that no import was followed.
 */

import { lstatSync } from 'node:fs';
import path from 'node:path';
import { type RenameFile, WillRenameFilesRequest, type WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { fail } from '../../../shared/base/failure.ts';
import { groupBy } from '../../../shared/base/group-by.ts';
import { absolutePath, isInside, pathToUri, uriToPath } from '../../../shared/base/paths.ts';
import type { Encoding } from '../../../shared/base/positions.ts';
import { ask, type ServerLink } from '../../../shared/link/server-link.ts';
import { askAcross } from '../../ask/questions.ts';
import { tryEach } from '../../ask/try-each.ts';
import { firstIncomplete, type Incomplete } from '../../render/incomplete.ts';
import type { ToolContext } from '../../tools/context.ts';
import { sourcesBelow } from '../../workspace/sources-below.ts';
import { editsOf } from '../edits/apply/session-edits.ts';
import type { EditPlan } from '../edits/plan/edit-plan.ts';
import { isWanted, type MovedEntry } from '../edits/plan/file-operations.ts';
import { documentChangesOf, mergedEdit } from '../edits/plan/merge-edits.ts';
import { planWorkspaceEdit } from '../edits/plan/workspace-edit.ts';
import { type ImportLine, importersOf } from './importers.ts';

export interface Move extends MovedEntry {
  readonly to: AbsPath;
}

export interface PlannedMove {
  readonly plan: EditPlan;
  /** Why imports do not follow, for each language where they do not. */
  readonly notFollowed: readonly string[];
  /** Imports that name what is moved and stay as they are. */
  readonly importers: readonly ImportLine[];
  readonly incomplete: Incomplete | undefined;
}

/** More languages than this are not asked about one folder. */
const MOST_LANGUAGES = 4;

/** Fails when there is nothing to move, or no room for it. */
export async function moveOf(context: ToolContext, given: string, newGiven: string): Promise<Move> {
  const { roots, servers, signal } = context;
  const from = roots.resolve(given);
  const resolved = roots.resolve(newGiven);
  // A disk that does not tell upper from lower case would give the old spelling back.
  const to = absolutePath(path.basename(newGiven), path.dirname(resolved));
  const entry = lstatSync(from, { throwIfNoEntry: false });
  if (!entry) fail({ kind: 'no-such-file', path: given });
  const kind = entry.isDirectory() ? 'folder' : 'file';
  if (lstatSync(absolutePath(given, roots.primary), { throwIfNoEntry: false })?.isSymbolicLink())
    fail({
      kind: 'write-refused',
      path: given,
      reason: 'it is a symbolic link, and what it leads to would be moved',
    });
  editsOf(context).boundary.nameAt(from);
  editsOf(context).boundary.nameAt(to);
  const refuse = (message: string, next: string) => fail({ kind: 'invalid-input', message, next });
  if (from === to) refuse(`${given} is called so already`, 'Pass another new_path');
  if (isInside(to, from)) refuse(`${given} cannot be moved into itself`, 'Pass a new_path outside of it');
  const there = lstatSync(to, { throwIfNoEntry: false });
  const isSame = there?.ino === entry.ino && there.dev === entry.dev;
  const whole = `Pass the whole new path, such as ${roots.display(absolutePath(path.basename(from), to))}`;
  if (there?.isDirectory() && !isSame) refuse(`${newGiven} is a directory`, whole);
  if (there && !isSame) refuse(`${newGiven} already exists`, 'Pass another new_path, or delete it first');
  if (kind === 'file' && /[\\/]$/.test(newGiven)) refuse(`${newGiven} names a directory`, whole);
  const isSource = (file: AbsPath) => servers.familyOfFile(file) !== undefined;
  const sources =
    kind === 'folder' ? (await sourcesBelow(from, isSource, signal)).files : [from].filter(isSource);
  return { path: from, to, kind, sources };
}

export async function planMove(context: ToolContext, move: Move): Promise<PlannedMove> {
  const askedAt = Date.now();
  const families = [...groupBy(move.sources, (file) => context.servers.familyOfFile(file) ?? '')];
  const asked = await tryEach(
    families.slice(0, MOST_LANGUAGES),
    ([family]) => family,
    ([family, [first = move.path]]) => followUp(context, move, family, first),
  );
  const skipped = families
    .slice(MOST_LANGUAGES)
    .map(([family]) => ({ language: family, why: 'too many languages' }));
  const unasked = [...asked.notDone, ...skipped];
  const others = await Promise.all(
    unasked.map(({ language }) => importersOf(context, move, move.to, language)),
  );
  const edits = asked.done.flatMap(({ edit }) => edit ?? []);
  const [encoding = 'utf-16', another] = new Set(asked.done.map((each) => each.encoding));
  if (another !== undefined && edits.length > 1)
    fail({ kind: 'edit-invalid', path: move.path, reason: 'its servers count characters differently' });
  return {
    plan: await planWorkspaceEdit(withRename(mergedEdit(edits), move), {
      boundary: editsOf(context).boundary,
      encoding,
      askedAt,
    }),
    notFollowed: [
      ...asked.done.flatMap(({ notFollowed }) => notFollowed ?? []),
      ...unasked.map(({ language, why }) => `${language}: ${why}`),
    ],
    importers: [...asked.done.flatMap(({ importers }) => importers), ...others.flatMap(({ lines }) => lines)],
    incomplete: firstIncomplete(asked.done),
  };
}

interface FollowUp {
  readonly edit?: WorkspaceEdit;
  readonly encoding: Encoding;
  readonly notFollowed?: string;
  readonly importers: readonly ImportLine[];
  readonly incomplete?: Incomplete | undefined;
}

/** What the server of a language would change. */
async function followUp(context: ToolContext, move: Move, family: string, first: AbsPath): Promise<FollowUp> {
  const link = await context.servers.linkFor(first);
  const facts = await context.facts.offering(link, WillRenameFilesRequest.method, context.during());
  const { serverName, encoding } = facts;
  if (!isWanted(facts, 'willRename', move, link.root)) {
    const { lines, isWhole } = await importersOf(context, move, move.to, family);
    const notFollowed = `${serverName} does not update imports when ${move.kind}s move`;
    return {
      encoding,
      notFollowed: isWhole ? notFollowed : `${notFollowed}; not all files were searched`,
      importers: lines,
    };
  }
  const { result, incomplete } = await askServer(context, link, move, first);
  const isChanged = result !== null && documentChangesOf(result).length > 0;
  if (isChanged) return { edit: result, encoding, importers: [], incomplete };
  // No change is a proper answer, but lines that look like imports of it are worth a look.
  const { lines } = await importersOf(context, move, move.to, family);
  const notFollowed = `${serverName} sees no import to update, though these lines may be some`;
  return { encoding, importers: lines, incomplete, ...(lines.length > 0 ? { notFollowed } : {}) };
}

function askServer(context: ToolContext, link: ServerLink, move: Move, first: AbsPath) {
  const files = [{ oldUri: pathToUri(move.path), newUri: pathToUri(move.to) }];
  return askAcross<WorkspaceEdit | null>(context, link, {
    method: WillRenameFilesRequest.method,
    documents: [first],
    about: { name: path.basename(move.path).replace(/\.\w+$/, ''), file: first },
    filesOf: (edit) => (edit ? documentChangesOf(edit).flatMap((each) => fileIn(each) ?? []) : []),
    send: (_facts, options) => ask(link, WillRenameFilesRequest.type, { files }, options),
  });
}

/** Servers speak of the files as they are called before; those that use the new name mean them afterwards. */
export function withRename(
  edit: WorkspaceEdit,
  { path: from, to }: Pick<Move, 'path' | 'to'>,
): WorkspaceEdit {
  const rename: RenameFile = { kind: 'rename', oldUri: pathToUri(from), newUri: pathToUri(to) };
  const changes = documentChangesOf(edit).filter(
    (each) => !('kind' in each && each.kind === 'rename' && uriToPath(each.oldUri) === from),
  );
  const isAfter = (each: (typeof changes)[number]) => isInside(fileIn(each) ?? from, to);
  return {
    ...(edit.changeAnnotations ? { changeAnnotations: edit.changeAnnotations } : {}),
    documentChanges: [...changes.filter((each) => !isAfter(each)), rename, ...changes.filter(isAfter)],
  };
}

function fileIn(change: ReturnType<typeof documentChangesOf>[number]): AbsPath | undefined {
  if (!('kind' in change)) return uriToPath(change.textDocument.uri);
  return uriToPath(change.kind === 'rename' ? change.newUri : change.uri);
}
