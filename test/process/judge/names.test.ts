/** The oracle of names that are declared once, on small repositories in which the truth can be read. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type NamedLanguage, truthByNames } from '../../support/judge/oracle/names/by-names.ts';
import { placesIn } from '../../support/judge/oracle/names/go-names.ts';
import { languageMostlyIn } from '../../support/judge/sources.ts';
import { TOOLS, type Tool, type Truth } from '../../support/judge/truth.ts';

const made: string[] = [];
afterEach(() => {
  for (const root of made.splice(0)) rmSync(root, { recursive: true, force: true });
});

function repository(texts: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'al-judge-')));
  made.push(root);
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

function truthAbout(language: NamedLanguage, texts: Readonly<Record<string, string>>): Truth {
  return truthByNames({ root: repository(texts), language, symbols: 20, seed: 1, tools: TOOLS });
}

function expected({ questions }: Truth, tool: Tool, name: string): string[] | undefined {
  return questions
    .find((each) => each.tool === tool && each.name === name)
    ?.expected.map(
      ({ file, line, column, class: kind, caller }) =>
        `${file}:${line}:${column} ${kind}${caller === undefined ? '' : ` in ${caller}`}`,
    )
    .sort();
}

const has = (command: string, ...args: string[]) => {
  try {
    execFileSync(command, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe.skipIf(!has('python3', '--version'))('names of Python', () => {
  it('are found in code with their calls and the innermost function around them', () => {
    const truth = truthAbout('python', {
      'lib.py': 'def quuxly():\n    return 1\n',
      'use.py': [
        'from lib import quuxly',
        'class A:',
        '    def outer(self, other):',
        '        def inner(): return ("é𝒜", other.quuxly())',
        '        return [quuxly, inner]',
        'quuxly()  # quuxly',
        'text = "say quuxly"',
      ].join('\n'),
    });
    expect(expected(truth, 'references', 'quuxly')).toEqual([
      'lib.py:1:5 definition',
      'use.py:1:17 import',
      'use.py:4:43 call in inner',
      'use.py:5:17 use in outer',
      'use.py:6:1 call',
      'use.py:7:13 mention',
    ]);
    expect(expected(truth, 'callers', 'quuxly')).toEqual(['use.py:4:43 call in inner', 'use.py:6:1 call']);
    expect(expected(truth, 'symbols', 'quuxly')).toEqual(['lib.py:1:5 top-level']);
  });

  it('are uses in annotations that are strings, and decorators without brackets', () => {
    const truth = truthAbout('python', {
      'a.py':
        'class Quuxling: ...\ndef quuxed(f): return f\n@quuxed\ndef quuxer(one: "Quuxling"): ...\nquuxer\n',
    });
    expect(expected(truth, 'rename', 'Quuxling')).toEqual(['a.py:1:7 definition', 'a.py:4:18 use']);
    expect(expected(truth, 'callers', 'quuxed')).toEqual(['a.py:3:2 applied']);
  });

  it('do not count when something else could be meant by them', () => {
    const others = {
      declaration: 'class A:\n    def NAME(self): ...\n',
      assignment: 'NAME = 1\n',
      attribute: 'import a\na.NAME = 1\n',
      parameter: 'def f(NAME): ...\n',
      keyword: 'f(NAME=1)\n',
      alias: 'from a import NAME as other\n',
      string: 'getattr(a, "NAME")\n',
      unparsable: 'print NAME\n',
      installed: '',
      comment: '# NAME\n',
    };
    const texts = Object.entries(others).map(([kind, text]) => ({ name: `quuxly_${kind}`, text }));
    const truth = truthAbout('python', {
      '.venv/lib/dependency/a.py': 'quuxly_installed = 1\n',
      '.venv/lib/pip/_vendor/a.py': 'quuxly_comment = 1\n',
      'library.py': 'def urlopen(): ...\nurlopen()\n',
      'all.py': texts.map(({ name }) => `def ${name}(): ...\n${name}()\n`).join(''),
      ...Object.fromEntries(
        texts.map(({ name, text }) => [`with_${name}.py`, text.replaceAll('NAME', name)]),
      ),
    });
    expect([...new Set(truth.questions.map(({ name }) => name))]).toEqual(['quuxly_comment']);
    expect(truth.remarks).toEqual(['1 files cannot be parsed: with_quuxly_unparsable.py']);
  });

  it('may be declared once more in the stub beside', () => {
    const truth = truthAbout('python', {
      'a.py': 'def quuxly(): ...\nquuxly()\n',
      'a.pyi': 'def quuxly() -> None: ...\n',
    });
    expect(expected(truth, 'definition', 'quuxly')).toEqual(['a.py:1:5 definition', 'a.pyi:1:5 definition']);
    expect(expected(truth, 'symbols', 'quuxly')).toEqual(['a.py:1:5 top-level', 'a.pyi:1:5 top-level']);
  });
});

describe.skipIf(!has('go', 'version'))('names of Go', () => {
  it('are found with their calls, and only where nothing else could be meant', () => {
    const truth = truthAbout('go', {
      'go.mod': 'module example.com/a\n\ngo 1.21\n',
      'a.go': [
        'package a',
        'type quuxer interface{ Quuxed() }',
        'type Quuxling struct{ quuxField int }',
        'func (q Quuxling) Quuxed() { _ = "é𝒜"; quuxly() }',
        '// quuxly says é𝒜 quuxly.',
        'func quuxly() { quuxField := 1; _ = quuxField }',
        'func Println() { f := quuxly; f(); Println() }',
        'var one quuxer = Quuxling(two)',
      ].join('\n'),
      'testdata/b.go': 'package b\n',
    });
    expect([...new Set(truth.questions.map(({ name }) => name))].sort()).toEqual([
      'Quuxling',
      'quuxer',
      'quuxly',
    ]);
    expect(expected(truth, 'rename', 'quuxly')).toEqual([
      'a.go:4:41 call in Quuxed',
      'a.go:5:20 comment',
      'a.go:5:4 comment',
      'a.go:6:6 definition',
      'a.go:7:23 use in Println',
    ]);
    expect(expected(truth, 'callers', 'quuxly')).toEqual(['a.go:4:41 call in Quuxed']);
    // A conversion is no call.
    expect(expected(truth, 'callers', 'Quuxling')).toBeUndefined();
  });

  it('have the implementations that gopls prints', () => {
    expect(placesIn('/r', '/r/a/b.go:3:6-14\n/elsewhere/c.go:1:2-3\n')).toEqual([
      { file: 'a/b.go', line: 3, column: 6, class: 'declaration' },
    ]);
  });
});

it('judges the language that most files are written in', () => {
  expect(languageMostlyIn(repository({ 'a.py': '', 'b.py': '', 'c.js': '' }))).toBe('python');
  expect(languageMostlyIn(repository({ 'a.go': '' }))).toBe('go');
});
