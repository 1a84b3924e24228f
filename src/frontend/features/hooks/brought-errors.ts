/**
 * The errors that edits brought, in the edited files and in those that have their names. What is wrong now is compared with
 * what would be wrong with the former texts in place of the edited ones, which the server tries out: so nothing has to be
 * known from before the edit but its text. Without any error now there is nothing to compare.
 * Decision: docs/decisions/hooks.md#what-an-edit-brought
 */
import type { AbsPath } from '../../../shared/base/brand.ts';
import { type Failure, failureOf } from '../../../shared/base/failure.ts';
import { eachBounded, Pool } from '../../../shared/base/pool.ts';
import { textHash } from '../../../shared/base/text-file.ts';
import { whyNot } from '../../ask/why-not.ts';
import type { ToolContext } from '../../tools/context.ts';
import { checkFiles, type FileCheck } from '../diagnostics/check-files.ts';
import { isError } from '../diagnostics/diagnostic-delta.ts';
import type { Finding } from '../diagnostics/diagnostics.ts';
import { statusOf } from '../diagnostics/file-status.ts';
import type { TriedText } from '../simulation/session.ts';
import type { FormerText } from './former-text.ts';
import { type ComparedFile, type Look, lookAt, type Since } from './look-at-edit.ts';
import { likeliest } from './named-files.ts';
import type { TouchedFile } from './session-notes.ts';
import { textOfCommit } from './text-of-commit.ts';

export interface BroughtError {
  readonly finding: Finding;
  readonly since: Since;
  readonly isEdited: boolean;
}

export interface BroughtErrors {
  readonly errors: readonly BroughtError[];
  /** Edited files of which it is not known what is wrong in them. */
  readonly unseen: readonly { readonly file: AbsPath; readonly failure: Failure | undefined }[];
  /** Files whose errors are known now, with all of them. */
  readonly seen: ReadonlyMap<AbsPath, readonly Finding[]>;
}

export interface BroughtQuestion {
  readonly touched: readonly TouchedFile[];
  /** Files beside the edited ones that are looked at. */
  readonly mostDependents: number;
  /** How long to wait for a server. */
  readonly waitMs: number;
}

/** Files whose names are looked for at once. */
const MOST_SEARCHES = 4;

export async function broughtErrors(
  context: ToolContext,
  { touched, mostDependents, waitMs }: BroughtQuestion,
): Promise<BroughtErrors> {
  const files = (await Promise.all(touched.map((each) => comparedFile(context, each)))).flatMap(
    (each) => each ?? [],
  );
  const searches = new Pool(MOST_SEARCHES);
  const looks = await eachBounded(files, Math.max(1, files.length), (file) =>
    lookAt(context, file, { waitMs, searches }),
  );
  const checks = looks.flatMap(({ check }) => check ?? []);
  const unseen = checks.flatMap(unseenIn);
  const others = await dependentsOf(
    looks.filter(({ file }) => !unseen.some((each) => each.file === file.file)),
    mostDependents,
  );
  const otherChecks = await checkFiles(context, others, { waitMs });
  const seen = new Map([...checks, ...otherChecks].flatMap(errorsIn));
  const wrong = [...seen].flatMap(([file, errors]) => (errors.length > 0 ? [file] : []));
  const errors = wrong.length === 0 ? [] : await comparedErrors(context, files, { seen, wrong });
  return { errors, unseen, seen };
}

/** Undefined for what no server is for, what is no text of the workspace, and what is as it was. */
async function comparedFile(context: ToolContext, touched: TouchedFile): Promise<ComparedFile | undefined> {
  const { file, former } = touched;
  if (!context.roots.holds(file) || context.servers.familyOfFile(file) === undefined) return undefined;
  const source = await context.source(file).catch((error: unknown) => {
    if (failureOf(error)?.kind === 'no-such-file') return undefined;
    if (failureOf(error)) return 'no text';
    throw error;
  });
  if (source === 'no text') return undefined;
  const committed = former.kind === 'unknown' ? await textOfCommit(context, file) : undefined;
  const known: FormerText = committed === undefined ? former : { kind: 'text', text: committed };
  if (known.kind === 'text' && known.text === source?.text) return undefined;
  if (known.kind !== 'text' && source === undefined) return undefined;
  const since = former.kind !== 'unknown' ? 'edit' : committed === undefined ? 'unknown' : 'commit';
  return { file, former: known, source, since };
}

