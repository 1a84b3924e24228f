/** Python: a type checker for building; pytest, or unittest where pytest is not installed. */
import type { RunnerRow, TargetArguments } from '../runner-rows.ts';

const rank = 2;
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
const asGiven: TargetArguments = { file: ['{path}'], directory: ['{path}'] };

const pytest: Omit<RunnerRow, 'recognised'> = {
  name: 'pytest',
  task: 'test',
  program: { kind: 'python-module', module: 'pytest' },
  args: ['-q', '--tb=short', '--color=no'],
  only: asGiven,
  reportArgs: ['-o', 'junit_family=xunit1', '--junitxml={report}'],
  reader: 'junit-last',
  install: 'pip install pytest',
  rank,
};

const unittest: Omit<RunnerRow, 'recognised'> = {
  name: 'unittest',
  task: 'test',
  program: { kind: 'python-module', module: 'unittest' },
  args: [],
  needs: 'unittest-start',
  only: { file: ['{module}'], directory: ['discover', '-s', '{path}'] },
  reader: 'unittest',
  install: 'install Python from https://www.python.org',
  rank,
};

const mypy: Omit<RunnerRow, 'recognised'> = {
  name: 'mypy',
  task: 'build',
  program: { kind: 'python-module', module: 'mypy' },
  args: ['--show-column-numbers', '--no-error-summary', '--no-pretty'],
  everything: ['.'],
  only: asGiven,
  reader: 'colon',
  install: 'pip install mypy',
  rank,
};

export const pythonRunners = (): readonly RunnerRow[] => [
  { ...mypy, recognised: { files: ['mypy.ini', '.mypy.ini'] } },
  { ...mypy, recognised: { files: ['pyproject.toml', 'setup.cfg'], containing: /^\[(tool\.)?mypy\]/m } },
  {
    name: 'pyright',
    task: 'build',
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
    reader: 'pyright',
    install: 'npm install --save-dev pyright',
    rank,
  },
  { ...pytest, recognised: { files: PROJECT } },
  { ...unittest, recognised: { files: PROJECT } },
  { ...pytest, recognised: { files: TESTS, isFallback: true } },
  { ...unittest, recognised: { files: TESTS, isFallback: true } },
];
