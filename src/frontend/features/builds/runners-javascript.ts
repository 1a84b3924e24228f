/** TypeScript and JavaScript: the compiler, and the test runner that package.json names. */
import { jestReport, mochaReport } from './readers/javascript.ts';
import { junitReport } from './readers/junit.ts';
import { anyBuild, anyTest, eslintJson } from './readers/plain.ts';
import { tapStream } from './readers/tap.ts';
import { tscLines, tscSolution } from './readers/tsc-build.ts';
import type { Runner, RunnerProgram, RunTarget } from './runner.ts';
import { solutionCopy } from './solution-copy.ts';

const languages = ['typescript', 'vue', 'svelte'];
const npm: RunnerProgram = { kind: 'path', names: ['npm'] };
const tsc: RunnerProgram = { kind: 'npm', package: 'typescript', command: 'tsc', embedded: true };
/** An incremental project would write beside its configuration what it knows of the last time. */
const buildInfoIn = (file: string) => ['--incremental', '--tsBuildInfoFile', file];
const INSTALL_NODE = 'install Node.js from https://nodejs.org';

const asGiven = ({ path }: RunTarget) => (path === '.' ? [] : [path]);

type TestRunner = Omit<Runner, 'recognised'>;

function testRunner(name: string, rest: Pick<Runner, 'args' | 'reportArgs' | 'reader'>): TestRunner {
  return {
    name,
    task: 'test',
    languages,
    program: { kind: 'npm', package: name, command: name },
    only: asGiven,
    install: `npm install --save-dev ${name}`,
    ...rest,
  };
}

const testRunners: readonly TestRunner[] = [
  testRunner('vitest', {
    args: ['run'],
    reportArgs: (file) => ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
    reader: jestReport,
  }),
  testRunner('jest', {
    args: [],
    reportArgs: (file) => ['--json', `--outputFile=${file}`],
    reader: jestReport,
  }),
  testRunner('mocha', {
    args: [],
    reportArgs: (file) => ['--reporter', 'json', '--reporter-option', `output=${file}`],
    reader: mochaReport,
  }),
];

/** In a monorepo only the root has the dependency; and of several dependencies the script says which is meant. */
function calledByScript(runner: TestRunner): Runner {
  return { ...runner, recognised: { script: ['test', new RegExp(`(^|[\\s/&|;])${runner.name}(\\s|$)`)] } };
}

function installed(runner: TestRunner): Runner {
  return { ...runner, recognised: { dependency: runner.name } };
}

export const javascriptRunners: readonly Runner[] = [
  {
    name: 'tsc --build',
    task: 'build',
    languages,
    // Without files of its own such a project only points at others, and checking it alone would find nothing.
    recognised: { files: ['tsconfig.json'], containing: /"references"\s*:/ },
    program: tsc,
    // Not with --noEmit, which all versions refuse for projects that others refer to.
    args: ['--build', '--verbose', '--pretty', 'false'],
    workIn: solutionCopy,
    reader: tscSolution,
    install: 'npm install --save-dev typescript',
  },
  {
    name: 'tsc',
    task: 'build',
    languages,
    recognised: { files: ['tsconfig.json'] },
    program: tsc,
    args: ['--noEmit', '--pretty', 'false', '-p', '.'],
    reportArgs: buildInfoIn,
    reader: tscLines,
    install: 'npm install --save-dev typescript',
  },
  {
    name: 'tsc',
    task: 'build',
    languages,
    recognised: { files: ['jsconfig.json'] },
    program: tsc,
    args: ['--noEmit', '--pretty', 'false', '-p', 'jsconfig.json'],
    reportArgs: buildInfoIn,
    reader: tscLines,
    install: 'npm install --save-dev typescript',
  },
  {
    name: 'npm run build',
    task: 'build',
    languages,
    recognised: { script: ['build', /\S/] },
    program: npm,
    args: ['run', 'build', '--silent'],
    reader: anyBuild,
    install: INSTALL_NODE,
  },
  {
    name: 'eslint',
    task: 'build',
    languages,
    recognised: { dependency: 'eslint', yields: true },
    program: { kind: 'npm', package: 'eslint', command: 'eslint' },
    args: ['--format', 'json'],
    everything: ['.'],
    only: asGiven,
    reader: eslintJson,
    install: 'npm install --save-dev eslint',
  },
  ...testRunners.map(calledByScript),
  {
    name: 'bun test',
    task: 'test',
    languages,
    recognised: { script: ['test', /(^|\s)bun test(\s|$)/] },
    program: { kind: 'path', names: ['bun'], alsoIn: ['~/.bun/bin'] },
    args: ['test'],
    only: asGiven,
    reportArgs: (file) => ['--reporter=junit', `--reporter-outfile=${file}`],
    reader: junitReport(),
    install: 'install Bun from https://bun.sh',
  },
  {
    // The script may load a compiler first, so it is run as it is, and only its reporter is chosen.
    name: 'npm test (node --test)',
    task: 'test',
    languages,
    recognised: { script: ['test', /(^|\s)(node|tsx)\s(.*\s)?--test(\s|$)/] },
    program: npm,
    args: ['test', '--silent'],
    env: () => ({ NODE_OPTIONS: '--test-reporter=tap' }),
    reader: tapStream,
    install: INSTALL_NODE,
  },
  ...testRunners.map(installed),
  {
    name: 'node --test',
    task: 'test',
    languages,
    // A package.json without a test script often only brings the tools of another language's project.
    recognised: { files: ['package.json'], containing: /^(?![\s\S]*"test"\s*:)/, yields: true },
    program: { kind: 'path', names: ['node'] },
    args: ['--test', '--test-reporter=tap'],
    only: asGiven,
    reader: tapStream,
    install: INSTALL_NODE,
  },
  {
    name: 'npm test',
    task: 'test',
    languages,
    // What `npm init` writes fails always, and says that there are no tests.
    recognised: { script: ['test', /^(?!.*no test specified)/] },
    program: npm,
    args: ['test', '--silent'],
    reader: anyTest,
    install: INSTALL_NODE,
  },
];