/** Without its server nothing is known of a file, nor of who has its names: `seen` are the others. */
async function dependentsOf(seen: readonly Look[], most: number): Promise<readonly AbsPath[]> {
  const compared = seen.filter(({ named }) => named !== undefined);
  const found = await Promise.all(compared.flatMap((each) => each.named ?? []));
  return likeliest(found, new Set(compared.map(({ file }) => file.file)), most);
}

interface Wrong {
  readonly seen: ReadonlyMap<AbsPath, readonly Finding[]>;
  readonly wrong: readonly AbsPath[];
}

async function comparedErrors(
  context: ToolContext,
  files: readonly ComparedFile[],
  { seen, wrong }: Wrong,
): Promise<readonly BroughtError[]> {
  const own = new Map(files.map((each) => [each.file, each]));
  const texts = files.flatMap(triedText);
  // In a file that is new everything is new.
  const compared = wrong.filter((file) => own.get(file)?.former.kind !== 'none');
  const brought = texts.length === 0 ? undefined : await goneWith(context, texts, compared);
  const weakest = files.some(({ since }) => since === 'commit') ? 'commit' : 'edit';
  return wrong.flatMap((file) => {
    const edited = own.get(file);
    const errors = seen.get(file) ?? [];
    const as = (found: readonly Finding[], since: Since) =>
      found.map((finding): BroughtError => ({ finding, since, isEdited: edited !== undefined }));
    if (edited?.former.kind === 'none') return as(errors, 'edit');
    const found = edited?.since === 'unknown' ? undefined : brought?.get(file);
    if (found) return as(found, edited?.since ?? weakest);
    // Of a file that was not edited nothing is said without a comparison.
    return edited ? as(errors, 'unknown') : [];
  });
}

/** The former text as something to try out. */
function triedText({ file, former, source }: ComparedFile): readonly TriedText[] {
  if (former.kind !== 'text') return [];
  const base = source ? { text: source.text, hash: textHash(source.text), bom: false, mode: 0o644 } : null;
  return [{ path: file, text: former.text, base }];
}

/** The errors of each file that are not there with the former texts; nothing for files of which that is not known. */
async function goneWith(
  context: ToolContext,
  texts: readonly TriedText[],
  check: readonly AbsPath[],
): Promise<ReadonlyMap<AbsPath, readonly Finding[]>> {
  try {
    // Most edits bring nothing that would have to be compared.
    const { evaluateTexts } = await import('../simulation/evaluate.ts');
    const { delta, coverage } = await evaluateTexts(context, texts, { check });
    const tried = new Set(texts.map(({ path }) => path));
    // Where each file is looked at with the others as they are on disk, only those with a former text are compared.
    const known = delta.compared.filter(
      (file) => coverage === 'full' || (coverage === 'apart' && tried.has(file)),
    );
    const errors = delta.resolved.filter(isError);
    return new Map(known.map((file) => [file, errors.filter((finding) => finding.file === file)]));
  } catch (error) {
    if (failureOf(error)?.kind === 'cancelled') throw error;
    context.log.info('former texts could not be tried out', { why: whyNot(error) });
    return new Map();
  }
}

function errorsIn(check: FileCheck): readonly (readonly [AbsPath, readonly Finding[]])[] {
  if (check.kind === 'unchecked' || statusOf(check) !== 'fresh') return [];
  return [[check.found.report.file, check.found.findings.filter(isError)]];
}

function unseenIn(check: FileCheck): BroughtErrors['unseen'] {
  if (check.kind === 'unchecked') return [{ file: check.file as AbsPath, failure: check.failure }];
  return statusOf(check) === 'fresh' ? [] : [{ file: check.found.report.file, failure: undefined }];
}
