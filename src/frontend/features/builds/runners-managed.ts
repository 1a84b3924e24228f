/** Languages with a build tool of their own on a virtual machine: Java, Kotlin, C#, Ruby, PHP, Elixir. */
import { junitReport, junitReportsIn } from './readers/junit.ts';
import { COLON, KOTLIN, MAVEN, PARENTHESES, problemLines } from './readers/lines-with-places.ts';
import { mixProblems } from './readers/mix.ts';
import { dotnetTestText, exunitText, minitestText, rspecReport } from './readers/numbered.ts';
import type { Runner, RunnerProgram, RunTarget } from './runner.ts';

const maven: RunnerProgram = { kind: 'wrapper', script: 'mvnw', name: 'mvn' };
const gradle: RunnerProgram = { kind: 'wrapper', script: 'gradlew', name: 'gradle' };
const dotnet: RunnerProgram = { kind: 'path', names: ['dotnet'], alsoIn: ['~/.dotnet', '/usr/share/dotnet'] };
const mix: RunnerProgram = { kind: 'path', names: ['mix'] };
const GRADLE_FILES = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'];
const DOTNET_FILES = ['*.sln', '*.slnx', '*.csproj', '*.fsproj'];
const gradleLines = problemLines([KOTLIN, COLON]);
const mavenLines = problemLines([MAVEN]);
const asGiven = ({ path }: RunTarget) => (path === '.' ? [] : [path]);

const dotnetEnvironment = () => ({ DOTNET_CLI_TELEMETRY_OPTOUT: '1', DOTNET_NOLOGO: '1' });

/** Java's tools name tests by class, and a file is a class. */
function testClass({ path, isDirectory }: RunTarget): string | undefined {
  return isDirectory ? undefined : /([^/]+)\.(java|kt|groovy|scala)$/.exec(path)?.[1];
}

export const managedRunners: readonly Runner[] = [
  {
    name: 'gradle build',
    task: 'build',
    languages: ['kotlin', 'java'],
    recognised: { files: GRADLE_FILES },
    program: gradle,
    args: ['testClasses', '--console=plain', '--quiet'],
    reader: gradleLines,
    install: 'gradle wrapper (adds ./gradlew), or install Gradle from https://gradle.org/install',
  },
  {
    name: 'gradle test',
    task: 'test',
    languages: ['kotlin', 'java'],
    recognised: { files: GRADLE_FILES },
    program: gradle,
    args: ['test', '--console=plain', '--continue'],
    only: (target) => {
      const name = testClass(target);
      return name === undefined ? undefined : ['--tests', `*${name}`];
    },
    reader: junitReportsIn(/build\/test-results\//, gradleLines),
    install: 'gradle wrapper (adds ./gradlew), or install Gradle from https://gradle.org/install',
  },
  {
    name: 'mvn test-compile',
    task: 'build',
    languages: ['java', 'kotlin'],
    recognised: { files: ['pom.xml'] },
    program: maven,
    args: ['-B', '-q', 'test-compile'],
    reader: mavenLines,
    install: 'mvn wrapper:wrapper (adds ./mvnw), or install Maven from https://maven.apache.org',
  },
  {
    name: 'mvn test',
    task: 'test',
    languages: ['java', 'kotlin'],
    recognised: { files: ['pom.xml'] },
    program: maven,
    args: ['-B', 'test'],
    only: (target) => {
      const name = testClass(target);
      return name === undefined ? undefined : [`-Dtest=${name}`];
    },
    reader: junitReportsIn(/target\/(surefire|failsafe)-reports\//, mavenLines),
    install: 'mvn wrapper:wrapper (adds ./mvnw), or install Maven from https://maven.apache.org',
  },
  {
    name: 'dotnet build',
    task: 'build',
    languages: ['csharp'],
    recognised: { files: DOTNET_FILES },
    program: dotnet,
    args: ['build', '--nologo', '-v:q', '-nodeReuse:false'],
    env: dotnetEnvironment,
    reader: problemLines([PARENTHESES]),
    install: 'install .NET from https://dotnet.microsoft.com/download',
  },
  {
    name: 'dotnet test',
    task: 'test',
    languages: ['csharp'],
    recognised: { files: DOTNET_FILES },
    program: dotnet,
    args: ['test', '--nologo', '--logger', 'console;verbosity=normal'],
    env: dotnetEnvironment,
    reader: dotnetTestText,
    install: 'install .NET from https://dotnet.microsoft.com/download',
  },
  {
    name: 'mix compile',
    task: 'build',
    languages: ['elixir'],
    recognised: { files: ['mix.exs'] },
    program: mix,
    args: ['compile'],
    reader: mixProblems,
    install: 'install Elixir from https://elixir-lang.org/install.html',
  },
  {
    name: 'mix test',
    task: 'test',
    languages: ['elixir'],
    recognised: { files: ['mix.exs'] },
    program: mix,
    args: ['test', '--no-color'],
    only: asGiven,
    reader: exunitText,
    install: 'install Elixir from https://elixir-lang.org/install.html',
  },
  {
    name: 'rspec',
    task: 'test',
    languages: ['ruby'],
    recognised: { files: ['.rspec', 'spec'] },
    program: { kind: 'vendored', file: 'bin/rspec', name: 'rspec' },
    args: [],
    only: asGiven,
    reportArgs: (file) => ['--format', 'progress', '--format', 'json', '--out', file],
    reader: rspecReport,
    install: 'bundle add rspec --group test',
  },
  {
    name: 'rake test',
    task: 'test',
    languages: ['ruby'],
    recognised: { files: ['Rakefile'], containing: /TestTask|task[ (:]+test\b|rails/ },
    program: { kind: 'vendored', file: 'bin/rake', name: 'rake' },
    args: ['test'],
    only: ({ path, isDirectory }) => (isDirectory ? undefined : [`TEST=${path}`]),
    reader: minitestText,
    install: 'gem install rake',
  },
  {
    name: 'phpunit',
    task: 'test',
    languages: ['php'],
    recognised: { files: ['phpunit.xml', 'phpunit.xml.dist', 'phpunit.dist.xml'] },
    program: { kind: 'vendored', file: 'vendor/bin/phpunit', name: 'phpunit' },
    args: ['--colors=never'],
    only: asGiven,
    reportArgs: (file) => ['--log-junit', file],
    reader: junitReport(),
    install: 'composer require --dev phpunit/phpunit',
  },
];
