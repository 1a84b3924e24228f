/** Java, Kotlin and Scala. Their servers need long to get ready and are shared. */
import type { LanguageFamily } from '../family.ts';
import { CHARACTER, DOUBLE, NESTED_BLOCK, OPEN_DOUBLE, SINGLE, SLASHES, TRIPLE } from '../masks.ts';
import { BACKTICKED, behindPackage, NAME, NAME_WITH_DOLLAR, namesLike, wordSet } from '../name-looks.ts';
import { jvmRunners } from '../runners/jvm.ts';
import { around } from '../spawn-parts.ts';
import { CAPITALISED_TESTS } from '../test-names.ts';

const jvmSpawns = () =>
  around(
    /\bnew Thread$/,
    /\bThread\.(?:startVirtualThread|ofVirtual\(\)\.start|ofPlatform\(\)\.start)$/,
    /\.(?:submit|execute|schedule|scheduleAtFixedRate|scheduleWithFixedDelay|invokeAll|invokeAny)$/,
    /\bCompletableFuture\.(?:runAsync|supplyAsync)$/,
    /\.then\w*Async$/,
  );

const gradle = ['settings.gradle.kts', 'settings.gradle'];

export const java: LanguageFamily = {
  id: 'java',
  aliases: ['jdtls'],
  extensions: { java: 'java' },
  usedIn: ['kt', 'kts', 'scala', 'groovy', 'jsp'],
  rootMarkers: ['build.gradle', 'pom.xml', '.classpath'],
  workspaceMarkers: [...gradle.map((name) => ({ name })), { name: 'pom.xml', containing: /<modules>/ }],
  fallbackMarkers: ['build.xml'],
  // Two servers on one data directory corrupt its index, so each root has its own.
  servers: [{ serverId: 'jdtls', command: 'jdtls', args: ['-data', '{dataDir}'] }],
  install: 'brew install jdtls  (or unpack it from https://download.eclipse.org/jdtls/)',
  daemonPolicy: 'auto-daemon',
  variables: ['JAVA_HOME', 'GRADLE_USER_HOME', 'MAVEN_OPTS'],
  tests: { names: [...CAPITALISED_TESTS, '*TestCase', '*IT', 'Test*'] },
  runners: jvmRunners,
  text: () => ({
    names: {
      fits: namesLike(NAME_WITH_DOLLAR),
      reserved:
        wordSet(`abstract assert boolean break byte case catch char class const continue default do double else enum
        extends false final finally float for goto if implements import instanceof int interface long native new null
        package private protected public return short static strictfp super switch synchronized this throw throws
        transient true try void volatile while`),
      freeBehind: behindPackage,
    },
    overloadsAreApart: true,
    spawns: jvmSpawns(),
    publicNames: { marked: /\b(public|protected)\b/, inInterfaces: true },
  }),
};

export const kotlin: LanguageFamily = {
  id: 'kotlin',
  aliases: ['kotlin-lsp'],
  extensions: { kt: 'kotlin', kts: 'kotlin' },
  usedIn: ['java', 'groovy'],
  rootMarkers: ['build.gradle.kts', 'build.gradle', 'pom.xml'],
  workspaceMarkers: [...gradle.map((name) => ({ name })), { name: 'pom.xml', containing: /<modules>/ }],
  servers: [
    {
      serverId: 'kotlin-lsp',
      command: 'kotlin-lsp',
      args: ['--stdio'],
      pathVariables: ['AGENT_LSP_KOTLIN_LSP_PATH', 'PI_LSP_KOTLIN_LSP_PATH'],
    },
    { serverId: 'kotlin-lsp', command: 'kotlin-lsp.sh', args: ['--stdio'] },
    { serverId: 'kotlin-language-server', command: 'kotlin-language-server', args: [] },
  ],
  install: 'brew install JetBrains/utils/kotlin-lsp',
  daemonPolicy: 'auto-daemon',
  variables: ['JAVA_HOME', 'GRADLE_USER_HOME', 'KOTLIN_HOME'],
  tests: { names: [...CAPITALISED_TESTS, '*Spec'] },
  runners: jvmRunners,
  text: () => ({
    names: { fits: namesLike(NAME, BACKTICKED), freeBehind: behindPackage },
    namedArguments: /^\s*=(?!=)/,
    overloadsAreApart: true,
    mask: { comments: [SLASHES], strings: [TRIPLE, SINGLE], opens: [NESTED_BLOCK, OPEN_DOUBLE] },
    interpolation: { open: '${', close: '}' },
    namesBehindDollar: true,
    bases: 'colon',
    spawns: [...jvmSpawns(), ...around(/\b(?:launch|async|thread|withContext)(?:\([^()]*\))?\s*$/)],
    publicNames: { unmarked: /\b(private|fileprivate|protected)\b/ },
  }),
};

export const scala: LanguageFamily = {
  id: 'scala',
  aliases: ['metals'],
  extensions: { scala: 'scala', sc: 'scala', sbt: 'scala' },
  rootMarkers: ['build.sbt', 'build.sc', 'build.mill', '.scala-build'],
  servers: [
    {
      serverId: 'metals',
      command: 'metals',
      args: [],
      alsoIn: ['~/.local/share/coursier/bin', '~/Library/Application Support/Coursier/bin'],
    },
  ],
  install: 'cs install metals',
  daemonPolicy: 'auto-daemon',
  variables: ['JAVA_HOME'],
  tests: { names: [...CAPITALISED_TESTS, '*Spec', '*Suite'] },
  text: () => ({
    // Operators are names, and a name may end with one.
    names: {
      fits: namesLike(BACKTICKED, String.raw`[^\s\d()[\]{}.,;'"\x60][^\s()[\]{}.,;'"\x60]*`),
      freeBehind: behindPackage,
    },
    namedArguments: /^\s*=(?!=)/,
    overloadsAreApart: true,
    mask: { comments: [SLASHES], strings: [TRIPLE, DOUBLE, CHARACTER], opens: [NESTED_BLOCK] },
    interpolation: { open: '${', close: '}' },
    namesBehindDollar: true,
    imports: /^\s*import\b/,
    spawns: [...jvmSpawns(), ...around(/\bFuture(?:\.apply)?\s*$/)],
    publicNames: { unmarked: /\b(private|fileprivate|protected)\b/ },
  }),
};
