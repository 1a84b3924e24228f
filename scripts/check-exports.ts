/**
 * Finds functions, classes and constants that are exported for nobody: what no other file names need not be exported,
 * and what only tests name, and its own file does not use, is dead. Words are compared, without parsing: exported
 * names are unique, so a word that no other file has is used by no other file.
 */
import { type CheckResult, type Problem, runWhenMain } from './lib/report.ts';
import { filesBelow, lineAt, readText } from './lib/tree.ts';

interface Words {
  readonly path: string;
  readonly text: string;
  readonly counts: ReadonlyMap<string, number>;
}

/** These are read by tools, by their name. */
const READ_BY_NAME: ReadonlySet<string> = new Set([
  'scripts/skip-reporter.ts',
  'src/library.ts',
  'src/library-file.ts',
]);

export function checkExports(root: string): CheckResult {
  const ours = ['src', 'scripts'].flatMap((folder) => filesBelow(root, folder, isCode)).map(wordsAt(root));
  const tests = filesBelow(root, 'test', isCode).map(wordsAt(root));
  const [inOurs, inTests] = [filesByWord(ours), filesByWord(tests)];
  const problems = ours
    .filter(({ path }) => !READ_BY_NAME.has(path))
    .flatMap(({ path, text, counts }) =>
      [...text.matchAll(VALUE)].flatMap(({ 1: name = '', index }): Problem[] => {
        if ((inOurs.get(name) ?? 0) > 1) return [];
        const line = lineAt(text, index);
        const isUsedHere = (counts.get(name) ?? 0) > 1;
        if (!inTests.has(name)) {
          const message = isUsedHere ? 'but no other file uses it: do not export it' : 'and nobody uses it';
          return [{ file: path, line, message: `exports ${name}, ${message}` }];
        }
        return isUsedHere ? [] : [{ file: path, line, message: `exports ${name}, and only tests use it` }];
      }),
    );
  return { problems };
}

const VALUE = /^export (?:async )?(?:function\*?|class|const|let) (\w+)/gm;

function isCode(path: string): boolean {
  return /\.(?:[cm]?ts|mjs)$/.test(path) && !path.startsWith('test/fixtures/');
}

function wordsAt(root: string) {
  return (path: string): Words => {
    const text = readText(root, path);
    const counts = new Map<string, number>();
    for (const [word] of text.matchAll(/[A-Za-z_$][\w$]*/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { path, text, counts };
  };
}

function filesByWord(files: readonly Words[]): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { counts } of files)
    for (const word of counts.keys()) found.set(word, (found.get(word) ?? 0) + 1);
  return found;
}

await runWhenMain(import.meta.url, 'exports', checkExports);
