/** Serving MCP over HTTP until a signal asks the process to leave. */
import { fail } from '../../shared/base/failure.ts';
import { GarbageWatch, MOST_GARBAGE_OF_MANY, serveMany } from '../../shared/base/memory.ts';
import { absolutePath, realPath } from '../../shared/base/paths.ts';
import type { Config } from '../../shared/config/config.ts';
import { firstLogFormat } from '../../shared/config/first-profile.ts';
import { takeHttpToken } from '../../shared/config/http-token.ts';
import { VERSION } from '../../shared/version.ts';
import { sessionFeatures } from '../features/session-features.ts';
import { ClientConnection } from '../mcp/client-connection.ts';
import { LogFiles } from '../mcp/log-files.ts';
import { seriousError } from '../mcp/serious-error.ts';
import { SessionLog } from '../mcp/session-log.ts';
import type { ServeOptions } from '../session/serve-options.ts';
import { sessionConfig } from '../session/session-config.ts';
import { sessionOptions } from '../session/session-options.ts';
import { thresholdOf } from '../tools/log-levels.ts';
import { isDirectory } from '../workspace/roots.ts';
import { OF_MANY_SESSIONS, SourceFiles } from '../workspace/source-files.ts';
import { Admission } from './admission.ts';
import { askedToLeave } from './drain.ts';
import { Endpoint } from './endpoint.ts';
import { type HttpOptions, type HttpWords, httpOptions } from './http-options.ts';
import { HTTP_LIMITS } from './limits.ts';
import { listen } from './listener.ts';
import type { SessionBounds } from './session-bounds.ts';
import { HttpSessions } from './sessions.ts';

export interface HttpProgram {
  readonly entryScript: string;
  onWarm(): void;
}

/** Sessions share their servers unless the user says otherwise. */
const SHARED = { daemonDefault: 'always', transport: 'http' } as const;

export async function serveHttp(
  options: ServeOptions,
  words: HttpWords,
  program: HttpProgram,
): Promise<number> {
  process.stderr.on('error', () => {});
  serveMany();
  const http = httpOptions(words, takeHttpToken());
  for (const warning of http.warnings) say(warning);
  const log = sessionLog(options);
  const logFiles = new LogFiles();
  const files = new SourceFiles(OF_MANY_SESSIONS);
  const { bounds, config } = await mostOf({ ...options, ...SHARED }, program, log);
  void logFiles.add(log, config);
  const garbage = new GarbageWatch(MOST_GARBAGE_OF_MANY);
  const sessions = new HttpSessions({
    bounds,
    limits: HTTP_LIMITS,
    timeoutMs: http.sessionTimeoutMs,
    log,
    connect: ({ name, client, bounds: { isSubagent, ...bounded } }) => {
      const ownLog = sessionLog(options, name);
      return new ClientConnection({
        options: { ...options, ...SHARED, ...bounded, subagent: isSubagent },
        label: `http ${name} (${client})`,
        files,
        entryScript: program.entryScript,
        log: ownLog,
        profile: bounded.tools,
        onOpened: ({ config }) => void logFiles.add(ownLog, config),
        onCalled: () => {
          program.onWarm();
          // After the answer is on its way.
          setImmediate(() => garbage.callEnded());
        },
      });
    },
  });
  const endpoint = new Endpoint({ admission: new Admission(http), sessions, limits: HTTP_LIMITS, log });
  const listening = await listen({ ...http, limits: HTTP_LIMITS, log }, endpoint.handle);
  log.debug('http begun', { version: VERSION, pid: process.pid });
  // Whoever reads the invitation may send a signal at once.
  const leaving = Promise.race([askedToLeave(sessions, HTTP_LIMITS.drainMs, log), seriousError(log)]);
  say(invitation(http, listening.port, bounds));
  const code = await leaving;
  await sessions.close();
  await listening.close();
  log.debug('http ended', { code });
  return code;
}

/** What is wrong with the configuration is said before anybody is let in. */
async function mostOf(
  options: ServeOptions,
  { entryScript }: HttpProgram,
  log: SessionLog,
): Promise<{ readonly bounds: SessionBounds; readonly config: Config }> {
  const start = sessionOptions(options, entryScript, {
    log,
    features: sessionFeatures,
    setLogLevel: () => {},
    switchTools: () => {},
  });
  const config = await sessionConfig(start);
  const { permission, isSubagent, tools } = config;
  const given = start.roots.length > 0 ? start.roots : [start.cwd];
  const roots = [...new Set(given.map((root) => realPath(absolutePath(root, start.cwd))))];
  const missing = roots.find((root) => !isDirectory(root));
  if (missing !== undefined)
    fail({ kind: 'invalid-input', message: `the root ${missing} is no directory`, next: 'Correct -r' });
  return { bounds: { roots, permission, isSubagent, tools }, config };
}

/** Lines about one session name it. */
function sessionLog({ logLevel = 'info', tools }: ServeOptions, session?: string): SessionLog {
  return new SessionLog((line) => void process.stderr.write(line), thresholdOf(logLevel), {
    format: firstLogFormat(tools),
    ...(session === undefined ? {} : { fields: { session } }),
  });
}

function invitation(
  { address, tokens }: HttpOptions,
  port: number,
  { roots, permission }: SessionBounds,
): string {
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}/mcp`;
  const header = tokens.length === 0 ? '' : ' --header "Authorization: Bearer $AGENT_LSP_TOKEN"';
  const how = `claude mcp add --transport http agent-lsp ${url}${header}`;
  return `MCP at ${url} for ${roots.join(', ')} (permission ${permission}); connect for example with: ${how}`;
}

function say(line: string): void {
  process.stderr.write(`agent-lsp: ${line}\n`);
}
