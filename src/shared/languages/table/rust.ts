/** Rust. */
import type { LanguageFamily } from '../family.ts';
import { CHARACTER, DOUBLE_OF_LINES, NESTED_BLOCK, SLASHES } from '../masks.ts';
import { NAME, namesLike } from '../name-looks.ts';
import type { RunnerProgram } from '../runner-rows.ts';
import { around } from '../spawn-parts.ts';

const cargo: RunnerProgram = { kind: 'path', names: ['cargo'], alsoIn: ['~/.cargo/bin'] };
const INSTALL_RUST = 'install Rust from https://rustup.rs';

export const rust: LanguageFamily = {
  id: 'rust',
  aliases: ['rust-analyzer'],
  extensions: { rs: 'rust' },
  rootMarkers: ['Cargo.toml', 'rust-project.json', 'Cargo.lock'],
  workspaceMarkers: [{ name: 'Cargo.toml', containing: /^\s*\[\s*workspace\b/m }],
  manifest: { file: 'Cargo.toml', name: /^name\s*=\s*"([^"]+)"/m },
  knownByServer: true,
  servers: [
    {
      serverId: 'rust-analyzer',
      command: 'rust-analyzer',
      args: [],
      alsoIn: ['$CARGO_HOME/bin', '~/.cargo/bin'],
      behind: 'rustup',
      // By default a symbol search finds types only, and at most 128 of them.
      settings: {
        'rust-analyzer': { workspace: { symbol: { search: { kind: 'all_symbols', limit: 1024 } } } },
      },
      optionsFromSection: 'rust-analyzer',
    },
  ],
  install: 'rustup component add rust-analyzer',
  daemonPolicy: 'auto-direct',
  variables: ['RUSTUP_TOOLCHAIN', 'RUSTUP_HOME', 'CARGO_HOME', 'CARGO_TARGET_DIR', 'RUSTFLAGS'],
  tests: { names: ['*_test', '*_tests', 'test_*', 'tests'], inFile: /#\[(cfg\(test\)|test|tokio::test)\]/ },
  formatter: 'Run "rustfmt <file>" on the command line',
  runners: () => [
    {
      name: 'cargo build',
      task: 'build',
      recognised: { files: ['Cargo.toml'] },
      program: cargo,
      args: ['build', '--all-targets', '--message-format=json'],
      columns: 'utf-32',
      reader: 'cargo',
      install: INSTALL_RUST,
    },
    {
      name: 'cargo test',
      task: 'test',
      recognised: { files: ['Cargo.toml'] },
      program: cargo,
      args: ['test', '--no-fail-fast'],
      // A file below `tests` is a target of its own; anything else is not a unit that cargo knows.
      only: { file: ['--test', '{stem}'], fits: /^tests\/[^/]+\.rs$/ },
      env: { RUST_BACKTRACE: '0' },
      columns: 'utf-32',
      reader: 'cargo-test',
      install: INSTALL_RUST,
    },
  ],
  text: () => ({
    // No word is reserved: rust-analyzer writes `r#match` where it is told `match`.
    names: { fits: namesLike(`(?:r#|'|'r#)?${NAME}`) },
    mask: {
      comments: [SLASHES],
      opens: [NESTED_BLOCK],
      strings: [String.raw`\bb?r(?<hashes>#*)"[\s\S]*?"\k<hashes>`, DOUBLE_OF_LINES, CHARACTER],
    },
    interpolation: { open: '{', close: '}' },
    decorator: { line: /^(?:@|#\[)/, inline: /^#!?\[(?:[^[\]]|\[[^[\]]*\])*\]/ },
    imports: /^(?:pub(?:\([^)]*\))?\s+)?(?:use|extern\s+crate)\b/,
    bases: 'colon',
    implementations: {
      head: /^\s*(?:unsafe\s+)?impl\b/,
      // Before the last part of a path may stand what is not meant.
      names:
        /impl\b\s*(?:<(?:[^<>]|<[^<>]*>)*>)?\s*(?:&\s*(?:'\w+\s+)?(?:mut\s+)?|dyn\s+|!)?(?:\w+::)*(?<trait>\w+)\s*(?:<(?:[^<>]|<[^<>]*>)*>)?\s+for\s+(?:&\s*(?:'\w+\s+)?(?:mut\s+)?|dyn\s+|!)?(?:\w+::)*(?<type>\w+)/d,
    },
    spawns: around(/(?:\b\w+::)*\bspawn(?:_blocking|_local|_named)?$/, /\b(?:rayon::)?(?:join|scope)$/),
    publicNames: { marked: /\bpub\b/, inInterfaces: true, inside: /^impl\b.*\bfor\b/ },
  }),
};
