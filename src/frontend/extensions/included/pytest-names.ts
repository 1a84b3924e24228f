/** What a project calls its tests, by the configuration of pytest at the root: the first file that has a section counts. */
import path from 'node:path';
import picomatch from 'picomatch';
import { parse as parseToml } from 'smol-toml';
import { fieldOf } from '../../../shared/base/unknown-value.ts';
import type { ExtensionContext } from '../definition.ts';

export interface TestNames {
  readonly files: readonly string[];
  readonly classes: readonly string[];
  readonly functions: readonly string[];
  /** For the answer: `, pytest.ini`; nothing where pytest's own names hold. */
  readonly from: string;
}

const USUAL: TestNames = {
  files: ['test_*.py', '*_test.py'],
  classes: ['Test'],
  functions: ['test'],
  from: '',
};

/** In the order in which pytest looks at them. */
const PLACES: readonly { readonly file: string; readonly section: string }[] = [
  { file: 'pytest.ini', section: 'pytest' },
  { file: '.pytest.ini', section: 'pytest' },
  { file: 'pyproject.toml', section: 'tool.pytest.ini_options' },
  { file: 'tox.ini', section: 'pytest' },
  { file: 'setup.cfg', section: 'tool:pytest' },
];

export async function testNames(context: ExtensionContext): Promise<TestNames> {
  for (const { file, section } of PLACES) {
    const text = await context.read(file).then(
      (read) => read.text,
      () => undefined,
    );
    const settings = text === undefined ? undefined : sectionOf(file, text, section);
    if (!settings) continue;
    const files = settings('python_files');
    const classes = settings('python_classes');
    const functions = settings('python_functions');
    if (!files && !classes && !functions) return USUAL;
    return {
      files: files ?? USUAL.files,
      classes: classes ?? USUAL.classes,
      functions: functions ?? USUAL.functions,
      from: `, ${file}`,
    };
  }
  return USUAL;
}

/** A name by a prefix or a pattern; a file by its last part, or by its path where the pattern has one. */
export function fitsOneOf(name: string, patterns: readonly string[]): boolean {
  const last = name.split(/[\\/]/).at(-1) ?? name;
  return patterns.some((pattern) => {
    if (!/[*?[]/.test(pattern))
      return path.extname(pattern) === '' ? last.startsWith(pattern) : last === pattern;
    if (pattern.includes('/')) return picomatch.isMatch(name.split(path.sep).join('/'), `**/${pattern}`);
    return picomatch.isMatch(last, pattern);
  });
}

type Settings = (key: string) => readonly string[] | undefined;

/** Undefined when there is no such section, or nothing that can be read. */
function sectionOf(file: string, text: string, section: string): Settings | undefined {
  if (file.endsWith('.toml')) {
    const table = section.split('.').reduce<unknown>((value, key) => fieldOf(value, key), tomlOf(text));
    return table === undefined ? undefined : (key) => wordsIn(fieldOf(table, key));
  }
  const lines = text.split(/\r?\n/);
  const start = lines.indexOf(`[${section}]`);
  if (start < 0) return undefined;
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line.startsWith('['));
  const own = rest.slice(0, end < 0 ? undefined : end);
  return (key) => {
    const at = own.findIndex((line) => new RegExp(`^${key}\\s*=`).test(line));
    if (at < 0) return undefined;
    const [, first = ''] = (own[at] ?? '').split(/=(.*)/s);
    const more = own.slice(at + 1);
    const indented = more.slice(
      0,
      Math.max(
        0,
        indexOrEnd(more, (line) => !/^\s+\S/.test(line)),
      ),
    );
    return wordsIn([first, ...indented].join(' '));
  };
}

function indexOrEnd(lines: readonly string[], test: (line: string) => boolean): number {
  const index = lines.findIndex(test);
  return index < 0 ? lines.length : index;
}

function tomlOf(text: string): unknown {
  try {
    return parseToml(text);
  } catch {
    return undefined;
  }
}

function wordsIn(value: unknown): readonly string[] | undefined {
  const text = Array.isArray(value) ? value.join(' ') : value;
  if (typeof text !== 'string') return undefined;
  const words = text.split(/\s+/).filter((word) => word !== '');
  return words.length === 0 ? undefined : words;
}
