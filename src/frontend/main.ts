/** The front end's entry: without arguments it serves MCP at once, anything else is read as a command line. */
import { firstProfile } from '../shared/config/first-profile.ts';
import { answerEarly } from './mcp/fast-path/early-answer.ts';
import type { ServeOptions } from './session/serve-options.ts';

export interface FrontEndStart {
  readonly args: readonly string[];
  /** The script of this program, which also is the broker's. */
  readonly entryScript: string;
  /** Called when ordinary work has been done once. */
  onWarm(): void;
}

/** The exit code of the process. */
export async function runFrontEnd({ args, entryScript, onWarm }: FrontEndStart): Promise<number> {
  const serveWith = async (options: ServeOptions) => {
    // A client that has left is noticed when the input ends.
    process.stdout.on('error', () => {});
    const profile = firstProfile(options);
    const answered = await answerEarly(process.stdin, process.stdout, profile);
    const { serve } = await import('./mcp/serve.ts');
    return serve(options, { entryScript, onWarm, answered, profile });
  };
  if (args.length === 0) return serveWith({});
  // Help is for people, and made with what other commands are read with.
  if (args[0] === 'hook' && !args.some((arg) => arg === '--help' || arg === '-h')) {
    const { runHook } = await import('./cli/hook.ts');
    return runHook(args.slice(1), { entryScript, onWarm });
  }
  const { runCommandLine } = await import('./cli/cli.ts');
  return runCommandLine(args, {
    entryScript,
    onWarm,
    serve: serveWith,
    serveHttp: async (options, words) => {
      const { serveHttp } = await import('./http/serve-http.ts');
      return serveHttp(options, words, { entryScript, onWarm });
    },
  });
}
