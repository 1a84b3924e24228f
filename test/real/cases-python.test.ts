import { describeCases, type Language } from './cases.ts';

const TOTAL = { file_path: 'corner_shop/order.py', symbol: 'Order.total' };
const CHECKOUT = 'corner_shop/checkout.py';

const PYTHON: Language = {
  fixture: 'python',
  files: '//- corner_shop/empty.py\n\n\n# Nothing but a comment.\n',
  change: { file: 'corner_shop/order.py', from: '        return self\n', to: '        return self \n' },
  file: 'corner_shop/order.py',
  symbol: 'line_price',
  empty: 'corner_shop/empty.py',
  untested: 'corner_shop/money.py',
  lonely: { file_path: 'corner_shop/product.py', symbol: 'is_restricted' },
  consumer: 'tests',
  members: { file_path: CHECKOUT, position_pattern: 'order.@@place(' },
  ordinary: {
    start_lsp: { args: { language_id: 'python' }, says: /^LSP server started successfully\npyright/ },
    explore_symbol: {
      args: TOTAL,
      says: /callers: 3, 2 in tests\n {2}checkout {2}corner_shop\/checkout\.py:18:5/,
    },
    explore: { args: { file_path: 'corner_shop/product.py', symbol: 'Product' }, says: 'class Product' },
    get_editing_context: {
      args: { file_path: 'corner_shop/order.py' },
      says: /method total 26:9-31 .*<- checkout corner_shop\/checkout\.py:18:5, tests 2/,
    },
    list_symbols: {
      args: { file_path: 'corner_shop/order.py' },
      says: /class Order 17:7-35\n[\s\S]*method total 26:9-31/,
    },
    find_symbol: { args: { query: 'PercentageDiscount' }, says: 'corner_shop/pricing/discount.py:14:7' },
    go_to_symbol: { args: { symbol_path: 'Order.total' }, says: 'corner_shop/order.py:26:9' },
    get_symbol_source: { args: TOTAL, says: 'total = total + line_price(line)' },
    get_symbol_documentation: { args: TOTAL, says: 'The sum of all lines after the discount.' },
    go_to_definition: {
      args: { file_path: CHECKOUT, position_pattern: '= @@Order(' },
      says: 'corner_shop/order.py:17:7',
    },
    go_to_type_definition: {
      args: { file_path: CHECKOUT, position_pattern: '@@order.place' },
      says: 'corner_shop/order.py:17:7  class Order:',
    },
    go_to_declaration: {
      args: { file_path: CHECKOUT, position_pattern: '= @@Order(' },
      says: /^1 declaration of Order .*\ncorner_shop\/order\.py:17:7/,
    },
    find_references: {
      args: TOTAL,
      says: /^3 references to total .* ready, complete;[\s\S]*23:31 in checkout/,
    },
    get_document_highlights: {
      args: { file_path: 'corner_shop/unicode_names.py', symbol: 'größe' },
      says: /6:1.*\n[\s\S]*12:34/,
    },
    find_callers: { args: TOTAL, says: /checkout 18:5 calls at 23:31[\s\S]*line_price 38:5 called at 30:29/ },
    callers: {
      args: { file_path: 'corner_shop/order.py', symbol: 'line_price' },
      says: /Order\.total 26:9 calls at 30:29/,
    },
    type_hierarchy: {
      args: { file_path: 'corner_shop/storage/repository.py', symbol: 'Repository' },
      says: /1 subtype[\s\S]*class MemoryRepository 8:7/,
    },
    prepare_rename: { args: TOTAL, says: /^total \(.* can be renamed/ },
    inspect_symbol: { args: TOTAL, says: 'def total(self: Self@Order) -> Money' },
    blast_radius: {
      args: { changed_files: ['corner_shop/product.py'] },
      says: /Product class 9:7: \d+ callers[\s\S]*no callers, no tests: is_restricted/,
    },
    detect_changes: {
      says: /^1 changed symbol in 1 changed file \(unstaged\)[\s\S]*Order\.add_line method 22:9: 1 caller/,
    },
    get_cross_repo_references: {
      args: { symbol_file: 'corner_shop/order.py', symbol: 'Order', consumer_roots: ['tests'] },
      says: /7 references in the library, 3 in tests; .* complete;[\s\S]*tests\/test_order\.py \(3\) import 1:32/,
    },
    get_diagnostics: {
      args: { file_path: 'corner_shop/broken.py' },
      says: /2 errors; fresh[\s\S]*E 7:18 reportAssignmentType[\s\S]*E 8:18 reportAttributeAccessIssue/,
    },
    suggest_fixes: {
      args: { file_path: 'corner_shop/broken.py', start_line: 8 },
      says: /^No fixes for corner_shop\/broken\.py line 8[\s\S]*reportAttributeAccessIssue/,
    },
    get_completions: { args: { file_path: CHECKOUT, position_pattern: 'order.@@place(' }, says: 'add_line' },
    get_signature_help: {
      args: { file_path: CHECKOUT, position_pattern: 'receive(product, @@10' },
      says: 'quantity: int',
    },
    open_document: { args: { file_path: CHECKOUT }, says: `Document opened: ${CHECKOUT} (version ` },
    close_document: { args: { file_path: CHECKOUT }, says: `Document closed: ${CHECKOUT}` },
    run_build: { says: /^build failed: 2 errors[\s\S]*corner_shop\/broken\.py:7:18 error: / },
    run_tests: { says: /^3 tests passed/ },
    get_tests_for_file: {
      args: { file_path: 'corner_shop/order.py' },
      says: /^1 test file[\s\S]*tests\/test_order\.py/,
    },
    restart_lsp_server: { says: 'LSP server restarted successfully (python)' },
    get_server_capabilities: { says: /^pyright.* \(python\).*\n[\s\S]*does not work: .*get_inlay_hints/ },
    detect_lsp_servers: { says: /: python\n {2}python: pyright/ },
    activate_tools: { args: { profile: 'full' }, says: 'The tools are those of "full" now' },
    set_log_level: { args: { level: 'error' }, says: 'Log level set to "error"' },
    add_workspace_folder: {
      args: ({ scratch }) => ({ path: `${scratch}/elsewhere` }),
      says: /^Folder added: .*elsewhere\n2 workspace folders/,
    },
    list_workspace_folders: { says: /^2 workspace folders; root .*\n[\s\S]*root; servers: python/ },
    remove_workspace_folder: {
      args: ({ scratch }) => ({ path: `${scratch}/elsewhere` }),
      says: /^Folder removed: .*elsewhere\n1 workspace folder/,
    },
    did_change_watched_files: {
      args: { changes: [{ path: CHECKOUT, type: 'changed' }] },
      says: /^(File change notifications sent|No server)/,
    },
  },
  byOtherMeans: {
    type_hierarchy: {
      args: { file_path: 'corner_shop/storage/repository.py', symbol: 'Repository' },
      says: /2 supertypes, 1 subtype[\s\S]*note: pyright has no type hierarchy/,
    },
  },
  refused: {
    go_to_implementation: { args: TOTAL, says: 'textDocument/implementation' },
    get_inlay_hints: { args: { file_path: CHECKOUT }, says: 'textDocument/inlayHint' },
    get_semantic_tokens: { args: { file_path: CHECKOUT }, says: 'textDocument/semanticTokens' },
  },
};

describeCases('pyright', PYTHON);
