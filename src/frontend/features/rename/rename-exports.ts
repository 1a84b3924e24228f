/**
 * Continues a rename where the server stops: at `export { end as stop }`, which keeps the old name for importers, and
 * at `import { stop as end }`, which keeps it for the exporter. Asked to rename there, the server gives the remaining
 * edits.
 */
import { DefinitionRequest, RenameRequest, type WorkspaceEdit } from 'vscode-languageserver-protocol';
import { failureOf } from '../../../shared/base/failure.ts';
import { uriToPath } from '../../../shared/base/paths.ts';
import { ask, type ServerFacts, type ServerLink } from '../../../shared/link/server-link.ts';
import { answered } from '../../ask/questions.ts';
import { serverPlaces } from '../../places/places.ts';
import type { ToolContext } from '../../tools/context.ts';
import { siftHidden } from '../../workspace/hidden-places.ts';
import { editKey, MergedEdit, type RenameNames, type Stop } from './merged-rename.ts';

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
    const stop = merged.stops().find(({ uri, position }) => !seen.has(editKey(uri, position)));
    if (!stop) break;
    seen.add(editKey(stop.uri, stop.position));
    try {
      const from = stop.keepsForOthers ? stop : await originOf(context, link, facts, stop, name);
      if (from && !seen.has(`asked ${editKey(from.uri, from.position)}`)) {
        seen.add(`asked ${editKey(from.uri, from.position)}`);
        merged.add(await renameAt(context, link, facts, { ...from, newName }));
      }
    } catch (error) {
      // What the server does not follow stays an alias, and the answer names it.
      if (!failureOf(error) || failureOf(error)?.kind === 'cancelled') throw error;
    }
  }
  return seen.size === 0 ? first : merged.edit();
}

/** Where the name comes from, if it has the same name there and was written in this workspace. */
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

/** What the server would change if it were asked at this place. */
export function renameAt(
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
