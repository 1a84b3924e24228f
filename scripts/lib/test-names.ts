/**
 * The names of all tests, read from the test files without running them: running would start servers.
 * A suite that a test file imports from test/support counts as its own, because that is where vitest reports it.
 */
import { posix } from 'node:path';
import ts from 'typescript5';
import { parse } from './source-file.ts';
import { isTitle, titlePattern } from './test-titles.ts';
import { filesBelow, isTestFile, isTypeScript, readText } from './tree.ts';

/** Patterns (sources of regular expressions) of the enclosing suites, outermost first, and last the test itself. */
type NameChain = readonly string[];

export class TestNames {
  readonly #byFile: ReadonlyMap<string, readonly NameChain[]>;

  constructor(byFile: ReadonlyMap<string, readonly NameChain[]>) {
    this.#byFile = byFile;
  }

  get count(): number {
    return [...this.#byFile.values()].reduce((sum, chains) => sum + chains.length, 0);
  }

  hasFile(file: string): boolean {
    return this.#byFile.has(file);
  }

  /** `name` is a test's title, with or without its suites in front (`suite > test`). */
  has(file: string, name: string): boolean {
    const chains = this.#byFile.get(file) ?? [];
    return chains.some((chain) =>
      chain.some((_, start) => new RegExp(`^(?:${chain.slice(start).join(' > ')})$`, 's').test(name)),
    );
  }
}

/** What is wrong with a test that is named as `file > title`; undefined when it exists. */
export function testFault(test: string, names: TestNames): string | undefined {
  const cut = test.indexOf(' > ');
  if (cut === -1) return `names “${test}”, which is not of the form “file > title”`;
  const file = test.slice(0, cut);
  const name = test.slice(cut + 3);
  if (!names.hasFile(file)) return `names a test of ${file}, which is not there`;
  return names.has(file, name) ? undefined : `names “${name}”, which ${file} does not have`;
}

export function collectTestNames(root: string): TestNames {
  const files = filesBelow(root, 'test', isTypeScript);
  const parsed = new Map(files.map((file) => [file, readTests(file, readText(root, file))]));
  const byFile = new Map<string, readonly NameChain[]>();
  for (const file of files.filter(isTestFile)) {
    const reached = reachable(file, parsed);
    byFile.set(
      file,
      reached.flatMap((path) => parsed.get(path)?.tests ?? []),
    );
  }
  return new TestNames(byFile);
}

interface ParsedTests {
  readonly tests: readonly NameChain[];
  readonly imports: readonly string[];
}

function reachable(file: string, parsed: ReadonlyMap<string, ParsedTests>): string[] {
  const reached = new Set([file]);
  for (const path of reached) for (const target of parsed.get(path)?.imports ?? []) reached.add(target);
  return [...reached];
}

function readTests(file: string, text: string): ParsedTests {
  const tests: NameChain[] = [];
  const imports: string[] = [];
  const visit = (node: ts.Node, suites: NameChain): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const { text: specifier } = node.moduleSpecifier;
      if (specifier.startsWith('.')) imports.push(posix.join(posix.dirname(file), specifier));
    }
    const declared = ts.isCallExpression(node) ? declarationOf(node) : undefined;
    if (declared === undefined) ts.forEachChild(node, (child) => visit(child, suites));
    else if (declared.kind === 'suite') visit(declared.body, [...suites, declared.name ?? '.+']);
    else if (declared.name !== undefined) tests.push([...suites, declared.name]);
  };
  visit(parse(file, text), []);
  return { tests, imports };
}

interface Declaration {
  readonly kind: 'test' | 'suite';
  /** Undefined when the title is computed and nothing of it is known. */
  readonly name: string | undefined;
  readonly body: ts.Node;
}

/** `it('…', fn)`, `describe.each(rows)('…', fn)`, `describeWith(tool, '…', fn)`, `itWith(…)` and the like. */
function declarationOf(call: ts.CallExpression): Declaration | undefined {
  const callee = calleeOf(call.expression);
  const kind = callee === undefined ? undefined : kindOf(callee.root);
  if (callee === undefined || kind === undefined) return undefined;
  const bodyAt = call.arguments.findIndex((argument) => ts.isFunctionLike(argument));
  const body = call.arguments[bodyAt];
  if (body === undefined) return undefined;
  // The title is the last text before the body: `describeWith` takes what it needs first.
  const title = call.arguments.slice(0, bodyAt).findLast(isTitle);
  return { kind, name: title === undefined ? undefined : titlePattern(title, callee.table), body };
}

function kindOf(name: string): Declaration['kind'] | undefined {
  if (/^(?:it|test)(?:[A-Z]\w*)?$/.test(name)) return 'test';
  return /^(?:describe|suite)(?:[A-Z]\w*)?$/.test(name) ? 'suite' : undefined;
}

/** The function's name behind `.skip`, `.skipIf(…)`, `.each(…)`, and the table given to the last of these. */
function calleeOf(node: ts.Expression): { root: string; table: ts.Expression | undefined } | undefined {
  if (ts.isIdentifier(node)) return { root: node.text, table: undefined };
  if (ts.isPropertyAccessExpression(node)) return calleeOf(node.expression);
  if (!ts.isCallExpression(node)) return undefined;
  const inner = calleeOf(node.expression);
  const isTable =
    ts.isPropertyAccessExpression(node.expression) && /^(?:each|for)$/.test(node.expression.name.text);
  return inner === undefined
    ? undefined
    : { root: inner.root, table: isTable ? node.arguments[0] : inner.table };
}
