/** Where a session's log goes: to standard error, and to the client once one is there that takes it. */
import type { Log, LogLevel } from '../../shared/base/log.ts';
import { type LogThreshold, passes, thresholdOf } from '../tools/log-levels.ts';

/** Without a name the message is of the program itself. */
export type ClientSink = (level: LogThreshold, data: Record<string, unknown>, logger?: string) => void;

export class SessionLog implements Log {
  readonly #stderr: (line: string) => void;
  #threshold: LogThreshold;
  #wasChosen = false;
  #client: ClientSink | undefined;
  /** Calls of the newer protocol that want to hear of what is logged while they run. */
  readonly #calls = new Set<{ readonly threshold: LogThreshold; readonly tell: ClientSink }>();
  #file: ((line: string) => void) | undefined;
  #isQuiet = false;

  constructor(stderr: (line: string) => void, threshold: LogThreshold) {
    this.#stderr = stderr;
    this.#threshold = threshold;
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
  toFile(write: (line: string) => void, { instead }: { readonly instead: boolean }): void {
    this.#file = write;
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
    if (passes(level, this.#threshold)) this.#client?.(thresholdOf(level), data, logger);
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
    const wanted = passes(level, this.#threshold);
    const client = wanted && this.#client ? this.#client : this.#listening(level);
    client?.(thresholdOf(level), { event, ...fields });
    const line = lineOf(level, event, fields);
    if (wanted) this.#file?.(line);
    const isForStderr = passes(level, 'warning') || (wanted && !this.#client);
    if (this.#isQuiet ? level === 'error' : isForStderr) this.#stderr(line);
  }

  #listening(level: LogLevel): ClientSink | undefined {
    return [...this.#calls].find(({ threshold }) => passes(level, threshold))?.tell;
  }
}

function lineOf(level: LogLevel, event: string, fields: Record<string, unknown>): string {
  const pairs = Object.entries(fields).map(
    ([name, value]) => `${name}=${JSON.stringify(value) ?? 'undefined'}`,
  );
  return `agent-lsp ${[level, event, ...pairs].join(' ')}\n`;
}
