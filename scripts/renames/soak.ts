/**
 * Renames random names of real sources and renames them back. The compiler counts the errors in between, and the files
 * must be the same bytes again afterwards. Only what rename_symbol applies by itself counts; what it shows first is left.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { McpProcess } from '../bench/mcp-process.ts';
import { type Drawn, draw, onItsLine, placeOf, shown } from './draw.ts';
import { type ErrorCounts, type RenameWorkspace, snapshot, totalOf } from './workspaces.ts';

export interface RenameTally {
  /** Different symbols, each once. */
  applied: number;
  places: number;
  files: number;
  /** Nothing that can be renamed, or a symbol that was drawn before; another one was drawn. */
  passedOver: number;
  /** Could be renamed, it was said, and was refused. */
  refused: string[];
  /** Not applied, with the reason; another one was drawn. */
  shownFirst: string[];
  /** Applied, and the compiler found more errors than before. */
  rises: string[];
  /** Renaming back was not applied at once; it was then applied by its id. */
  backShown: string[];
  /** Not the same bytes after renaming back. */
  notRestored: string[];
  /** How long each rename took, there and back. */
  ms: number[];
}

interface EditAnswer {
  readonly applied: boolean;
  readonly edit_id?: string;
  readonly files: readonly { readonly edits: number }[];
  readonly diagnostics?: { readonly introduced: readonly { readonly message: string }[] };
}

interface Soak {
  readonly workspace: RenameWorkspace;
  readonly session: McpProcess;
  readonly before: ReadonlyMap<string, string>;
  readonly errors: ErrorCounts;
  readonly tally: RenameTally;
  /** Symbols that were tried. */
  readonly tried: Set<string>;
  say(line: string): void;
}

interface Renamed {
  readonly drawn: Drawn;
  readonly newName: string;
  readonly answer: EditAnswer;
}

/** Several names at a time between two runs of the compiler; where anything is odd, each of them alone. */
export async function soakRenames(
  workspace: RenameWorkspace,
  session: McpProcess,
  options: { count: number; batch: number; random: () => number; say: (line: string) => void },
): Promise<RenameTally> {
  const { count, batch, random, say } = options;
  const tally: RenameTally = {
    applied: 0,
    places: 0,
    files: 0,
    passedOver: 0,
    refused: [],
    shownFirst: [],
    rises: [],
    backShown: [],
    notRestored: [],
    ms: [],
  };
  const errors = await workspace.errors();
  say(`${workspace.name}: ${workspace.files.length} files, ${totalOf(errors)} errors`);
  const before = snapshot(workspace);
  const soak: Soak = { workspace, session, before, errors, tally, tried: new Set(), say };
  while (tally.applied < count) {
    const renamed: Renamed[] = [];
    while (renamed.length < Math.min(batch, count - tally.applied)) {
      const drawn = await draw(workspace, session, random);
      if (!drawn) tally.passedOver++;
      const done = drawn && (await there(soak, drawn, tally.applied + renamed.length));
      if (done) renamed.push(done);
    }
    await judge(soak, renamed);
  }
  return tally;
}

async function judge(soak: Soak, renamed: readonly Renamed[]): Promise<void> {
  const { tally, say } = soak;
  const names = renamed.map(describe).join('; ');
  const { rise, isSame, grown } = await andBack(soak, renamed);
  for (const { answer } of renamed) {
    tally.applied++;
    tally.places += answer.files.reduce((sum, { edits }) => sum + edits, 0);
    tally.files += answer.files.length;
  }
  say(`  ${tally.applied}: ${names}: errors ${signed(rise)}, ${isSame ? 'same bytes' : 'OTHER BYTES'}`);
  // One that brings an error must not hide behind another that takes one away.
  if (grown.length === 0 && isSame) return;
  for (const each of grown) say(`    more than before: ${each}`);
  const found = { rise: false, bytes: false };
  for (const { drawn, newName } of renamed) {
    const at = onItsLine(drawn);
    const answer = at && (await rename(soak, at, newName));
    if (!answer?.applied) {
      say(`    alone: ${drawn.name} at ${shown(drawn)}: not applied`);
      continue;
    }
    const only = { drawn, newName, answer };
    const alone = await andBack(soak, [only]);
    const line = `${describe(only)}, errors ${signed(alone.rise)}`;
    say(`    alone: ${line}, ${alone.isSame ? 'same bytes' : 'OTHER BYTES'}`);
    if (alone.rise > 0) tally.rises.push(line);
    if (!alone.isSame) tally.notRestored.push(line);
    found.rise ||= alone.rise > 0;
    found.bytes ||= !alone.isSame;
  }
  if (rise > 0 && !found.rise) tally.rises.push(`together only: ${names}, errors ${signed(rise)}`);
  if (!isSame && !found.bytes) tally.notRestored.push(`together only: ${names}`);
}

