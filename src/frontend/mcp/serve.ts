/** Serving MCP on standard input and output until the client has gone or a signal asks the process to leave. */
import { GarbageWatch } from '../../shared/base/memory.ts';
import type { ToolProfile } from '../../shared/config/choices.ts';
import { firstLogFormat } from '../../shared/config/first-profile.ts';
import { VERSION } from '../../shared/version.ts';
import { sessionFeatures } from '../features/session-features.ts';
import type { ServeOptions } from '../session/serve-options.ts';
import { thresholdOf } from '../tools/log-levels.ts';
import { ClientConnection } from './client-connection.ts';
import type { RequestId } from './fast-path/early-answer.ts';
import { LogFiles } from './log-files.ts';
import { seriousError } from './serious-error.ts';
import { SessionLog } from './session-log.ts';
import { serveOnStdio } from './stdio.ts';

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
    { format: firstLogFormat(program.profile) },
  );
  log.debug('session started', { version: VERSION, node: process.version, pid: process.pid });
  const garbage = new GarbageWatch();
  const files = new LogFiles();
  let calls = 0;
  const client = new ClientConnection({
    options,
    entryScript: program.entryScript,
    log,
    profile: program.profile,
    onOpened: ({ config }) => void files.add(log, config),
    onCalled: () => {
      calls += 1;
      program.onWarm();
      // After the answer is on its way.
      setImmediate(() => garbage.callEnded());
    },
  });
  const ended = serveOnStdio({ client, answered: program.answered, prepare: prefetch });
  const code = await Promise.race([ended, seriousError(log)]);
  await client.close();
  log.debug('session ended', { code, uptime_s: Math.round(process.uptime()), calls });
  return code;
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
