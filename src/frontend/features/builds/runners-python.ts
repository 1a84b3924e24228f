/** Python: a type checker for building; pytest, or unittest where pytest is not installed. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { junitReport } from './readers/junit.ts';
import { COLON, problemLines } from './readers/lines-with-places.ts';
import { pyrightJson, unittestText } from './readers/python.ts';
import type { Runner, RunTarget } from './runner.ts';

const languages = ['python'];
const PROJECT = [
  'pyproject.toml',
  'setup.py',
  'setup.cfg',
  'requirements.txt',
  'Pipfile',
  'tox.ini',
  'pytest.ini',
];
const TESTS = ['conftest.py', 'test_*.py', '*_test.py', 'tests'];
const asGiven = ({ path: target }: RunTarget) => [target];

/** `pkg/test_a.py` is the module `pkg.test_a`; a directory is searched. */
function unittestTarget({ path: target, isDirectory }: RunTarget): readonly string[] {
  return isDirectory ? ['discover', '-s', target] : [target.replace(/\.py$/, '').replaceAll('/', '.')];
}

/** Without a package of that name, discovery from the project does not look into `tests`. */
function unittestEverything(cwd: AbsPath): readonly string[] {
  const directory = ['tests', 'test'].find((name) => existsSync(path.join(cwd, name)));
  const isPackage = directory !== undefined && existsSync(path.join(cwd, directory, '__init__.py'));
  return directory === undefined || isPackage ? ['discover'] : ['discover', '-s', directory];
}

const pytest: Omit<Runner, 'recognised'> = {
  name: 'pytest',
  task: 'test',
  languages,
  program: { kind: 'python-module', module: 'pytest' },
  args: ['-q', '--tb=short', '--color=no'],
  only: asGiven,
  reportArgs: (file) => ['-o', 'junit_family=xunit1', `--junitxml=${file}`],
  reader: junitReport({ pick: 'last' }),
  install: 'pip install pytest',
};

const unittest: Omit<Runner, 'recognised'> = {
  name: 'unittest',
  task: 'test',
  languages,
  program: { kind: 'python-module', module: 'unittest' },
  args: [],
  everything: unittestEverything,
  only: unittestTarget,
  reader: unittestText,
  install: 'install Python from https://www.python.org',
};

const mypy: Omit<Runner, 'recognised'> = {
  name: 'mypy',
  task: 'build',
  languages,
  program: { kind: 'python-module', module: 'mypy' },
  args: ['--show-column-numbers', '--no-error-summary', '--no-pretty'],
  everything: ['.'],
  only: asGiven,
  reader: problemLines([COLON]),
  install: 'pip install mypy',
};

export const pythonRunners: readonly Runner[] = [
  { ...mypy, recognised: { files: ['mypy.ini', '.mypy.ini'] } },
  { ...mypy, recognised: { files: ['pyproject.toml', 'setup.cfg'], containing: /^\[(tool\.)?mypy\]/m } },
  {
    name: 'pyright',
    task: 'build',
    languages,
    recognised: { files: ['pyrightconfig.json', ...PROJECT] },
    program: {
      kind: 'npm',
      package: 'pyright',
      command: 'pyright',
      embedded: true,
      pythonOption: '--pythonpath',
    },
    args: ['--outputjson'],
    only: asGiven,
    reader: pyrightJson,
    install: 'npm install --save-dev pyright',
  },
  { ...pytest, recognised: { files: PROJECT } },
  { ...unittest, recognised: { files: PROJECT } },
  { ...pytest, recognised: { files: TESTS, isFallback: true } },
  { ...unittest, recognised: { files: TESTS, isFallback: true } },
];
