/** Applies the rule table of `check-architecture.ts` to a tree and says what breaks it, with file and line. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import picomatch from 'picomatch';
import type { Room } from '../rooms.ts';
import { findCycles } from './import-cycles.ts';
import { goesByLanguage, isByFiles, type LanguageNames } from './language-names.ts';
import type { CheckResult, Problem } from './report.ts';
import { roomProblems } from './rooms.ts';
import { type Import, readSource, type SourceFile } from './source-file.ts';
import { type TestRules, testRoomProblems } from './test-rooms.ts';
import { filesBelow, isTypeScript, readText, readTextIfThere } from './tree.ts';

export interface ArchitectureRules {
  readonly rooms: readonly Room[];
  readonly onlyFrom: readonly {
    readonly files: string;
    readonly importer: string;
    readonly reason: string;
  }[];
  readonly packages: readonly {
    readonly packages: string;
    readonly only: readonly string[];
    readonly reason: string;
  }[];
  readonly typesOnlyPackages: readonly { readonly files: string; readonly reason: string }[];
  readonly builtins: readonly {
    readonly builtins: string;
    readonly only: readonly string[];
    readonly reason: string;
  }[];
  readonly globals: readonly {
    readonly global: string;
    readonly only: readonly string[];
    readonly reason: string;
  }[];
  /** Files that may keep something for the whole process. */
  readonly moduleState: readonly { readonly files: string; readonly reason: string }[];
  /** Files that may go by languages: by their names, the endings of their files, or the ids of their servers. */
  readonly languages: LanguageNames & {
    readonly only: readonly { readonly files: string; readonly reason: string }[];
    /** These go by no name of a language, but by how its files end or which server it is. */
    readonly byFiles: readonly { readonly files: string; readonly reason: string }[];
  };
  readonly size: { readonly files: string; readonly limit: number; readonly attention: number };
  readonly words: readonly {
    readonly files: readonly string[];
    readonly only?: readonly string[];
    readonly pattern: RegExp;
    readonly reason: string;
  }[];
  readonly tests: TestRules;
}

export function applyRules(root: string, rules: ArchitectureRules): CheckResult {
  const read = (folder: string) =>
    filesBelow(root, folder, isTypeScript).map((path) => readSource(path, readText(root, path)));
  const sources = read('src');
  const tests = read('test');
  const known = new Set(sources.map((source) => source.path));
  const declared = declaredPackages(root);
  const problems = [
    ...sources.flatMap((source) => [
      ...targetProblems(source, known),
      ...importerProblems(source, rules),
      ...stateProblems(source, rules),
      ...languageProblems(source, rules),
      ...packageProblems(source, declared, rules),
      ...globalProblems(source, rules),
      ...shapeProblems(source),
    ]),
    ...[...sources, ...tests].flatMap(onlyProblems),
    ...tests.flatMap(tableProblems),
    ...roomProblems(rules.rooms, sources, ownTargets),
    ...testRoomProblems(rules.tests, sources, [...tests, ...read('scripts')]),
    ...doubleProblems(sources),
    ...cycleProblems(sources, known),
    ...wordProblems(root, rules),
  ];
  const { problems: tooLong, warnings } = sizeProblems(sources, rules);
  return { problems: [...problems, ...tooLong].sort(byPlace), warnings };
}

/** Imports of what is outside of `src`, or not there. */
function targetProblems(source: SourceFile, known: ReadonlySet<string>): Problem[] {
  return source.imports.flatMap((found) => {
    const target = targetOf(source, found);
    if (target === undefined || target === 'package.json' || known.has(target)) return [];
    const message = target.startsWith('src/')
      ? `imports ${target}, which is not there`
      : `imports ${target}: src imports nothing outside src`;
    return [at(source, found.line, message)];
  });
}

