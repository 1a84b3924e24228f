/** The rows of cases.ts that differ between languages only in names: nothing to find, and input that makes no sense. */
import type { Case, Language, Never } from './cases.ts';

/** Rows of tools that cannot come back with nothing say why. */
export function nothingFound(tool: string, language: Language): Case | Never {
  const { empty, file, symbol, lonely, members, consumer, untested } = language;
  const inComment = { file_path: empty, position_pattern: 'Nothing @@but' };
  const rows: Readonly<Record<string, Case | Never>> = {
    explore_symbol: { args: inComment, says: /^but .*complete[\s\S]*callers: none\nreferences: none/ },
    explore: { args: lonely, says: 'references: none' },
    get_editing_context: { args: { file_path: empty }, says: `${empty}: no symbols` },
    list_symbols: { args: { file_path: empty }, says: `${empty}: no symbols` },
    find_symbol: { args: { query: 'Nowhere' }, says: 'No symbols matching "Nowhere"' },
    go_to_symbol: { args: { symbol_path: `Nowhere.${symbol}` }, says: `No symbol Nowhere.${symbol};` },
    get_symbol_source: {
      args: { file_path: file, symbols: [symbol, 'Nowhere'] },
      says: /Nowhere.*not found|no symbol Nowhere/,
    },
    get_symbol_documentation: { args: inComment, says: 'No documentation of but' },
    go_to_definition: { args: inComment, says: 'No definitions of but' },
    go_to_type_definition: { args: inComment, says: 'No type definitions of but' },
    go_to_implementation: { args: inComment, says: 'No implementations of but' },
    go_to_declaration: { args: inComment, says: /No (declaration|definition)s of but/ },
    find_references: { args: lonely, says: /^No references to .* ready, complete;/ },
    get_document_highlights: { args: inComment, says: 'No occurrences of but' },
    find_callers: { args: { ...lonely, direction: 'incoming' }, says: /^No callers of .* ready, complete;/ },
    callers: { args: lonely, says: /^No callers of .* ready, complete;/ },
    type_hierarchy: { args: inComment, says: /^No type at but .* complete;/ },
    prepare_rename: { args: inComment, says: /^but \(.* cannot be renamed: / },
    inspect_symbol: { args: inComment, says: 'No information on but' },
    blast_radius: { args: { changed_files: [empty] }, says: `No exported symbols in ${empty}` },
    detect_changes: { args: { scope: 'staged' }, says: 'No changes (staged)' },
    get_cross_repo_references: {
      args: { symbol_file: lonely.file_path, symbol: lonely.symbol, consumer_roots: [consumer] },
      says: /: 0 references in the library, 0 in .* complete;/,
    },
    get_diagnostics: { args: { file_path: empty }, says: `${empty}: clean` },
    suggest_fixes: {
      args: { file_path: empty, start_line: 3, only: 'quickfix' },
      says: `No fixes for ${empty} line 3, no problems there`,
    },
    get_completions: { args: { ...members, prefix: 'zzz' }, says: 'No completions of "zzz" at ' },
    get_signature_help: { args: inComment, says: `No call around ${empty}:3:` },
    get_inlay_hints: { args: { file_path: empty }, says: `No hints in ${empty}` },
    get_semantic_tokens: { args: { file_path: empty, start_line: 2 }, says: `No tokens in ${empty} line 2` },
    open_document: { never: 'a file that is there can be opened' },
    close_document: { args: { file_path: empty }, says: `Document was not open: ${empty}` },
    run_build: { never: 'a build ends well or not' },
    run_tests: { never: 'without tests it says that none ran, which only some runners tell' },
    get_tests_for_file: { args: { file_path: untested }, says: `No test file of ${untested}` },
    start_lsp: { never: 'a directory without sources is refused' },
    restart_lsp_server: { args: { language_id: 'zig' }, says: 'No such LSP server was running' },
    get_server_capabilities: { never: 'every server can do something' },
    detect_lsp_servers: { args: { workspace_dir: 'notes' }, says: 'notes: no known language' },
    activate_tools: { never: 'every profile is one' },
    set_log_level: { never: 'every level is one' },
    add_workspace_folder: { args: { path: 'notes' }, says: /^Nothing to add: .*notes lies in / },
    remove_workspace_folder: { never: 'what is no folder is refused' },
    list_workspace_folders: { never: 'the root is always there' },
    did_change_watched_files: { never: 'all files belong to the server; before it runs, that is said' },
  };
  return rows[tool] ?? missing(tool);
}

/** Another mistake for each, so that all kinds meet a real server. */
export function badInput(tool: string, { file, consumer, symbol, empty }: Language): Case {
  const here = { file_path: file };
  const gone = { file_path: `gone/${file}` };
  const rows: Readonly<Record<string, Case>> = {
    explore_symbol: { args: { ...here, symbol: 'Nowhere' }, says: 'has no symbol Nowhere' },
    explore: { args: { symbol: 'Nowhere' }, says: 'no symbol Nowhere in the workspace' },
    get_editing_context: { args: gone, says: 'does not exist' },
    list_symbols: { args: gone, says: 'does not exist' },
    find_symbol: { says: 'symbol is required' },
    go_to_symbol: { args: { symbol_path: '' }, says: 'symbol must not be empty' },
    get_symbol_source: { args: { ...here, line: 4_000 }, says: 'line 4000 is past the end' },
    get_symbol_documentation: { args: { ...here, symbol: 'Nowhere' }, says: 'has no symbol Nowhere' },
    go_to_definition: { args: { ...here, line: 0 }, says: 'line must be >= 1, got 0' },
    go_to_type_definition: { args: { ...here, line: 1, column: 900 }, says: 'column 900 is past the end' },
    go_to_implementation: { args: { ...here, position_pattern: 'unmarked' }, says: '@@' },
    go_to_declaration: { args: { ...here, position_pattern: '@@nowhere to be seen' }, says: 'not' },
    find_references: { args: { ...gone, symbol }, says: 'does not exist' },
    get_document_highlights: { args: { ...here, line: 4_000 }, says: 'line 4000 is past the end' },
    find_callers: { args: { ...here, symbol, direction: 'sideways' }, says: 'direction must be one of' },
    callers: { args: { ...here, symbol, depth: 3 }, says: 'unknown parameter "depth"' },
    type_hierarchy: { args: { file_path: '/etc/passwd', line: 1 }, says: 'outside the workspace roots' },
    prepare_rename: { args: { ...gone, symbol }, says: 'does not exist' },
    inspect_symbol: { args: { ...here, symbol: 'Nowhere' }, says: 'has no symbol Nowhere' },
    blast_radius: { args: { changed_files: [gone.file_path] }, says: 'does not exist' },
    detect_changes: { args: { scope: 'committed', range: '--output=/tmp/x' }, says: 'range' },
    get_cross_repo_references: {
      args: { symbol_file: file, symbol, consumer_roots: [`${consumer}/gone`] },
      says: 'is no directory',
    },
    get_diagnostics: { args: { file_path: 'gone' }, says: 'does not exist' },
    suggest_fixes: { args: { ...here, start_line: 3, end_line: 2 }, says: 'end' },
    get_completions: { args: { ...here, line: 1, column: 900 }, says: 'column 900 is past the end' },
    get_signature_help: { args: { ...here, line: 4_000 }, says: 'line 4000 is past the end' },
    get_inlay_hints: { args: { ...here, start_line: 4_000 }, says: 'line 4000 is past the end' },
    get_semantic_tokens: { args: gone, says: 'does not exist' },
    open_document: { args: gone, says: 'does not exist' },
    close_document: { args: { file_path: '../elsewhere' }, says: 'outside the workspace roots' },
    run_build: { args: { workspace_dir: 'gone' }, says: 'gone' },
    run_tests: { args: { timeout_seconds: 4_000 }, says: 'timeout_seconds must be <= 1800' },
    get_tests_for_file: { args: gone, says: 'does not exist' },
    start_lsp: { args: { root_dir: 'notes' }, says: 'no source files of a known language' },
    restart_lsp_server: { args: { language_id: 'klingon' }, says: 'language "klingon" is not known' },
    get_server_capabilities: { args: gone, says: 'does not exist' },
    detect_lsp_servers: { args: { workspace_dir: 'gone' }, says: 'gone' },
    activate_tools: { args: { profile: 'some' }, says: 'profile must be one of' },
    set_log_level: { args: { level: 'loud' }, says: 'level must be one of' },
    add_workspace_folder: { args: { path: empty }, says: 'director' },
    remove_workspace_folder: { args: { path: 'notes' }, says: 'is not a workspace folder' },
    list_workspace_folders: { args: { all: true }, says: 'unknown parameter "all"' },
    did_change_watched_files: { args: { changes: [{ type: 'changed' }] }, says: 'must name one file' },
  };
  return rows[tool] ?? missing(tool);
}

function missing(tool: string): never {
  throw new Error(`${tool} has no row in cases-shared.ts`);
}
