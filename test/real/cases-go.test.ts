import { describeWith } from '../support/requirements.ts';
import { describeCases, type Language } from './cases.ts';

const TAKE = { file_path: 'stock/shelf.go', symbol: 'Shelf.Take' };
const TOTAL = { file_path: 'main.go', position_pattern: '= pricing.@@Total(' };

const GO: Language = {
  fixture: 'go',
  files: `
  //- stock/empty.go
  package stock

  // Nothing but a comment.
  //- lonely/lonely.go
  package lonely

  // Alone is called by nobody.
  func Alone() int { return 1 }
  //- broken/broken.go
  package broken

  var wrong int = "text"
  `,
  change: { file: 'stock/shelf.go', from: '\treturn s.items[name]\n', to: '\treturn s.items[name] \n' },
  file: 'stock/shelf.go',
  symbol: 'NewShelf',
  empty: 'stock/empty.go',
  untested: 'pricing/discount.go',
  lonely: { file_path: 'lonely/lonely.go', symbol: 'Alone' },
  consumer: 'stock',
  members: { file_path: 'main.go', position_pattern: 'shelf.@@Receive(' },
  ordinary: {
    start_lsp: { args: { language_id: 'go' }, says: /^LSP server started successfully\ngopls/ },
    explore_symbol: { args: TAKE, says: /callers: 2, 1 in tests\n {2}sell {2}main\.go:18:6/ },
    explore: { args: { file_path: 'stock/store.go', symbol: 'Store' }, says: 'implementations: ' },
    get_editing_context: {
      args: { file_path: 'stock/shelf.go' },
      says: /method Take 20:17-26 .*<- sell main\.go:18:6, tests 1/,
    },
    list_symbols: {
      args: { file_path: 'stock/shelf.go' },
      says: /struct Shelf 4:6-6 [\s\S]*method Take 20:17-26/,
    },
    find_symbol: { args: { query: 'NewShelf' }, says: 'stock/shelf.go:8:6' },
    go_to_symbol: { args: { symbol_path: 'Shelf.Take' }, says: 'stock/shelf.go:20:17' },
    get_symbol_source: { args: TAKE, says: 's.items[name] -= quantity' },
    get_symbol_documentation: {
      args: { file_path: 'pricing/discount.go', symbol: 'Total' },
      says: /from its toolchain\nTotal is the price of several pieces/,
    },
    go_to_definition: { args: TOTAL, says: 'pricing/discount.go:17:6' },
    go_to_type_definition: {
      args: { file_path: 'main.go', position_pattern: '@@shelf.Receive' },
      says: 'stock/shelf.go:4:6  type Shelf struct {',
    },
    go_to_implementation: {
      args: { file_path: 'stock/store.go', symbol: 'Store' },
      says: 'stock/shelf.go:4:6',
    },
    go_to_declaration: { args: TOTAL, says: 'pricing/discount.go:17:6' },
    find_references: { args: TAKE, says: /^2 references to Take .* ready, complete;[\s\S]*19:18 in sell/ },
    get_document_highlights: {
      args: { file_path: 'stock/shelf.go', symbol: 'Shelf.items' },
      says: /5:2.*\n[\s\S]*13:4/,
    },
    find_callers: { args: TAKE, says: /sell 18:6 calls at 19:18[\s\S]*Available 16:17 called at 21:20/ },
    callers: { args: { file_path: 'main.go', symbol: 'sell' }, says: /main 10:6 calls at 13:12/ },
    type_hierarchy: {
      args: { file_path: 'stock/store.go', symbol: 'Store' },
      says: /1 subtype[\s\S]*Shelf 4:6/,
    },
    prepare_rename: { args: TAKE, says: /^Take \(.* can be renamed/ },
    inspect_symbol: { args: TAKE, says: 'func (s *Shelf) Take(name string, quantity int) error' },
    blast_radius: {
      args: { changed_files: ['stock/shelf.go'] },
      says: /Shelf\.Take method 20:17: 1 caller: main\.go \(sell\); 1 test/,
    },
    detect_changes: {
      says: /^1 changed symbol in 1 changed file \(unstaged\)[\s\S]*Shelf\.Available method 16:17: own file: Shelf\.Take;/,
    },
    get_cross_repo_references: {
      args: { symbol_file: 'stock/shelf.go', symbol: 'NewShelf', consumer_roots: ['stock'] },
      says: /1 reference in the library, 1 in stock; .* complete;[\s\S]*stock\/shelf_test\.go \(1\)\n {2}6:11 /,
    },
    get_diagnostics: {
      args: { file_path: 'broken/broken.go' },
      says: /1 error; fresh[\s\S]*E 3:17 IncompatibleAssign/,
    },
    suggest_fixes: { args: { ...TOTAL, only: 'refactor' }, says: 'Inline call to Total' },
    get_completions: { args: { file_path: 'main.go', position_pattern: 'shelf.@@Receive(' }, says: 'Take' },
    get_signature_help: {
      args: { file_path: 'main.go', position_pattern: '"tea 🍵", @@2); err' },
      says: 'quantity int',
    },
    get_inlay_hints: { args: { file_path: 'main.go', start_line: 13 }, says: 'quantity:' },
    get_semantic_tokens: { args: { file_path: 'main.go', start_line: 22 }, says: /Percentage.*type/ },
    open_document: { args: { file_path: 'main.go' }, says: 'Document opened: main.go (version ' },
    close_document: { args: { file_path: 'main.go' }, says: 'Document closed: main.go' },
    run_build: { says: /^build failed: 1 error[\s\S]*broken\/broken\.go:3:17 error: / },
    run_tests: { args: { path: 'stock' }, says: /^1 test passed/ },
    get_tests_for_file: {
      args: { file_path: 'stock/shelf.go' },
      says: /^1 test file[\s\S]*stock\/shelf_test\.go/,
    },
    restart_lsp_server: { says: 'LSP server restarted successfully (go)' },
    get_server_capabilities: { says: /^gopls \S+ \(go\)/ },
    detect_lsp_servers: { says: /: go\n {2}go: gopls {2}\// },
    activate_tools: { args: { profile: 'full' }, says: 'The tools are those of "full" now' },
    set_log_level: { args: { level: 'error' }, says: 'Log level set to "error"' },
    add_workspace_folder: {
      args: ({ scratch }) => ({ path: `${scratch}/elsewhere` }),
      says: /^Folder added: .*elsewhere\n2 workspace folders/,
    },
    list_workspace_folders: { says: /^2 workspace folders; root .*\n[\s\S]*root; servers: go/ },
    remove_workspace_folder: {
      args: ({ scratch }) => ({ path: `${scratch}/elsewhere` }),
      says: /^Folder removed: .*elsewhere\n1 workspace folder/,
    },
    did_change_watched_files: {
      args: { changes: [{ path: 'main.go', type: 'changed' }] },
      says: /^File change notifications sent\ngo in \.: 1/,
    },
  },
  nothing: {
    // It refuses these with an error of its own, though it has looked.
    go_to_implementation: {
      args: { file_path: 'pricing/discount.go', symbol: 'Total' },
      says: 'No implementations of Total (pricing/discount.go:17:6); 3 of 3 occurrences accounted for (1 in text); gopls ready',
    },
    callers: { args: { file_path: 'stock/shelf.go', symbol: 'Shelf' }, says: 'No function at Shelf' },
    type_hierarchy: { args: TAKE, says: 'No type at Take' },
  },
  byOtherMeans: {
    go_to_declaration: { args: TOTAL, says: 'note: gopls has no declarations; this is the definition' },
  },
  refused: {},
};

describeWith(['gopls', 'go', 'git'], 'Go', () => describeCases('gopls', GO));
