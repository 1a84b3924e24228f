/** A symbol as a search by name lists it, in either of the protocol's shapes. */
import type { SymbolInformation, WorkspaceSymbol } from 'vscode-languageserver-protocol';

export type NamedSymbol = SymbolInformation | WorkspaceSymbol;
