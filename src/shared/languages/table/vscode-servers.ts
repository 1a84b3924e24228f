/** The npm package that brings the servers of VS Code for JSON, CSS and HTML. */
export const vscodeServers = 'vscode-langservers-extracted';
