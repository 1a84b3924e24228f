/** Ranges of commits as people write them, made into commit ids, so that nothing a caller wrote reaches `git diff`. */
import { fail } from '../../../shared/base/failure.ts';
import { type GitOptions, gitOutput, runGit } from '../../processes/run-git.ts';

export interface Range {
  /** Undefined for the first commit: it is compared with nothing. */
  readonly from: string | undefined;
  readonly to: string;
  readonly head: string | undefined;
  /** The tree without files. */
  readonly nothing: string;
}

/** git's names of the empty tree; asking git for it would write an object. */
const EMPTY_TREES = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/** `a..b`, `a...b` (from where they parted), or one commit for what it changed. Without a range only HEAD is looked up. */
export async function resolveRange(range: string | undefined, git: GitOptions): Promise<Range> {
  const head = await commitOf('HEAD', git);
  const format = (await gitOutput(['rev-parse', '--show-object-format'], git)).trim();
  const nothing = format === 'sha256' ? EMPTY_TREES.sha256 : EMPTY_TREES.sha1;
  if (range === undefined) return { from: head, to: head ?? nothing, head, nothing };
  const [, left = '', dots = '', right = ''] = /^(.*?)(?:(\.{2,3})(.*))?$/s.exec(range) ?? [];
  const to = await required(dots === '' ? left : right || 'HEAD', range, git);
  if (dots === '') return { from: await commitOf(`${to}^`, git), to, head, nothing };
  const from = await required(left || 'HEAD', range, git);
  if (dots === '..') return { from, to, head, nothing };
  const base = await runGit(['merge-base', from, to], git);
  if (base.kind === 'done') return { from: base.output.trim(), to, head, nothing };
  return invalid(`${left} and ${right} have no commit in common`, 'Write the range with two dots');
}

async function required(ref: string, range: string, git: GitOptions): Promise<string> {
  if (ref.startsWith('-'))
    invalid(`range ${JSON.stringify(range)} begins with a dash`, 'Pass commits such as main..HEAD');
  const commit = await commitOf(ref, git);
  if (commit !== undefined) return commit;
  const isEmpty = ref === 'HEAD' && (await commitOf('HEAD', git)) === undefined;
  return invalid(
    isEmpty ? 'the repository has no commit yet' : `${JSON.stringify(ref)} is no commit of this repository`,
    isEmpty ? 'Pass scope:"all" for what is not committed' : 'Pass commits such as main..HEAD or HEAD~3',
  );
}

async function commitOf(ref: string, git: GitOptions): Promise<string | undefined> {
  const result = await runGit(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`],
    git,
  );
  return result.kind === 'done' ? result.output.trim() : undefined;
}

function invalid(message: string, next: string): never {
  fail({ kind: 'invalid-input', message, next });
}
