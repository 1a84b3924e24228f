/** TypeScript and JavaScript: the compiler, and the test runner that package.json names. */
import { AS_GIVEN, type RunnerProgram, type RunnerRow } from '../runner-rows.ts';

const rank = 4;
const npm: RunnerProgram = { kind: 'path', names: ['npm'] };
const tsc: RunnerProgram = { kind: 'npm', package: 'typescript', command: 'tsc', embedded: true };
/** An incremental project would write beside its configuration what it knows of the last time. */
const buildInfo = ['--incremental', '--tsBuildInfoFile', '{report}'];
const INSTALL_NODE = 'install Node.js from https://nodejs.org';

type TestRunner = Omit<RunnerRow, 'recognised'>;

function testRunner(name: string, rest: Pick<RunnerRow, 'args' | 'reportArgs' | 'reader'>): TestRunner {
  return {
    name,
    task: 'test',
    program: { kind: 'npm', package: name, command: name },
    only: AS_GIVEN,
    install: `npm install --save-dev ${name}`,
    rank,
    ...rest,
  };
}

const testRunners = (): readonly TestRunner[] => [
  testRunner('vitest', {
    args: ['run'],
    reportArgs: ['--reporter=default', '--reporter=json', '--outputFile.json={report}'],
    reader: 'jest',
  }),
  testRunner('jest', {
    args: [],
    reportArgs: ['--json', '--outputFile={report}'],
    reader: 'jest',
  }),
  testRunner('mocha', {
    args: [],
    reportArgs: ['--reporter', 'json', '--reporter-option', 'output={report}'],
    reader: 'mocha',
  }),
];

/** In a monorepo only the root has the dependency; and of several dependencies the script says which is meant. */
function calledByScript(runner: TestRunner): RunnerRow {
  return { ...runner, recognised: { script: ['test', new RegExp(`(^|[\\s/&|;])${runner.name}(\\s|$)`)] } };
}

function installed(runner: TestRunner): RunnerRow {
  return { ...runner, recognised: { dependency: runner.name } };
}

export const javascriptRunners = (): readonly RunnerRow[] => [
  {
    name: 'tsc --build',
    task: 'build',
    // Without files of its own such a project only points at others, and checking it alone would find nothing.
    recognised: { files: ['tsconfig.json'], containing: /"references"\s*:/ },
    program: tsc,
    // Not with --noEmit, which all versions refuse for projects that others refer to.
    args: ['--build', '--verbose', '--pretty', 'false'],
    needs: 'solution-copy',
    reader: 'tsc-solution',
    install: 'npm install --save-dev typescript',
    rank,
  },
  {
    name: 'tsc',
    task: 'build',
    recognised: { files: ['tsconfig.json'] },
    program: tsc,
    args: ['--noEmit', '--pretty', 'false', '-p', '.'],
    reportArgs: buildInfo,
    reader: 'tsc',
    install: 'npm install --save-dev typescript',
    rank,
  },
  {
    name: 'tsc',
    task: 'build',
    recognised: { files: ['jsconfig.json'] },
    program: tsc,
    args: ['--noEmit', '--pretty', 'false', '-p', 'jsconfig.json'],
    reportArgs: buildInfo,
    reader: 'tsc',
    install: 'npm install --save-dev typescript',
    rank,
  },
  {
    name: 'npm run build',
    task: 'build',
    recognised: { script: ['build', /\S/] },
    program: npm,
    args: ['run', 'build', '--silent'],
    reader: 'any-build',
    install: INSTALL_NODE,
    rank,
  },
  {
    name: 'eslint',
    task: 'build',
    recognised: { dependency: 'eslint', yields: true },
    program: { kind: 'npm', package: 'eslint', command: 'eslint' },
    args: ['--format', 'json'],
    everything: ['.'],
    only: AS_GIVEN,
    reader: 'eslint',
    install: 'npm install --save-dev eslint',
    rank,
  },
  ...testRunners().map(calledByScript),
  {
    name: 'bun test',
    task: 'test',
    recognised: { script: ['test', /(^|\s)bun test(\s|$)/] },
    program: { kind: 'path', names: ['bun'], alsoIn: ['~/.bun/bin'] },
    args: ['test'],
    only: AS_GIVEN,
    reportArgs: ['--reporter=junit', '--reporter-outfile={report}'],
    reader: 'junit',
    install: 'install Bun from https://bun.sh',
    rank,
  },
  {
    // The script may load a compiler first, so it is run as it is, and only its reporter is chosen.
    name: 'npm test (node --test)',
    task: 'test',
    recognised: { script: ['test', /(^|\s)(node|tsx)\s(.*\s)?--test(\s|$)/] },
    program: npm,
    args: ['test', '--silent'],
    env: { NODE_OPTIONS: '--test-reporter=tap' },
    reader: 'tap',
    install: INSTALL_NODE,
    rank,
  },
  ...testRunners().map(installed),
  {
    name: 'node --test',
    task: 'test',
    // A package.json without a test script often only brings the tools of another language's project.
    recognised: { files: ['package.json'], containing: /^(?![\s\S]*"test"\s*:)/, yields: true },
    program: { kind: 'path', names: ['node'] },
    args: ['--test', '--test-reporter=tap'],
    only: AS_GIVEN,
    reader: 'tap',
    install: INSTALL_NODE,
    rank,
  },
  {
    name: 'npm test',
    task: 'test',
    // What `npm init` writes fails always, and says that there are no tests.
    recognised: { script: ['test', /^(?!.*no test specified)/] },
    program: npm,
    args: ['test', '--silent'],
    reader: 'any-test',
    install: INSTALL_NODE,
    rank,
  },
];
