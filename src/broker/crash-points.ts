/** Places at which tests kill a real broker: the ones where a crash leaves something half done. */
export type CrashPoint =
  | 'after-bind'
  | 'before-publish'
  | 'after-publish'
  | 'after-grave'
  | 'after-unlink'
  | 'mid-initialize'
  | 'draining';

export type AtPoint = (point: CrashPoint) => void | Promise<void>;

/** With `AGENT_LSP_CRASH_AT=<point>` the process kills itself there; otherwise nothing happens. */
export function crashPointsFrom(env: NodeJS.ProcessEnv): AtPoint {
  const wanted = env.AGENT_LSP_CRASH_AT;
  return (point) => {
    if (point === wanted) process.kill(process.pid, 'SIGKILL');
  };
}
