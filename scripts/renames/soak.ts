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

interface Soak {
  readonly workspace: RenameWorkspace;
  readonly session: McpProcess;
  readonly before: ReadonlyMap<string, string>;
  readonly errors: number;
  readonly tally: RenameTally;
  say(line: string): void;
}

/** Several names at a time between two runs of the compiler; where anything is odd, each of them alone. */
export async function soakRenames(
  workspace: RenameWorkspace,
  session: McpProcess,
  options: { count: number; batch: number; random: () => number; say: (line: string) => void },
): Promise<RenameTally> {
  const { count, batch, random, say } = options;
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
  const errors = await workspace.errors();
  say(`${workspace.name}: ${workspace.files.length} files, ${errors} errors`);
  const soak = { workspace, session, before: snapshot(workspace), errors, tally, say };
  while (tally.renamed < count) {
    const drawn: Drawn[] = [];
    while (drawn.length < Math.min(batch, count - tally.renamed)) {
      const one = await draw(workspace, session, random);
      if (one) drawn.push(one);
      else tally.refused++;
    }
    const done = await thereAndBack(soak, drawn);
    if (done.rise <= 0 && done.verdict === 'same') {
      tally.restored += done.renamed.length;
      for (const each of done.renamed) note(soak, each);
      say(`  ${tally.renamed}: ${done.renamed.map(describe).join('; ')}: errors +0, same`);
    } else for (const each of done.renamed) await alone(soak, each.drawn);
  }
  return tally;
}

interface Renamed {
  readonly drawn: Drawn;
  readonly answer: EditAnswer & { readonly wasShown: boolean };
}

async function thereAndBack(
  { workspace, session, before, errors, tally, say }: Soak,
  drawn: readonly Drawn[],
): Promise<{ renamed: readonly Renamed[]; rise: number; verdict: ReturnType<typeof compare> }> {
  const renamed: (Renamed & { readonly newName: string })[] = [];
  for (const [index, each] of drawn.entries()) {
    const newName = `${each.name}Zq${tally.renamed + index}`;
    const at = onItsLine(each);
    const answer = at && (await rename(session, at, newName).catch((error: unknown) => String(error)));
    if (typeof answer === 'object') renamed.push({ drawn: each, answer, newName });
    else {
      tally.refused++;
      say(`  refused: ${each.name} at ${shown(each)}: ${answer}`);
    }
  }
  const rise = (await workspace.errors()) - errors;
  for (const { drawn: each, newName } of renamed.toReversed())
    await rename(session, placeOf(workspace, each, newName), each.name).catch((error: unknown) =>
      say(`  not back: ${each.name} at ${shown(each)}: ${String(error)}`),
    );
  const verdict = compare(
    workspace,
    before,
    renamed.map(({ drawn: { name } }) => name),
  );
  restore(workspace, before);
  return { renamed, rise, verdict };
}

async function alone(soak: Soak, drawn: Drawn): Promise<void> {
  const { tally, say } = soak;
  const { renamed, rise, verdict } = await thereAndBack(soak, [drawn]);
  const [only] = renamed;
  if (!only) return;
  note(soak, only);
  const { wasShown, diagnostics } = only.answer;
  const isAnnounced = wasShown || diagnostics?.introduced.some(({ severity }) => severity === 1) === true;
  const line = `${describe(only)}, errors ${rise > 0 ? '+' : ''}${rise}`;
  if (rise > 0) (isAnnounced ? tally.announcedRises : tally.silentRises).push(line);
  if (verdict === 'same') tally.restored++;
  else (verdict === 'spelled-out' ? tally.spelledOut : tally.notRestored).push(line);
  say(`  ${tally.renamed}: alone: ${line}${rise > 0 && isAnnounced ? ' (said)' : ''}; ${verdict}`);
}

function note({ tally }: Soak, { answer }: Renamed): void {
  tally.renamed++;
  tally.places += answer.files.reduce((sum, { edits }) => sum + edits, 0);
  tally.files += answer.files.length;
  if (answer.wasShown) tally.shownFirst++;
}

function describe({ drawn, answer }: Renamed): string {
  return `${drawn.name} at ${shown(drawn)} in ${answer.files.length} files`;
}

/** Other renames have moved it along its line, or have renamed it already. */
function onItsLine(drawn: Drawn): Drawn | undefined {
  const text = readFileSync(drawn.file, 'utf8').split('\n')[drawn.line - 1] ?? '';
  const escaped = drawn.name.replace(/[$]/g, '\\$&');
  const columns = [...text.matchAll(new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`, 'g'))].map(
    ({ index }) => index + 1,
  );
  const [nearest] = columns.sort((a, b) => Math.abs(a - drawn.column) - Math.abs(b - drawn.column));
  return nearest === undefined ? undefined : { ...drawn, column: nearest };
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

/** The new name is like no other, so wherever it stands it is the same thing; its own line is never in a string. */
function placeOf({ root, files }: RenameWorkspace, drawn: Drawn, newName: string): Drawn {
  const bare = newName.replace(/^#/, '');
  const own = readFileSync(drawn.file, 'utf8').split('\n')[drawn.line - 1] ?? '';
  if (own.includes(bare)) return { ...drawn, column: own.indexOf(bare) + 1, name: newName };
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
  names: readonly string[],
): 'same' | 'spelled-out' | 'different' {
  const escaped = names.map((name) => name.replace(/[$]/g, '\\$&')).join('|');
  const twice = new RegExp(`(?<![\\w$])(${escaped})(?: as|:) \\1(?![\\w$])`, 'g');
  const short = (text: string) => text.replace(twice, '$1');
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
