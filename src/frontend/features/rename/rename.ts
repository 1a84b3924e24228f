/**
 * Plans a rename: the server computes it with its whole index, and it is checked before it may be applied. Nothing is
 * renamed by guess: what the server does not change stays, and the answer names where the old word still stands.
 */

import path from 'node:path';
import picomatch from 'picomatch';
import { RenameRequest, type WorkspaceEdit } from 'vscode-languageserver-protocol';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { fail, failureOf } from '../../../shared/base/failure.ts';
import { pathToUri, uriToPath } from '../../../shared/base/paths.ts';
import type { Point } from '../../../shared/base/positions.ts';
import { languageFacts } from '../../../shared/languages/facts.ts';
import { ask } from '../../../shared/link/server-link.ts';
import { otherKindsOf } from '../../../shared/projects/other-kinds.ts';
import { type Asked, askAcross } from '../../ask/questions.ts';
import { flawOfName } from '../../lexical/new-names.ts';
import { comparePoints, type Place } from '../../places/places.ts';
import { afterIncomplete, type Incomplete } from '../../render/incomplete.ts';
import { isLocalName } from '../../targets/local-names.ts';
import type { Target } from '../../targets/locate.ts';
import type { ToolContext } from '../../tools/context.ts';
import { siftHidden } from '../../workspace/hidden-places.ts';
import { editsOf } from '../edits/apply/session-edits.ts';
import { type EditPlan, isEmpty } from '../edits/plan/edit-plan.ts';
import { planWorkspaceEdit } from '../edits/plan/workspace-edit.ts';
import type { Accounting } from '../references/accounting/accounting.ts';
import type { MentionedLines } from './mentions.ts';
import { MergedEdit } from './merged-rename.ts';
import { asItWas } from './rename-aliases.ts';
import { checkRename } from './rename-check.ts';
import { referencesFor } from './rename-coverage.ts';
import { moreThanName } from './rename-extent.ts';
import { areChanged, mentionEdits, mentionsAt, type RenameMention } from './rename-mentions.ts';
import { readPlaces, textEditsOf, withTextEdits } from './rename-places.ts';
import type { PlannedRename, RenameOptions } from './rename-plan.ts';
import { scanFor } from './rename-remarks.ts';
import { wholeEdit } from './rename-whole.ts';

/** Fails with the reason when nothing would be changed. */
export async function planRename(
  context: ToolContext,
  target: Target,
  { newName, excludeGlobs, throughExports: follows, changesMentions }: RenameOptions,
): Promise<PlannedRename> {
  if (newName.trim() !== newName)
    refuse(`new_name ${JSON.stringify(newName)} has blanks around it`, 'Pass the bare name');
  const { name, elsewhere, start } = await nameAt(context, target);
  if (newName === name) refuse(`${target.shown} is already called ${name}`, 'Pass another new_name');
  const flaw = flawOfName(newName, { ...target, name, start });
  if (flaw !== undefined)
    refuse(
      `${name} (${target.shown}) was not renamed: ${flaw}`,
      'Nothing was written. Pass another new_name',
    );
  const named = { ...target, name };
  const [asked, references] = await Promise.all([
    askRenameOfAll(context, named, newName),
    referencesFor(context, named),
  ]);
  const { askedAt, facts } = asked;
  const whole = await wholeEdit(context, named, { ...asked, references, follows, newName });
  const scan = await scanFor(context, named, whole.edit);
  const mentions = await mentionsFound(context, named, { scan, accounting: references?.accounting });
  const names = { name, newName, encoding: facts.encoding };
  const edit = changesMentions
    ? withTextEdits(whole.edit, await mentionEdits(context, areChanged(mentions, name), names))
    : whole.edit;
  const { left } = whole;
  // Where every reference becomes a place of the rename, what the references lack is all that it lacks.
  const isCovered = !facts.namesShareWords && references?.accounting !== undefined;
  const incomplete = isCovered ? references.incomplete : (asked.incomplete ?? references?.incomplete);
  const computed = await planWorkspaceEdit(edit, {
    boundary: editsOf(context).boundary,
    encoding: facts.encoding,
    askedAt,
    leaveOut: excluding(context, excludeGlobs),
  }).catch((error: unknown) => {
    const failure = failureOf(error);
    if (failure?.kind !== 'outside-roots') throw error;
    const why = `${facts.serverName} would change ${failure.path} as well, which is outside the workspace`;
    const next = `What overrides or implements ${name} of a library keeps that name. Nothing was written`;
    return refuse(`${name} (${target.shown}) was not renamed: ${why}`, next);
  });
  const plan = asItWas(computed, newName, editsOf(context).undoable());
  if (isEmpty(plan)) nothing(target, { ...facts, incomplete, isExcluded: plan.leftOut.length > 0 });
  if (plan.files.every(({ kind, places }) => kind === 'rename' && places === 0))
    refuse(
      `${target.shown} is the name of a file, and ${facts.serverName} would leave all that speak of it as they are`,
      'move_file renames a file, and imports follow',
    );
  const { stray, aliases } = readPlaces(context, { edit, plan, name, newName }, facts.encoding);
  const display = (file: AbsPath) => context.roots.display(file);
  const mustShow =
    (incomplete === undefined ? undefined : 'not all of its places are known') ??
    leftSentence(context, left) ??
    elsewhere ??
    severalOf(target) ??
    strangeName(newName, target.link.language) ??
    specialName([name, newName], target.link.language) ??
    stray ??
    moreThanName({ edit, plan, name, newName }, { encoding: facts.encoding, display }) ??
    (await hiddenFiles(context, plan, target.source.path));
  const { accounting } = references ?? {};
  return { plan, name, incomplete, aliases, mustShow, accounting, mentions, changesMentions, scan };
}

