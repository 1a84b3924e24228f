/** The fixed words of the tool `lsp`, and our own words in its terms. */
import type { LspAction } from '../../../../shared/config/lsp-actions.ts';

export const NO_RESPONSE = 'Timeout: LSP server did not respond. Try again.';
export const NOT_FOUND = 'File not found';
/** Ours names a parameter that this tool does not have. */
export const NO_SERVER = 'no language server is known for such files; --config can name one';

export function unsupportedText(why: string): string {
  return `Unsupported: ${why}`;
}

const NOTHING: Partial<Readonly<Record<LspAction, string>>> = {
  definition: 'No definitions found.',
  references: 'No references found.',
  symbols: 'No symbols found.',
  hover: 'No hover information available.',
  signature: 'No signature help available.',
  rename: 'No rename edits available.',
  codeAction: 'No code actions available.',
};

export function nothingText(action: LspAction): string {
  return NOTHING[action] ?? 'Nothing found.';
}

/** Actions by the tools of ours that answer them: what is not listed must not be recommended. */
const ACTIONS: Readonly<Record<string, string>> = {
  go_to_definition: 'definition',
  find_references: 'references',
  inspect_symbol: 'hover',
  get_signature_help: 'signature',
  list_symbols: 'symbols',
  get_diagnostics: 'diagnostics',
  rename_symbol: 'rename',
  suggest_fixes: 'codeAction',
  restart_lsp_server: 'restart',
};
const TOOL = new RegExp(`\\b(?:${Object.keys(ACTIONS).join('|')})\\b`, 'g');

/** `call restart_lsp_server` becomes `call action restart`. */
export function inActions(text: string): string {
  return text.replace(TOOL, (tool) => `action ${ACTIONS[tool] ?? tool}`);
}
