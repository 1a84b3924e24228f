/** Haskell, OCaml, Gleam and Clojure. */
import type { LanguageFamily } from '../family.ts';

export const haskell: LanguageFamily = {
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
  tests: { names: ['*Spec', '*Test'] },
  text: () => ({
    lineComments: ['--'],
    body: { kind: 'unknown' },
  }),
};

export const ocaml: LanguageFamily = {
  id: 'ocaml',
  aliases: ['ocamllsp'],
  extensions: { ml: 'ocaml', mli: 'ocaml.interface' },
  rootMarkers: ['dune-project', 'dune-workspace', '*.opam'],
  servers: [{ serverId: 'ocamllsp', command: 'ocamllsp', args: [], alsoIn: ['$OPAM_SWITCH_PREFIX/bin'] }],
  install: 'opam install ocaml-lsp-server',
  daemonPolicy: 'auto-direct',
  variables: ['OPAM_SWITCH_PREFIX'],
  tests: { names: ['test_*', '*_test'] },
  text: () => ({
    imports: /^open\b/,
    body: { kind: 'unknown' },
  }),
};

export const gleam: LanguageFamily = {
  id: 'gleam',
  aliases: [],
  extensions: { gleam: 'gleam' },
  rootMarkers: ['gleam.toml'],
  servers: [{ serverId: 'gleam', command: 'gleam', args: ['lsp'] }],
  install: 'brew install gleam  (or see https://gleam.run/getting-started/installing/)',
  daemonPolicy: 'auto-direct',
  tests: { names: ['*_test'] },
};

export const clojure: LanguageFamily = {
  id: 'clojure',
  aliases: ['clj'],
  extensions: { clj: 'clojure', cljs: 'clojure', cljc: 'clojure', edn: 'clojure' },
  rootMarkers: ['deps.edn', 'project.clj', 'shadow-cljs.edn', 'bb.edn', 'build.boot'],
  servers: [{ serverId: 'clojure-lsp', command: 'clojure-lsp', args: [] }],
  install: 'brew install clojure-lsp/brew/clojure-lsp-native',
  daemonPolicy: 'auto-daemon',
  variables: ['JAVA_HOME'],
  tests: { names: ['*_test'] },
  text: () => ({
    lineComments: [';'],
    body: { kind: 'unknown' },
  }),
};
