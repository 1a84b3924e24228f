import { describeCases, type Language } from './cases.ts';

const TOTAL = { file_path: 'src/order.ts', symbol: 'Order.total' };
const ORDER = { file_path: 'src/checkout.ts', position_pattern: 'new @@Order' };

const TYPESCRIPT: Language = {
  fixture: 'typescript',
  files: '//- src/empty.ts\nexport {};\n\n// Nothing but a comment.\n',
  change: { file: 'src/order.ts', from: 'apply(sum);', to: 'apply(sum) ;' },
  file: 'src/order.ts',
  symbol: 'linePrice',
  empty: 'src/empty.ts',
  untested: 'src/money.ts',
  lonely: { file_path: 'src/product.ts', symbol: 'isRestricted' },
  consumer: 'tests',
  members: { file_path: 'src/checkout.ts', position_pattern: 'order.@@place(' },
  ordinary: {
    start_lsp: {
      args: { language_id: 'typescript' },
      says: /^LSP server started successfully\ntypescript-go 7/,
    },
    explore_symbol: { args: TOTAL, says: /callers: 2, 1 in tests\n {2}checkout {2}src\/checkout\.ts:14:17/ },
    explore: { args: { file_path: 'src/money.ts', symbol: 'add' }, says: 'Adds two amounts' },
    get_editing_context: {
      args: { file_path: 'src/order.ts' },
      says: /method total 28:3-31 .*<- checkout src\/checkout\.ts:14:17, tests 1/,
    },
    list_symbols: {
      args: { file_path: 'src/order.ts' },
      says: /class Order 13:14-41\n[\s\S]*method total 28:3-31/,
    },
    find_symbol: { args: { query: 'PercentageDiscount' }, says: 'src/pricing/discount.ts:9:14' },
    go_to_symbol: { args: { symbol_path: 'Order.total' }, says: 'src/order.ts:28:3' },
    get_symbol_source: { args: TOTAL, says: 'this.lines.map(linePrice)' },
    get_symbol_documentation: { args: TOTAL, says: 'The sum of all lines after the discount.' },
    go_to_definition: { args: ORDER, says: 'src/order.ts:13:14  export class Order {' },
    go_to_type_definition: { args: TOTAL, says: 'src/money.ts:6:18  export interface Money {' },
    go_to_implementation: {
      args: { file_path: 'src/pricing/discount.ts', symbol: 'Discount' },
      says: /^2 implementations[\s\S]*discount\.ts:9:14[\s\S]*discount\.ts:23:14/,
    },
    go_to_declaration: { args: ORDER, says: 'src/order.ts:13:14' },
    find_references: {
      args: TOTAL,
      says: /^3 references to total .* ready, complete;[\s\S]*20:\d+ in checkout/,
    },
    get_document_highlights: {
      args: { file_path: 'src/unicode.ts', symbol: 'größe' },
      says: /5:14.*\n[\s\S]*10:33/,
    },
    find_callers: { args: TOTAL, says: /checkout 14:17 calls at 20:30[\s\S]*money 11:17 called at 29:55/ },
    callers: { args: { file_path: 'src/money.ts', symbol: 'money' }, says: 'multiply' },
    type_hierarchy: {
      args: { file_path: 'src/pricing/discount.ts', symbol: 'NoDiscount' },
      says: /^1 supertype, no subtypes[\s\S]*interface Discount 4:18/,
    },
    prepare_rename: { args: TOTAL, says: /^total \(.* can be renamed/ },
    inspect_symbol: { args: TOTAL, says: '(method) Order.total(): Money' },
    blast_radius: {
      args: { changed_files: ['src/product.ts'] },
      says: /8 callers in 5 other files, 1 in their own file[\s\S]*no callers, no tests: isRestricted/,
    },
    detect_changes: {
      says: /^1 changed symbol in 1 changed file \(unstaged\)[\s\S]*Order\.total method 28:3: 1 caller/,
    },
    get_cross_repo_references: {
      args: { symbol_file: 'src/order.ts', symbol: 'Order', consumer_roots: ['tests'] },
      says: /5 references in the library, 3 in tests; .* complete;/,
    },
    get_diagnostics: {
      args: { file_path: 'src/broken.ts' },
      says: /2 errors; fresh[\s\S]*E 5:9 TS2322[\s\S]*E 6:16 TS2339/,
    },
    suggest_fixes: {
      args: { file_path: 'src/broken.ts', start_line: 6 },
      says: /TS2339[\s\S]*missingMethod/,
    },
    get_completions: {
      args: { file_path: 'src/checkout.ts', position_pattern: 'order.@@place(' },
      says: 'addLine',
    },
    get_signature_help: {
      args: { file_path: 'src/checkout.ts', position_pattern: 'receive(product, @@10' },
      says: /quantity: number/,
    },
    get_inlay_hints: { args: { file_path: 'src/checkout.ts', start_line: 15 }, says: 'discount:' },
    get_semantic_tokens: { args: { file_path: 'src/checkout.ts', start_line: 15 }, says: /Order.*class/ },
    open_document: { args: { file_path: 'src/order.ts' }, says: 'Document opened: src/order.ts (version ' },
    close_document: { args: { file_path: 'src/order.ts' }, says: 'Document closed: src/order.ts' },
    run_build: { says: /^build failed: 2 errors[\s\S]*src\/broken\.ts:5:9 error: TS2322/ },
    run_tests: { args: { path: 'tests' }, says: /^(no tests ran|\d+ )/ },
    get_tests_for_file: {
      args: { file_path: 'src/order.ts' },
      says: /^1 test file[\s\S]*tests\/order\.test\.ts/,
    },
    restart_lsp_server: { says: 'LSP server restarted successfully (typescript)' },
    get_server_capabilities: { says: /^typescript-go 7\.\S+ \(typescript\).* ready/ },
    detect_lsp_servers: { says: /: typescript, json\n {2}typescript: tsc {2}\// },
    activate_tools: { args: { profile: 'full' }, says: 'The tools are those of "full" now' },
    set_log_level: { args: { level: 'error' }, says: 'Log level set to "error"' },
    add_workspace_folder: {
      args: ({ scratch }) => ({ path: `${scratch}/elsewhere` }),
      says: /^Folder added: .*elsewhere\n2 workspace folders/,
    },
    list_workspace_folders: { says: /^2 workspace folders; root .*\n[\s\S]*root; servers: typescript/ },
    remove_workspace_folder: {
      args: ({ scratch }) => ({ path: `${scratch}/elsewhere` }),
      says: /^Folder removed: .*elsewhere\n1 workspace folder/,
    },
    did_change_watched_files: {
      args: { changes: [{ path: 'src/order.ts', type: 'changed' }] },
      says: /^File change notifications sent/,
    },
  },
  byOtherMeans: {
    go_to_declaration: {
      args: ORDER,
      says: 'note: typescript-go has no declarations; this is the definition',
    },
    type_hierarchy: {
      args: { file_path: 'src/pricing/discount.ts', symbol: 'Discount' },
      says: /2 subtypes[\s\S]*note: typescript-go has no type hierarchy/,
    },
  },
  refused: {},
};

describeCases('TypeScript 7', TYPESCRIPT);
