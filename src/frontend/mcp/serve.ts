/** Serving MCP on standard input and output until the client has gone or a signal asks the process to leave. */
import path from 'node:path';
import { messageOf } from '../../shared/base/failure.ts';
import { GarbageWatch } from '../../shared/base/memory.ts';
import type { ToolProfile } from '../../shared/config/choices.ts';
import type { Config } from '../../shared/config/config.ts';
import { VERSION } from '../../shared/version.ts';
import { sessionFeatures } from '../features/session-features.ts';
import { type LazySession, lazySession } from '../session/lazy-session.ts';
import type { ServeOptions } from '../session/serve-options.ts';
import { type LogThreshold, thresholdOf } from '../tools/log-levels.ts';
import { ClientRoots } from './client-roots.ts';
import type { RequestId } from './fast-path/early-answer.ts';
import { instructionsFor } from './instructions.ts';
import { ResourceCalls } from './resource-calls.ts';
import type { RoundTrips } from './round-trips.ts';
import { SessionLog } from './session-log.ts';
import { SkillCalls } from './skill-calls.ts';
import { serveOnStdio } from './stdio.ts';
import { ToolCalls } from './tool-calls.ts';
import { ToolSet } from './tool-set.ts';

export interface ProgramStart {
  readonly entryScript: string;
  onWarm(): void;
  /** The handshake that has been answered already. */
  readonly answered: RequestId | undefined;
  /** The tools that are configured, if that is known before the configuration is read. */
  readonly profile: ToolProfile | undefined;
}

export async function serve(options: ServeOptions, program: ProgramStart): Promise<number> {
  process.stderr.on('error', () => {});
  const log = new SessionLog(
    (line) => void process.stderr.write(line),
    thresholdOf(options.logLevel ?? 'info'),
  );
  const setLogLevel = (level: LogThreshold) => {
    log.threshold = level;
  };
  log.debug('session started', { version: VERSION, pid: process.pid });
  const roots = new ClientRoots(log);
  const toolSet = new ToolSet(log);
  const over = new AbortController();
  const opening = lazySession(
    async () => {
      const { sessionOptions } = await import('../session/session-options.ts');
      return sessionOptions(options, program.entryScript, {
        log,
        setLogLevel,
        switchTools: toolSet.switchTo,
        features: sessionFeatures,
      });
    },
    (opened) => {
      log.setDefault(thresholdOf(opened.config.logLevel));
      void logToFile(log, opened.config);
      void resources.openChannels(opened);
      if (opened.config.isEager) void opened.warm(over.signal);
    },
  );
  const session = roots.over(opening);
  const resources = new ResourceCalls(session, log);
  const garbage = new GarbageWatch();
  const calls = new ToolCalls(session, toolSet, () => {
    program.onWarm();
    // After the answer is on its way.
    setImmediate(() => garbage.callEnded());
  });
  const skills = new SkillCalls(session, toolSet, program.entryScript);
  let roundTrips: RoundTrips | undefined;
  const ended = serveOnStdio({
    log,
    calls,
    skills,
    saw: (message) => {
      resources.saw(message);
      toolSet.saw(message);
      return roots.saw(message);
    },
    answered: program.answered,
    initialized: (send) => {
      log.attach((level, data, logger = 'agent-lsp') =>
        send({ method: 'notifications/message', params: { level, logger, data } }),
      );
      toolSet.announce = (method) => send({ method });
      roots.ask(send);
      void openIfEager(session);
    },
    loadServer: async () => {
      const [{ createMcpServer }, { RoundTrips }] = await Promise.all([
        import('./server.ts'),
        import('./round-trips.ts'),
      ]);
      const held = new RoundTrips();
      roundTrips = held;
      return () => {
        const instructions = instructionsFor(program.profile && toolSet.profile(program.profile));
        return createMcpServer({ calls, roundTrips: held, resources, skills, roots, log, instructions });
      };
    },
    prepare: prefetch,
  });
  const code = await Promise.race([ended, seriousError(log)]);
  over.abort();
  log.detach();
  resources.close();
  roundTrips?.close();
  await session.close();
  log.debug('session ended', { code });
  return code;
}

/** Other sessions are opened by their first call, or when their tools are listed. */
async function openIfEager(session: LazySession): Promise<void> {
  const read = await session.config();
  if ('config' in read && read.config.isEager) await session.open();
}

async function logToFile(log: SessionLog, { logMode, stateDir }: Config): Promise<void> {
  if (logMode === 'stderr') return;
  const directory = path.join(stateDir, 'logs');
  try {
    const { LogFile } = await import('./log-file.ts');
    const file = new LogFile(directory, new Date());
    log.toFile((line) => file.write(line), { instead: logMode === 'file' });
    log.info('log file begun', { version: VERSION, directory, mode: logMode });
  } catch (error) {
    log.error('no log file can be written', { directory, error: messageOf(error) });
  }
}

/** A promise that nobody looked at is no reason to leave; an error in the middle of things is, but in good order. */
function seriousError(log: SessionLog): Promise<number> {
  process.on('unhandledRejection', (reason) => log.error('unhandled rejection', { reason: stackOf(reason) }));
  return new Promise((resolve) => {
    process.once('uncaughtException', (error) => {
      log.error('uncaught exception', { error: stackOf(error) });
      resolve(1);
    });
  });
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/**
 * Loads what the first tool call needs while the client is still busy with the answer to its handshake. In steps, because
 * a step lets no message in, and the list of tools, which is asked for meanwhile, is not to wait for all of them.
 */
async function prefetch(): Promise<void> {
  const steps = [
    () => import('./progress.ts'),
    () => import('../tools/define-tool.ts'),
    () => import('../session/session.ts'),
    () => import('../features/registry.ts'),
    () => sessionFeatures.load(),
    () => import('../invoke/call-tool.ts'),
    () => import('../channels/channels.ts'),
  ];
  for (const step of steps) {
    await step();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
