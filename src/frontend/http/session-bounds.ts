/**
 * What a session may do at most, and what it asks for: the same or less. What the process was started with holds for all of
 * its sessions; a proxy asks by headers for those behind it, a client by headers or in its messages.
 * Decision: docs/decisions/http.md#a-session-asks-for-less
 */
import { statSync } from 'node:fs';
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import type { AbsPath } from '../../shared/base/brand.ts';
import { fail } from '../../shared/base/failure.ts';
import { absolutePath, isInside, realPath, uriToPath } from '../../shared/base/paths.ts';
import { fieldOf } from '../../shared/base/unknown-value.ts';
import {
  PERMISSION_LEVELS,
  type PermissionLevel,
  TOOL_PROFILES,
  type ToolProfile,
} from '../../shared/config/choices.ts';

export interface SessionBounds {
  readonly roots: readonly AbsPath[];
  readonly permission: PermissionLevel;
  readonly isSubagent: boolean;
  readonly tools: ToolProfile;
  /** It has named its roots: they are all that it has, also where the user has opened more for others. */
  readonly rootsOnly?: true;
}

/** As somebody wrote it. */
interface Wish {
  readonly permission?: unknown;
  readonly roots?: unknown;
  readonly subagent?: unknown;
  readonly tools?: unknown;
}

const OURS = 'agent-lsp';
const WISHES = ['permission', 'roots', 'subagent', 'tools'] as const;

/** Fails where more is asked for than there is. What headers say binds what the message may ask for. */
export function boundsFor(most: SessionBounds, headers: Headers, body: unknown): SessionBounds {
  return [inHeaders(headers), inMeta(body), inCapabilities(body)].reduce(narrowed, most);
}

/** The client's own name for its session, with the newer protocol, which has none. */
export function sessionNamedIn(headers: Headers, body: unknown): string | undefined {
  const named = headers.get('Agent-Lsp-Session') ?? fieldOf(metaOf(body), `${OURS}/session`);
  return typeof named === 'string' && named !== '' ? named : undefined;
}

function inHeaders(headers: Headers): Wish {
  const said = (name: string) => headers.get(`Agent-Lsp-${name}`) ?? undefined;
  return {
    permission: said('Permission'),
    roots: said('Roots')?.split(',').map(decoded),
    subagent: said('Subagent'),
    tools: said('Tools'),
  };
}

/** Headers have neither commas within an entry nor letters beyond ASCII, so that paths are written as in addresses. */
function decoded(entry: string): string {
  try {
    return decodeURIComponent(entry.trim());
  } catch {
    return refuse(`the root ${JSON.stringify(entry)} cannot be read`, 'Write % in a path as %25');
  }
}

function inMeta(body: unknown): Wish {
  const meta = metaOf(body);
  return Object.fromEntries(WISHES.map((wish) => [wish, fieldOf(meta, `${OURS}/${wish}`)]));
}

function inCapabilities(body: unknown): Wish {
  const older = fieldOf(fieldOf(body, 'params'), 'capabilities');
  const capabilities = older ?? fieldOf(metaOf(body), CLIENT_CAPABILITIES_META_KEY);
  const wish = fieldOf(fieldOf(capabilities, 'experimental'), OURS);
  return Object.fromEntries(WISHES.map((name) => [name, fieldOf(wish, name)]));
}

function metaOf(body: unknown): unknown {
  return fieldOf(fieldOf(body, 'params'), '_meta');
}

function narrowed(most: SessionBounds, wish: Wish): SessionBounds {
  return {
    permission: permissionWithin(most.permission, wish.permission),
    ...(wish.roots === undefined ? rootsOf(most) : rootsWithin(most.roots, wish.roots)),
    isSubagent: isSubagentWithin(most.isSubagent, wish.subagent),
    tools: toolsWithin(most.tools, wish.tools),
  };
}

function permissionWithin(most: PermissionLevel, wish: unknown): PermissionLevel {
  if (wish === undefined) return most;
  const wanted = among(PERMISSION_LEVELS, 'permission', wish);
  const rank = (level: PermissionLevel) => PERMISSION_LEVELS.indexOf(level);
  if (rank(wanted) <= rank(most)) return wanted;
  return refuse(
    `permission ${wanted} is more than this server gives (${most})`,
    `Ask for ${most} or less; agent-lsp --permission ${wanted} gives it`,
  );
}

function isSubagentWithin(most: boolean, wish: unknown): boolean {
  if (wish === undefined) return most;
  const wanted = String(wish) === 'true';
  if (!wanted && String(wish) !== 'false')
    refuse(`subagent is ${JSON.stringify(wish)}`, 'Pass true, or leave it out');
  if (most && !wanted) refuse('this server serves subagents only', 'Leave out subagent');
  return wanted;
}

/** Which tools there are is the client's affair where nobody chose; `core` is a part of `full`. */
function toolsWithin(most: ToolProfile, wish: unknown): ToolProfile {
  if (wish === undefined) return most;
  const wanted = among(TOOL_PROFILES, 'tools', wish);
  if (most === 'auto' || wanted === most || (most === 'full' && wanted === 'core')) return wanted;
  return refuse(`the tools of this server are ${most}, not ${wanted}`, `Ask for ${most}, or for none`);
}

function rootsOf({ roots, rootsOnly }: SessionBounds): Pick<SessionBounds, 'roots' | 'rootsOnly'> {
  return rootsOnly ? { roots, rootsOnly } : { roots };
}

function rootsWithin(most: readonly AbsPath[], wish: unknown): Pick<SessionBounds, 'roots' | 'rootsOnly'> {
  const entries = Array.isArray(wish) ? wish : [wish];
  const wanted = entries.map((entry) => rootFrom(entry));
  if (wanted.length === 0) return refuse('no roots are asked for', 'Name one, or leave roots out');
  const beyond = wanted.find((root) => !most.some((known) => isInside(root, known)));
  if (beyond === undefined) return { roots: [...new Set(wanted)], rootsOnly: true };
  return refuse(
    `the root ${beyond} is outside of those of this server (${most.join(', ')})`,
    `Ask for one inside; agent-lsp --http -r ${beyond} opens it`,
  );
}

function rootFrom(entry: unknown): AbsPath {
  const text = typeof entry === 'string' && !entry.includes('\0') ? entry : '';
  const located =
    uriToPath(text) ?? (text.startsWith('/') || /^[a-z]:/i.test(text) ? absolutePath(text) : undefined);
  const root = located && realPath(located);
  if (root && statSync(root, { throwIfNoEntry: false })?.isDirectory()) return root;
  return refuse(
    `the root ${JSON.stringify(entry)} is no directory here`,
    'Pass an absolute path or a file: address on the machine of this server',
  );
}

function among<Choice extends string>(choices: readonly Choice[], what: string, wish: unknown): Choice {
  const choice = choices.find((each) => each === wish);
  return choice ?? refuse(`${what} is ${JSON.stringify(wish)}`, `Pass one of ${choices.join(', ')}`);
}

function refuse(reason: string, next: string): never {
  return fail({ kind: 'not-permitted', reason, next });
}