/** Of sources the accounting knows what is code; whatever else has the name is a document, or of another language. */
function mentionsFound(
  context: ToolContext,
  { name, link }: Target,
  { scan, accounting }: { scan: MentionedLines | undefined; accounting: Accounting | undefined },
): Promise<readonly RenameMention[]> {
  const isOfOtherKind = otherKindsOf(link.language);
  const isRead = (file: AbsPath) => context.servers.familyOfFile(file) !== undefined && !isOfOtherKind(file);
  const documents = new Map([...(scan?.lines ?? [])].filter(([file]) => !isRead(file)));
  return mentionsAt(context, name, scan ? (accounting?.inText ?? []) : [], documents);
}

function leftSentence({ roots }: ToolContext, left: readonly Place[]): string | undefined {
  const [first] = left;
  if (!first?.file) return undefined;
  const where = `${roots.display(first.file)}:${first.start.line}:${first.start.column}`;
  return `it leaves ${counted(left.length, 'reference as it was', { many: 'references as they were' })}, such as ${where}`;
}

/** What the server would rename there; some take the nearest thing that has a name. */
async function nameAt(
  context: ToolContext,
  target: Target,
): Promise<{ name: string; elsewhere: string | undefined; start: Point }> {
  const { check, facts, incomplete } = await checkRename(context, target);
  if (check.kind === 'refused')
    refuse(
      afterIncomplete(incomplete, `${target.name} (${target.shown}) cannot be renamed: ${check.reason}`),
      incomplete === undefined
        ? 'Put the place on a name that the workspace declares; nothing is renamed by guess'
        : 'Call again then',
    );
  const { span, placeholder } = check;
  const written = target.source.lines.at(span.start.line).slice(span.start.column - 1, span.end.column - 1);
  const isThere = comparePoints(span.start, target.point) <= 0 && comparePoints(target.point, span.end) <= 0;
  return {
    name: written.includes(placeholder) ? written : placeholder,
    start: span.start,
    elsewhere: isThere
      ? undefined
      : `${target.shown} is at ${target.name}, and ${facts.serverName} renames ${placeholder} instead`,
  };
}

interface AskedRename extends Pick<Asked<unknown>, 'facts' | 'incomplete'> {
  readonly edit: WorkspaceEdit;
  readonly askedAt: number;
}

/** With the others of the name that are renamed together with it. */
async function askRenameOfAll(context: ToolContext, target: Target, newName: string): Promise<AskedRename> {
  const { name, others = [] } = target;
  const first = await askRename(context, target, newName);
  if (others.length === 0) return first;
  const edit = new MergedEdit(name, newName);
  edit.add(first.edit);
  let { incomplete } = first;
  for (const other of others) {
    const asked = await askRename(context, other, newName);
    edit.add(asked.edit);
    incomplete ??= asked.incomplete;
  }
  return { ...first, edit: edit.edit(), incomplete };
}

