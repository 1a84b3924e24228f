/**
 * Projects whose configuration a TypeScript server understands otherwise than the project means it, or cannot read
 * whole.
 */
import type { AbsPath } from '../base/brand.ts';
import { languageFacts } from '../languages/facts.ts';
import { complaintOfTypescript7, typescript7In } from '../languages/typescript-verdict.ts';
import type { ServerPlan } from '../link/server-plan.ts';
import { readTsProject } from '../tsconfig/tsconfig.ts';

/** Those whose configuration cannot be read whole, with the reason: what it should say is lost on every server. */
export function unreadProjects(
  { language }: ServerPlan,
  configs: Iterable<string>,
): ReadonlyMap<string, string> {
  const unread = new Map<string, string>();
  if (languageFacts(language).projects !== 'tsconfig') return unread;
  for (const config of configs) {
    const why = readTsProject(config).unread;
    if (why !== undefined) unread.set(config, why);
  }
  return unread;
}

/** Of these configurations, those that TypeScript 7 would navigate by other rules than they are written for. */
export async function misreadProjects(
  plan: ServerPlan,
  configs: Iterable<string>,
  stateDir: AbsPath,
): Promise<ReadonlySet<string>> {
  const misread = new Set<string>();
  const typescript7 = typescript7In(plan);
  if (!typescript7) return misread;
  for (const config of configs) {
    const { compilerOptions } = readTsProject(config);
    const request = { config, compilerOptions, typescript7, stateDir };
    if (await complaintOfTypescript7(request).catch(() => 'no answer')) misread.add(config);
  }
  return misread;
}
