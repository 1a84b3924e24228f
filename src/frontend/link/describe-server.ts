/** The server of a plan for people: the command line or the address that is dialled, and what it takes as given. */
import { neededInterpreter } from '../../shared/languages/facts.ts';
import type { ServerPlan } from '../../shared/link/server-plan.ts';

export function describeServer({ server }: ServerPlan): string {
  return server.kind === 'connect'
    ? `${server.host}:${server.port}`
    : [server.executable, ...server.args].join(' ');
}

/** Undefined where nothing was chosen that could be wrong. */
export function describeSurroundings({ language, settings }: ServerPlan): string | undefined {
  if (neededInterpreter(language) !== 'python') return undefined;
  const { python } = settings;
  const interpreter =
    typeof python === 'object' && python !== null && 'pythonPath' in python ? python.pythonPath : undefined;
  return typeof interpreter === 'string'
    ? `interpreter ${interpreter}`
    : 'interpreter on PATH, no virtual environment was found';
}
