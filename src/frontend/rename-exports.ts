/**
 * A rename that goes on where the server stops: at `export { end as stop }`, which keeps the old name for others, and at
 * `import { stop as end }`, which leaves it to whoever declared it. Asked again there, the server gives the rest.
 */
import {
  DefinitionRequest,
  type Position,
  RenameRequest,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol';
import { failureOf } from '../shared/base/failure.ts';
import { uriToPath } from '../shared/base/paths.ts';
import { ask, type ServerFacts, type ServerLink } from '../shared/server-link.ts';
import { answered } from './asking.ts';
import { siftHidden } from './hidden-places.ts';
import { serverPlaces } from './places.ts';
import { textEditsOf } from './rename-places.ts';
import type { ToolContext } from './tool-context.ts';

export interface RenameNames {
  readonly name: string;
  readonly newName: string;
}

interface Stop {
  readonly uri: string;
  readonly position: Position;
  /** Others keep the old name; otherwise its origin does. */
  readonly keepsForOthers: boolean;
}

/** A chain of re-exports is seldom longer than a few. */
const MOST_ROUNDS = 64;

export async function throughExports(
  context: ToolContext,
  link: ServerLink,
  facts: ServerFacts,
  first: WorkspaceEdit,
  { name, newName }: RenameNames,
): Promise<WorkspaceEdit> {
  // An edit that moves files as well is more than a list of places.
  if (first.documentChanges?.some((change) => 'kind' in change)) return first;
  const merged = new MergedEdit(name, newName);
  merged.add(first);
  const seen = new Set<string>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const stop = merged.stops().find(({ uri, position }) => !seen.has(keyOf(uri, position)));
    if (!stop) break;
    seen.add(keyOf(stop.uri, stop.position));
    try {
      const from = stop.keepsForOthers ? stop : await originOf(context, link, facts, stop, name);
      if (from && !seen.has(`asked ${keyOf(from.uri, from.position)}`)) {
        seen.add(`asked ${keyOf(from.uri, from.position)}`);
        merged.add(await renameAt(context, link, facts, { ...from, newName }));
      }
    } catch (error) {
      // What the server does not follow stays an alias, and the answer names it.
      if (!failureOf(error) || failureOf(error)?.kind === 'cancelled') throw error;
    }
  }
  return seen.size === 0 ? first : merged.edit();
}

/** Edits of one text by place; where two renames meet, both names are new. */
class MergedEdit {
  readonly #keeps: string;
  readonly #takes: string;
  readonly #newName: string;
  readonly #byFile = new Map<string, Map<string, TextEdit>>();

  constructor(name: string, newName: string) {
    this.#keeps = `${newName} as ${name}`;
    this.#takes = `${name} as ${newName}`;
    this.#newName = newName;
  }

  add(edit: WorkspaceEdit | null): void {
    for (const [uri, edits] of textEditsOf(edit)) {
      const own = this.#byFile.get(uri) ?? new Map<string, TextEdit>();
      this.#byFile.set(uri, own);
      for (const each of edits) {
        if (!('newText' in each)) continue;
        const key = keyOf(uri, each.range.start);
        const known = own.get(key);
        own.set(key, known ? { ...known, newText: this.#agreed(known.newText, each.newText) } : each);
      }
    }
  }

  stops(): readonly Stop[] {
    return [...this.#byFile].flatMap(([uri, own]) =>
      [...own.values()]
        .filter(({ newText }) => newText === this.#keeps || newText === this.#takes)
        .map(({ newText, range }) => ({
          uri,
          position: range.start,
          keepsForOthers: newText === this.#keeps,
        })),
    );
  }

  edit(): WorkspaceEdit {
    const changes = [...this.#byFile].map(([uri, own]): [string, TextEdit[]] => [uri, [...own.values()]]);
    return { changes: Object.fromEntries(changes) };
  }

  #agreed(a: string, b: string): string {
    const isAlias = (text: string) => text === this.#keeps || text === this.#takes;
    if (a === b || !isAlias(a)) return a;
    return isAlias(b) || b === this.#newName ? this.#newName : a;
  }
}

/** Where the name comes from, if it has the same name there and somebody here wrote it. */
async function originOf(
  context: ToolContext,
  link: ServerLink,
  facts: ServerFacts,
  { uri, position }: Stop,
  name: string,
): Promise<Pick<Stop, 'uri' | 'position'> | undefined> {
  const file = uriToPath(uri);
  if (file === undefined || facts.encoding !== 'utf-16') return undefined;
  const params = { textDocument: { uri }, position };
  const asked = ask(link, DefinitionRequest.type, params, context.during(file));
  const [only, ...others] = serverPlaces(await answered(facts, DefinitionRequest.method, asked, link));
  if (!only?.file || others.length > 0 || !context.roots.holds(only.file)) return undefined;
  const { hidden } = await siftHidden(context, [only], file);
  if (hidden.length > 0) return undefined;
  const { lines } = await context.files.read(only.file);
  const { line, character } = only.range.start;
  const text = lines.at(line + 1).slice(character, character + name.length);
  return text === name ? { uri: only.uri, position: only.range.start } : undefined;
}

function renameAt(
  context: ToolContext,
  link: ServerLink,
  facts: ServerFacts,
  { uri, position, newName }: Pick<Stop, 'uri' | 'position'> & Pick<RenameNames, 'newName'>,
): Promise<WorkspaceEdit | null> {
  const file = uriToPath(uri);
  const params = { textDocument: { uri }, position, newName };
  const during = context.during(...(file === undefined ? [] : [file]));
  return answered(facts, RenameRequest.method, ask(link, RenameRequest.type, params, during), link);
}

function keyOf(uri: string, { line, character }: Position): string {
  return `${uri} ${line}:${character}`;
}
