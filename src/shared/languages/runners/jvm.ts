/** Gradle and Maven, for all languages that they build. */
import type { RunnerProgram, RunnerRow } from '../runner-rows.ts';

const maven: RunnerProgram = { kind: 'wrapper', script: 'mvnw', name: 'mvn' };
const gradle: RunnerProgram = { kind: 'wrapper', script: 'gradlew', name: 'gradle' };
const GRADLE_FILES = ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'];
/** These tools name tests by class, and a file is a class. */
const JVM_FILE = /\.(java|kt|groovy|scala)$/;

export const jvmRunners = (): readonly RunnerRow[] => [
  {
    name: 'gradle build',
    task: 'build',
    recognised: { files: GRADLE_FILES },
    program: gradle,
    args: ['testClasses', '--console=plain', '--quiet'],
    reader: 'gradle',
    install: 'gradle wrapper (adds ./gradlew), or install Gradle from https://gradle.org/install',
    rank: 3,
  },
  {
    name: 'gradle test',
    task: 'test',
    recognised: { files: GRADLE_FILES },
    program: gradle,
    args: ['test', '--console=plain', '--continue'],
    only: { file: ['--tests', '*{stem}'], fits: JVM_FILE },
    reader: 'junit-gradle',
    install: 'gradle wrapper (adds ./gradlew), or install Gradle from https://gradle.org/install',
    rank: 3,
  },
  {
    name: 'mvn test-compile',
    task: 'build',
    recognised: { files: ['pom.xml'] },
    program: maven,
    args: ['-B', '-q', 'test-compile'],
    reader: 'maven',
    install: 'mvn wrapper:wrapper (adds ./mvnw), or install Maven from https://maven.apache.org',
    rank: 3,
  },
  {
    name: 'mvn test',
    task: 'test',
    recognised: { files: ['pom.xml'] },
    program: maven,
    args: ['-B', 'test'],
    only: { file: ['-Dtest={stem}'], fits: JVM_FILE },
    reader: 'junit-maven',
    install: 'mvn wrapper:wrapper (adds ./mvnw), or install Maven from https://maven.apache.org',
    rank: 3,
  },
];
