/** Where a session's log goes: to standard error, and to the client once one is there that takes it. */
import type { Log, LogLevel } from '../../shared/base/log.ts';
import type { LogFormat } from '../../shared/config/choices.ts';
import { isLogged, type LogThreshold, thresholdOf } from '../tools/log-levels.ts';
import { logLine } from './log-lines.ts';

/** Without a name the message is of the program itself. */
export type ClientSink = (level: LogThreshold, data: Record<string, unknown>, logger?: string) => void;

/** How the lines of a log look, and what all of them say. */
export interface LogStyle {
  readonly format?: LogFormat;
  /** Beside the fields of each line, not for the client, which knows whose log it is. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

interface FileSink {
  write(line: string): void;
  readonly format: LogFormat;
}

export class SessionLog implements Log {
  readonly #stderr: (line: string) => void;
  readonly #fields: Readonly<Record<string, unknown>>;
  #format: LogFormat;
  #threshold: LogThreshold;
  #wasChosen = false;
  #client: ClientSink | undefined;
  /** Calls of the newer protocol that want to hear of what is logged while they run. */
  readonly #calls = new Set<{ readonly threshold: LogThreshold; readonly tell: ClientSink }>();
  #file: FileSink | undefined;
  #isQuiet = false;

  constructor(
    stderr: (line: string) => void,
    threshold: LogThreshold,
    { format = 'text', fields = {} }: LogStyle = {},
  ) {
    this.#stderr = stderr;
    this.#threshold = threshold;
    this.#format = format;
    this.#fields = fields;
  }

  /** Of the lines on standard error from here on. */
  set format(format: LogFormat) {
    this.#format = format;
  }

  set threshold(threshold: LogThreshold) {
    this.#threshold = threshold;
    this.#wasChosen = true;
  }

  /** Holds until the client or an agent chooses another level. */
  setDefault(threshold: LogThreshold): void {
    if (!this.#wasChosen) this.#threshold = threshold;
  }

  /** From here on a file gets everything as well; `instead`: standard error gets only errors then. */
  toFile(file: FileSink, { instead }: { readonly instead: boolean }): void {
    this.#file = file;
    this.#isQuiet = instead;
  }

  /** From here on the client gets everything, and standard error only what is worth a warning. */
  attach(client: ClientSink): void {
    this.#client = client;
  }

  /** The client has gone; from here on everything is for standard error again. */
  detach(): void {
    this.#client = undefined;
  }

  /** Until the end of a call its client gets what is logged; once, however many of its calls listen. */
  during(threshold: LogThreshold, tell: ClientSink): Disposable {
    const call = { threshold, tell };
    this.#calls.add(call);
    return { [Symbol.dispose]: () => void this.#calls.delete(call) };
  }

  /** Whether there is a client that takes messages which it did not ask for. */
  get hasClient(): boolean {
    return this.#client !== undefined;
  }

  /** For the client alone. */
  tell(level: LogLevel, logger: string, data: Record<string, unknown>): void {
    if (isLogged(level, this.#threshold)) this.#client?.(thresholdOf(level), data, logger);
  }

  debug(event: string, fields?: Record<string, unknown>): void {
    this.#write('debug', event, fields);
  }

  info(event: string, fields?: Record<string, unknown>): void {
    this.#write('info', event, fields);
  }

  warn(event: string, fields?: Record<string, unknown>): void {
    this.#write('warn', event, fields);
  }

  error(event: string, fields?: Record<string, unknown>): void {
    this.#write('error', event, fields);
  }

  #write(level: LogLevel, event: string, fields: Record<string, unknown> = {}): void {
    const wanted = isLogged(level, this.#threshold);
    const client = wanted && this.#client ? this.#client : this.#listening(level);
    client?.(thresholdOf(level), { event, ...fields });
    const isForStderr = isLogged(level, 'warning') || (wanted && !this.#client);
    const onStderr = this.#isQuiet ? level === 'error' : isForStderr;
    const file = wanted ? this.#file : undefined;
    if (!onStderr && !file) return;
    const entry = { at: new Date(), level, event, fields: { ...this.#fields, ...fields } };
    file?.write(logLine(entry, file.format, { hasTime: true }));
    if (onStderr) this.#stderr(logLine(entry, this.#format, { hasTime: false }));
  }

  #listening(level: LogLevel): ClientSink | undefined {
    return [...this.#calls].find(({ threshold }) => isLogged(level, threshold))?.tell;
  }
}
