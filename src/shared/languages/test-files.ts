/**
 * Which files are tests, and what they are tests of, by the conventions of each language. Names and places only:
 * nothing is read, so that whole trees can be judged. Everybody who tells tests from other code asks here.
 */
import path from 'node:path';
import { languageFacts } from './facts.ts';
import type { TestConventions } from './family.ts';
import { languageOfFile } from './lookup.ts';

/**
 * Paths are taken relative to a root: a directory above it that happens to be called `test` says nothing.
 * Without a family the file's name decides whose conventions count.
 */
export function isTestFile(file: string, family?: string): boolean {
  return testFileJudge(family)(file);
}

/** The same for the files of a long answer, most of which share their directories. */
export function testFileJudge(family?: string): (file: string) => boolean {
  const directories = new Map<string, boolean>();
  return (file) => {
    const name = file.replaceAll('\\', '/');
    const directory = name.slice(0, Math.max(0, name.lastIndexOf('/')));
    const known = directories.get(directory);
    const isTest = known ?? isTestDirectory(directory);
    if (known === undefined) directories.set(directory, isTest);
    return isTest || testSubject(name, family) !== undefined;
  };
}

/**
 * What a test is about, by its name alone: `client` for `client.test.ts`, `Client` for `ClientTest.java`,
 * nothing at all (`''`) for `conftest.py`; undefined when the name is not that of a test.
 */
export function testSubject(file: string, family?: string): string | undefined {
  const stem = stemOf(file);
  const { named, whole } = patternsFor(file, family);
  if (whole.has(stem)) return '';
  for (const { before, after } of named)
    if (stem.length > before.length + after.length && stem.endsWith(after) && stem.startsWith(before))
      return stem.slice(before.length, stem.length - after.length);
  return undefined;
}

/** Whether files in a directory are tests whatever they are called. */
export function isTestDirectory(directory: string): boolean {
  if (PRODUCTION_TREE.test(directory)) return false;
  return TEST_DIRECTORY.test(directory) || TEST_SOURCE_SET.test(directory);
}

/** The name of a file without directory and extension; only the last dot begins the extension. */
export function stemOf(file: string): string {
  const name = path.posix.basename(file.replaceAll('\\', '/'));
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

const TEST_DIRECTORY = /(^|\/)((\w[\w.-]*\.)?tests?|__tests__|specs?|testdata|e2e)(\/|$)/i;
/** `androidTest`, `commonTest` and the like, beside `main`. */
const TEST_SOURCE_SET = /(^|\/)src\/[a-z]+Test(\/|$)/;
/** In the layout of Maven and Gradle this tree is never test code, whatever its packages are called. */
const PRODUCTION_TREE = /(^|\/)src\/main\//;

interface Patterns {
  readonly named: readonly { readonly before: string; readonly after: string }[];
  /** Names of their own, which say nothing about what is tested. */
  readonly whole: ReadonlySet<string>;
}

function parsed(patterns: readonly string[]): Patterns {
  const named = patterns.flatMap((pattern) => {
    const [before = '', after] = pattern.split('*');
    return after === undefined ? [] : [{ before, after }];
  });
  return { named, whole: new Set(patterns.filter((pattern) => !pattern.includes('*'))) };
}

/** Whole answers of files are judged by their names, and conventions never change. */
const known = new WeakMap<TestConventions, Patterns>();

function patternsFor(file: string, family: string | undefined): Patterns {
  const { tests } = languageFacts(family ?? languageOfFile(file)?.family.id ?? '');
  const patterns = known.get(tests) ?? parsed(tests.names);
  known.set(tests, patterns);
  return patterns;
}
