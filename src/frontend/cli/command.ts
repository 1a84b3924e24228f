/** What a command is, and what all of them share. */
import type { Argv } from 'yargs';
import type { LogLevel } from '../../shared/base/log.ts';
import type { AccessOptions } from '../../shared/config/access-config.ts';
import type { DaemonMode, OutputFormat, ToolProfile } from '../../shared/config/choices.ts';
import type { TypescriptChoice } from '../../shared/languages/roles.ts';
import type { HttpWords } from '../http/http-options.ts';
import type { ServeOptions } from '../session/serve-options.ts';
import type { Session } from '../session/session.ts';

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;

/** Options that every command understands. */
export interface CommonOptions extends AccessOptions {
  readonly root?: readonly string[] | undefined;
  readonly config?: string | undefined;
  readonly daemon?: DaemonMode | undefined;
  readonly idleTimeout?: number | undefined;
  readonly output?: OutputFormat | undefined;
  readonly logLevel?: LogLevel | undefined;
  readonly eager?: boolean | undefined;
  readonly hints?: 'on' | 'off' | undefined;
  readonly tools?: ToolProfile | undefined;
  readonly typescript?: TypescriptChoice | undefined;
}

export interface Program {
  readonly entryScript: string;
  onWarm(): void;
  serve(options: ServeOptions): Promise<number>;
  serveHttp(options: ServeOptions, words: HttpWords): Promise<number>;
}

export interface Command {
  /** As yargs wants it, e.g. `call <tool> [input..]`. */
  readonly usage: string;
  readonly describe: string;
  options(parser: Argv): Argv;
  /** The exit code. */
  run(argv: CommonOptions & { readonly [name: string]: unknown }, program: Program): Promise<number>;
}

/** The command line itself is wrong. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function serveOptions(argv: CommonOptions, servers: readonly string[] = []): ServeOptions {
  return {
    roots: argv.root ?? [],
    configFile: argv.config,
    servers,
    daemon: argv.daemon,
    idleTimeoutMinutes: argv.idleTimeout,
    eager: argv.eager,
    hints: argv.hints && argv.hints === 'on',
    output: argv.output,
    logLevel: argv.logLevel,
    tools: argv.tools,
    typescript: argv.typescript,
    permission: argv.permission,
    subagent: argv.subagent,
    auditLog: argv.auditLog,
  };
}

/** A session for one command, closed when the command is done. Its warnings go to standard error. */
export async function withSession<T>(
  options: ServeOptions,
  program: Program,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const [
    { openSession },
    { sessionConfig },
    { sessionOptions },
    { sessionFeatures },
    { SessionLog },
    { thresholdOf },
  ] = await Promise.all([
    import('../session/session.ts'),
    import('../session/session-config.ts'),
    import('../session/session-options.ts'),
    import('../features/session-features.ts'),
    import('../mcp/session-log.ts'),
    import('../tools/log-levels.ts'),
  ]);
  const threshold = thresholdOf(options.logLevel ?? 'warn');
  const log = new SessionLog((line) => void process.stderr.write(line), threshold);
  const setLogLevel = (level: typeof threshold) => {
    log.threshold = level;
  };
  const opening = sessionOptions(options, program.entryScript, {
    log,
    setLogLevel,
    // A call from a shell can use every tool.
    switchTools: () => {},
    features: sessionFeatures,
  });
  const session = await openSession(await sessionConfig(opening), opening);
  try {
    return await work(session);
  } finally {
    await session.close();
  }
}

/** Writes a text with its line end and waits until it is out; a reader that has left is not an error. */
export function print(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${text}\n`, () => resolve());
  });
}

/** Fires when the user presses Ctrl-C or the process is asked to end. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  // Not `once`: see mcp/stdio.ts.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort());
  process.stdout.once('error', () => controller.abort());
  return controller.signal;
}

/** The value of an option that yargs has already checked. */
export function textOption(argv: { readonly [name: string]: unknown }, name: string): string | undefined {
  const value = argv[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
