/**
 * Texts that lost their place because others wrote to the files of an edit at the same moment. Each is a file beside the
 * journals, with a note of whose it is, and stays until the user removes it: no other place has that text any more.
 */
import path from 'node:path';
import type { KeptText } from '../../../../shared/base/failure.ts';
import { isObject } from '../../../../shared/base/unknown-value.ts';
import { ownIdentity, type ProcessIdentity } from '../../../../shared/process/process-identity.ts';
import { parseIdentity } from '../../../../shared/rendezvous/daemon-record.ts';
import { ensurePrivateDirectory, trustProblem } from '../../../../shared/rendezvous/private-directory.ts';
import { type EditDisk, systemDisk } from './edit-disk.ts';
import { editsDirectory, namesIn } from './journal.ts';

/** An edit as the owner of a kept text. */
export interface KeepingEdit {
  /** Of its journal. */
  readonly id: string;
  /** What it was, such as `e7: rename stop to halt`. */
  readonly about: string;
}

export interface KeptNote extends Omit<KeptText, 'kept'> {
  readonly edit: KeepingEdit;
  /** The process that applied the edit; undefined when it had given up on it. */
  readonly owner: ProcessIdentity | undefined;
  /** The time of day in milliseconds. */
  readonly at: number;
}

export interface KeptFile {
  /** Under which it is shown and removed. */
  readonly id: string;
  readonly file: string;
  readonly bytes: number;
  readonly at: number;
  /** Undefined when the note is lost, or from a version that wrote none. */
  readonly note: KeptNote | undefined;
}

export interface KeepOptions {
  readonly stateDir: string;
  readonly edit: KeepingEdit;
  readonly owner?: ProcessIdentity | undefined;
  readonly disk: EditDisk;
}

/** The text comes first: without its note it is still there. */
export async function keepText(
  content: Uint8Array,
  { path: file, what }: Omit<KeptText, 'kept'>,
  { stateDir, edit, owner = ownIdentity(), disk }: KeepOptions,
): Promise<KeptText> {
  const directory = editsDirectory(stateDir);
  ensurePrivateDirectory(directory);
  const numbers = (await namesIn(directory, disk)).map((name) =>
    name.startsWith(`kept-${edit.id}-`) ? Number.parseInt(name.slice(`kept-${edit.id}-`.length), 10) : 0,
  );
  const id = `${edit.id}-${Math.max(0, ...numbers) + 1}`;
  const kept = path.join(directory, `kept-${id}-${path.basename(file)}`);
  const note: KeptNote = { path: file, what, edit, owner, at: Date.now() };
  await disk.write(kept, content, { mode: 0o600 });
  await disk.write(noteOf(directory, id), Buffer.from(JSON.stringify(note)), { mode: 0o600 });
  return { path: file, kept, what };
}

/** The oldest first. */
export async function keptFiles(stateDir: string, disk: EditDisk = systemDisk): Promise<readonly KeptFile[]> {
  const directory = editsDirectory(stateDir);
  if (trustProblem(directory) !== undefined) return [];
  const found: KeptFile[] = [];
  for (const name of await namesIn(directory, disk)) {
    const id = /^kept-([0-9a-f]{12}-\d+)-/.exec(name)?.[1];
    const file = path.join(directory, name);
    const entry = id === undefined ? undefined : await disk.entry(file);
    if (id === undefined || entry?.kind !== 'file') continue;
    const note = await readNote(noteOf(directory, id), disk);
    found.push({ id, file, bytes: entry.size, at: note?.at ?? entry.changedAt, note });
  }
  return found.sort((a, b) => a.at - b.at);
}

export async function removeKept({ id, file }: KeptFile, disk: EditDisk = systemDisk): Promise<void> {
  await disk.remove(file);
  await disk.remove(noteOf(path.dirname(file), id));
}

function noteOf(directory: string, id: string): string {
  return path.join(directory, `note-${id}.json`);
}

async function readNote(file: string, disk: EditDisk): Promise<KeptNote | undefined> {
  let value: unknown;
  try {
    value = JSON.parse((await disk.read(file)).toString('utf8'));
  } catch {
    return undefined;
  }
  if (!isObject(value) || typeof value.path !== 'string' || typeof value.at !== 'number') return undefined;
  const { edit } = value;
  if (!isObject(edit) || typeof edit.id !== 'string' || typeof edit.about !== 'string') return undefined;
  return {
    path: value.path,
    what: value.what === 'before' ? 'before' : 'others',
    edit: { id: edit.id, about: edit.about },
    owner: isObject(value.owner) ? parseIdentity(value.owner) : undefined,
    at: value.at,
  };
}