interface Judgement {
  /** Of the number of all errors. */
  readonly rise: number;
  /** Files and kinds of which there are more. */
  readonly grown: readonly string[];
  readonly isSame: boolean;
}

/** Undefined when it was not applied. */
async function there(soak: Soak, drawn: Drawn, number: number): Promise<Renamed | undefined> {
  const { tally, tried, say } = soak;
  if (tried.has(drawn.symbol) || /Zq\d/.test(drawn.name)) {
    tally.passedOver++;
    return undefined;
  }
  tried.add(drawn.symbol);
  const newName = `${drawn.name}Zq${number}`;
  const what = `${drawn.name} at ${shown(drawn)}`;
  try {
    const answer = await rename(soak, drawn, newName);
    if (answer.applied) return { drawn, newName, answer };
    tally.shownFirst.push(`${what}: ${reasonOf(answer)}`);
    say(`  shown first: ${what}: ${reasonOf(answer)}`);
  } catch (error) {
    tally.refused.push(`${what}: ${String(error)}`);
    say(`  refused: ${what}: ${String(error)}`);
  }
  return undefined;
}

/** The compiler judges what is there, then everything is renamed back; what differs is put right by hand. */
async function andBack(soak: Soak, renamed: readonly Renamed[]): Promise<Judgement> {
  const { workspace, session, before, errors, tally, say } = soak;
  const now = await workspace.errors();
  const rise = totalOf(now) - totalOf(errors);
  const grown = [...now].flatMap(([key, count]) => (count > (errors.get(key) ?? 0) ? [key] : []));
  for (const { drawn, newName } of renamed.toReversed()) {
    const what = `${newName} at ${shown(drawn)} back to ${drawn.name}`;
    try {
      const answer = await rename(soak, placeOf(workspace, drawn, newName), drawn.name);
      if (answer.applied) continue;
      tally.backShown.push(`${what}: ${reasonOf(answer)}`);
      await edit(session, 'apply_edit', { edit_id: answer.edit_id });
    } catch (error) {
      say(`  not back: ${what}: ${String(error)}`);
    }
  }
  const bytes = snapshot(workspace);
  const isSame = [...before].every(([file, text]) => bytes.get(file) === text);
  restore(workspace, before);
  return { rise, grown, isSame };
}

/** Worth a look. */
const SLOW_MS = 10_000;

async function rename(
  { session, tally, say }: Soak,
  { file, line, column }: Drawn,
  newName: string,
): Promise<EditAnswer> {
  const began = performance.now();
  const args = { file_path: file, line, column, new_name: newName, dry_run: false };
  const answer = await edit(session, 'rename_symbol', args);
  const ms = Math.round(performance.now() - began);
  tally.ms.push(ms);
  if (ms > SLOW_MS) say(`  slow: ${newName} in ${path.basename(file)}:${line}: ${ms} ms`);
  return answer;
}

async function edit(session: McpProcess, tool: string, args: object): Promise<EditAnswer> {
  return JSON.parse(await session.call(tool, args)) as EditAnswer;
}

function reasonOf({ diagnostics }: EditAnswer): string {
  const messages = diagnostics?.introduced.map(({ message }) => message.replace(/\s+/g, ' ')) ?? [];
  const [first] = messages;
  return first === undefined ? 'not for errors' : `${messages.length} new, such as: ${first.slice(0, 160)}`;
}

function describe({ drawn, answer }: Renamed): string {
  return `${drawn.name} at ${shown(drawn)} in ${answer.files.length} files`;
}

function signed(rise: number): string {
  return rise > 0 ? `+${rise}` : String(rise);
}

function restore({ root, files }: RenameWorkspace, before: ReadonlyMap<string, string>): void {
  for (const file of files) {
    const text = before.get(file) ?? '';
    const absolute = path.join(root, file);
    if (readFileSync(absolute, 'latin1') !== text) writeFileSync(absolute, text, 'latin1');
  }
}