async function askRename(context: ToolContext, target: Target, newName: string): Promise<AskedRename> {
  const { link, source, name, position } = target;
  let askedAt = Date.now();
  try {
    const { result, facts, incomplete } = await askAcross(context, link, {
      method: RenameRequest.method,
      documents: [source.path],
      about: { name, file: source.path },
      isLocal: () => isLocalName(context, target),
      filesOf: (edit: WorkspaceEdit | null) => textEditsOf(edit).flatMap(([uri]) => uriToPath(uri) ?? []),
      send: (facts, options) => {
        askedAt = Date.now();
        const params = { textDocument: { uri: pathToUri(source.path) }, position: position(facts), newName };
        return ask(link, RenameRequest.type, params, options);
      },
    });
    return { edit: result ?? {}, askedAt, facts, incomplete };
  } catch (error) {
    const failure = failureOf(error);
    if (failure?.kind !== 'server-error') throw error;
    return refuse(
      `${name} (${target.shown}) was not renamed to ${newName}: ${failure.server} says: ${failure.message}`,
      'Nothing was written. Choose another new_name or place; prepare_rename says what can be renamed',
    );
  }
}

function nothing(
  { name, shown }: Target,
  around: { serverName: string; incomplete: Incomplete | undefined; isExcluded: boolean },
): never {
  const { serverName, incomplete, isExcluded } = around;
  if (isExcluded)
    refuse(`all places of ${name} are in files that exclude_globs leaves out`, 'Narrow exclude_globs');
  refuse(
    afterIncomplete(incomplete, `${name} (${shown}) was not renamed: ${serverName} found nothing to change`),
    incomplete === undefined
      ? 'Put the place on its declaration; nothing is renamed by guess'
      : 'Call again then',
  );
}

/** By the path from the root, by any folder of it, or by the file name alone. */
function excluding(
  { roots }: Pick<ToolContext, 'roots'>,
  globs: readonly string[],
): (file: AbsPath) => boolean {
  if (globs.length === 0) return () => false;
  const anchored = globs.map((glob) =>
    glob
      .replaceAll('\\', '/')
      .replace(/^\.?\/+/, '')
      .replace(/\/$/, '/**'),
  );
  const match = picomatch([...anchored, ...anchored.map((glob) => `${glob}/**`)], { dot: true });
  const matchName = picomatch(
    anchored.filter((glob) => !glob.includes('/')),
    { dot: true },
  );
  return (file) => {
    const relative = path.relative(roots.around(file), file).split(path.sep).join('/');
    return match(relative) || match(file.slice(1)) || matchName(path.basename(file));
  };
}

function severalOf({ name, shown, others = [] }: Target): string | undefined {
  return others.length === 0 ? undefined : `it renames all ${others.length + 1} of ${name}: ${shown}`;
}

/** Servers write whatever they are told; where nothing is known of the names of a language, what is none in most is looked at first. */
function strangeName(newName: string, language: string): string | undefined {
  return languageFacts(language).text.names ||
    /^[#@$'~]?[\p{ID_Start}_$][\p{ID_Continue}$-]*[?!]?$/u.test(newName)
    ? undefined
    : `${JSON.stringify(newName)} does not look like a name`;
}

/** Some languages call these by name themselves, in files where nothing of it is written. */
function specialName(names: readonly string[], language: string): string | undefined {
  const { specialNames } = languageFacts(language).text;
  const special = names.find((name) => specialNames?.test(name));
  return special === undefined
    ? undefined
    : `${special} means something by its name, and nobody who relies on that is changed`;
}

async function hiddenFiles(context: ToolContext, plan: EditPlan, from: AbsPath): Promise<string | undefined> {
  const files = plan.files.map(({ path: file }) => ({ file }));
  const { hidden } = await siftHidden(context, files, from);
  if (hidden.length === 0) return undefined;
  const where = hidden.slice(0, 3).map(({ where, count }) => `${count} in ${where}`);
  return `it changes files that are not written by hand: ${where.join(', ')}; exclude_globs leaves them out`;
}

function refuse(message: string, next: string): never {
  fail({ kind: 'invalid-input', message, next });
}
