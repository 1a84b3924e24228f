/** The servers named on the command line: `go gopls -v`, or `go:gopls typescript:typescript-language-server,--stdio`. */
import { fail } from '../base/failure.ts';
import { suggestion } from '../base/near-names.ts';
import type { LanguageFamily } from '../languages/family.ts';
import { knownLanguages, languageById } from '../languages/lookup.ts';
import { commandFrom } from './command-words.ts';
import type { ServerEntry } from './server-entries.ts';

export interface ServerArgsContext {
  readonly table: readonly LanguageFamily[];
  /** What relative paths are relative to. */
  readonly cwd: string;
  readonly homedir: string;
}

/** No arguments: no entries, which leaves everything to detection. */
export function parseServerArgs(args: readonly string[], context: ServerArgsContext): readonly ServerEntry[] {
  const [first] = args;
  if (first === undefined) return [];
  // A colon makes a pair. In the single form the first word is a language, and none has a colon.
  if (!first.includes(':')) return [single(args, context)];
  const entries = args.map((arg) => pair(arg, context));
  const ids = entries.map((entry) => languageById(entry.languageId ?? '', context.table)?.family.id);
  const twice = ids.findIndex((id, index) => ids.indexOf(id) !== index);
  if (twice >= 0) refuse(`"${args[twice]}" names a second server for ${ids[twice]}`);
  return entries;
}

function single([language = '', ...words]: readonly string[], context: ServerArgsContext): ServerEntry {
  if (words.length === 0) refuse(`"${language}" names no server`);
  return entryFor(language, words, context);
}

function pair(arg: string, context: ServerArgsContext): ServerEntry {
  const colon = arg.indexOf(':');
  if (colon < 1) refuse(`"${arg}" is not a pair of language and server`);
  const words = arg.slice(colon + 1).split(',');
  if (words[0] === '') refuse(`"${arg}" names no server`);
  return entryFor(arg.slice(0, colon), words, context);
}

function entryFor(language: string, words: readonly string[], context: ServerArgsContext): ServerEntry {
  const known = languageById(language, context.table);
  if (!known) {
    refuse(
      `unknown language "${language}"${suggestion(language, knownLanguages(context.table))}`,
      'Name a known language, or describe the new one with its extensions in a file for --config.',
    );
  }
  return {
    languageId: known.languageId,
    extensions: [],
    command: commandFrom(words, context.cwd, context.homedir),
    env: {},
    settings: {},
    origin: 'the command line',
  };
}

function refuse(message: string, next = FORMS): never {
  fail({ kind: 'invalid-input', message, next });
}

const FORMS =
  'Use "agent-lsp go gopls [args...]" for one server, or "agent-lsp go:gopls typescript:typescript-language-server,--stdio" for several.';
