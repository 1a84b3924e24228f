/** What the server says about itself in a handshake. It must not load the tools, so it speaks of them from memory. */
import { VERSION } from '../../shared/version.ts';

export const SERVER_INFO = { name: 'agent-lsp', title: 'agent-lsp', version: VERSION };

export const CAPABILITIES = { tools: {}, resources: { subscribe: true }, logging: {} };

/** What the model reads about the server as a whole. */
export const INSTRUCTIONS = `Semantic code navigation and diagnostics by real language servers, which start by themselves and stay warm.

Name a place by symbol ("Client.stop"), by position_pattern ("client.@@stop(") or by line and column; both are 1-based. Paths may be relative to the root that answers print. Positions in answers can be pasted back.

Prefer find_references, find_callers, go_to_definition and go_to_implementation to text search when it matters that nothing is missed or confused; list_symbols and get_symbol_source to reading a whole file; explore_symbol to several questions about one name; find_symbol or go_to_symbol when the file is not known. Before a change, blast_radius says who depends on a file, and get_editing_context what to know of it; detect_changes does the same for what git says was changed. Call get_diagnostics after edits: files are read from disk at every call. run_build and run_tests, where listed, run the project's own tools.

A first line with INCOMPLETE, TIMEOUT or STALE means that the server could not know yet, not that there is nothing: call again.`;