function importerProblems(source: SourceFile, rules: ArchitectureRules): Problem[] {
  return ownTargets(source).flatMap(({ path, line }) =>
    rules.onlyFrom
      .filter(({ files, importer }) => matches(files, path) && source.path !== importer)
      .map(({ reason }) => at(source, line, `imports ${path}: ${reason}`)),
  );
}

function ownTargets(source: SourceFile): { path: string; line: number }[] {
  return source.imports.flatMap((found) => {
    const path = targetOf(source, found);
    return path?.startsWith('src/') ? [{ path, line: found.line }] : [];
  });
}

function doubleProblems(sources: readonly SourceFile[]): Problem[] {
  const first = new Map<string, SourceFile>();
  return sources.flatMap((source) =>
    source.exports.flatMap(({ name, line }) => {
      const other = first.get(name);
      first.set(name, other ?? source);
      const message = `exports ${name}, and so does ${other?.path}: one name, one meaning`;
      return other && other !== source ? [at(source, line, message)] : [];
    }),
  );
}

function stateProblems(source: SourceFile, rules: ArchitectureRules): Problem[] {
  if (rules.moduleState.some(({ files }) => matches(files, source.path))) return [];
  return source.moduleState.map((line) =>
    at(source, line, 'keeps state for the whole process: give it to whoever it belongs to'),
  );
}

function languageProblems(source: SourceFile, { languages }: ArchitectureRules): Problem[] {
  if (languages.only.some(({ files }) => matches(files, source.path))) return [];
  const byFiles = languages.byFiles.some(({ files }) => matches(files, source.path));
  return source.nameUses
    .filter(({ use }) => goesByLanguage(use, languages) && !(byFiles && isByFiles(use)))
    .map(({ use, line }) => {
      const shown = use.names.slice(0, 3).join(', ');
      return at(
        source,
        line,
        `${GOES_BY[use.kind]} ${shown}: make it a fact of the descriptors in src/shared/languages`,
      );
    });
}

const GOES_BY = {
  comparison: 'compares a language with',
  list: 'has a table by language:',
  table: 'has a table by language:',
  ending: 'knows files of a language by',
};

function packageProblems(
  source: SourceFile,
  declared: ReadonlySet<string>,
  rules: ArchitectureRules,
): Problem[] {
  const problems: Problem[] = [];
  for (const found of source.imports) {
    const { specifier, line } = found;
    if (specifier.startsWith('.')) continue;
    if (isBuiltin(specifier)) {
      const name = specifier.startsWith('node:') ? specifier : `node:${specifier}`;
      for (const row of rules.builtins) {
        if (!found.typeOnly && matches(row.builtins, name) && !matches(row.only, source.path)) {
          problems.push(at(source, line, `must not import ${name}: ${row.reason}`));
        }
      }
      continue;
    }
    for (const row of rules.packages) {
      if (matches(row.packages, specifier) && !matches(row.only, source.path)) {
        problems.push(at(source, line, `must not import ${specifier}: ${row.reason}`));
      }
    }
    for (const row of rules.typesOnlyPackages) {
      if (matches(row.files, source.path) && !found.typeOnly) {
        problems.push(at(source, line, `may import only types from ${specifier}: ${row.reason}`));
      }
    }
    if (!declared.has(packageName(specifier))) {
      problems.push(at(source, line, `imports ${specifier}, which package.json does not declare`));
    }
  }
  for (const line of source.computedImports) {
    problems.push(at(source, line, 'import() of a computed name cannot be checked: use a literal'));
  }
  return problems;
}

function globalProblems(source: SourceFile, rules: ArchitectureRules): Problem[] {
  return source.uses.flatMap((use) =>
    rules.globals
      .filter((row) => row.global === use.name && !matches(row.only, source.path))
      .map((row) => at(source, use.line, `must not use ${use.name}: ${row.reason}`)),
  );
}

