/**
 * What the model reads about the server as a whole, worded for the tools that its session begins with. A client gets
 * it before any tool is loaded, so it names no tool but the one that `core` always has; the list of tools says which
 * there are.
 * Decision: docs/decisions/mcp.md#instructions-say-when-not-to-use-the-tools
 */
import type { NamedProfile } from '../../shared/config/choices.ts';

const SERVERS = 'Language servers that know this code; they start by themselves and stay warm.';

const whenFor = (questions: string) =>
  `Use these tools rather than text search and reading whole files for ${questions}. Use text search for words in comments, strings, settings and prose, and your own editor for a few lines.`;

const OWN = `${SERVERS}

${whenFor('questions about a name (where it is defined, who uses, calls or implements it, what a change affects), for renames, and for errors after an edit, whoever made it')}

Give a place as symbol ("Client.stop"), as position_pattern ("client.@@stop("), or as line and column from 1; paths are relative to the root that answers print. For uses, calls and renames every occurrence of the name is accounted for: no search is needed to check.

A first line with INCOMPLETE, TIMEOUT or STALE means that the server could not know yet, not that there is nothing: call again.`;

const A_NAME = 'where a name is defined, who uses it and what type it has';
const ERRORS = 'errors after an edit';

/** Façades have places and words of their own, which their tools describe. */
const OF_PROFILE: Readonly<Record<NamedProfile, string>> = {
  full: OWN,
  core: `${OWN}\n\nThe most used tools are listed; activate_tools lists all.`,
  lsp: `${SERVERS}\n\n${whenFor(`${A_NAME}, and for ${ERRORS}`)}`,
  lsp6: `${SERVERS}\n\n${whenFor(A_NAME)}`,
  pyright: `${SERVERS}\n\n${whenFor(`Python: ${A_NAME}, and for ${ERRORS}`)}`,
};

/** Undefined where it is not known which tools the session begins with: what holds for all is said then. */
export function instructionsFor(profile: NamedProfile | undefined): string {
  return OF_PROFILE[profile ?? 'lsp6'];
}
