/**
 * The log of a session in a file of its own, for users who ask for it. A full file is put aside under a number; the link
 * `current.log` leads to the one that is written.
 */
import { appendFileSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

export interface LogFileLimits {
  /** Of one file. */
  readonly mostBytes: number;
  /** How many full files are kept beside it. */
  readonly kept: number;
  /** How many sessions have left files; the oldest go. */
  readonly sessions: number;
}

const LIMITS: LogFileLimits = { mostBytes: 10 * 1024 * 1024, kept: 5, sessions: 20 };

export class LogFile {
  readonly #directory: string;
  readonly #file: string;
  readonly #limits: LogFileLimits;
  #bytes = 0;

  /** Makes the directory; fails when files cannot be made in it. */
  constructor(directory: string, startedAt: Date, limits: LogFileLimits = LIMITS) {
    this.#directory = directory;
    this.#limits = limits;
    const time = startedAt.toISOString().replace(/[-:]/g, '').replace(/\..*$/, '');
    this.#file = path.join(directory, `agent-lsp-${time}-${process.pid}.log`);
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#forgetOld();
    appendFileSync(this.#file, '', { mode: 0o600 });
    this.#link();
  }

  write(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (this.#bytes + bytes > this.#limits.mostBytes && this.#bytes > 0) this.#rotate();
    this.#bytes += bytes;
    appendFileSync(this.#file, line, { mode: 0o600 });
  }

  #rotate(): void {
    const numbered = (number: number) => `${this.#file}.${number}`;
    rmSync(numbered(this.#limits.kept), { force: true });
    for (let number = this.#limits.kept - 1; number >= 1; number--)
      move(numbered(number), numbered(number + 1));
    move(this.#file, numbered(1));
    this.#bytes = 0;
  }

  #link(): void {
    const link = path.join(this.#directory, 'current.log');
    try {
      rmSync(link, { force: true });
      symlinkSync(path.basename(this.#file), link);
    } catch {
      // Some systems do not let every user make links; the file is there without it.
    }
  }

  #forgetOld(): void {
    const sessions = [...new Set(readdirSync(this.#directory).flatMap((name) => NAME.exec(name)?.[1] ?? []))];
    const old = sessions.sort().slice(0, Math.max(0, sessions.length - this.#limits.sessions + 1));
    for (const name of readdirSync(this.#directory))
      if (old.some((session) => name.startsWith(session)))
        rmSync(path.join(this.#directory, name), { force: true });
  }
}

const NAME = /^(agent-lsp-\d{8}T\d{6}-\d+\.log)/;

/** What is not there yet need not be moved. */
function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch {
    rmSync(to, { force: true });
  }
}
