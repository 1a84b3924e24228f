/**
 * Tests by their ids, as pytest names them, without running anything: files by their names, tests by what the server says is
 * declared in them. What a project calls its tests stands in its configuration of pytest.
 */
import { SymbolKind } from 'vscode-languageserver-protocol';
import { counted } from '../../../shared/base/counted.ts';
import { absolutePath, displayPath, pathToUri } from '../../../shared/base/paths.ts';
import { eachBounded } from '../../../shared/base/pool.ts';
import { fieldOf } from '../../../shared/base/unknown-value.ts';
import type { ExtensionAnswer, ExtensionContext } from '../definition.ts';
import { fitsOneOf, type TestNames, testNames } from './pytest-names.ts';

const AT_ONCE = 8;

interface Request {
  readonly query: string;
  readonly path?: string | undefined;
  readonly limit: number;
}

interface FoundTest {
  /** `tests/test_client.py::TestClient::test_stop`. */
  readonly id: string;
  readonly name: string;
  readonly file: string;
  readonly line: number;
}

export async function testsByName(
  { query, path: given, limit }: Request,
  context: ExtensionContext,
): Promise<ExtensionAnswer> {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const names = await testNames(context);
  const { files, incomplete } = await context.files('*.py', given);
  const testFiles = files.filter((file) => fitsOneOf(file, names.files));
  const reservedMs = context.remainingMs() * 0.1;
  const unread: string[] = [];
  const show = (file: string) => displayPath(absolutePath(file), absolutePath(context.root));
  const found = await eachBounded(testFiles, AT_ONCE, async (file) => {
    const { text } = await context.read(file);
    const inText = `${show(file)}\n${text}`.toLowerCase();
    if (!words.every((word) => inText.includes(word))) return [];
    if (context.remainingMs() < reservedMs) {
      unread.push(file);
      return [];
    }
    const symbols = await context.request(file, 'textDocument/documentSymbol', {
      textDocument: { uri: pathToUri(absolutePath(file)) },
    });
    return testsIn(symbols, { file, shown: show(file), lines: text.split('\n'), names });
  });
  const tests = found.flat().filter(({ id }) => words.every((word) => id.toLowerCase().includes(word)));
  const shown = tests.slice(0, limit);
  const reasons = [
    incomplete,
    unread.length > 0
      ? `no time was left for ${counted(unread.length, 'file')}; pass a smaller path`
      : undefined,
  ].filter((reason) => reason !== undefined);
  const [first] = shown;
  const wanted = words.length === 0 ? '' : ` for "${query.trim()}"`;
  return {
    text: [
      `${counted(tests.length, 'test', { none: 'no' })}${wanted} in ${counted(testFiles.length, 'test file', { none: 'no' })} (${names.files.join(', ')}${names.from}); root ${context.root}`,
      ...shown.map(({ id, line }) => `${id}  :${line}`),
      ...(tests.length > shown.length
        ? [`${tests.length - shown.length} more not shown; narrow the query, or pass limit`]
        : []),
    ].join('\n'),
    data: { count: tests.length, files: testFiles.length, tests: shown },
    ...(reasons.length === 0 ? {} : { incomplete: reasons.join('; ') }),
    notes:
      tests.length === 0
        ? ['tests that a base class, a plugin or parameters make are not in the text and not found here']
        : [],
    ...(first ? { hint: `run_tests path:${show(first.file)}` } : {}),
  };
}

interface TestFile {
  readonly file: string;
  readonly shown: string;
  readonly lines: readonly string[];
  readonly names: TestNames;
}

/** Functions at the top, and methods of classes that hold tests, also of classes within them. */
function testsIn(symbols: unknown, file: TestFile, path: readonly string[] = []): readonly FoundTest[] {
  if (!Array.isArray(symbols)) return [];
  const { names, lines } = file;
  return symbols.flatMap((symbol: unknown): readonly FoundTest[] => {
    const name = String(fieldOf(symbol, 'name'));
    const kind = fieldOf(symbol, 'kind');
    const line = Number(fieldOf(fieldOf(fieldOf(symbol, 'selectionRange'), 'start'), 'line'));
    if (kind === SymbolKind.Class) {
      const isTestCase = derivesFromTestCase(lines, line);
      if (!isTestCase && !fitsOneOf(name, names.classes)) return [];
      const inClass = isTestCase ? { ...file, names: { ...names, functions: ['test'] } } : file;
      return testsIn(fieldOf(symbol, 'children'), inClass, [...path, name]);
    }
    const isFunction = kind === SymbolKind.Function || kind === SymbolKind.Method;
    if (!isFunction || !fitsOneOf(name, names.functions)) return [];
    return [{ id: [file.shown, ...path, name].join('::'), name, file: file.file, line: line + 1 }];
  });
}

/** By what stands behind its name: unittest goes by the class, not by its name. */
function derivesFromTestCase(lines: readonly string[], line: number): boolean {
  const [, bases = ''] = /\(([^)]*)\)/.exec(lines.slice(line, line + 5).join(' ')) ?? [];
  return /\b\w*TestCase\b/.test(bases);
}
