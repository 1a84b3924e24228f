/** Python: a type checker for building; pytest, or unittest where pytest is not installed. */
import { junitReport } from './readers/junit.ts';
import { COLON, problemLines } from './readers/lines-with-places.ts';
import { pyrightJson, unittestText } from './readers/python.ts';
import type { Runner, Target } from './runner.ts';

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
const asGiven = ({ path }: Target) => [path];

/** `pkg/test_a.py` is the module `pkg.test_a`; a directory is searched. */
function unittestTarget({ path, isDirectory }: Target): readonly string[] {
  return isDirectory ? ['discover', '-s', path] : [path.replace(/\.py$/, '').replaceAll('/', '.')];
}

export const pythonRunners: readonly Runner[] = [
  {
    name: 'mypy',
    task: 'build',
    languages,
    recognised: { files: ['mypy.ini', '.mypy.ini'] },
    program: { kind: 'python-module', module: 'mypy' },
    args: ['--show-column-numbers', '--no-error-summary', '--no-pretty'],
    everything: ['.'],
    only: asGiven,
    reader: problemLines([COLON]),
    install: 'pip install mypy',
  },
  {
    name: 'mypy',
    task: 'build',
    languages,
    recognised: { files: ['pyproject.toml', 'setup.cfg'], containing: /^\[(tool\.)?mypy\]/m },
    program: { kind: 'python-module', module: 'mypy' },
    args: ['--show-column-numbers', '--no-error-summary', '--no-pretty'],
    everything: ['.'],
    only: asGiven,
    reader: problemLines([COLON]),
    install: 'pip install mypy',
  },
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
  {
    name: 'pytest',
    task: 'test',
    languages,
    recognised: { files: [...PROJECT, 'conftest.py', 'test_*.py', '*_test.py', 'tests'] },
    program: { kind: 'python-module', module: 'pytest' },
    args: ['-q', '--tb=short', '--color=no'],
    only: asGiven,
    reportArgs: (file) => ['-o', 'junit_family=xunit1', `--junitxml=${file}`],
    reader: junitReport({ pick: 'last' }),
    install: 'pip install pytest',
  },
  {
    name: 'unittest',
    task: 'test',
    languages,
    recognised: { files: [...PROJECT, 'test_*.py', '*_test.py', 'tests'] },
    program: { kind: 'python-module', module: 'unittest' },
    args: [],
    everything: ['discover'],
    only: unittestTarget,
    reader: unittestText,
    install: 'install Python from https://www.python.org',
  },
];
