/**
 * Records every call without holding one up: a call only leaves its facts in a short queue, and lines are made and
 * written later, many at once. What does not fit is counted, and the count is written as soon as there is room.
 */
import { messageOf } from '../../shared/base/failure.ts';
import { type Clock, withTimeout } from '../../shared/base/lifetime.ts';
import type { Log } from '../../shared/base/log.ts';
import { AUDIT_FILE_DEFAULTS, type AuditFileOptions, appendLines } from './audit-file.ts';
import { type AuditedCall, auditLine, droppedLine } from './audit-record.ts';

export interface AuditLogOptions {
  readonly clock: Clock;
  readonly log: Pick<Log, 'warn'>;
  /** Whose calls these are, where other sessions of the process write to the same file. */
  readonly client?: string | undefined;
  readonly file?: AuditFileOptions;
  /** Where lines go; the file if not said. */
  readonly append?: (file: string, lines: string) => Promise<void>;
}

const MOST_WAITING = 256;
/** As many are written without waiting for more. */
const BATCH = 64;
const BATCH_MS = 100;
const CLOSE_MS = 1_000;

export class AuditLog {
  readonly #file: string | undefined;
  readonly #options: AuditLogOptions;
  #waiting: AuditedCall[] = [];
  #dropped = 0;
  #timer: Disposable | undefined;
  #writing: Promise<void> | undefined;
  #isOff: boolean;

  /** Without a file nothing is recorded. */
  constructor(file: string | undefined, options: AuditLogOptions) {
    this.#file = file;
    this.#options = options;
    this.#isOff = file === undefined;
  }

  record(call: AuditedCall): void {
    if (this.#isOff) return;
    if (this.#waiting.length >= MOST_WAITING) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(call);
    this.#writeSoon();
  }

  /** Writes what is waiting; a file that takes too long is left. */
  async close(): Promise<void> {
    const drained = async () => {
      while (this.#write() !== undefined) await this.#writing;
    };
    await withTimeout(drained(), CLOSE_MS, () => undefined, this.#options.clock);
    this.#isOff = true;
    this.#timer?.[Symbol.dispose]();
  }

  #writeSoon(): void {
    if (this.#writing || (this.#waiting.length === 0 && this.#dropped === 0)) return;
    // What was changed is written at once: it is what a user will look for after a crash.
    const isDue = this.#waiting.length >= BATCH || this.#waiting.at(-1)?.facts.edit !== undefined;
    if (isDue) setImmediate(() => this.#write());
    else this.#timer ??= this.#options.clock.after(BATCH_MS, () => this.#write());
  }

  /** Begins to write unless that is under way already; undefined when there is nothing to write. */
  #write(): Promise<void> | undefined {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
    if (this.#writing) return this.#writing;
    if (this.#isOff || this.#file === undefined || (this.#waiting.length === 0 && this.#dropped === 0))
      return undefined;
    this.#writing = this.#append(this.#file, this.#takeLines()).finally(() => {
      this.#writing = undefined;
      this.#writeSoon();
    });
    return this.#writing;
  }

  #takeLines(): string {
    const calls = this.#waiting;
    const dropped = this.#dropped;
    this.#waiting = [];
    this.#dropped = 0;
    const lines = calls.map((call) => auditLine(call, this.#options.client));
    if (dropped > 0) lines.push(droppedLine(dropped, new Date()));
    return lines.join('');
  }

  async #append(file: string, lines: string): Promise<void> {
    const { append, log } = this.#options;
    try {
      await (append?.(file, lines) ?? appendLines(file, lines, this.#options.file ?? AUDIT_FILE_DEFAULTS));
    } catch (error) {
      if (this.#isOff) return;
      this.#isOff = true;
      this.#waiting = [];
      this.#dropped = 0;
      log.warn('calls are not recorded any more: the audit file cannot be written', {
        file,
        error: messageOf(error),
      });
    }
  }
}
