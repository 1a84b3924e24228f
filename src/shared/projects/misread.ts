/** Projects that TypeScript 7 would navigate by other rules than those they are written for. */
import type { AbsPath } from '../base/brand.ts';
import { complaintOfTypescript7 } from '../languages/typescript-verdict.ts';
import type { ServerPlan } from '../server-plan.ts';
import { readTsProject } from './tsconfig.ts';

/** Of these configurations. */
export async function misreadProjects(
  { serverId, server }: ServerPlan,
  configs: Iterable<string>,
  stateDir: AbsPath,
): Promise<ReadonlySet<string>> {
  const misread = new Set<string>();
  if (serverId !== 'typescript-7' || server.kind !== 'spawn') return misread;
  const { executable, binary } = server;
  for (const config of configs) {
    const { compilerOptions } = readTsProject(config);
    const typescript7 = { executable, args: [], binary };
    const request = { config, compilerOptions, typescript7, stateDir };
    if (await complaintOfTypescript7(request).catch(() => 'no answer')) misread.add(config);
  }
  return misread;
}
