/**
 * A session's options from the command line and the machine. The environment is read here and nowhere else in a
 * session.
 */
import { currentEnvironment, packageRootOf } from '../../shared/languages/environment.ts';
import type { ServeOptions } from './serve-options.ts';
import type { SessionOptions } from './session.ts';

export function sessionOptions(
  options: ServeOptions,
  entryScript: string,
  rest: Pick<SessionOptions, 'log' | 'label' | 'files' | 'setLogLevel' | 'switchTools' | 'features'>,
): SessionOptions {
  const { roots = [], ...commandLine } = options;
  return {
    environment: currentEnvironment(packageRootOf(entryScript)),
    entryScript,
    cwd: process.cwd(),
    roots,
    commandLine,
    ...rest,
  };
}
