/** What an agent is told once per session when it searches the text of files for a name. */

const MOST_CHARS = 60;

export function searchReminder(name: string): string {
  const shown = name.slice(0, MOST_CHARS);
  return [
    `agent-lsp: ${shown} can be asked for by name. find_references, go_to_definition and find_symbol answer from the`,
    'language server, without matches in comments or of other things of that name; from a command line:',
    `agent-lsp call find_references --symbol ${shown}. This is said once.`,
  ].join(' ');
}
