/** Applies the rule table of `check-architecture.ts` to a tree and says what breaks it, with file and line. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import picomatch from 'picomatch';
import { findCycles } from './import-cycles.ts';
import type { CheckResult, Problem } from './report.ts';
import { type Import, readSource, type SourceFile } from './source-file.ts';
import { filesBelow, isTypeScript, readText, readTextIfThere } from './tree.ts';

export interface ArchitectureRules {
  readonly layers: readonly {
    readonly files: string;
    readonly mayImport: readonly string[];
    readonly except?: readonly string[];
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
  readonly size: { readonly files: string; readonly limit: number; readonly attention: number };
  readonly words: readonly {
    readonly files: readonly string[];
    readonly pattern: RegExp;
    readonly reason: string;
  }[];
}

export function applyRules(root: string, rules: ArchitectureRules): CheckResult {
  const sources = filesBelow(root, 'src', isTypeScript).map((path) => readSource(path, readText(root, path)));
  const tests = filesBelow(root, 'test', isTypeScript).map((path) => readSource(path, readText(root, path)));
  const known = new Set(sources.map((source) => source.path));
  const declared = declaredPackages(root);
  const problems = [
    ...sources.flatMap((source) => [
      ...layerProblems(source, known, rules),
      ...packageProblems(source, declared, rules),
      ...globalProblems(source, rules),
      ...shapeProblems(source),
    ]),
    ...[...sources, ...tests].flatMap(onlyProblems),
    ...cycleProblems(sources, known),
    ...wordProblems(root, rules),
  ];
  const { problems: tooLong, warnings } = sizeProblems(sources, rules);
  return { problems: [...problems, ...tooLong].sort(byPlace), warnings };
}

function layerProblems(source: SourceFile, known: ReadonlySet<string>, rules: ArchitectureRules): Problem[] {
  const layer = rules.layers.find((row) => matches(row.files, source.path));
  if (layer === undefined) return [at(source, undefined, 'belongs to no layer: add a row for it')];
  const problems: Problem[] = [];
  for (const found of source.imports) {
    const target = targetOf(source, found);
    if (target === undefined) continue;
    if (!target.startsWith('src/')) {
      if (target === 'package.json') continue;
      problems.push(at(source, found.line, `imports ${target}: src imports nothing outside src`));
    } else if (!matches(layer.mayImport, target) || matches(layer.except ?? [], target)) {
      problems.push(at(source, found.line, `must not import ${target}: ${layer.reason}`));
    } else if (!known.has(target)) {
      problems.push(at(source, found.line, `imports ${target}, which is not there`));
    }
  }
  return problems;
}

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
    const rows = rules.words.filter((row) => matches(row.files, file));
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
