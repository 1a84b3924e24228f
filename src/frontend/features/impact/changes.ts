/** What version control says has changed: files with the lines that are new in them, found again in the text on disk. */
import { accessSync, constants, existsSync } from 'node:fs';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { fail } from '../../../shared/base/failure.ts';
import { absolutePath, isInside, realPath } from '../../../shared/base/paths.ts';
import { type GitOptions, gitOutput, runGit } from '../../processes/run-git.ts';
import { type Hunk, hunksIn, moved, touchedBy } from './hunks.ts';
import { resolveRange } from './ranges.ts';
import type { LineRange } from './subjects.ts';

export type ChangeScope = 'unstaged' | 'staged' | 'committed' | 'all';

export interface Changes {
  /** Files that are there, with the lines that changed; undefined when all of them are new. */
  readonly changed: readonly { readonly file: AbsPath; readonly touched: readonly LineRange[] | undefined }[];
  readonly deleted: readonly AbsPath[];
  readonly renamed: readonly { readonly from: AbsPath; readonly to: AbsPath }[];
  readonly notes: readonly string[];
  /** `unstaged`, or `committed a1b2c3d..d4e5f6a`. */
  readonly what: string;
}

export async function changesIn(
  root: AbsPath,
  request: { readonly scope: ChangeScope; readonly range?: string | undefined },
  options: Omit<GitOptions, 'cwd'>,
): Promise<Changes> {
  const top = await topOf(root, options);
  const git = { ...options, cwd: top };
  const { diff, later, what } = await comparison(request, git);
  const entries = entriesOf(await gitOutput([...DIFF, '--name-status', '-z', ...diff], git));
  const hunks = hunksIn(await gitOutput([...DIFF, '-U0', ...diff], git));
  const shifts = later ? hunksIn(await gitOutput([...DIFF, '-U0', ...later], git)) : undefined;
  const untracked = ['unstaged', 'all'].includes(request.scope)
    ? listed(await gitOutput([...UNTRACKED, '-z'], git))
    : [];
  const place = (name: string) => absolutePath(name, top);
  const isWanted = (name: string) => isInside(place(name), root);
  const changed = [
    ...entries
      .filter(({ status, path }) => status !== 'D' && existsSync(place(path)))
      .map(({ path }) => ({ path, touched: touchedIn(hunks.get(path), shifts?.get(path)) })),
    ...untracked.map((path) => ({ path, touched: undefined })),
  ];
  const outside = [...changed, ...entries.filter(({ status }) => status === 'D')].filter(
    ({ path }) => !isWanted(path),
  );
  return {
    changed: changed
      .filter(({ path }) => isWanted(path))
      .map(({ path, touched }) => ({ file: place(path), touched })),
    deleted: entries
      .filter(({ status, path }) => isWanted(path) && (status === 'D' || !existsSync(place(path))))
      .map(({ path }) => place(path)),
    renamed: entries.flatMap(({ from, path }) =>
      from !== undefined && isWanted(path) ? [{ from: place(from), to: place(path) }] : [],
    ),
    notes: [
      ...(outside.length > 0
        ? [`${counted(outside.length, 'changed file')} of the repository outside ${root} not looked at`]
        : []),
      ...(existsSync(absolutePath('.gitmodules', top)) ? ['submodules are not looked into'] : []),
    ],
    what,
  };
}

const DIFF = [
  'diff',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--find-renames',
  '--ignore-submodules=all',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** Without what servers keep of a workspace: it is being written while they are asked, before they make git ignore it. */
const UNTRACKED = ['ls-files', '--others', '--exclude-standard', '--exclude=.cache/'];

/** The directory that git's paths are relative to. */
async function topOf(root: AbsPath, options: Omit<GitOptions, 'cwd'>): Promise<AbsPath> {
  // git could not be started there, and would be blamed for it. What is wrong otherwise, git says.
  if (existsSync(root)) accessSync(root, constants.R_OK | constants.X_OK);
  const result = await runGit(['rev-parse', '--show-toplevel'], { ...options, cwd: root });
  const top = result.kind === 'done' ? result.output.replace(/\r?\n$/, '') : '';
  if (top !== '') return realPath(absolutePath(top));
  return fail({
    kind: 'invalid-input',
    message: `${root} is in no git repository that can be read${result.kind === 'refused' ? ` (${result.message})` : ''}`,
    next: 'Pass workspace_root inside a repository, or use blast_radius with changed_files',
  });
}

interface Comparison {
  readonly diff: readonly string[];
  /** From the newer side to the text on disk, where that is something else. */
  readonly later?: readonly string[];
  readonly what: string;
}

async function comparison(
  { scope, range }: { scope: ChangeScope; range?: string | undefined },
  git: GitOptions,
): Promise<Comparison> {
  if (range !== undefined && scope !== 'committed')
    fail({
      kind: 'invalid-input',
      message: `range does not go with scope "${scope}"`,
      next: 'Pass scope:"committed", or leave range out',
    });
  switch (scope) {
    case 'unstaged':
      return { diff: ['--'], what: scope };
    case 'staged':
      return { diff: ['--cached', '--'], later: ['--'], what: scope };
    case 'all': {
      const { head, nothing } = await resolveRange(undefined, git);
      return { diff: [head ?? nothing, '--'], what: 'staged and unstaged' };
    }
    case 'committed': {
      const { from, to, nothing } = await resolveRange(range ?? 'HEAD', git);
      return {
        diff: [from ?? nothing, to, '--'],
        later: [to, '--'],
        what: `committed ${range ?? 'HEAD~1..HEAD'}`,
      };
    }
  }
}

interface Entry {
  readonly status: string;
  readonly path: string;
  readonly from?: string;
}

/** `M\0path\0`, and for renames and copies `R090\0from\0to\0`. */
function entriesOf(output: string): readonly Entry[] {
  const fields = listed(output);
  const entries: Entry[] = [];
  for (let index = 0; index < fields.length; ) {
    const status = fields[index]?.charAt(0) ?? '';
    const [first = '', second = ''] = fields.slice(index + 1, index + 3);
    const isPair = status === 'R' || status === 'C';
    entries.push(isPair ? { status, from: first, path: second } : { status, path: first });
    index += isPair ? 3 : 2;
  }
  return entries.filter(({ status }) => status !== 'U' && status !== 'X');
}

function listed(output: string): readonly string[] {
  return output.split('\0').filter((field) => field !== '');
}

/** A file without hunks was renamed, or got another mode, or is no text. */
function touchedIn(hunks: readonly Hunk[] = [], later: readonly Hunk[] = []): readonly LineRange[] {
  return hunks.map((hunk) => moved(touchedBy(hunk), later));
}
