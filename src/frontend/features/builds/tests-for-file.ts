/**
 * The tests of a source file, by name and place alone: beside it, in a tree that mirrors its own, or anywhere in the
 * project under the name that the language gives to its tests. Who uses it is not asked here.
 */
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { counted } from '../../../shared/base/counted.ts';
import { DirectoryWalk } from '../../../shared/base/directory-walk.ts';
import { listDirectory, readSorted } from '../../../shared/base/list-directory.ts';
import { absolutePath } from '../../../shared/base/paths.ts';
import { isSkippedDirectory } from '../../../shared/languages/detect.ts';
import { languageFacts } from '../../../shared/languages/facts.ts';
import { languageOfFile } from '../../../shared/languages/lookup.ts';
import { findRoot } from '../../../shared/languages/roots.ts';
import { isTestDirectory, isTestFile, stemOf, testSubject } from '../../../shared/languages/test-files.ts';
import { forbiddenReason } from '../../render/forbidden.ts';
import type { Incomplete } from '../../render/incomplete.ts';
import type { ToolContext } from '../../tools/context.ts';

export interface TestsOfFile {
  readonly tests: readonly AbsPath[];
  /** By what rule they were found, or looked for. */
  readonly how: string;
  readonly incomplete: Incomplete | undefined;
}

const MOST_ENTRIES = 30_000;
const MOST_TESTS = 50;

export async function testsForFile(
  file: AbsPath,
  { roots, files, signal }: Pick<ToolContext, 'roots' | 'files' | 'signal'>,
): Promise<TestsOfFile> {
  const boundary = roots.around(file);
  const family = languageOfFile(file)?.family;
  const relative = relativeTo(boundary, file);
  if (isTestFile(relative, family?.id)) return found([file], 'it is a test itself');

  const { tests: conventions } = languageFacts(family?.id ?? '');
  const own = conventions.inFile?.test((await files.read(file)).text) ? [file] : [];
  const directory = path.dirname(file);
  if (conventions.ofDirectory) {
    const isTest = (name: string) =>
      languageOfFile(name)?.family === family && testSubject(name) !== undefined;
    const names = (await listDirectory(directory, readSorted)).entries.map(({ name }) => name).filter(isTest);
    return found(
      names.map((name) => absolutePath(path.join(directory, name))),
      'tests of the package',
    );
  }
  const project = family ? findRoot({ file, family, boundary }).root : boundary;
  const subjects = subjectsOf(file);
  const { candidates, whole, forbidden } = await testFilesIn(project, signal, (test) =>
    isNamedAfter(test, subjects, project),
  );
  const tree = treeOf(relativeTo(project, directory));
  const near = candidates.filter(
    (test) => path.dirname(test) === directory || treeOf(relativeTo(project, path.dirname(test))) === tree,
  );
  const incomplete = whole
    ? forbidden.length > 0
      ? forbiddenReason(forbidden, roots)
      : undefined
    : { reason: `${project} is too large to be looked through; only its first ${MOST_ENTRIES} entries were` };
  if (near.length > 0) return { ...found([...own, ...near], 'by name and place'), incomplete };
  const byName =
    candidates.length > 0
      ? 'by name only, in other directories'
      : `conventions of ${family?.id ?? 'no known language'}`;
  return {
    ...found(
      [...own, ...candidates.slice(0, MOST_TESTS)],
      own.length > 0 && candidates.length === 0 ? 'tests in the file itself' : byName,
    ),
    incomplete: incomplete ?? unlisted(candidates.length - MOST_TESTS),
  };
}

function unlisted(count: number): Incomplete | undefined {
  return count > 0
    ? { reason: `${counted(count, 'more test')} of that name ${count === 1 ? 'is' : 'are'} not listed` }
    : undefined;
}

/** Files that stand for their directory are tested under its name. */
const DIRECTORY_FILES = new Set(['index', '__init__', 'mod', 'lib', 'main']);

function subjectsOf(file: AbsPath): ReadonlySet<string> {
  const stem = stemOf(file);
  const parent = path.basename(path.dirname(file));
  return new Set(DIRECTORY_FILES.has(stem) ? [stem, parent] : [stem, stem.replace(/^_+/, '')]);
}

function isNamedAfter(test: string, subjects: ReadonlySet<string>, project: AbsPath): boolean {
  const subject = testSubject(test);
  if (subject !== undefined) return subjects.has(subject);
  return isTestDirectory(relativeTo(project, path.dirname(test))) && subjects.has(stemOf(test));
}

/** The part of a path that tests and sources share: `src/main/java/org` and `src/test/java/org` are both `org`. */
function treeOf(directory: string): string {
  return directory
    .split('/')
    .filter((part) => part !== '.' && !SIDES.test(part))
    .join('/');
}

const SIDES =
  /^(src|lib|app|source|sources|main|java|kotlin|scala|groovy|(\w*\.)?tests?|\w+Tests?|__tests__|specs?|unit|integration|e2e)$/i;

interface FoundTests {
  readonly candidates: readonly AbsPath[];
  /** False when there was too much to look at. */
  readonly whole: boolean;
  /** Directories that this user may not read. */
  readonly forbidden: readonly AbsPath[];
}

async function testFilesIn(
  project: AbsPath,
  signal: AbortSignal,
  isWanted: (file: string) => boolean,
): Promise<FoundTests> {
  const candidates: AbsPath[] = [];
  const walk = new DirectoryWalk(project, {
    enters: (name) => !isSkippedDirectory(name),
    mostEntries: MOST_ENTRIES,
    read: readSorted,
  });
  for await (const { inside, entries } of walk) {
    signal.throwIfAborted();
    for (const entry of entries) {
      const file = `${inside}${entry.name}`;
      if (entry.isFile() && languageOfFile(entry.name) && isWanted(file)) candidates.push(absolutePath(file));
    }
  }
  const { isCut, forbidden } = walk;
  return { candidates, whole: !isCut, forbidden };
}

function relativeTo(base: string, file: string): string {
  return path.relative(base, file).split(path.sep).join('/') || '.';
}

function found(tests: readonly AbsPath[], how: string): TestsOfFile {
  return { tests: [...new Set(tests)], how, incomplete: undefined };
}
