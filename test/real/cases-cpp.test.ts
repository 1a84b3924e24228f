import { describeWith } from '../support/requirements.ts';
import { describeCases, type Language } from './cases.ts';

const TAKE = { file_path: 'src/store.cpp', symbol: 'Shelf.take' };
const SELL = { file_path: 'src/main.cpp', symbol: 'sell' };
const SOURCES = ['broken', 'empty', 'lonely', 'main', 'store'];

const CPP: Language = {
  fixture: 'cpp',
  files: `
  //- src/empty.cpp
  static_assert(true);

  // Nothing but a comment.
  //- src/lonely.cpp
  /// Called by nobody.
  int alone() { return 1; }
  //- tests/store_test.cpp
  int check() { return 0; }
  //- Makefile
  all:
  	@echo "src/broken.cpp:5:15: error: no viable conversion"; exit 1
  test:
  	@echo fine
  `,
  prepare: (workspace) => {
    const commands = SOURCES.map((name) => ({
      directory: workspace.root,
      file: `src/${name}.cpp`,
      arguments: ['c++', '-std=c++17', '-Iinclude', '-c', `src/${name}.cpp`],
    }));
    workspace.write('compile_commands.json', JSON.stringify(commands));
  },
  change: { file: 'src/store.cpp', from: '  return true;', to: '  return true ;' },
  file: 'src/main.cpp',
  symbol: 'sell',
  empty: 'src/empty.cpp',
  untested: 'src/lonely.cpp',
  lonely: { file_path: 'src/lonely.cpp', symbol: 'alone' },
  consumer: 'src',
  members: { file_path: 'src/main.cpp', position_pattern: 'shelf.@@receive(' },
  ordinary: {
    start_lsp: { args: { language_id: 'cpp' }, says: /^LSP server started successfully\nclangd/ },
    explore_symbol: { args: SELL, says: /callers: 1\n {2}main {2}src\/main\.cpp:12:5/ },
    explore: {
      args: { file_path: 'include/store.hpp', symbol: 'Store' },
      says: 'A place from which goods can be taken.',
    },
    get_editing_context: { args: { file_path: 'src/main.cpp' }, says: /function sell 6:5-10 .*<- main 12:5/ },
    list_symbols: { args: { file_path: 'include/store.hpp' }, says: /class Shelf 18:7-26 [\s\S]*take 21:8/ },
    find_symbol: { args: { query: 'Shelf' }, says: 'include/store.hpp:18:7' },
    go_to_symbol: { args: { symbol_path: 'Shelf.receive' }, says: 'src/store.cpp:5:13' },
    get_symbol_source: { args: TAKE, says: 'items_[name] -= quantity;' },
    get_symbol_documentation: {
      args: { file_path: 'include/store.hpp', symbol: 'Store' },
      says: 'A place from which goods can be taken.',
    },
    go_to_definition: {
      args: { file_path: 'src/main.cpp', position_pattern: 'shelf.@@receive' },
      says: 'src/store.cpp:5:13',
    },
    go_to_type_definition: {
      args: { file_path: 'src/main.cpp', position_pattern: '@@shelf.receive' },
      says: 'include/store.hpp:18:7  class Shelf',
    },
    go_to_implementation: {
      args: { file_path: 'include/store.hpp', symbol: 'Store.take' },
      says: '1 implementation of take',
    },
    go_to_declaration: { args: TAKE, says: 'include/store.hpp:21:8' },
    find_references: { args: SELL, says: /^1 reference to sell .* ready, complete;[\s\S]*15:31 in main/ },
    get_document_highlights: {
      args: { file_path: 'src/main.cpp', line: 13, column: 15 },
      says: /13:15.*\n[\s\S]*14:3/,
    },
    find_callers: { args: SELL, says: /main 12:5 calls at 15:31/ },
    callers: {
      args: { file_path: 'src/store.cpp', symbol: 'Shelf.available' },
      says: /take 12:13 calls at 13:7/,
    },
    type_hierarchy: {
      args: { file_path: 'include/store.hpp', symbol: 'Store' },
      says: /1 subtype[\s\S]*class shop\.Shelf 18:7/,
    },
    prepare_rename: { args: SELL, says: /^sell \(.* can be renamed/ },
    inspect_symbol: { args: SELL, says: 'int sell(shop::Store &store' },
    blast_radius: {
      args: { changed_files: ['src/main.cpp'] },
      says: /sell function 6:5: own file: main; /,
    },
    detect_changes: { says: /^1 changed symbol in 1 changed file \(unstaged\)[\s\S]*take/ },
    get_cross_repo_references: {
      args: { symbol_file: 'include/store.hpp', symbol: 'Shelf', consumer_roots: ['src'] },
      says: /Shelf .* in the library, [1-9]\d* in src; .* complete;[\s\S]*src\/main\.cpp/,
    },
    get_diagnostics: {
      args: { file_path: 'src/broken.cpp' },
      says: /2 errors; [\s\S]*E 5:15 [\s\S]*E 6:16 /,
    },
    suggest_fixes: {
      args: { file_path: 'src/main.cpp', position_pattern: 'return @@-1' },
      says: /^(\d+ fix|No fixes)/,
    },
    get_completions: {
      args: { file_path: 'src/main.cpp', position_pattern: 'shelf.@@receive(' },
      says: 'available',
    },
    get_signature_help: {
      args: { file_path: 'src/main.cpp', position_pattern: '"tea 🍵", @@2)' },
      says: 'int quantity',
    },
    get_inlay_hints: { args: { file_path: 'src/main.cpp', start_line: 9 }, says: 'each:' },
    get_semantic_tokens: { args: { file_path: 'src/main.cpp', start_line: 13 }, says: /Shelf.*class/ },
    open_document: { args: { file_path: 'src/main.cpp' }, says: 'Document opened: src/main.cpp (version ' },
    close_document: { args: { file_path: 'src/main.cpp' }, says: 'Document closed: src/main.cpp' },
    run_build: { says: /^build failed: 1 error[\s\S]*src\/broken\.cpp:5:15 error: / },
    run_tests: { says: /^INCOMPLETE: whether any tests ran cannot be told from the output of make test\n/ },
    get_tests_for_file: {
      args: { file_path: 'src/store.cpp' },
      says: /^1 test file[\s\S]*tests\/store_test\.cpp/,
    },
    restart_lsp_server: { says: 'LSP server restarted successfully (cpp)' },
    get_server_capabilities: { says: /^clangd .*\(cpp\)[\s\S]*does not work: nothing/ },
    detect_lsp_servers: { says: /: cpp.*\n {2}cpp: clangd/ },
    activate_tools: { args: { profile: 'full' }, says: 'The tools are those of "full" now' },
    set_log_level: { args: { level: 'error' }, says: 'Log level set to "error"' },
    add_workspace_folder: {
      args: ({ scratch }) => ({ path: `${scratch}/elsewhere` }),
      says: /^Folder added: .*elsewhere\n2 workspace folders/,
    },
    list_workspace_folders: { says: /^2 workspace folders; root .*\n[\s\S]*root; servers: cpp/ },
    remove_workspace_folder: {
      args: ({ scratch }) => ({ path: `${scratch}/elsewhere` }),
      says: /^Folder removed: .*elsewhere\n1 workspace folder/,
    },
    did_change_watched_files: {
      args: { changes: [{ path: 'src/main.cpp', type: 'changed' }] },
      says: /^File change notifications sent\ncpp in \.: 1/,
    },
  },
  byOtherMeans: {},
  refused: {},
};

describeWith(['clangd', 'git', 'make'], 'C++', () => describeCases('clangd', CPP));
