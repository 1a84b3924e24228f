/** Files of servers that have one list of what to search: pyright's configuration, and clangd's compile commands. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse as parseJsonc } from 'jsonc-parser';
import picomatch from 'picomatch';
import { parse as parseToml } from 'smol-toml';

type ProjectIn = (file: string) => string | undefined;

/** Undefined when everything below the root is searched anyway. */
export function pyrightFiles(root: string): ProjectIn | undefined {
  const settings = pyrightSettings(root);
  const include = patternsOf(settings, 'include');
  const exclude = patternsOf(settings, 'exclude');
  if (include.length === 0 && exclude.length === 0) return undefined;
  const isIncluded = include.length === 0 ? () => true : matcher(root, include);
  const isExcluded = matcher(root, exclude);
  return (file) => (isIncluded(file) && !isExcluded(file) ? root : undefined);
}

/** Undefined without a list. Headers are known through what includes them. */
export function compiledFiles(root: string): ProjectIn | undefined {
  const list = ['compile_commands.json', 'build/compile_commands.json']
    .map((name) => read(path.join(root, name), (text) => JSON.parse(text)))
    .find(Array.isArray);
  if (!list) return undefined;
  const listed = new Set(
    list.flatMap((command: unknown) => {
      const { directory, file } = Object(command);
      return typeof file === 'string' ? [path.resolve(root, String(directory ?? ''), file)] : [];
    }),
  );
  return (file) => (listed.has(file) || !/\.(c|cc|cpp|cxx|c\+\+|m|mm|cu)$/i.test(file) ? root : undefined);
}

function pyrightSettings(root: string): object {
  const own = read(path.join(root, 'pyrightconfig.json'), (text) =>
    parseJsonc(text, [], { allowTrailingComma: true }),
  );
  if (own !== undefined) return Object(own);
  const { tool } = Object(read(path.join(root, 'pyproject.toml'), parseToml));
  return Object(Object(tool).pyright ?? Object(tool).basedpyright);
}

function patternsOf(settings: object, name: string): string[] {
  const value: unknown = Reflect.get(settings, name);
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function matcher(root: string, patterns: readonly string[]): (file: string) => boolean {
  const all = patterns.map((pattern) => path.posix.normalize(pattern).replace(/\/$/, ''));
  if (all.includes('.')) return () => true;
  const match = picomatch(
    all.flatMap((pattern) => [pattern, `${pattern}/**`]),
    { dot: true },
  );
  return (file) => match(path.relative(root, file).replaceAll(path.sep, '/'));
}

function read(file: string, parse: (text: string) => unknown): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch {
    // No list, or one that is being written: then nothing is known from it.
    return undefined;
  }
}
