/** Which engine has which role, for people: where a project's own TypeScript judges and another one navigates. */
import path from 'node:path';
import type { ServerPlan } from '../link/server-plan.ts';
import { packageAt } from './npm-packages.ts';
import type { Role } from './roles.ts';

/** `TypeScript 5.9.3`; undefined for other languages. */
function engineOf({ serverId, server, initializationOptions }: ServerPlan): string | undefined {
  if (server.kind !== 'spawn') return undefined;
  if (serverId === 'typescript-7') return named(path.resolve(server.executable, '../..'));
  if (serverId !== 'typescript-language-server') return undefined;
  const { tsserver } = Object(initializationOptions) as { tsserver?: { path?: unknown } };
  return typeof tsserver?.path === 'string' ? named(path.resolve(tsserver.path, '../..')) : 'a TypeScript';
}

/** One line; undefined where there is nothing to choose between. */
export function rolesLine(plans: Readonly<Record<Role, ServerPlan>>, complaint?: string): string | undefined {
  const [navigator, judge] = [engineOf(plans.navigation), engineOf(plans.types)];
  if (navigator === undefined || judge === undefined) return undefined;
  if (navigator !== judge)
    return `${navigator} searches, navigates and renames; ${judge} of the project judges (diagnostics, fixes, edits)`;
  return complaint === undefined
    ? `${navigator} has all roles`
    : `${navigator} has all roles, because version 7 does not accept the project: ${complaint}`;
}

function named(directory: string): string {
  return `TypeScript ${packageAt(directory)?.version ?? 'of an unknown version'}`;
}
