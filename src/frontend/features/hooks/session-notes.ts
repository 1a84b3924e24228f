/**
 * What hooks keep between the calls of one session of a client: the files that were touched with their former texts, what
 * was reported, and whether the reminder was given. Hooks of one session can run at once, so that every step is one that
 * the file system does as a whole: a note is linked into place if there is none, and all are taken by renaming their folder.
 * Decision: docs/decisions/hooks.md#notes-of-a-session
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { AbsPath } from '../../../shared/base/brand.ts';
import { makeDirectories } from '../../../shared/base/directories.ts';
import { systemCode } from '../../../shared/base/failure.ts';
import { isObject } from '../../../shared/base/unknown-value.ts';
import { trustProblem } from '../../../shared/rendezvous/private-directory.ts';
import type { FormerText } from './former-text.ts';

export interface TouchedFile {
  readonly file: AbsPath;
  /** Before the first edit that was not reported on yet. */
  readonly former: FormerText;
}

/** What was reported, by file; and how often in a row the agent was given another turn. */
export interface ReportNotes {
  readonly reported: Readonly<Record<string, readonly string[]>>;
  readonly prolonged: number;
}

/** More are counted by the next report and not kept. */
const MOST_TOUCHED = 64;
/** Of a longer text only the file is kept. */
const MOST_FORMER_CHARS = 512 * 1024;
/** Sessions that ended without saying so. */
const KEPT_MS = 24 * 60 * 60 * 1_000;
const MOST_SWEPT = 200;
const NO_REPORTS: ReportNotes = { reported: {}, prolonged: 0 };

export class SessionNotes {
  readonly #parent: string;
  readonly #directory: string;
  readonly #touched: string;

  /** Nothing is made before something is kept. */
  constructor(stateDir: AbsPath, session: string) {
    this.#parent = path.join(stateDir, 'hooks');
    this.#directory = path.join(this.#parent, digest(session));
    this.#touched = path.join(this.#directory, 'touched');
  }

  get exist(): boolean {
    return statSync(this.#directory, { throwIfNoEntry: false }) !== undefined;
  }

  /** Keeps what is known of a file from its first touch on: the text before that is the one to compare with. */
  touch({ file, former }: TouchedFile): void {
    this.#make(this.#touched);
    const note = path.join(this.#touched, `${digest(file)}.json`);
    const isKnown = statSync(note, { throwIfNoEntry: false }) !== undefined;
    if (isKnown || readdirSync(this.#touched).length >= MOST_TOUCHED) return;
    const text = JSON.stringify({ file, former: withinBounds(former) });
    const unfinished = path.join(this.#directory, `${randomUUID()}.tmp`);
    writeFileSync(unfinished, text, { mode: 0o600 });
    try {
      linkSync(unfinished, note);
    } catch (error) {
      // The folder was taken in this moment, or a hook beside this one was first; or there are no links here.
      if (systemCode(error) === 'ENOENT') this.#make(this.#touched);
      if (systemCode(error) !== 'EEXIST') writeFileSync(note, text, { mode: 0o600 });
    } finally {
      rmSync(unfinished, { force: true });
    }
  }

  /** All that was touched, for this caller alone, with what it touches now: that is never on disk. */
  take(now: readonly TouchedFile[] = []): readonly TouchedFile[] {
    const touched = new Map<AbsPath, TouchedFile>();
    for (const { file, former } of now)
      if (!touched.has(file)) touched.set(file, { file, former: withinBounds(former) });
    // The text before the first edit counts.
    for (const each of this.#takeKept()) touched.set(each.file, each);
    return [...touched.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  }

  #takeKept(): readonly TouchedFile[] {
    const taken = path.join(this.#directory, `taken-${randomUUID()}`);
    try {
      renameSync(this.#touched, taken);
    } catch {
      return [];
    }
    const notes = readdirSync(taken).map((name) => {
      const note = path.join(taken, name);
      const touched = touchedIn(textOf(note));
      rmSync(note, { force: true });
      return touched;
    });
    rmdirSync(taken);
    return notes.flatMap((note) => note ?? []);
  }

  /** True for the first who asks, in all the life of the session. */
  isFirst(what: string): boolean {
    if (this.has(what)) return false;
    this.#make(this.#directory);
    try {
      writeFileSync(path.join(this.#directory, what), '', { flag: 'wx', mode: 0o600 });
      return true;
    } catch {
      return false;
    }
  }

  has(what: string): boolean {
    return statSync(path.join(this.#directory, what), { throwIfNoEntry: false }) !== undefined;
  }

  get reports(): ReportNotes {
    const value = parsed(textOf(path.join(this.#directory, 'reported.json')));
    if (!isObject(value) || !isObject(value.reported)) return NO_REPORTS;
    const reported = Object.entries(value.reported).flatMap(([file, keys]) =>
      Array.isArray(keys) ? [[file, keys.map(String)] as const] : [],
    );
    return { reported: Object.fromEntries(reported), prolonged: Number(value.prolonged) || 0 };
  }

  /** Most edits change nothing of it, and nothing is written then. */
  keepReports(notes: ReportNotes): void {
    const text = JSON.stringify(notes);
    if (text === JSON.stringify(this.reports)) {
      if (this.exist) this.#markAsHeardOf();
      return;
    }
    this.#make(this.#directory);
    const unfinished = path.join(this.#directory, `${randomUUID()}.tmp`);
    writeFileSync(unfinished, text, { mode: 0o600 });
    renameSync(unfinished, path.join(this.#directory, 'reported.json'));
  }

  /** Lets go of everything. */
  release(): void {
    rmSync(this.#directory, { recursive: true, force: true });
  }

  /** Lets go of sessions that nobody has spoken for in a day. */
  sweep(now: number): void {
    for (const name of namesIn(this.#parent).slice(0, MOST_SWEPT)) {
      const directory = path.join(this.#parent, name);
      const changed = statSync(directory, { throwIfNoEntry: false })?.mtimeMs ?? now;
      if (now - changed > KEPT_MS) rmSync(directory, { recursive: true, force: true });
    }
  }

  #make(directory: string): void {
    makeDirectories(this.#parent, 0o700);
    const problem = trustProblem(this.#parent);
    if (problem !== undefined) throw new Error(problem);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#markAsHeardOf();
  }

  #markAsHeardOf(): void {
    const now = new Date();
    utimesSync(this.#directory, now, now);
  }
}

function withinBounds(former: FormerText): FormerText {
  return former.kind === 'text' && former.text.length > MOST_FORMER_CHARS ? { kind: 'unknown' } : former;
}

function digest(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function touchedIn(text: string): TouchedFile | undefined {
  const note = parsed(text);
  if (!isObject(note) || typeof note.file !== 'string' || !isObject(note.former)) return undefined;
  const { kind, text: former } = note.former;
  const file = note.file as AbsPath;
  if (kind === 'text' && typeof former === 'string') return { file, former: { kind, text: former } };
  return { file, former: { kind: kind === 'none' ? 'none' : 'unknown' } };
}
