/**
 * Renames random names of real sources and renames them back. The compiler counts the errors in between, and the files
 * must be the same bytes again afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { McpProcess } from '../bench/mcp-process.ts';
import { type RenameWorkspace, snapshot } from './workspaces.ts';

export interface RenameTally {
  renamed: number;
  /** Shown first and applied by id. */
  shownFirst: number;
  places: number;
  files: number;
  /** The server would not; another name was drawn. */
  refused: number;
  /** More errors than before, and the answer said so. */
  announcedRises: string[];
  silentRises: string[];
  /** The same bytes again. */
  restored: number;
  /** Equal but for `a as a` and `a: a`, which the way there had spelled out. */
  spelledOut: string[];
  notRestored: string[];
}

interface EditAnswer {
  readonly applied: boolean;
  readonly edit_id?: string;
  readonly files: readonly { readonly edits: number }[];
  readonly diagnostics?: { readonly introduced: readonly { readonly severity: number }[] };
}

interface Drawn {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
}

export async function soakRenames(
  workspace: RenameWorkspace,
  session: McpProcess,
  { count, random, say }: { count: number; random: () => number; say: (line: string) => void },
): Promise<RenameTally> {
  const tally: RenameTally = {
    renamed: 0,
    shownFirst: 0,
    places: 0,
    files: 0,
    refused: 0,
    announcedRises: [],
    silentRises: [],
    restored: 0,
    spelledOut: [],
    notRestored: [],
  };
  const before = snapshot(workspace);
  const errors = await workspace.errors();
  say(`${workspace.name}: ${workspace.files.length} files, ${errors} errors`);
  while (tally.renamed < count) {
    const drawn = await draw(workspace, session, random);
    if (!drawn) {
      tally.refused++;
      continue;
    }
    const newName = `${drawn.name}Zq${tally.renamed}`;
    const there = await rename(session, drawn, newName).catch((error: unknown) => String(error));
    if (typeof there === 'string') {
      tally.refused++;
      say(`  refused: ${drawn.name} at ${shown(drawn)}: ${there}`);
      continue;
    }
    tally.renamed++;
    tally.places += there.files.reduce((sum, { edits }) => sum + edits, 0);
    tally.files += there.files.length;
    if (there.wasShown) tally.shownFirst++;
    const rise = (await workspace.errors()) - errors;
    const isAnnounced =
      there.wasShown || there.diagnostics?.introduced.some(({ severity }) => severity === 1) === true;
    const line = `${drawn.name} at ${shown(drawn)}, ${there.files.length} files, errors ${rise >= 0 ? '+' : ''}${rise}`;
    if (rise > 0) (isAnnounced ? tally.announcedRises : tally.silentRises).push(line);
    const back = await rename(session, placeOf(workspace, drawn, newName), drawn.name).catch(
      (error: unknown) => String(error),
    );
    const verdict = compare(workspace, before, drawn.name);
    if (verdict === 'same') tally.restored++;
    else (verdict === 'spelled-out' ? tally.spelledOut : tally.notRestored).push(line);
    say(`  ${tally.renamed}: ${line}; ${verdict}${typeof back === 'string' ? ` (${back})` : ''}`);
    restore(workspace, before);
  }
  return tally;
}

async function rename(
  session: McpProcess,
  { file, line, column }: Drawn,
  newName: string,
): Promise<EditAnswer & { wasShown: boolean }> {
  const answer = await edit(session, 'rename_symbol', {
    file_path: file,
    line,
    column,
    new_name: newName,
    dry_run: false,
  });
  if (answer.applied) return { ...answer, wasShown: false };
  return { ...(await edit(session, 'apply_edit', { edit_id: answer.edit_id })), wasShown: true };
}

async function edit(session: McpProcess, tool: string, args: object): Promise<EditAnswer> {
  return JSON.parse(await session.call(tool, args)) as EditAnswer;
}

/** Any word of any file, and every second time something that a file declares. Undefined when it cannot be renamed. */
async function draw(
  { root, files }: RenameWorkspace,
  session: McpProcess,
  random: () => number,
): Promise<Drawn | undefined> {
  const any = <T>(items: readonly T[]): T | undefined => items[Math.floor(random() * items.length)];
  const name = any(files);
  if (name === undefined) return undefined;
  const file = path.join(root, name);
  const place = random() < 0.5 ? any(await declared(session, file)) : any(wordsIn(file));
  if (!place) return undefined;
  const answer = JSON.parse(await session.call('prepare_rename', { file_path: file, ...place })) as {
    readonly renamable?: boolean;
    readonly placeholder?: string;
    readonly place?: { readonly line: number; readonly column: number };
  };
  if (!answer.renamable || !answer.place || answer.placeholder === undefined) return undefined;
  const { line, column } = answer.place;
  return { file, line, column, name: answer.placeholder };
}

interface Point {
  readonly line: number;
  readonly column: number;
}

interface Node {
  readonly selectionRange: { readonly start: Point };
  readonly children?: readonly Node[];
}

async function declared(session: McpProcess, file: string): Promise<readonly Point[]> {
  const nodes = JSON.parse(await session.call('list_symbols', { file_path: file })) as readonly Node[];
  const all = (each: readonly Node[]): Point[] =>
    each.flatMap(({ selectionRange, children = [] }) => [selectionRange.start, ...all(children)]);
  return Array.isArray(nodes) ? all(nodes) : [];
}

function wordsIn(file: string): readonly Point[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, index) =>
      [...text.matchAll(/[\p{ID_Start}_$][\p{ID_Continue}$]*/gu)].map(({ index: at }) => ({
        line: index + 1,
        column: at + 1,
      })),
    );
}

/** The new name is like no other, so wherever it stands it is the same thing. */
function placeOf({ root, files }: RenameWorkspace, drawn: Drawn, newName: string): Drawn {
  const bare = newName.replace(/^#/, '');
  for (const file of [drawn.file, ...files.map((name) => path.join(root, name))]) {
    const lines = readFileSync(file, 'utf8').split('\n');
    const line = lines.findIndex((text) => text.includes(bare));
    if (line >= 0)
      return { file, line: line + 1, column: (lines[line] ?? '').indexOf(bare) + 1, name: newName };
  }
  return drawn;
}

function compare(
  workspace: RenameWorkspace,
  before: ReadonlyMap<string, string>,
  name: string,
): 'same' | 'spelled-out' | 'different' {
  const escaped = name.replace(/[$]/g, '\\$&');
  const twice = new RegExp(`\\b${escaped}( as |: )${escaped}(?![\\w$])`, 'g');
  const short = (text: string) => text.replace(twice, name);
  const now = snapshot(workspace);
  const changed = [...before].filter(([file, text]) => now.get(file) !== text);
  if (changed.length === 0) return 'same';
  return changed.every(([file, text]) => short(now.get(file) ?? '') === short(text))
    ? 'spelled-out'
    : 'different';
}

function restore({ root, files }: RenameWorkspace, before: ReadonlyMap<string, string>): void {
  for (const file of files) {
    const text = before.get(file) ?? '';
    const absolute = path.join(root, file);
    if (readFileSync(absolute, 'latin1') !== text) writeFileSync(absolute, text, 'latin1');
  }
}

function shown({ file, line, column }: Drawn): string {
  return `${file.split('/').slice(-2).join('/')}:${line}:${column}`;
}