function shapeProblems(source: SourceFile): Problem[] {
  const problems = source.imports
    .filter((found) => found.star)
    .map((found) =>
      at(source, found.line, 'export * hides where a name comes from: import it from its own file'),
    );
  if (posix.basename(source.path).startsWith('index.')) {
    problems.push(at(source, undefined, 'is a barrel: import from the file that has the subject'));
  }
  return problems;
}

function onlyProblems(source: SourceFile): Problem[] {
  return source.uses
    .filter((use) => use.name.endsWith('.only'))
    .map((use) => at(source, use.line, `${use.name} leaves the other tests out`));
}

function tableProblems(source: SourceFile): Problem[] {
  return source.namelessRows.map((line) =>
    at(source, line, "has a row of a table without names: write { text: 'a', line: 1 } for ['a', 1]"),
  );
}

function cycleProblems(sources: readonly SourceFile[], known: ReadonlySet<string>): Problem[] {
  const graph = new Map(
    sources.map((source) => {
      const targets = source.imports
        .map((found) => targetOf(source, found))
        .filter((target) => target !== undefined);
      return [source.path, new Set(targets.filter((target) => known.has(target)))];
    }),
  );
  return findCycles(graph).map((cycle) => {
    const edges = cycle.slice(1).map((to, index) => {
      const source = sources.find(({ path }) => path === cycle[index]);
      return source?.imports.filter((found) => targetOf(source, found) === to) ?? [];
    });
    const byTypes = edges.some((imports) => imports.every((found) => found.typeOnly));
    const advice = byTypes ? ' (give the shared type a file of its own)' : '';
    const message = `import cycle: ${cycle.join(' → ')}${advice}`;
    return { file: cycle[0] ?? '', line: edges[0]?.[0]?.line, message };
  });
}

function sizeProblems(
  sources: readonly SourceFile[],
  rules: ArchitectureRules,
): Required<Omit<CheckResult, 'notes'>> {
  const { files, limit, attention } = rules.size;
  const counted = sources.filter((source) => matches(files, source.path));
  const say = (source: SourceFile): Problem =>
    at(source, undefined, `has ${source.lineCount} lines (limit ${limit})`);
  return {
    problems: counted.filter(({ lineCount }) => lineCount > limit).map(say),
    warnings: counted.filter(({ lineCount }) => lineCount > attention && lineCount <= limit).map(say),
  };
}

function wordProblems(root: string, rules: ArchitectureRules): Problem[] {
  return filesBelow(root, '', () => true).flatMap((file) => {
    const rows = rules.words.filter((row) => matches(row.files, file) && !matches(row.only ?? [], file));
    if (rows.length === 0) return [];
    return readText(root, file)
      .split('\n')
      .flatMap((text, index) =>
        rows.flatMap(({ pattern, reason }) => {
          const word = pattern.exec(text)?.[0];
          return word === undefined
            ? []
            : [{ file, line: index + 1, message: `contains “${word}”: ${reason}` }];
        }),
      );
  });
}

/** The imported file relative to the root, or undefined for a package or builtin. */
function targetOf(source: SourceFile, found: Import): string | undefined {
  if (!found.specifier.startsWith('.')) return undefined;
  return posix.join(posix.dirname(source.path), found.specifier);
}

function packageName(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function declaredPackages(root: string): ReadonlySet<string> {
  const text = readTextIfThere(root, 'package.json');
  const manifest: Record<string, Record<string, string> | undefined> =
    text === undefined ? {} : JSON.parse(text);
  const fields = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  return new Set(fields.flatMap((field) => Object.keys(manifest[field] ?? {})));
}

function matches(patterns: string | readonly string[], path: string): boolean {
  return picomatch.isMatch(path, typeof patterns === 'string' ? patterns : [...patterns], { dot: true });
}

function at(source: SourceFile, line: number | undefined, message: string): Problem {
  return { file: source.path, line, message };
}

function byPlace(a: Problem, b: Problem): number {
  return a.file.localeCompare(b.file) || (a.line ?? 0) - (b.line ?? 0);
}
