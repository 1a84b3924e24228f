/**
 * Finds functions, classes and constants that are exported for nobody: what no other file takes need not be exported,
 * and what only tests take, and its own file does not use, is dead. Words are compared, without parsing: another file takes
 * a name if it has that word and names the file that exports it.
 */
import { posix } from 'node:path';
import { type CheckResult, type Problem, runWhenMain } from './lib/report.ts';
import { filesBelow, lineAt, readText } from './lib/tree.ts';

interface Words {
  readonly path: string;
  readonly text: string;
  readonly counts: ReadonlyMap<string, number>;
  /** The files that it names, without their folders. */
  readonly named: ReadonlySet<string>;
}

/** These are taken by tools, by their name. */
const READ_BY_NAME: ReadonlySet<string> = new Set([
  'scripts/skip-reporter.ts',
  'src/library.ts',
  'src/main.ts',
  'src/library-file.ts',
  // What it exports is the text of a workspace.
  'scripts/soak-simulation.ts',
]);

export function checkExports(root: string): CheckResult {
  const ours = ['src', 'scripts'].flatMap((folder) => filesBelow(root, folder, isCode)).map(wordsAt(root));
  const tests = filesBelow(root, 'test', isCode).map(wordsAt(root));
  const problems = ours
    .filter(({ path }) => !READ_BY_NAME.has(path))
    .flatMap(({ path, text, counts }) => {
      const takes = ({ path: other, counts: words, named }: Words, name: string) =>
        other !== path && words.has(name) && named.has(posix.basename(path));
      return [...text.matchAll(VALUE)].flatMap(({ 1: name = '', index }): Problem[] => {
        if (ours.some((file) => takes(file, name))) return [];
        const line = lineAt(text, index);
        const isUsedHere = (counts.get(name) ?? 0) > 1;
        if (!tests.some((file) => takes(file, name))) {
          const message = isUsedHere ? 'but no other file uses it: do not export it' : 'and nobody uses it';
          return [{ file: path, line, message: `exports ${name}, ${message}` }];
        }
        return isUsedHere ? [] : [{ file: path, line, message: `exports ${name}, and only tests use it` }];
      });
    });
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
    const named = new Set(
      Array.from(text.matchAll(/([\w.-]+\.(?:[cm]?ts|mjs))['"`]/g), ([, file = '']) => file),
    );
    return { path, text, counts, named };
  };
}

await runWhenMain(import.meta.url, 'exports', checkExports);
