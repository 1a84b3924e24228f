/** Compiled languages with a toolchain of their own. Servers on the JVM need long to get ready and are shared. */
import type { LanguageFamily } from './family.ts';

const gradle = ['settings.gradle.kts', 'settings.gradle'];

const java: LanguageFamily = {
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
};

const kotlin: LanguageFamily = {
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
};

const scala: LanguageFamily = {
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
};

const csharp: LanguageFamily = {
  id: 'csharp',
  aliases: ['c#', 'dotnet'],
  extensions: { cs: 'csharp', csx: 'csharp' },
  usedIn: ['cshtml', 'razor', 'xaml', 'fs', 'vb'],
  rootMarkers: ['*.csproj', 'Directory.Build.props', 'omnisharp.json'],
  workspaceMarkers: [{ name: '*.sln' }, { name: '*.slnx' }],
  servers: [
    {
      serverId: 'csharp-ls',
      command: 'csharp-ls',
      args: [],
      alsoIn: ['$DOTNET_CLI_HOME/.dotnet/tools', '~/.dotnet/tools'],
    },
  ],
  install: 'dotnet tool install --global csharp-ls',
  daemonPolicy: 'auto-daemon',
  variables: ['DOTNET_ROOT', 'MSBuildSDKsPath'],
};

const swift: LanguageFamily = {
  id: 'swift',
  aliases: ['sourcekit'],
  extensions: { swift: 'swift' },
  rootMarkers: ['Package.swift', '*.xcodeproj', '*.xcworkspace', 'buildServer.json'],
  servers: [
    { serverId: 'sourcekit-lsp', command: 'sourcekit-lsp', args: [], alsoIn: ['~/.local/share/swiftly/bin'] },
    { serverId: 'sourcekit-lsp', command: 'xcrun', args: ['sourcekit-lsp'], platform: 'darwin' },
  ],
  install: 'xcode-select --install  (Linux: swiftly install latest)',
  daemonPolicy: 'auto-direct',
  variables: ['DEVELOPER_DIR', 'TOOLCHAINS'],
};

const zig: LanguageFamily = {
  id: 'zig',
  aliases: ['zls'],
  extensions: { zig: 'zig', zon: 'zig' },
  rootMarkers: ['build.zig', 'zls.json'],
  servers: [{ serverId: 'zls', command: 'zls', args: [] }],
  install: 'brew install zls  (or see https://zigtools.org/zls/install/)',
  daemonPolicy: 'auto-direct',
};

const dart: LanguageFamily = {
  id: 'dart',
  aliases: ['flutter'],
  extensions: { dart: 'dart' },
  rootMarkers: ['pubspec.yaml', 'analysis_options.yaml'],
  workspaceMarkers: [{ name: 'pubspec.yaml', containing: /^workspace:/m }],
  servers: [
    {
      serverId: 'dart',
      command: 'dart',
      args: ['language-server', '--protocol=lsp'],
      alsoIn: ['$FLUTTER_ROOT/bin', '~/flutter/bin', '~/development/flutter/bin'],
      behind: 'flutter',
    },
  ],
  install: 'brew install dart-sdk  (or see https://dart.dev/get-dart)',
  daemonPolicy: 'auto-direct',
  variables: ['FLUTTER_ROOT', 'PUB_CACHE'],
};

const haskell: LanguageFamily = {
  id: 'haskell',
  aliases: ['hls'],
  extensions: { hs: 'haskell', lhs: 'haskell' },
  rootMarkers: ['hie.yaml', 'stack.yaml', 'cabal.project', '*.cabal', 'package.yaml'],
  servers: [
    {
      serverId: 'haskell-language-server',
      command: 'haskell-language-server-wrapper',
      args: ['--lsp'],
      alsoIn: ['~/.ghcup/bin'],
    },
  ],
  install: 'ghcup install hls',
  daemonPolicy: 'auto-daemon',
};

const ocaml: LanguageFamily = {
  id: 'ocaml',
  aliases: ['ocamllsp'],
  extensions: { ml: 'ocaml', mli: 'ocaml.interface' },
  rootMarkers: ['dune-project', 'dune-workspace', '*.opam'],
  servers: [{ serverId: 'ocamllsp', command: 'ocamllsp', args: [], alsoIn: ['$OPAM_SWITCH_PREFIX/bin'] }],
  install: 'opam install ocaml-lsp-server',
  daemonPolicy: 'auto-direct',
  variables: ['OPAM_SWITCH_PREFIX'],
};

const gleam: LanguageFamily = {
  id: 'gleam',
  aliases: [],
  extensions: { gleam: 'gleam' },
  rootMarkers: ['gleam.toml'],
  servers: [{ serverId: 'gleam', command: 'gleam', args: ['lsp'] }],
  install: 'brew install gleam  (or see https://gleam.run/getting-started/installing/)',
  daemonPolicy: 'auto-direct',
};

const elixir: LanguageFamily = {
  id: 'elixir',
  aliases: ['elixir-ls'],
  extensions: { ex: 'elixir', exs: 'elixir' },
  usedIn: ['heex', 'eex', 'leex'],
  rootMarkers: ['mix.exs'],
  workspaceMarkers: [{ name: 'mix.exs', containing: /\bapps_path:/ }],
  servers: [
    { serverId: 'elixir-ls', command: 'elixir-ls', args: [] },
    { serverId: 'elixir-ls', command: 'language_server.sh', args: [] },
    { serverId: 'expert', command: 'expert', args: ['--stdio'] },
  ],
  install: 'brew install elixir-ls  (or see https://github.com/elixir-lsp/elixir-ls)',
  daemonPolicy: 'auto-daemon',
};

const clojure: LanguageFamily = {
  id: 'clojure',
  aliases: ['clj'],
  extensions: { clj: 'clojure', cljs: 'clojure', cljc: 'clojure', edn: 'clojure' },
  rootMarkers: ['deps.edn', 'project.clj', 'shadow-cljs.edn', 'bb.edn', 'build.boot'],
  servers: [{ serverId: 'clojure-lsp', command: 'clojure-lsp', args: [] }],
  install: 'brew install clojure-lsp/brew/clojure-lsp-native',
  daemonPolicy: 'auto-daemon',
  variables: ['JAVA_HOME'],
};

export const compiledFamilies: readonly LanguageFamily[] = [
  swift,
  zig,
  kotlin,
  java,
  scala,
  csharp,
  dart,
  haskell,
  ocaml,
  gleam,
  elixir,
  clojure,
];
